import UniformTypeIdentifiers

/// A format whose header can be read.
enum ImageFormat: CaseIterable, Sendable {
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

    /// As a reader calls it.
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

    /// Whether bytes of this format may rightly be called `claimed`.
    func agrees(with claimed: UTType) -> Bool {
        if contentType.conforms(to: claimed) { return true }
        // HEIC is HEIF with one of its codecs, and a sequence has a still image in it: files go by either name.
        return switch self {
        case .heic, .heicSequence, .heif: [.heic, .heics, .heif].contains(claimed)
        case .avif, .avifSequence: [Self.avifType, Self.avifSequenceType, .heif].contains(claimed)
        // Cameras' raw files are TIFF files with more in them.
        case .tiff: claimed.conforms(to: .rawImage)
        default: false
        }
    }

    // Apple has no constants for these; the types are in the built-in table.
    private static let avifType = UTType(importedAs: "public.avif", conformingTo: .image)
    private static let avifSequenceType = UTType(importedAs: "public.avis", conformingTo: .image)
}
