import Foundation
import Testing
import UniformTypeIdentifiers

@Suite("Archiving and printing")
struct ArchivingTests {
    @Test("A type survives encoding, declared here or not")
    func roundTrip() throws {
        let undeclared = try #require(UTType(identifier: "org.example.elsewhere", allowUndeclared: true))
        let dynamic = try #require(UTType(filenameExtension: "unclaimed"))
        let types = [UTType.png, undeclared, dynamic]
        #expect(try JSONDecoder().decode([UTType].self, from: JSONEncoder().encode(types)) == types)
    }

    @Test("A type that cannot exist is not decoded")
    func malformed() {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([UTType].self, from: Data(#"["not a type"]"#.utf8))
        }
    }

    @Test("Descriptions are for people, debug descriptions for developers")
    func descriptions() {
        #expect("\(UTType.png)" == "public.png")
        #expect(UTType.png.debugDescription.contains("declared"))
        #expect(UTType.png.localizedDescription?.isEmpty == false)
        #expect("\(UTTagClass.mimeType)" == "public.mime-type")
        #expect(UTType.png.isPublic && !UTType.pdf.isPublic)
    }
}
