import Crypto

/// Computes SHA-256 (FIPS 180-4) of content that is too large for memory, part by part.
///
/// - Parameter next: returns the next part; nil at the end.
package func sha256(_ next: () throws -> [UInt8]?) rethrows -> [UInt8] {
    var hash = Crypto.SHA256()
    while let part = try next() { hash.update(data: part) }
    return Array(hash.finalize())
}

/// Computes SHA-256 of a few parts in memory, as of their concatenation.
package func sha256(_ parts: some Sequence<[UInt8]>) -> [UInt8] {
    var hash = Crypto.SHA256()
    for part in parts { hash.update(data: part) }
    return Array(hash.finalize())
}
