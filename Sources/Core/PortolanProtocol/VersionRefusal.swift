/// Unencrypted answer to a preface of an unsupported version, of a handshake (HANDSHAKE.md 3.1) or of a lane (4.2).
///
/// Twelve bytes: the name of the preface, 0 in place of the version, the lowest and the highest supported version, and
/// 0.
enum VersionRefusal {
    static let length = 12

    static func encode(_ magic: [UInt8], lowest: UInt8, highest: UInt8) -> [UInt8] { magic + [0, lowest, highest, 0] }

    /// Returns the versions that it names, or `nil` if the bytes are no such answer.
    static func versions(in bytes: [UInt8], _ magic: [UInt8]) -> ClosedRange<UInt8>? {
        guard bytes.count == length, bytes.starts(with: magic), bytes[8] == 0, bytes[9] <= bytes[10], bytes[11] == 0
        else { return nil }
        return bytes[9]...bytes[10]
    }
}
