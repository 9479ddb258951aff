import Crypto

/// Table of the chunker: a 64-bit number for each value of a byte, derived from a key.
///
/// The expansion is HKDF-Expand (RFC 5869) with SHA-256: the key is the pseudorandom key, `Portolan gear table` in
/// ASCII is the info, the output has 2048 bytes. Entry *n* is the little-endian number in the eight bytes from *8n*.
///
/// Two sides find common chunks only with the same key. An attacker without the key cannot make content with bad
/// boundaries.
package struct GearTable: Sendable {
    package static let keyLength = 32

    let entries: [UInt64]

    /// - Parameter key: 32 bytes.
    package init(key: [UInt8]) {
        precondition(key.count == Self.keyLength)
        let output = HKDF<SHA256>.expand(
            pseudoRandomKey: key, info: Array("Portolan gear table".utf8), outputByteCount: 256 * 8)
        entries = output.withUnsafeBytes { bytes in (0..<256).map { bytes.number(at: $0 * 8).byteSwapped } }
    }
}
