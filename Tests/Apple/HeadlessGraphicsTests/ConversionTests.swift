import Foundation
import HeadlessGraphics
import Testing
import UniformTypeIdentifiers

@Suite("Conversion to PNG by libgd")
struct ConversionTests {
    private static let formats: [(name: String, type: String)] = [
        ("Jpeg", "public.jpeg"), ("Gif", "com.compuserve.gif"), ("Webp", "org.webmproject.webp"),
        ("Heif", "public.heic"), ("Avif", "public.avif"), ("Tiff", "public.tiff"), ("Bmp", "com.microsoft.bmp"),
        ("Png", "public.png"),
    ]

    @Test("The output of encoders is recognised", arguments: formats.map(\.name))
    func realImages(_ format: String) throws {
        guard let pictures = GDPictures() else { return print("skipped: \(GDPictures.missing)") }
        // The left half red, the right half blue.
        guard let data = pictures.encode(format, width: 64, height: 32, color: { x, _ in x < 32 ? 0xFF0000 : 0x0000FF })
        else { return print("skipped: this libgd writes no \(format)") }
        let image = try Image(data: data)
        #expect(image.contentType.identifier == Self.formats.first { $0.name == format }?.type)
        #expect(image.isConvertibleToPNG == ["Png", "Jpeg", "Gif"].contains(format))
    }

    @Test("Converted to PNG, an image keeps size and colours", arguments: ["Jpeg", "Gif", "Png"])
    func conversion(_ format: String) async throws {
        guard let pictures = GDPictures() else { return print("skipped: \(GDPictures.missing)") }
        guard let data = pictures.encode(format, width: 64, height: 32, color: { x, _ in x < 32 ? 0xFF0000 : 0x0000FF })
        else { return print("skipped: this libgd writes no \(format)") }
        let image = try Image(data: data)
        #expect(image.pixelSize?.width == 64 && image.pixelSize?.height == 32)
        let png = try await image.convertedToPNG()
        #expect(png.contentType == .png && png.pixelSize == image.pixelSize)
        #expect(try await Image(importing: image.exported(as: .png), contentType: .png) == png)
        let pixels = try #require(pictures.pixels(of: png))
        #expect(isRed(pixels[0]) && isRed(pixels[31 * 64]) && isBlue(pixels[63]) && isBlue(pixels[32 * 64 - 1]))
    }

    @Test("A thumbnail is upright, within its limits, and a picture of the image", arguments: ["Png", "Jpeg"])
    func thumbnails(_ format: String) async throws {
        guard let pictures = GDPictures() else { return print("skipped: \(GDPictures.missing)") }
        // Noise below, so that PNG is far from small enough.
        var random: UInt32 = 1
        let data = pictures.encode(
            format, width: 400, height: 300,
            color: { _, y in
                random = random &* 1_664_525 &+ 1_013_904_223
                return y < 150 ? 0xFF0000 : Int32(random >> 8)
            })
        guard let data else { return print("skipped: this libgd writes no \(format)") }
        let image = try Image(data: data)
        let small = try await image.thumbnail(side: 200, byteLimit: 8192)
        #expect(small.data.count <= 8192)
        let size = try #require(small.pixelSize)
        #expect(size.width <= 200 && size.height <= 200)
        #expect(abs(size.width * 3 - size.height * 4) <= 4, "\(size)")
        let pixels = try #require(
            pictures.pixels(of: small.contentType == .png ? small : try await small.convertedToPNG()))
        #expect(isRed(pixels[size.width / 2]))
        await #expect(throws: ImageError.self) { try await image.thumbnail(byteLimit: 10) }
        let large = try await image.thumbnail(side: 4000, byteLimit: 10_000_000)
        #expect(large.pixelSize == image.pixelSize, "nothing is made larger")
    }

    @Test("The transparent colour of a GIF is kept")
    func transparentGIF() async throws {
        let screen = ascii("GIF89a") + little16(1) + little16(1) + [0x80, 0, 0] + [0, 0, 0, 255, 255, 255]
        let control: [UInt8] = [0x21, 0xF9, 4, 1, 0, 0, 0, 0]
        let picture = [0x2C] + little32(0) + little16(1) + little16(1) + [0] + [2, 2, 0x44, 1, 0, 0x3B]
        let image = try Image(data: Data(screen + control + picture))
        guard let pictures = GDPictures(), image.isConvertibleToPNG else {
            return print("skipped: \(GDPictures.missing), or it reads no GIF")
        }
        let pixels = try #require(pictures.pixels(of: try await image.convertedToPNG()))
        #expect(pixels.count == 1 && pixels[0] >> 24 == 127)
    }

    /// Position of a corner.
    struct Corner: Sendable {
        let right: Bool
        let bottom: Bool
    }

    /// Place at which the corner that is stored top left is shown, by the definition of the tag in TIFF 6.0.
    private static let corners: [Int: Corner] = [
        1: Corner(right: false, bottom: false), 2: Corner(right: true, bottom: false),
        3: Corner(right: true, bottom: true), 4: Corner(right: false, bottom: true),
        5: Corner(right: false, bottom: false), 6: Corner(right: true, bottom: false),
        7: Corner(right: true, bottom: true), 8: Corner(right: false, bottom: true),
    ]

    @Test("Orientation is applied, as EXIF states it", arguments: 1...8)
    func orientation(_ orientation: Int) async throws {
        let corner = try #require(Self.corners[orientation])
        guard let pictures = GDPictures() else { return print("skipped: \(GDPictures.missing)") }
        // A red block top left, a blue one top right.
        func color(x: Int32, y: Int32) -> Int32 {
            y >= 24 ? 0xFFFFFF : x < 24 ? 0xFF0000 : x >= 72 ? 0x0000FF : 0xFFFFFF
        }
        guard let stored = pictures.encode("Jpeg", width: 96, height: 48, color: color) else {
            return print("skipped: this libgd writes no JPEG")
        }
        let image = try Image(
            data: stored.prefix(2) + Data(exif(orientation: UInt16(orientation))) + stored.dropFirst(2))
        let png = try await image.convertedToPNG()
        let size = try #require(png.pixelSize)
        #expect(size == image.pixelSize)
        #expect(size.width == (orientation >= 5 ? 48 : 96))

        let pixels = try #require(pictures.pixels(of: png))
        func pixel(_ corner: Corner) -> Int32 {
            let x = corner.right ? size.width - 8 : 8
            let y = corner.bottom ? size.height - 8 : 8
            return pixels[y * size.width + x]
        }
        #expect(isRed(pixel(corner)))
        // The other end of the stored top row is beside it, or below or above it where rows became columns.
        let other =
            orientation >= 5
            ? Corner(right: corner.right, bottom: !corner.bottom) : Corner(right: !corner.right, bottom: corner.bottom)
        #expect(isBlue(pixel(other)))
    }

    @Test("A PNG converts to itself, without any decoder")
    func identity() async throws {
        let image = try Image(data: Data(png(width: 1, height: 1)))
        #expect(image.isConvertibleToPNG)
        #expect(try await image.convertedToPNG() == image)
    }

    @Test("More than 100 million pixels are refused before anything is decoded")
    func tooManyPixelsAreRefused() async throws {
        let image = try Image(data: Data(jpeg(width: 65_000, height: 65_000)))
        #expect(!image.isConvertibleToPNG && image.exportedContentTypes() == [.jpeg])
        let error = await #expect(throws: ImageError.self) { try await image.convertedToPNG() }
        #expect(error?.kind == .tooLarge)
    }

    @Test("An image of another format is not decoded", arguments: Sample.unsized)
    func otherFormats(_ sample: Sample) async throws {
        let image = try Image(data: Data(sample.bytes))
        #expect(image.exportedContentTypes() == [image.contentType])
        let conversion = await #expect(throws: ImageError.self) { try await image.convertedToPNG() }
        let thumbnail = await #expect(throws: ImageError.self) { try await image.thumbnail(byteLimit: 1 << 20) }
        for error in [conversion, thumbnail] {
            #expect(error?.kind == .undecodable)
            #expect(error?.description.contains("only PNG, JPEG and GIF are decoded in this process") == true)
        }
    }

    @Test("An image with a header and nothing behind it is refused by the decoder", arguments: Sample.sized)
    func headersOnly(_ sample: Sample) async throws {
        let image = try Image(data: Data(sample.bytes))
        guard image.contentType != .png else { return }
        let error = await #expect(throws: ImageError.self) { try await image.convertedToPNG() }
        #expect(error?.kind == .undecodable)
    }

    private func isRed(_ pixel: Int32) -> Bool { pixel >> 16 & 0xFF > 200 && pixel & 0xFF < 60 }
    private func isBlue(_ pixel: Int32) -> Bool { pixel >> 16 & 0xFF < 60 && pixel & 0xFF > 200 }
}
