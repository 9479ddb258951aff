import Crypto

/// Makes the digest of a synchronized content whose bytes come in their order (SYNC.md 6-1): up to one part its
/// SHA-256, beyond that the beginning of the SHA-512 of a label, the SHA-256 of each part, and the size (FIPS 180-4).
///
/// The digests of the parts let a reader check each part by itself, whatever its source. No content of one part has the
/// digest of a larger one, which is of another function.
package struct ContentDigester: Sendable {
    /// Length of a part, in bytes; the last one may be shorter.
    package static let partBytes = 1 << 20

    /// Digest of the last part so far, and its bytes.
    private var last = (digest: Crypto.SHA256(), bytes: 0)
    /// Digest of the label and the parts before the last one; nil while there is one part.
    private var parts: Crypto.SHA512?
    private var size: UInt64 = 0

    package init(of bytes: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0)) { update(bytes) }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes
        while !rest.isEmpty {
            if last.bytes == Self.partBytes {
                parts = withLastPart()
                last = (Crypto.SHA256(), 0)
            }
            let next = UnsafeRawBufferPointer(rebasing: rest.prefix(Self.partBytes - last.bytes))
            last.digest.update(bufferPointer: next)
            last.bytes += next.count
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(next.count))
        }
        size += UInt64(bytes.count)
    }

    package func finalize() -> [UInt8] {
        guard parts != nil else { return Array(last.digest.finalize()) }
        var whole = withLastPart()
        withUnsafeBytes(of: size.bigEndian) { whole.update(bufferPointer: $0) }
        return Array(whole.finalize().prefix(32))
    }

    private func withLastPart() -> Crypto.SHA512 {
        var digest = parts ?? Crypto.SHA512()
        if parts == nil { digest.update(data: Array("Portolan content".utf8)) }
        last.digest.finalize().withUnsafeBytes { digest.update(bufferPointer: $0) }
        return digest
    }
}
