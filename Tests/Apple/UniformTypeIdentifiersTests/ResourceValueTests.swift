import TestSupport
import Testing
import UniformTypeIdentifiers

@Suite("Resource values of a type")
struct ResourceValueTests {
    private let picture = URL(fileURLWithPath: #filePath)
    private let absent = URL(fileURLWithPath: "/no/such/file.png")

    @Test("come with the import of this module alone, as Foundation does")
    func imports() throws {
        #expect(try FoundationByImport.type(of: picture) == .swiftSource)
        #expect(try FoundationByImport.typeIdentifier(of: picture) == "public.swift-source")
        #expect(FoundationByImport.size(of: Data([1])) == 1)
    }

    @Test("typeIdentifierKey has a value, beside the other values of the item")
    func typeIdentifier() throws {
        let values = try picture.resourceValues(forKeys: [.typeIdentifierKey])
        #expect(values.typeIdentifier == "public.swift-source" && values.contentType == .swiftSource)
        #expect(
            try picture.deletingLastPathComponent().resourceValues(forKeys: [.typeIdentifierKey]).typeIdentifier
                == "public.folder")
        #expect((try? absent.resourceValues(forKeys: [.typeIdentifierKey]))?.typeIdentifier == nil)
    }

    @Test("other keys, and variables of Foundation's types, are Foundation's")
    func foundation() throws {
        let values: URLResourceValues = try picture.resourceValues(forKeys: [.typeIdentifierKey])
        #expect(values.typeIdentifier == nil)
        let keys: Set<URLResourceKey> = [.contentTypeKey, .isDirectoryKey]
        #expect(try picture.resourceValues(forKeys: keys).contentType == .swiftSource)
        #expect(try picture.resourceValues(forKeys: [.isDirectoryKey, .typeIdentifierKey]).isDirectory == false)
        #expect(try picture.resourceValues(forKeys: []).isDirectory == nil)
    }
}
