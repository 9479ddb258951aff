import Foundation

/// Header of an image: its format, the size of the stored pixels, and their orientation.
struct ImageHeader: Sendable, Hashable {
    let format: ImageFormat
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

    /// Reads the header of the format that the first bytes show.
    init(of data: Data) throws(ImageError) {
        let bytes = ByteView(data)
        if bytes.has(PNGHeader.signature) {
            self = try PNGHeader.read(bytes)
        } else if bytes.has(JPEGHeader.signature) {
            self = try JPEGHeader.read(bytes)
        } else if bytes.has("GIF87a") || bytes.has("GIF89a") {
            self = try GIFHeader.read(bytes)
        } else if bytes.has("RIFF"), bytes.has("WEBP", at: 8) {
            self = try WebPHeader.read(bytes)
        } else if bytes.has("ftyp", at: 4), let format = HEIFHeader.format(of: bytes) {
            self = try HEIFHeader.read(bytes, as: format)
        } else if let directory = TIFFDirectory(bytes) {
            self = try directory.header()
        } else if bytes.has("BM") {
            self = try BMPHeader.read(bytes)
        } else {
            throw .unrecognized
        }
    }

    /// - Throws: ``ImageError`` for a width or height of 0.
    init(
        _ format: ImageFormat, width: some BinaryInteger, height: some BinaryInteger,
        orientation: Orientation = .upright
    ) throws(ImageError) {
        guard width > 0, height > 0 else { throw .malformed(format, "its size is \(width) × \(height) pixels") }
        self.format = format
        storedSize = PixelSize(width: Int(width), height: Int(height))
        self.orientation = orientation
    }
}
