import Foundation
import Testing
import UniformTypeIdentifiers

@Suite("Paths named for a type")
struct PathAdditionsTests {
    private let folder = URL(filePath: "/photos", directoryHint: .isDirectory)

    @Test("An extension that fits stays, another is added to")
    func component() {
        #expect(folder.appendingPathComponent("puppy", conformingTo: .png).lastPathComponent == "puppy.png")
        #expect(folder.appendingPathComponent("puppy.jpg", conformingTo: .image).lastPathComponent == "puppy.jpg")
        #expect(folder.appendingPathComponent("puppy.JPG", conformingTo: .jpeg).lastPathComponent == "puppy.JPG")
        #expect(
            folder.appendingPathComponent("puppy.jpg", conformingTo: .plainText).lastPathComponent == "puppy.jpg.txt")
        #expect(folder.appendingPathComponent("notes", conformingTo: .utf8PlainText).lastPathComponent == "notes")
        var url = folder
        url.appendPathComponent("puppy", conformingTo: .gif)
        #expect(url.path == "/photos/puppy.gif")
    }

    @Test("A directory type makes a directory URL")
    func directories() {
        #expect(folder.appendingPathComponent("album", conformingTo: .folder).hasDirectoryPath)
        #expect(!folder.appendingPathComponent("puppy", conformingTo: .png).hasDirectoryPath)
    }

    @Test("An extension alone follows the same rule")
    func extensionOnly() {
        let file = URL(filePath: "/photos/puppy.jpg")
        #expect(file.appendingPathExtension(for: .jpeg).path == "/photos/puppy.jpg")
        #expect(file.appendingPathExtension(for: .plainText).path == "/photos/puppy.jpg.txt")
        var url = URL(filePath: "/photos/puppy")
        url.appendPathExtension(for: .png)
        #expect(url.path == "/photos/puppy.png")
    }

    @Test("Paths as NSString do the same")
    func strings() {
        let path = NSString(string: "/photos")
        #expect(path.appendingPathComponent("puppy", conformingTo: .png) == "/photos/puppy.png")
        #expect(NSString(string: "/photos/puppy").appendingPathExtension(for: .png) == "/photos/puppy.png")
        #expect(NSString(string: "puppy.png").appendingPathExtension(for: .image) == "puppy.png")
    }

    /// Foundation's `deletingLastPathComponent` ends the process for most of these.
    @Test(
        "A path of one character, or without a name, is cut like any other",
        arguments: [
            ("a", "a.png"), ("é", "é.png"), ("~", "~.png"), (".", "..png"), ("a/", "a.png"), ("a//", "a.png"),
            ("./", "..png"), ("🎉", "🎉.png"), ("/a", "/a.png"), ("//a/", "/a.png"), ("b//a/", "b/a.png"),
            ("b/.", "b/..png"), ("a.", "a..png"), ("/\u{301}", "/\u{301}.png"), ("é/\u{301}", "é/\u{301}.png"),
            ("", ""), ("/", "/"), ("//", "//"),
        ])
    func shortPaths(path: String, expected: String) {
        let named = NSString(string: path).appendingPathExtension(for: .png)
        #expect(Array(named.utf8) == Array(expected.utf8))
        let inside = NSString(string: path).appendingPathComponent("n", conformingTo: .png)
        #expect(inside.hasSuffix("n.png"))
    }

    @Test(
        "URLs of one character take an extension, too",
        arguments: ["a", "é", "~", ".", "a/", "🎉", "\u{301}"])
    func shortURLs(path: String) {
        let folder = URL(fileURLWithPath: "/photos", isDirectory: true)
        let url = URL(fileURLWithPath: path, relativeTo: folder).appendingPathExtension(for: .png)
        #expect(url.lastPathComponent.hasSuffix(".png"))
    }

    @Test(
        "The folder of a path",
        arguments: [
            ("a", nil), ("", nil), ("a/", nil), ("/a", "/"), ("//a", "/"), ("/", "/"), ("b/a", "b"), ("/b//a//", "/b"),
        ] as [(String, String?)])
    func folders(path: String, expected: String?) {
        #expect(PathCut.folder(of: path) == expected)
    }

    @Test("The extension of a dynamic type is added and then recognised")
    func dynamicTypes() throws {
        let type = try #require(UTType(filenameExtension: "bmd"))
        #expect(folder.appendingPathComponent("disk", conformingTo: type).lastPathComponent == "disk.bmd")
        #expect(folder.appendingPathComponent("disk.bmd", conformingTo: type).lastPathComponent == "disk.bmd")
        #expect(folder.appendingPathComponent("disk.xyz", conformingTo: type).lastPathComponent == "disk.xyz.bmd")
    }
}
