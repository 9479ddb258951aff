import Foundation
import HeadlessGraphics

/// Caption of a picture in a list: its type and, of PNG, JPEG and GIF, its size. Nothing is decoded.
func caption(_ file: URL) throws -> String {
    let image = try Image(contentsOf: file)
    guard let size = image.pixelSize else { return image.contentType.identifier }
    return "\(image.contentType.identifier), \(size.width) × \(size.height)"
}

/// A colour of a style sheet, half as opaque, in the form in which others read it.
func faded(_ text: String) async throws -> (name: String, data: Data) {
    let color = try Color(hexadecimal: text).opacity(0.5)
    return (color.hexadecimal, try await color.exported(as: .portolanColor))
}
