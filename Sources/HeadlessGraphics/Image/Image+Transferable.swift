import CoreTransferable
import Foundation
import UniformTypeIdentifiers

extension Image: Transferable {
    /// The image's own type first, then PNG by conversion where that is possible.
    ///
    /// Every type that is recognised comes in as itself, and is refused if the bytes are something else; what is called
    /// `public.image`, or any image type without a line of its own, comes in as whatever its bytes are.
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

    /// Whether a decoder for this image is installed (Debian: libgd3) and the image is not too large for it. True of
    /// PNG without one.
    ///
    /// The decoder is looked for when this is first asked.
    public var isConvertibleToPNG: Bool {
        if contentType == .png { return true }
        guard let pixels = header.pixelCount, pixels <= ImageConverter.pixelLimit else { return false }
        return ImageConverter.canDecode(header.format)
    }

    /// This image as PNG, turned the way it is to be shown; of an animation the first picture. A PNG is returned as it
    /// is.
    ///
    /// The bytes go to a decoder inside this process, on a queue of its own; metadata does not survive.
    /// - Throws: ``ImageError`` for more than 100 million pixels, without a decoder, and where the decoder refuses.
    public func convertedToPNG() async throws(ImageError) -> Image {
        guard contentType != .png else { return self }
        return try Image(data: await ImageConverter.png(of: self))
    }

    /// A small picture of this image, to show before there is the image itself: upright, as PNG where that is small enough and else as
    /// JPEG.
    ///
    /// - Parameters:
    ///   - side: the most pixels that it is wide or high; fewer where more do not fit.
    ///   - byteLimit: the most bytes that it has.
    /// - Throws: ``ImageError``, where no decoder is installed (Debian: libgd3) or nothing fits.
    public func thumbnail(side: Int = 512, byteLimit: Int) async throws(ImageError) -> Image {
        try Image(data: await ImageConverter.thumbnail(of: self, side: side, byteLimit: byteLimit))
    }
}

/// The bytes as they are, of the values that have this format.
private struct OwnType: TransferRepresentation {
    typealias Item = Image

    let format: ImageFormat

    var body: some TransferRepresentation {
        DataRepresentation(contentType: format.contentType, exporting: \.data) { [type = format.contentType] data in
            try Image(data: data, contentType: type)
        }
        .exportingCondition { [format] image in image.header.format == format }
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
