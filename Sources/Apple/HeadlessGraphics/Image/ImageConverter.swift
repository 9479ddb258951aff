/// Converts PNG, JPEG and GIF images to PNG, and to thumbnails.
enum ImageConverter {
    /// Largest number of pixels. A decoded image takes 4 bytes a pixel, and twice that while it is turned.
    static let pixelLimit = 100_000_000

    /// Decoding is long, blocking work and takes much memory: one image at a time, and outside the cooperative pool.
    private static let queue = DispatchQueue(label: "HeadlessGraphics.ImageConverter")

    static func canDecode(_ format: ImageFormat) -> Bool {
        GDLibrary.shared?.creator(for: format) != nil
    }

    /// Converts an image to PNG, upright, its first frame if it has several.
    /// - Throws: ``ImageError`` for another format, for more than ``pixelLimit`` pixels, without a decoder, and if the
    ///   decoder rejects the image.
    static func png(of image: Image) async throws(ImageError) -> Data {
        try await withDecoded(image, frame(of: image)) { picture, library throws(ImageError) in
            guard let png = encoded(picture, as: .png, library) else {
                throw .undecodable(image.format, "it could not be written as PNG")
            }
            return png
        }
    }

    /// Makes a thumbnail, upright, in at most `byteLimit` bytes: as PNG if that is small enough, else as JPEG, at most
    /// `side` pixels wide and high and smaller if need be.
    /// - Throws: ``ImageError`` as ``png(of:)``, and if even a picture of 16 pixels is too large.
    static func thumbnail(of image: Image, side: Int, byteLimit: Int) async throws(ImageError) -> Data {
        let frame = try frame(of: image)
        let shown = frame.displayedSize
        return try await withDecoded(image, frame) { picture, library throws(ImageError) in
            var side = min(side, max(shown.width, shown.height))
            while side >= 16 {
                guard let small = scaled(picture, from: shown, within: side, library) else {
                    throw .undecodable(image.format, "there is no memory to scale it")
                }
                defer { library.destroy(small) }
                for kind in [Encoding.png, .jpeg] {
                    if let data = encoded(small, as: kind, library), data.count <= byteLimit { return data }
                }
                side /= 2
            }
            throw .tooLarge("no picture of it fits into \(byteLimit) bytes")
        }
    }

    private enum Encoding {
        case png, jpeg
    }

    private static func encoded(
        _ picture: GDLibrary.Handle, as encoding: Encoding, _ library: GDLibrary
    ) -> Data? {
        var written: Int32 = 0
        let bytes =
            switch encoding {
            case .png: library.exportPNG(picture, &written)
            case .jpeg: library.exportJPEG(picture, &written, 80)
            }
        guard let bytes else { return nil }
        defer { library.free(bytes) }
        return written > 0 ? Data(bytes: bytes, count: Int(written)) : nil
    }

    private static func scaled(
        _ picture: GDLibrary.Handle, from size: Image.PixelSize, within side: Int, _ library: GDLibrary
    ) -> GDLibrary.Handle? {
        let longest = max(size.width, size.height)
        let width = max(1, size.width * side / longest)
        let height = max(1, size.height * side / longest)
        guard let small = library.createBlank(Int32(width), Int32(height)) else { return nil }
        library.blend(small, 0)
        library.saveAlpha(small, 1)
        library.resample(
            small, picture, 0, 0, 0, 0, Int32(width), Int32(height), Int32(size.width), Int32(size.height))
        return small
    }

    /// Frame of an image that is decoded in this process.
    private static func frame(of image: Image) throws(ImageError) -> ImageFrame {
        guard let frame = image.frame else {
            throw .undecodable(image.format, "only PNG, JPEG and GIF are decoded in this process")
        }
        return frame
    }

    /// Decodes an image, turns it upright and passes it to `body`, on the queue.
    private static func withDecoded(
        _ image: Image, _ frame: ImageFrame,
        _ body: @escaping @Sendable (GDLibrary.Handle, GDLibrary) throws(ImageError) -> Data
    ) async throws(ImageError) -> Data {
        let result = await withCheckedContinuation { continuation in
            queue.async {
                continuation.resume(
                    returning: Result { () throws(ImageError) in
                        let (picture, library) = try decode(image, frame)
                        defer { library.destroy(picture) }
                        return try body(picture, library)
                    })
            }
        }
        return try result.get()
    }

    /// Decodes an image. The caller destroys the picture.
    private static func decode(
        _ image: Image, _ frame: ImageFrame
    ) throws(ImageError) -> (GDLibrary.Handle, GDLibrary) {
        guard let pixels = frame.pixelCount, pixels <= pixelLimit, let length = Int32(exactly: image.data.count) else {
            let size = frame.storedSize
            throw .tooLarge("\(size.width) × \(size.height) pixels in \(image.data.count) bytes cannot be converted")
        }
        guard let library = GDLibrary.shared, let create = library.creator(for: image.format) else {
            throw .undecodable(image.format, "no decoder is installed (Debian: libgd3)")
        }
        let decoded = image.data.withUnsafeBytes { bytes in
            // The library declares its input writable but only reads it.
            bytes.baseAddress.flatMap { create(length, UnsafeMutableRawPointer(mutating: $0)) }
        }
        guard let decoded else { throw .undecodable(image.format, "its contents are damaged or of an unknown kind") }
        guard let upright = apply(frame.orientation, to: decoded, library) else {
            throw .undecodable(image.format, "there is no memory to turn it")
        }
        library.saveAlpha(upright, 1)
        return (upright, library)
    }

    /// Turns decoded pixels upright; decoders return them as stored.
    ///
    /// Takes ownership of `picture` and returns it or its replacement; nil, with nothing to destroy, if memory is
    /// exhausted.
    private static func apply(
        _ orientation: Orientation, to picture: GDLibrary.Handle, _ library: GDLibrary
    ) -> GDLibrary.Handle? {
        let steps = orientation.steps
        if steps.isMirrored { library.mirror(picture) }
        guard steps.quarterTurns > 0 else { return picture }
        // Quarter turns move pixels without interpolation. Angles count counter-clockwise.
        defer { library.destroy(picture) }
        return library.turn(picture, Float(90 * steps.quarterTurns), 0)
    }
}
