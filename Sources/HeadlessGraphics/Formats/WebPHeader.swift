/// WebP (RFC 9649): the first chunk is lossy (VP8), lossless (VP8L) or the extended header (VP8X), which has the
/// canvas.
enum WebPHeader {
    static func read(_ bytes: ByteView) throws(ImageError) -> ImageHeader {
        guard let length = bytes.integer(UInt32.self, at: 16, .littleEndian),
            let chunk = bytes.view(from: 20), length >= 5
        else { throw .malformed(.webP, "its first chunk is cut short") }
        let size =
            if bytes.has("VP8 ", at: 12) {
                lossySize(chunk)
            } else if bytes.has("VP8L", at: 12) {
                losslessSize(chunk)
            } else if bytes.has("VP8X", at: 12) {
                canvasSize(chunk)
            } else {
                (width: UInt32, height: UInt32)?.none
            }
        guard let size else { throw .malformed(.webP, "its first chunk is unknown or cut short") }
        return try ImageHeader(.webP, width: size.width, height: size.height)
    }

    /// Size in the frame header of RFC 6386, section 9.1: 14 bits each, of a key frame.
    private static func lossySize(_ chunk: ByteView) -> (width: UInt32, height: UInt32)? {
        guard let tag = chunk.byte(at: 0), tag & 1 == 0, chunk.has([0x9D, 0x01, 0x2A], at: 3),
            let width = chunk.integer(UInt16.self, at: 6, .littleEndian),
            let height = chunk.integer(UInt16.self, at: 8, .littleEndian)
        else { return nil }
        return (UInt32(width & 0x3FFF), UInt32(height & 0x3FFF))
    }

    /// Size: 14 bits each, less one.
    private static func losslessSize(_ chunk: ByteView) -> (width: UInt32, height: UInt32)? {
        guard chunk.byte(at: 0) == 0x2F, let bits = chunk.integer(UInt32.self, at: 1, .littleEndian) else { return nil }
        return ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    }

    /// Size: 24 bits each, less one.
    private static func canvasSize(_ chunk: ByteView) -> (width: UInt32, height: UInt32)? {
        // The 32 bits that end with the field are read, and the byte before the field is removed.
        guard let width = chunk.integer(UInt32.self, at: 3, .littleEndian),
            let height = chunk.integer(UInt32.self, at: 6, .littleEndian)
        else { return nil }
        return ((width >> 8) + 1, (height >> 8) + 1)
    }
}
