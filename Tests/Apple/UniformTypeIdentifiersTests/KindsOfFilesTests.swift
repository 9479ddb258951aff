import Foundation
import Testing

@Suite("The page about kinds of files") struct KindsOfFilesTests {
    @Test("is the program that is compiled here") func isCompiled() throws {
        let here = URL(filePath: #filePath).deletingLastPathComponent()
        let program = try String(contentsOf: here.appending(path: "KindsOfFiles.swift"), encoding: .utf8)
        let page = try String(
            contentsOf: here.appending(
                path: "../../../Sources/Apple/UniformTypeIdentifiers/UniformTypeIdentifiers.docc/KindsOfFiles.md"),
            encoding: .utf8)
        #expect(page.contains("```swift\n" + program + "```"))
    }

    @Test("has a program that runs as the page describes") func guideProgramWorks() {
        let names = ["b.heic", "a.png", "film.mov", "main.swift", "notes.md", "plan.pdf", "x.nobody-knows", "Makefile"]
        let found = shelves(names.map { URL(filePath: "/tmp/" + $0) })
        #expect(found["pictures"] == ["a.png", "b.heic"] && found["films"] == ["film.mov"])
        #expect(found["programs"] == ["main.swift"] && found["papers"] == ["notes.md", "plan.pdf"])
        #expect(found["rest"] == ["Makefile", "x.nobody-knows"])
    }
}
