import PortolanCrypto

/// Fingerprints as people are shown them.
enum FingerprintText {
    /// Two groups of four with their hyphen: as much as names a device on a command line.
    static let shortLength = 9

    /// Beginning of the fingerprint of a stored key: the user compares the whole fingerprint once, at the first
    /// meeting.
    static func short(_ fingerprint: Fingerprint) -> String { String(fingerprint.description.prefix(shortLength)) }

    static func text(_ fingerprint: Fingerprint, inFull: Bool) -> String {
        inFull ? fingerprint.description : short(fingerprint)
    }
}
