/// BMP: the file header of 14 bytes, then an OS/2 (12 bytes) or Windows (40 bytes or more) information header.
enum BMPHeader {
    static func read(_ bytes: ByteView) throws(ImageError) -> ImageHeader {
        guard let length = bytes.integer(UInt32.self, at: 14, .littleEndian) else {
            throw .malformed(.bmp, "it ends within its header")
        }
        if length == 12, let width = bytes.integer(UInt16.self, at: 18, .littleEndian),
            let height = bytes.integer(UInt16.self, at: 20, .littleEndian)
        {
            return try ImageHeader(.bmp, width: width, height: height)
        }
        guard length >= 40, let width = bytes.integer(UInt32.self, at: 18, .littleEndian),
            let height = bytes.integer(UInt32.self, at: 22, .littleEndian)
        else { throw .malformed(.bmp, "its information header has \(length) bytes or is cut short") }
        // A negative height means rows from top to bottom.
        return try ImageHeader(
            .bmp, width: Int32(bitPattern: width), height: Int64(Int32(bitPattern: height)).magnitude)
    }
}
