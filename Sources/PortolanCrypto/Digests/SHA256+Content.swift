import Crypto

/// SHA-256 (FIPS 180-4) of content that is too large to be in memory: of all its parts, one after the other.
///
/// - Parameter next: gives the next part; nil when there is none.
package func sha256(_ next: () throws -> [UInt8]?) rethrows -> [UInt8] {
    var hash = Crypto.SHA256()
    while let part = try next() { hash.update(data: part) }
    return Array(hash.finalize())
}
