import Foundation
import Testing

@Suite("The page about pictures and colours") struct PicturesAndColoursTests {
    @Test("is the program that is compiled here") func isCompiled() throws {
        let here = URL(filePath: #filePath).deletingLastPathComponent()
        let program = try String(contentsOf: here.appending(path: "PicturesAndColours.swift"), encoding: .utf8)
        let page = try String(
            contentsOf: here.appending(
                path: "../../../Sources/Apple/HeadlessGraphics/HeadlessGraphics.docc/PicturesAndColours.md"),
            encoding: .utf8)
        #expect(page.contains("```swift\n" + program + "```"))
    }

    @Test("has a program that runs as the page describes") func guideProgramWorks() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "portolan-caption-\(UUID()).png")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(png(width: 640, height: 480)).write(to: file)
        #expect(try caption(file) == "public.png, 640 × 480")
        try Data(webP("VP8L", [0x2F])).write(to: file)
        #expect(try caption(file) == "org.webmproject.webp")
        let color = try await faded("#FF8000")
        #expect(color.name == "#FF800080" && !color.data.isEmpty)
    }
}
