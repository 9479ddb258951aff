import Crypto

/// SHA-256 (FIPS 180-4) of content that is too large to be in memory: of all its parts, one after the other.
///
/// - Parameter next: gives the next part; nil when there is none.
package func sha256(_ next: () throws -> [UInt8]?) rethrows -> [UInt8] {
    var hash = Crypto.SHA256()
    while let part = try next() { hash.update(data: part) }
    return Array(hash.finalize())
}

/// SHA-256 of a few parts that are in memory, as if they were one string.
package func sha256(_ parts: some Sequence<[UInt8]>) -> [UInt8] {
    var hash = Crypto.SHA256()
    for part in parts { hash.update(data: part) }
    return Array(hash.finalize())
}
