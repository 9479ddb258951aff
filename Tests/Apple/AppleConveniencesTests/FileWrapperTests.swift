import AppleConveniences
import Foundation
import Glibc
import Testing

@Suite("File wrappers")
struct FileWrapperTests {
    @Test("A folder built in memory is the same after writing and reading")
    func roundTrip() throws {
        let scratch = try ScratchFolder()
        let text = FileWrapper(regularFileWithContents: Data("Hello".utf8))
        let assets = FileWrapper(directoryWithFileWrappers: ["empty": FileWrapper(directoryWithFileWrappers: [:])])
        assets.preferredFilename = "assets"
        let document = FileWrapper(directoryWithFileWrappers: ["text.txt": text, "assets": assets])
        #expect(document.isDirectory && text.isRegularFile && text.preferredFilename == "text.txt")
        let link = FileWrapper(
            symbolicLinkWithDestinationURL: URL(fileURLWithPath: "text.txt", relativeTo: scratch.url))
        link.preferredFilename = "link"
        #expect(document.addFileWrapper(link) == "link")

        let place = scratch.url.appendingPathComponent("Document.note")
        try document.write(to: place, options: [.atomic, .withNameUpdating], originalContentsURL: nil)
        #expect(document.filename == "Document.note" && text.filename == "text.txt")
        #expect(try scratch.names == ["Document.note"])
        #expect(document.matchesContents(of: place))

        let read = try FileWrapper(url: place)
        #expect(read.filename == "Document.note" && read.preferredFilename == "Document.note")
        #expect(read.fileWrappers?.keys.sorted() == ["assets", "link", "text.txt"])
        #expect(read.fileWrappers?["text.txt"]?.regularFileContents == Data("Hello".utf8))
        #expect(read.fileWrappers?["assets"]?.fileWrappers?["empty"]?.fileWrappers?.isEmpty == true)
        #expect(read.fileWrappers?["link"]?.symbolicLinkDestinationURL?.relativePath == "text.txt")
        #expect(read.fileWrappers?["link"]?.isSymbolicLink == true && read.regularFileContents == nil)
        #expect(read.matchesContents(of: place))
    }

    @Test("Children with one name get different keys, and can be found and taken out again")
    func keys() {
        let folder = FileWrapper(directoryWithFileWrappers: [:])
        let names = (0..<3).map { folder.addRegularFile(withContents: Data([$0]), preferredFilename: "note.txt") }
        #expect(names == ["note.txt", "note 2.txt", "note 3.txt"])
        #expect(folder.addRegularFile(withContents: Data(), preferredFilename: "README") == "README")
        #expect(folder.addRegularFile(withContents: Data(), preferredFilename: "README") == "README 2")
        let second = folder.fileWrappers?["note 2.txt"]
        #expect(second?.regularFileContents == Data([1]) && second?.preferredFilename == "note.txt")
        guard let second else { return }
        #expect(folder.keyForChildFileWrapper(second) == "note 2.txt" && folder.addFileWrapper(second) == "note 2.txt")
        folder.removeFileWrapper(second)
        #expect(folder.keyForChildFileWrapper(second) == nil && folder.fileWrappers?.count == 4)
        #expect(folder.addFileWrapper(second) == "note 2.txt")
    }

    @Test("Files are read on request, and not if they have changed since")
    func laziness() throws {
        let scratch = try ScratchFolder()
        let file = try scratch.file("a.txt", "before")
        let lazy = try FileWrapper(url: file)
        let immediate = try FileWrapper(url: file, options: .immediate)
        #expect(lazy.matchesContents(of: file))
        try Data("after that".utf8).write(to: file)
        #expect(lazy.regularFileContents == nil && !lazy.matchesContents(of: file))
        #expect(immediate.regularFileContents == Data("before".utf8) && !immediate.matchesContents(of: file))
        #expect(throws: CocoaError.self) {
            try lazy.write(to: scratch.url.appendingPathComponent("b"), originalContentsURL: nil)
        }
        #expect(try scratch.names == ["a.txt"])
        try lazy.read(from: file)
        #expect(lazy.regularFileContents == Data("after that".utf8))
    }

    @Test("A document is saved over itself, unread files and all")
    func saveInPlace() throws {
        let scratch = try ScratchFolder()
        let place = try scratch.folder("Document")
        try Data("kept".utf8).write(to: place.appendingPathComponent("kept"))
        try Data("dropped".utf8).write(to: place.appendingPathComponent("dropped"))
        let document = try FileWrapper(url: place)
        let dropped = try #require(document.fileWrappers?["dropped"])
        document.removeFileWrapper(dropped)
        document.addRegularFile(withContents: Data("added".utf8), preferredFilename: "added")
        for _ in 0..<2 { try document.write(to: place, options: .atomic, originalContentsURL: place) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path).sorted() == ["added", "kept"])
        #expect(document.fileWrappers?["kept"]?.regularFileContents == Data("kept".utf8))
        #expect(try scratch.names == ["Document"])
    }

    @Test("A file takes the place of a folder and the other way round")
    func replacement() throws {
        let scratch = try ScratchFolder()
        let place = scratch.url.appendingPathComponent("thing")
        let folder = FileWrapper(directoryWithFileWrappers: [:])
        folder.addRegularFile(withContents: Data([1]), preferredFilename: "in")
        let file = FileWrapper(regularFileWithContents: Data([2]))
        for wrapper in [file, folder, file, file, folder, folder] {
            try wrapper.write(to: place, originalContentsURL: nil)
            #expect(wrapper.matchesContents(of: place))
            #expect(try scratch.names == ["thing"])
        }
        #expect(!file.matchesContents(of: place))
    }

    @Test("Permissions and date go along, the setuid and setgid bits do not")
    func attributes() throws {
        let scratch = try ScratchFolder()
        let file = try scratch.file("tool", "#!/bin/sh")
        let date = Date(timeIntervalSince1970: 1_000_000_000)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.path)
        try #require(chmod(file.path, 0o4750) == 0)
        let copy = scratch.url.appendingPathComponent("copy")
        try FileWrapper(url: file).write(to: copy, originalContentsURL: nil)
        let attributes = try FileManager.default.attributesOfItem(atPath: copy.path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o750)
        #expect(attributes[.modificationDate] as? Date == date)
    }

    @Test(
        "Keys that are no file names are refused, and existing files stay",
        arguments: ["../x", "a/b", ".", "..", "a\0b"])
    func hostileNames(_ name: String) throws {
        let scratch = try ScratchFolder()
        let place = try scratch.folder("in").appendingPathComponent("thing")
        try Data("old".utf8).write(to: place)
        let folder = FileWrapper(directoryWithFileWrappers: [name: FileWrapper(regularFileWithContents: Data())])
        let error = #expect(throws: CocoaError.self) { try folder.write(to: place, originalContentsURL: nil) }
        #expect(error?.code == .fileWriteInvalidFileName)
        #expect(try Data(contentsOf: place) == Data("old".utf8))
        #expect(try FileManager.default.subpathsOfDirectory(atPath: scratch.url.path).sorted() == ["in", "in/thing"])
        #expect(!folder.matchesContents(of: scratch.url))
    }

    @Test("Unreadable sources are errors: nothing, a pipe, a folder that holds one, two names that are equal as text")
    func unreadable() throws {
        let scratch = try ScratchFolder()
        let pipe = scratch.url.appendingPathComponent("pipe")
        try #require(mkfifo(pipe.path, 0o600) == 0)
        for url in [pipe, scratch.url, scratch.url.appendingPathComponent("absent")] {
            #expect(throws: CocoaError.self) { try FileWrapper(url: url) }
        }
        #expect(throws: CocoaError.self) { try FileWrapper(url: #require(URL(string: "https://a.example/x"))) }
        let twins = try scratch.folder("twins")
        for name in ["e\u{301}", "\u{E9}"] {
            let descriptor = open("\(twins.path)/\(name)", O_CREAT | O_WRONLY, 0o600)
            try #require(descriptor >= 0)
            close(descriptor)
        }
        #expect(throws: CocoaError.self) { try FileWrapper(url: twins) }
    }

    @Test("A loop of links is links, not an endless folder")
    func links() throws {
        let scratch = try ScratchFolder()
        let folder = try scratch.folder("folder")
        try FileManager.default.createSymbolicLink(
            atPath: folder.appendingPathComponent("again").path, withDestinationPath: "..")
        let wrapper = try FileWrapper(url: folder)
        #expect(wrapper.fileWrappers?["again"]?.symbolicLinkDestinationURL?.relativePath == "..")
        let copy = scratch.url.appendingPathComponent("copy")
        try wrapper.write(to: copy, originalContentsURL: nil)
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: copy.appendingPathComponent("again").path) == ".."
        )
    }
}
