import Foundation
import Testing

@Suite("The page about a folder as a value") struct FolderAsValueTests {
    @Test("is the program that is compiled here") func isCompiled() throws {
        let here = URL(filePath: #filePath).deletingLastPathComponent()
        let program = try String(contentsOf: here.appending(path: "FolderAsValue.swift"), encoding: .utf8)
        let page = try String(
            contentsOf: here.appending(
                path: "../../../Sources/Apple/AppleConveniences/AppleConveniences.docc/FolderAsValue.md"),
            encoding: .utf8)
        #expect(page.contains("```swift\n" + program + "```"))
    }

    @Test("has a program that runs as the page describes") func guideProgramWorks() throws {
        let scratch = try ScratchFolder()
        let place = scratch.url.appending(path: "Trip.document")
        let stored = try store(document("# Trip", pictures: ["b.png": Data([2]), "a.png": Data([1])]), at: place)
        #expect(stored == ["a.png", "b.png"])
        #expect(try String(contentsOf: place.appending(path: "text.md"), encoding: .utf8) == "# Trip")
    }
}
