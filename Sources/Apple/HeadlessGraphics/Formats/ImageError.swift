/// Reason why bytes are no image, or why an image could not be converted.
public struct ImageError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
    public enum Kind: Sendable {
        /// The bytes do not begin as a format that ``Image`` reads.
        case unrecognized
        /// The bytes begin as a known format and then break its rules, end too early or state an impossible size.
        case malformed
        /// The bytes are an image of another type than the claimed one.
        case mismatched
        /// The file could not be read.
        case unreadable
        /// The image has more bytes or pixels than the limit.
        case tooLarge
        /// No decoder for the format is installed, or is run in this process, or the decoder rejected the image.
        case undecodable
    }

    public let kind: Kind
    public let description: String

    public var errorDescription: String? { description }

    static let unrecognized = ImageError(
        kind: .unrecognized,
        description: "The bytes are no PNG, JPEG, GIF, WebP, HEIF, AVIF, TIFF or BMP image.")

    static func malformed(_ format: ImageFormat, _ problem: String) -> ImageError {
        ImageError(kind: .malformed, description: "The \(format.name) image is malformed: \(problem).")
    }

    static func mismatched(_ format: ImageFormat, claimed: UTType) -> ImageError {
        ImageError(
            kind: .mismatched, description: "The bytes are a \(format.name) image and not \(claimed.identifier).")
    }

    static func unreadable(_ file: URL, _ reason: String) -> ImageError {
        ImageError(kind: .unreadable, description: "\(file.path) cannot be read as an image: \(reason).")
    }

    static func tooLarge(_ what: String) -> ImageError {
        ImageError(kind: .tooLarge, description: "The image is too large: \(what).")
    }

    static func undecodable(_ format: ImageFormat, _ reason: String) -> ImageError {
        ImageError(kind: .undecodable, description: "The \(format.name) image cannot be decoded: \(reason).")
    }
}
