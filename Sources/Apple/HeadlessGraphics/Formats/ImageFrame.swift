/// Size of the stored pixels of a PNG, JPEG or GIF image, and their orientation, from its header.
///
/// Headers of other formats are read by the programs that convert them, and nowhere in this process.
struct ImageFrame: Sendable, Hashable {
    let storedSize: PixelSize
    let orientation: Orientation

    var displayedSize: PixelSize {
        orientation.isTransposed
            ? PixelSize(width: storedSize.height, height: storedSize.width) : storedSize
    }

    /// Number of pixels; nil beyond an `Int`.
    var pixelCount: Int? {
        let (product, overflow) = storedSize.width.multipliedReportingOverflow(by: storedSize.height)
        return overflow ? nil : product
    }

    /// Reads the header of an image in a format with a reader; nil for every other format.
    /// - Throws: ``ImageError``, of kind ``ImageError/Kind/malformed``, for a header that breaks the format's rules.
    static func read(_ bytes: ByteView, as format: ImageFormat) throws(ImageError) -> ImageFrame? {
        switch format {
        case .png: try PNGHeader.read(bytes)
        case .jpeg: try JPEGHeader.read(bytes)
        case .gif: try GIFHeader.read(bytes)
        case .webP, .heic, .heicSequence, .heif, .avif, .avifSequence, .tiff, .bmp: nil
        }
    }

    /// - Throws: ``ImageError`` for a width or height of 0.
    init(
        _ format: ImageFormat, width: some BinaryInteger, height: some BinaryInteger,
        orientation: Orientation = .upright
    ) throws(ImageError) {
        guard width > 0, height > 0 else { throw .malformed(format, "its size is \(width) × \(height) pixels") }
        storedSize = PixelSize(width: Int(width), height: Int(height))
        self.orientation = orientation
    }
}
