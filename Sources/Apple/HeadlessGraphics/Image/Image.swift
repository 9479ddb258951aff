/// An image as a value: its encoded bytes, their type and, of PNG, JPEG and GIF, the size in pixels.
///
/// Unlike SwiftUI's view of that name, this type draws nothing and holds no pixels. It stands for the view's image in
/// model code that is copied, sent and received, so that types with an `Image` in their transfer representation, or
/// with `ShareLink` and `SharePreview`, also work without a screen.
///
/// The type is found by the signature in the first bytes. Headers are read for PNG, JPEG and GIF alone, and only these
/// are decoded in this process: WebP, HEIF, AVIF, TIFF and BMP are carried unread, for programs that run confined.
///
/// `Transferable` forms: the image's own type first, then PNG by conversion where a decoder is installed (see
/// ``isConvertibleToPNG``); any `public.image` that is recognised is imported.
public struct Image: Sendable, Hashable {
    public typealias PixelSize = HeadlessGraphics.PixelSize

    /// The encoded bytes, exactly as they were given.
    public let data: Data

    /// Type of the image, found in the bytes.
    public var contentType: UTType { format.contentType }

    /// Size of the upright image: a JPEG that EXIF turns counts after turning; of an animation it is the size of the
    /// canvas. Nil for every format but PNG, JPEG and GIF.
    public var pixelSize: PixelSize? { frame?.displayedSize }

    let format: ImageFormat

    /// Nil for a format whose header is not read.
    let frame: ImageFrame?

    /// The largest file that ``init(contentsOf:)`` reads: 1 GiB.
    static let byteLimit = 1 << 30

    /// Makes an image from encoded bytes.
    /// - Throws: ``ImageError`` for bytes that are no image, and for a PNG, JPEG or GIF with an invalid header.
    public init(data: Data) throws(ImageError) {
        let bytes = ByteView(data)
        guard let format = ImageFormat(signatureOf: bytes) else { throw .unrecognized }
        frame = try ImageFrame.read(bytes, as: format)
        self.format = format
        self.data = data
    }

    /// Makes an image from encoded bytes of a claimed type.
    /// - Parameter contentType: a claim, such as the type under which the bytes were received. It has to agree with
    ///   the bytes or be a broader type (`.image`, `.data`).
    /// - Throws: ``ImageError``, of kind ``ImageError/Kind/mismatched`` if the claim is wrong.
    public init(data: Data, contentType: UTType) throws(ImageError) {
        try self.init(data: data)
        guard format.agrees(with: contentType) else {
            throw .mismatched(format, claimed: contentType)
        }
    }

    /// Reads the image in a file. The type is found in the bytes, not by the name.
    /// - Throws: ``ImageError`` for a file that cannot be read, is no regular file, has more than 1 GiB or is no image.
    public init(contentsOf file: URL) throws(ImageError) {
        try self.init(data: Self.contents(of: file))
    }

    public static func == (left: Image, right: Image) -> Bool {
        left.data == right.data
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(data)
    }

    private static func contents(of file: URL) throws(ImageError) -> Data {
        guard file.isFileURL else { throw .unreadable(file, "it is not the URL of a file") }
        do {
            // The kind is read before opening, because opening a pipe blocks until it has a writer.
            let target = file.resolvingSymlinksInPath()
            guard try target.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else {
                throw ImageError.unreadable(file, "it is not a regular file")
            }
            let handle = try FileHandle(forReadingFrom: target)
            defer { try? handle.close() }
            let length = try handle.seekToEnd()
            guard length <= byteLimit else { throw ImageError.tooLarge("\(length) bytes, of \(byteLimit) at most") }
            try handle.seek(toOffset: 0)
            return try handle.read(upToCount: Int(length)) ?? Data()
        } catch let error as ImageError {
            throw error
        } catch {
            throw .unreadable(file, error.localizedDescription)
        }
    }
}
