import Foundation
import Glibc
import HeadlessGraphics
import Testing
import UniformTypeIdentifiers

@Suite("Images on their way out and in")
struct ImageTransferTests {
    @Test("An image leaves as its own type first, as PNG second where a decoder is installed", arguments: Sample.all)
    func exports(_ sample: Sample) async throws {
        let image = try Image(data: Data(sample.bytes))
        let types = image.exportedContentTypes().map(\.identifier)
        let expected =
            image.isConvertibleToPNG && sample.type != "public.png" ? [sample.type, "public.png"] : [sample.type]
        #expect(types == expected)
        #expect(try await image.exported(as: nil) == Data(sample.bytes))
        #expect(try await image.exported(as: .image) == Data(sample.bytes))
    }

    @Test("An image comes in as its own type, and as any image", arguments: Sample.all)
    func imports(_ sample: Sample) async throws {
        let image = try Image(data: Data(sample.bytes))
        for type in [image.contentType, .image, nil] {
            #expect(try await Image(importing: image.data, contentType: type) == image)
        }
    }

    @Test("PNG comes before the general type, which is last; there is nothing to export for it")
    func lists() {
        #expect(Image.importedContentTypes().first == .png && Image.importedContentTypes().last == .image)
        #expect(!Image.exportedContentTypes().contains(.image))
        #expect(Set(Image.importedContentTypes()).count == Image.importedContentTypes().count)
    }

    @Test("Bytes of another type than stated are refused")
    func mislabelled() async throws {
        let mislabelled = await #expect(throws: TransferError.self) {
            try await Image(importing: Data(png(width: 1, height: 1)), contentType: .jpeg)
        }
        #expect((mislabelled?.underlying as? ImageError)?.kind == .mismatched)
        let text = await #expect(throws: TransferError.self) {
            try await Image(importing: Data("text".utf8), contentType: .image)
        }
        #expect((text?.underlying as? ImageError)?.kind == .unrecognized)
    }

    @Test("A file is an image by its bytes, under any name")
    func files() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "HeadlessGraphicsTests-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }

        let file = folder.appendingPathComponent("picture.jpeg")
        try Data(png(width: 3, height: 4)).write(to: file)
        #expect(try Image(contentsOf: file).contentType == .png)
        #expect(try await Image(importing: file, contentType: nil).pixelSize?.height == 4)
        let link = folder.appendingPathComponent("link.png")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        #expect(try Image(contentsOf: link).contentType == .png)

        let text = folder.appendingPathComponent("picture.png")
        try Data("text".utf8).write(to: text)
        #expect(throws: ImageError.unrecognizedKind) { try Image.kindOfError(reading: text) }
        let pipe = folder.appendingPathComponent("pipe")
        try #require(mkfifo(pipe.path, 0o600) == 0)
        for file in [pipe, folder, folder.appendingPathComponent("absent")] {
            #expect(throws: ImageError.unreadableKind, "\(file)") { try Image.kindOfError(reading: file) }
        }
        let web = try #require(URL(string: "https://a.example/a.png"))
        #expect(throws: ImageError.unreadableKind) { try Image.kindOfError(reading: web) }

        // A file with a hole of 2 GiB takes no room on the disk.
        let hole = folder.appendingPathComponent("hole.png")
        try Data(png(width: 3, height: 4)).write(to: hole)
        try #require(truncate(hole.path, 2 << 30) == 0)
        #expect(throws: KindOfError(kind: .tooLarge)) { try Image.kindOfError(reading: hole) }
    }
}

/// Part of an error that is compared if its sentence names the file.
struct KindOfError: Error, Equatable {
    let kind: ImageError.Kind
}

extension ImageError {
    static let unrecognizedKind = KindOfError(kind: .unrecognized)
    static let unreadableKind = KindOfError(kind: .unreadable)
}

extension Image {
    static func kindOfError(reading file: URL) throws {
        do {
            _ = try Image(contentsOf: file)
        } catch {
            throw KindOfError(kind: error.kind)
        }
    }
}
