/// An image format whose signature this module knows.
enum ImageFormat: Sendable {
    case png, jpeg, gif, webP, heic, heicSequence, heif, avif, avifSequence, tiff, bmp

    var contentType: UTType {
        switch self {
        case .png: .png
        case .jpeg: .jpeg
        case .gif: .gif
        case .webP: .webP
        case .heic: .heic
        case .heicSequence: .heics
        case .heif: .heif
        case .avif: Self.avifType
        case .avifSequence: Self.avifSequenceType
        case .tiff: .tiff
        case .bmp: .bmp
        }
    }

    /// Name for people.
    var name: String {
        switch self {
        case .png: "PNG"
        case .jpeg: "JPEG"
        case .gif: "GIF"
        case .webP: "WebP"
        case .heic: "HEIC"
        case .heicSequence: "HEIC sequence"
        case .heif: "HEIF"
        case .avif: "AVIF"
        case .avifSequence: "AVIF sequence"
        case .tiff: "TIFF"
        case .bmp: "BMP"
        }
    }

    /// True if `claimed` is a correct type for bytes of this format.
    func agrees(with claimed: UTType) -> Bool {
        if contentType.conforms(to: claimed) { return true }
        // HEIC is HEIF with one of its codecs, and a sequence contains a still image: files have either type.
        return switch self {
        case .heic, .heicSequence, .heif: [.heic, .heics, .heif].contains(claimed)
        case .avif, .avifSequence: [Self.avifType, Self.avifSequenceType, .heif].contains(claimed)
        // Raw files of cameras are TIFF files with additions.
        case .tiff: claimed.conforms(to: .rawImage)
        default: false
        }
    }

    // Apple has no constants for these types; the built-in table has them.
    private static let avifType = UTType(importedAs: "public.avif", conformingTo: .image)
    private static let avifSequenceType = UTType(importedAs: "public.avis", conformingTo: .image)
}
