import Foundation
import HeadlessGraphics
import Testing
import UniformTypeIdentifiers

@Suite("Type by signatures, size by headers")
struct ImageHeaderTests {
    @Test("Each format tells its type; PNG, JPEG and GIF how large they are shown", arguments: Sample.all)
    func formats(_ sample: Sample) throws {
        let image = try Image(data: Data(sample.bytes))
        #expect(image.contentType.identifier == sample.type)
        #expect(image.contentType.conforms(to: .image))
        #expect(image.pixelSize?.width == sample.size?.width && image.pixelSize?.height == sample.size?.height)
        #expect(image.data == Data(sample.bytes))
    }

    @Test("Bytes that are a slice of something longer are read from their own start", arguments: Sample.all)
    func slices(_ sample: Sample) throws {
        let whole = Data([7, 7, 7]) + Data(sample.bytes) + Data([9])
        let slice = whole[3..<3 + sample.bytes.count]
        #expect(try Image(data: slice).pixelSize == Image(data: Data(sample.bytes)).pixelSize)
    }

    @Test("Behind the signature of another format nothing is read: no size, no error", arguments: Sample.unsized)
    func unread(_ sample: Sample) throws {
        let image = try Image(data: Data(sample.bytes.prefix(24)) + Data(repeating: 0xFF, count: 64))
        #expect(image.contentType.identifier == sample.type)
        #expect(image.pixelSize == nil && !image.isConvertibleToPNG)
    }

    @Test("EXIF orientations 5 to 8 exchange width and height; one without a meaning does nothing")
    func orientations() throws {
        for orientation in UInt16(0)...9 {
            let size = try #require(
                try Image(data: Data(jpeg(width: 30, height: 20, orientation: orientation))).pixelSize)
            #expect(size.width == ((5...8).contains(orientation) ? 20 : 30), "orientation \(orientation)")
            #expect(size.width * size.height == 600)
        }
    }

    @Test(
        "Bytes of no known image format are unrecognised",
        arguments: [
            [], [0], ascii("BM"), ascii("BMW, Mercedes-Benz and Volkswagen"),
            ascii("hello, world"), ascii("<svg xmlns='http://www.w3.org/2000/svg'/>"),
            box("ftyp", ascii("isom") + big32(0) + ascii("mp42")), ascii("RIFF\0\0\0\0WAVEfmt "),
        ] as [[UInt8]])
    func unrecognized(_ bytes: [UInt8]) {
        let error = #expect(throws: ImageError.self) { try Image(data: Data(bytes)) }
        #expect(error?.kind == .unrecognized)
    }

    @Test("A claimed type must be the bytes' type, a broader one or another name of it")
    func claims() throws {
        let jpeg = Data(jpeg(width: 1, height: 1))
        for claim in [UTType.jpeg, .image, .data, .item] {
            #expect(try Image(data: jpeg, contentType: claim).contentType == .jpeg)
        }
        for claim in [UTType.png, .heic, .movie, .text, .rawImage] {
            let error = #expect(throws: ImageError.self) { try Image(data: jpeg, contentType: claim) }
            #expect(error?.kind == .mismatched)
            #expect(error.map { "\($0)".contains("JPEG") && "\($0)".contains(claim.identifier) } == true)
        }
        #expect(try Image(data: Data(heif(brand: "heic")), contentType: .heif).contentType == .heic)
        let tiff = try #require(Sample.all.first { $0.type == "public.tiff" })
        #expect(
            try Image(data: Data(tiff.bytes), contentType: #require(UTType("com.adobe.raw-image"))).contentType == .tiff
        )
    }

    @Test("Images are equal when their bytes are")
    func equality() throws {
        let one = try Image(data: Data(png(width: 1, height: 2)))
        #expect(try one == Image(data: Data(png(width: 1, height: 2))))
        #expect(try one != Image(data: Data(png(width: 2, height: 1))))
        #expect(try Set([one, Image(data: Data(png(width: 1, height: 2)))]).count == 1)
    }
}
