import Foundation
import UniformTypeIdentifiers

/// An image as a value: its encoded bytes, what they are and how many pixels they make.
///
/// This is not SwiftUI's view of that name. It draws nothing and holds no pixels; it is what such a view stands for in
/// model code that is copied, sent and received, so that a type with an `Image` in its transfer representation, or
/// `ShareLink` and `SharePreview` vocabulary around it, has a meaning where there is no screen.
///
/// The type and size are read from the bytes' own headers, without a decoder. `Transferable` forms: the image's own
/// type first, then PNG by conversion where a decoder is installed (see ``isConvertibleToPNG``); any `public.image`
/// that is recognised comes in.
public struct Image: Sendable, Hashable {
    public typealias PixelSize = HeadlessGraphics.PixelSize

    /// The encoded bytes, exactly as they were given.
    public let data: Data

    /// What the bytes are, judged by the bytes.
    public var contentType: UTType { header.format.contentType }

    /// The size as it is to be shown: turned images (EXIF or TIFF orientation, `irot` of HEIF and AVIF) count
    /// after turning. Of an animation or a file of several images it is the size of the canvas or the main image.
    /// Cropping that a HEIF file asks for on top (`clap`) is not counted.
    public var pixelSize: PixelSize { header.displayedSize }

    let header: ImageHeader

    /// The largest file that ``init(contentsOf:)`` reads: 1 GiB.
    static let byteLimit = 1 << 30

    /// The image that these bytes are.
    /// - Throws: ``ImageError`` for what is no image, or none whose header makes sense.
    public init(data: Data) throws(ImageError) {
        header = try ImageHeader(of: data)
        self.data = data
    }

    /// The image that these bytes are, if they are what they are said to be.
    /// - Parameter contentType: a claim, such as the type under which the bytes were received. It has to agree with
    ///   the bytes or be a broader type (`.image`, `.data`).
    /// - Throws: ``ImageError``, of kind ``ImageError/Kind/mismatched`` where the claim is wrong.
    public init(data: Data, contentType: UTType) throws(ImageError) {
        try self.init(data: data)
        guard header.format.agrees(with: contentType) else {
            throw .mismatched(header.format, claimed: contentType)
        }
    }

    /// The image in a file. Its name proves nothing; the bytes decide.
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
            // Asked before opening: to open a pipe is to wait for somebody at its other end.
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
