/// GIF 87a and 89a: the size of the logical screen.
enum GIFHeader {
    static func read(_ bytes: ByteView) throws(ImageError) -> ImageFrame {
        guard let width = bytes.integer(UInt16.self, at: 6, .littleEndian),
            let height = bytes.integer(UInt16.self, at: 8, .littleEndian)
        else { throw .malformed(.gif, "it ends within its header") }
        return try ImageFrame(.gif, width: width, height: height)
    }
}
