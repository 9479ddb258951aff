import Testing
import UniformTypeIdentifiers

@testable import PortolanProtocol

/// Folders and files that call themselves what they cannot be.
@Suite struct FormsOfFoldersTests {
    private func item(_ type: String, _ ancestors: [String] = [], isFolder: Bool) throws -> OfferedItem {
        try OfferedItem(
            title: "item",
            representations: [
                OfferedRepresentation(
                    type: OfferedType(identifier: type, ancestors: ancestors), channel: .file, isFolder: isFolder)
            ])
    }

    @Test(
        "a folder needs a type of folders where not every type is taken, and a file another one",
        arguments: [
            ("public.png", [], true, false), ("public.png", [], false, true),
            ("public.folder", [], true, true), ("public.folder", [], false, false),
            ("com.apple.rtfd", [], true, true), ("com.apple.package", [], false, false),
            ("com.example.album", ["public.image", "com.apple.package"], true, false),
            ("com.example.album", ["public.image", "com.apple.package"], false, false),
            ("com.example.album", ["com.apple.package"], true, true),
            ("com.example.photo", ["public.png"], false, true),
        ] as [(String, [String], Bool, Bool)])
    func kinds(type: String, ancestors: [String], isFolder: Bool, isTaken: Bool) throws {
        let item = try item(type, ancestors, isFolder: isFolder)
        #expect((Negotiation.choose(item, accepting: [.image, .directory, .package]) == 0) == isTaken)
        #expect(Negotiation.choose(item, accepting: nil) == 0, "who takes everything takes it as it is")
    }
}
