/// The new content that a patch builds.
///
/// A patch is encoded as: the version, 1, in a byte; the size of the new content in LEB128; its SHA-256; operations,
/// until they have as many bytes as the new content. An operation begins with twice its length in LEB128, plus 1 for a
/// literal. Behind that, a literal has its bytes; a copy has the distance of its first byte in the base from the end of
/// the copy before (from 0 for the first copy) in LEB128, as zigzag: twice the distance, or for one to the front twice
/// its amount minus 1.
package struct PatchHeader: Hashable, Sendable {
    static let version: UInt8 = 1

    package let size: UInt64
    package let digest: ContentDigest

    package init(size: UInt64, digest: ContentDigest) {
        self.size = size
        self.digest = digest
    }
}
