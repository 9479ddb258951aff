import Foundation
import Testing

@testable import UniformTypeIdentifiers

@Suite("The guide to this module")
struct GuideTests {
    private let guide: String

    init() throws {
        let sources = URL(filePath: #filePath).appending(path: "../../../../Sources").standardizedFileURL
        guide = try String(
            contentsOf: sources.appending(
                path: "Apple/UniformTypeIdentifiers/UniformTypeIdentifiers.docc/UniformTypeIdentifiers.md"),
            encoding: .utf8)
    }

    @Test("shows a property list that declares its types, without a fault")
    func propertyList() throws {
        let list = try #require(guide.firstMatch(of: #/```xml\n(?s)(.*?)```/#)).1
        let laboratory = try Laboratory()
        let file = try laboratory.write(String(list), to: "home/uniform-type-identifiers/note.plist")
        #expect(TypeDeclarationCheck.problems(in: [file], places: laboratory.places).isEmpty)
        let registry = laboratory.registry()
        let note = try #require(registry.type("com.example.field-note"))
        #expect(registry.conforms(note, to: .json) && registry.description(of: note) == "Field note")
        #expect(registry.identifiers(tagged: "fieldnote") == [note.identifier])
        #expect(registry.identifiers(tagged: "application/vnd.example.field-note+json", .mimeType) == [note.identifier])
        #expect(laboratory.said.isEmpty)
    }

    @Test("makes true statements about types")
    func examples() {
        #expect(UTType.png.conforms(to: .image))
        #expect(UTType(filenameExtension: "jpg") == .jpeg && UTType(mimeType: "text/plain") == .plainText)
        #expect(UTType.jpeg.preferredFilenameExtension == "jpeg" && UTType("com.example.unheard-of") == nil)
        #expect(UTType(tag: "app", tagClass: .filenameExtension, conformingTo: nil) == .applicationBundle)
    }

    @Test("quotes the message about an undeclared type")
    func undeclared() throws {
        let laboratory = try Laboratory()
        _ = laboratory.registry().type("com.example.field-note", .exported, conformingTo: nil)
        let said = try #require(laboratory.said.first)
        let place = laboratory.path("home/uniform-type-identifiers/com.example.field-note.plist")
        #expect(guide.contains(said.replacing(place, with: "…")))
    }
}
