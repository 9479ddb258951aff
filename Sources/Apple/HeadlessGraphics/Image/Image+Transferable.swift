extension Image: Transferable {
    /// Forms: the image's own type first, then PNG by conversion if a decoder is installed.
    ///
    /// Content of a recognised type is imported as that type, and rejected if its bytes are of another. Content of
    /// `public.image`, or of an image type that is not listed, is imported as the type of its bytes.
    public static var transferRepresentation: some TransferRepresentation {
        OwnType(format: .png)
        OwnType(format: .jpeg)
        OwnType(format: .gif)
        OwnType(format: .webP)
        HEIFTypes()
        OwnType(format: .tiff)
        OwnType(format: .bmp)
        DataRepresentation(exportedContentType: .png) { image in try await image.convertedToPNG().data }
            .exportingCondition { $0.contentType != .png && $0.isConvertibleToPNG }
        DataRepresentation(importedContentType: .image) { data in try Image(data: data) }
    }

    /// True if this image is a JPEG or GIF within the limits of the decoder, and the decoder is installed (Debian:
    /// libgd3). PNG needs no decoder; other formats are not decoded in this process.
    ///
    /// The decoder is loaded at the first use.
    public var isConvertibleToPNG: Bool {
        if contentType == .png { return true }
        guard let pixels = frame?.pixelCount, pixels <= ImageConverter.pixelLimit else { return false }
        return ImageConverter.canDecode(format)
    }

    /// Converts this image to PNG, upright; of an animation the first picture. A PNG is returned unchanged.
    ///
    /// The bytes go to a decoder inside this process, on a queue of its own; metadata is removed.
    /// - Throws: ``ImageError`` for another format than PNG, JPEG and GIF, for more than 100 million pixels, without a
    ///   decoder, and if the decoder rejects the image.
    public func convertedToPNG() async throws(ImageError) -> Image {
        guard contentType != .png else { return self }
        return try Image(data: await ImageConverter.png(of: self))
    }

    /// Makes a thumbnail of this PNG, JPEG or GIF: upright, as PNG if that is small enough, else as JPEG.
    ///
    /// - Parameters:
    ///   - side: largest width and height, in pixels; smaller if the bytes do not fit.
    ///   - byteLimit: largest size, in bytes.
    /// - Throws: ``ImageError`` as ``convertedToPNG()``, and if no size fits.
    public func thumbnail(side: Int = 512, byteLimit: Int) async throws(ImageError) -> Image {
        try Image(data: await ImageConverter.thumbnail(of: self, side: side, byteLimit: byteLimit))
    }
}

/// The unchanged bytes, for values of this format.
private struct OwnType: TransferRepresentation {
    typealias Item = Image

    let format: ImageFormat

    var body: some TransferRepresentation {
        DataRepresentation(contentType: format.contentType, exporting: \.data) { [type = format.contentType] data in
            try Image(data: data, contentType: type)
        }
        .exportingCondition { [format] image in image.format == format }
    }
}

/// A builder takes ten representations at most.
private struct HEIFTypes: TransferRepresentation {
    typealias Item = Image

    var body: some TransferRepresentation {
        OwnType(format: .heic)
        OwnType(format: .heicSequence)
        OwnType(format: .heif)
        OwnType(format: .avif)
        OwnType(format: .avifSequence)
    }
}
