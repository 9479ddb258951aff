import Crypto

/// Digest of a whole file under a key: the first 16 bytes of the SHA-256 of its blocks' concatenated digests
/// (``KeyedDigest``).
package struct FileDigest: Hashable, Sendable {
    /// Key of the blocks' digests, 32 bytes.
    package let key: [UInt8]
    /// The digest, 16 bytes.
    package let bytes: [UInt8]

    package init(key: [UInt8], bytes: [UInt8]) {
        self.key = key
        self.bytes = bytes
    }
}

/// Makes the digest of a file whose blocks (``BlockDigest/blockSize``) come in their order.
package struct FileDigester {
    private let blocks: KeyedDigest
    private var hash = Crypto.SHA256()

    /// - Parameter key: 32 bytes.
    package init(key: [UInt8]) { blocks = KeyedDigest(key: key) }

    /// - Parameter bytes: whole blocks; only the last one of the file may be shorter.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        let size = Int(BlockDigest.blockSize)
        for start in stride(from: 0, to: bytes.count, by: size) {
            let block = UnsafeRawBufferPointer(rebasing: bytes[start..<min(bytes.count, start + size)])
            hash.update(data: blocks.digest(of: block))
        }
    }

    package func finalize() -> [UInt8] { Array(hash.finalize().prefix(KeyedDigest.length)) }
}
