/// PNG (ISO/IEC 15948): the signature, then the chunk IHDR.
enum PNGHeader {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    static func read(_ bytes: ByteView) throws(ImageError) -> ImageFrame {
        guard bytes.integer(UInt32.self, at: 8) == 13, bytes.has("IHDR", at: 12),
            let width = bytes.integer(UInt32.self, at: 16), let height = bytes.integer(UInt32.self, at: 20)
        else { throw .malformed(.png, "it does not begin with a whole IHDR chunk") }
        guard width <= Int32.max, height <= Int32.max else {
            throw .malformed(.png, "its size is \(width) × \(height) pixels")
        }
        return try ImageFrame(.png, width: width, height: height)
    }
}
