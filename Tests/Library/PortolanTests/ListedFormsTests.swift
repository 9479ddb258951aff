import PortolanFiles
import PortolanProtocol
import Testing

@testable import Portolan

/// Forms that a listed item may be fetched in.
@Suite struct ListedFormsTests {
    private static func form(
        _ type: String, _ name: String?, isFolder: Bool = false
    ) throws -> OfferedRepresentation {
        try OfferedRepresentation(
            type: OfferedType(identifier: type), channel: .file, size: isFolder ? nil : 1, suggestedName: name,
            isFolder: isFolder)
    }

    private static func listed(_ forms: OfferedRepresentation...) throws -> ListedForms {
        let id = try #require(ItemID(Array(repeating: 1, count: ItemID.length)))
        let item = try OfferedItem(title: "item", representations: forms)
        return ListedForms(SharedItem(Message.Listing.Entry(id: id, item: item)))
    }

    @Test(
        "an item of another type than the listed form is not taken",
        arguments: [
            ("public.jpeg", "public.jpeg", true), ("public.image", "public.jpeg", true),
            ("public.jpeg", "public.shell-script", false), ("public.jpeg", "public.image", false),
            ("public.jpeg", "com.example.unknown", false), ("com.example.unknown", "com.example.unknown", true),
            ("com.example.unknown", "public.jpeg", false),
        ])
    func types(listed: String, offered: String, isTaken: Bool) throws {
        let forms = try Self.listed(Self.form(listed, "x"))
        #expect(try forms.include(Self.form(offered, "x")) == isTaken)
    }

    @Test("a folder is no file, and a file is no folder")
    func folders() throws {
        let item = "public.item"
        #expect(try !Self.listed(Self.form(item, "x")).include(Self.form("public.folder", "x", isFolder: true)))
        #expect(try !Self.listed(Self.form(item, "x", isFolder: true)).include(Self.form("public.data", "x")))
    }

    @Test(
        "a name that was not listed gets the listed type's extension",
        arguments: [
            ("public.jpeg", "x.jpg", "public.jpeg", "x.jpg", "x.jpg"),
            ("public.jpeg", "x.jpg", "public.jpeg", "y.JPG", "y.JPG"),
            ("public.jpeg", "x.jpg", "public.jpeg", "run.sh", "run.sh.jpeg"),
            ("public.plain-text", "x.txt", "public.shell-script", "run.sh", "run.sh.txt"),
            ("public.data", "x.jpg", "public.shell-script", "run.sh", "x.jpg"),
            ("public.data", "x", "public.data", "run.sh", "x"),
            ("public.jpeg", nil, "public.jpeg", "run.sh", "run.sh.jpeg"),
        ] as [(String, String?, String, String, String)])
    func names(listed: String, name: String?, offered: String, proposed: String, stored: String) throws {
        let forms = try Self.listed(Self.form(listed, name))
        #expect(try forms.name(for: Self.form(offered, proposed), proposed: FileName(proposed)).text == stored)
    }

    @Test("a folder keeps its name")
    func folderNames() throws {
        let forms = try Self.listed(Self.form("public.folder", "trip", isFolder: true))
        let offered = try Self.form("public.folder", "trip 2", isFolder: true)
        #expect(try forms.name(for: offered, proposed: FileName("trip 2")).text == "trip 2")
    }
}
