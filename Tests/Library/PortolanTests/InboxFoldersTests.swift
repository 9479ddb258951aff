import Foundation
import PortolanFiles
import Testing

@testable import Portolan

/// Folders that decisions name, while a node receives.
@Suite struct InboxFoldersTests {
    @Test("a sender's folder is looked for again when an item has its place, and is the same one otherwise")
    func taken() throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "portolan-folders-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: root) }
        let folders = try InboxFolders(inbox: root + "/in", besides: .none, partialLifetime: .seconds(60)) { _ in }
        let laptop = Destination.folder(root + "/in/laptop").owned(by: ["contact laptop"])
        let stranger = Destination.folder(root + "/in/laptop").owned(by: ["key mfzw"])
        for _ in 0..<2 {
            #expect(try folders.folder(laptop).path == root + "/in/laptop")
            #expect(try folders.folder(stranger).path == root + "/in/laptop (2)")
        }
        try FileManager.default.removeItem(atPath: root + "/in/laptop")
        let item = try Inbox(path: root + "/in", createIfMissing: false)
            .receive(nil, called: FileName("laptop"), asking: false)
        try item.add(
            TreeEntry(
                index: 0, parent: 0, name: FileName("laptop"), kind: .folder, permissions: 0o755,
                modified: FileTime(seconds: 0, nanoseconds: 0)))
        #expect(try item.publish(as: FileName("laptop")).name.text == "laptop")
        #expect(try folders.folder(laptop).path == root + "/in/laptop (3)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: root + "/in/laptop").isEmpty)
        // An item may have the inode of a folder that was removed, too.
        let storage = KernelStorage()
        let folder = try storage.openFolder(path: root + "/in/laptop (3)")
        try storage.setAttribute("user.portolan.place", Array("item".utf8), of: folder)
        #expect(try folders.folder(laptop).path == root + "/in/laptop (4)")
    }

    @Test("items are not stored among the program's own files; those set apart are in the quarantine there")
    func own() throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "portolan-folders-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: root) }
        let own = OwnFiles([root + "/data"], lent: [root + "/data/quarantine"])
        try FileManager.default.createDirectory(atPath: root + "/data", withIntermediateDirectories: true)
        let folders = try InboxFolders(inbox: root + "/in", besides: own, partialLifetime: .seconds(60)) { _ in }
        for destination in [
            Destination.folder(root + "/data/x"), .folder(root + "/data/x").owned(by: [nil]),
            .quarantine(root + "/data/x"),
            .folder(root + "/data/quarantine"),
        ] { #expect(throws: FileError.self, "\(destination)") { try folders.folder(destination) } }
        #expect(try FileManager.default.contentsOfDirectory(atPath: root + "/data").isEmpty)
        for destination in [
            Destination.quarantine(root + "/data/quarantine"),
            .quarantine(root + "/data/quarantine/a").owned(by: ["contact a"]),
        ] { _ = try folders.folder(destination) }
    }
}
