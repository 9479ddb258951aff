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

    @Test("The extension of a dynamic type is added and then recognised")
    func dynamicTypes() throws {
        let type = try #require(UTType(filenameExtension: "bmd"))
        #expect(folder.appendingPathComponent("disk", conformingTo: type).lastPathComponent == "disk.bmd")
        #expect(folder.appendingPathComponent("disk.bmd", conformingTo: type).lastPathComponent == "disk.bmd")
        #expect(folder.appendingPathComponent("disk.xyz", conformingTo: type).lastPathComponent == "disk.xyz.bmd")
    }
}
