import PortolanCrypto

/// Fingerprints as people are shown them.
enum FingerprintText {
    /// Two groups of four with their hyphen: as much as names a device on a command line.
    static let shortLength = 9

    /// The beginning, for a key that this device knows whole: a person compares all of it once, when it is met for the
    /// first time.
    static func short(_ fingerprint: Fingerprint) -> String { String(fingerprint.description.prefix(shortLength)) }

    static func text(_ fingerprint: Fingerprint, inFull: Bool) -> String {
        inFull ? fingerprint.description : short(fingerprint)
    }
}
