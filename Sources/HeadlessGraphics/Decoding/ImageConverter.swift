import Dispatch
import Foundation

/// Turns encoded images into PNG.
enum ImageConverter {
    /// Decoded, an image takes 4 bytes a pixel, and twice that while it is turned.
    static let pixelLimit = 100_000_000

    /// Decoding is long, blocking work and takes much memory: one at a time, and never on the cooperative pool.
    private static let queue = DispatchQueue(label: "HeadlessGraphics.ImageConverter", qos: .userInitiated)

    static func canDecode(_ format: ImageFormat) -> Bool {
        GDLibrary.shared?.creator(for: format) != nil
    }

    /// The image as PNG, upright, its first frame if it has several.
    /// - Throws: ``ImageError`` for more than ``pixelLimit`` pixels, without a decoder, and where the decoder refuses.
    static func png(of image: Image) async throws(ImageError) -> Data {
        let result = await withCheckedContinuation { continuation in
            queue.async {
                continuation.resume(returning: Result { () throws(ImageError) in try convert(image) })
            }
        }
        return try result.get()
    }

    private static func convert(_ image: Image) throws(ImageError) -> Data {
        let header = image.header
        guard let pixels = header.pixelCount, pixels <= pixelLimit, let length = Int32(exactly: image.data.count) else {
            let size = header.storedSize
            throw .tooLarge("\(size.width) × \(size.height) pixels in \(image.data.count) bytes cannot be converted")
        }
        guard let library = GDLibrary.shared, let create = library.creator(for: header.format) else {
            throw .undecodable(header.format, "no decoder is installed (Debian: libgd3)")
        }
        let stored = header.format == .tiff ? TIFFDirectory.withoutOrientation(image.data) : image.data
        let decoded = stored.withUnsafeBytes { bytes in
            // The library declares its input writable and only reads it.
            bytes.baseAddress.flatMap { create(length, UnsafeMutableRawPointer(mutating: $0)) }
        }
        guard let decoded else { throw .undecodable(header.format, "its contents are damaged or of an unknown kind") }
        guard let upright = apply(header.orientation, to: decoded, library) else {
            throw .undecodable(header.format, "there is no memory to turn it")
        }
        defer { library.destroy(upright) }
        library.saveAlpha(upright, 1)
        var written: Int32 = 0
        guard let png = library.exportPNG(upright, &written), written > 0 else {
            throw .undecodable(header.format, "it could not be written as PNG")
        }
        defer { library.free(png) }
        return Data(bytes: png, count: Int(written))
    }

    /// The decoders hand out the pixels as they are stored; here they are turned.
    ///
    /// Takes `picture` and gives back it or what replaces it; nil (and nothing to destroy) where memory ran out.
    private static func apply(
        _ orientation: Orientation, to picture: GDLibrary.Handle, _ library: GDLibrary
    ) -> GDLibrary.Handle? {
        let steps = orientation.steps
        if steps.isMirrored { library.mirror(picture) }
        guard steps.quarterTurns > 0 else { return picture }
        // Whole quarter turns move pixels and interpolate nothing. Angles count counter-clockwise.
        defer { library.destroy(picture) }
        return library.turn(picture, Float(90 * steps.quarterTurns), 0)
    }
}
