import Foundation
import TestSupport
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

/// Published items that are hidden again.
@Suite(.aside) struct WithdrawingTests {
    let temporary = TemporaryFolder.inMemory()

    @Test("an item that is taken back is a partial, of which nothing is sent again", arguments: [false, true])
    func becomesAPartial(isReadOnly: Bool) throws {
        let inbox = try temporary.inbox()
        let whole = isReadOnly ? Shipment.readOnlyTree() : Shipment.tree()
        let entries = whole.entries
        // Its thread belongs to no test: only an error leaves it.
        try obeyingPermissions {
            var first = Shipment(entries)
            let published = try inbox.receive(first.about("tree"), called: FileName("tree"), asking: true)
            try first.send(to: published)
            _ = try published.publish(as: name("tree"))
            try #require(names(in: inbox.path) == ["tree"])
            try published.withdraw()
            try #require(names(in: inbox.path).allSatisfy { $0.hasPrefix(FileName.partialPrefix) })
            var second = Shipment(entries)
            let partial = try inbox.receive(second.about("tree"), called: FileName("tree"), asking: true)
            try second.send(to: partial)
            _ = try partial.publish(as: name("tree"))
            try #require(second.sent == 0)
        }
        #expect(names(in: inbox.path) == ["tree"])
        #expect(snapshot(of: inbox.path) == whole.expected(as: "tree"))
    }

    @Test("an item that cannot be gone on with is removed")
    func isRemoved() throws {
        let inbox = try temporary.inbox()
        let partial = try inbox.newPartial()
        try partial.file(0, "item", "content")
        _ = try partial.publish(as: name("file"))
        try partial.withdraw()
        #expect(names(in: inbox.path) == [])
    }

    @Test("a name that leads to something else by now stays")
    func doesNotTouchOtherItems() throws {
        let inbox = try temporary.inbox()
        let partial = try inbox.newPartial()
        try partial.file(0, "item", "content")
        _ = try partial.publish(as: name("file"))
        let path = inbox.path + "/file"
        // The old file is kept, so that the new one has another identity.
        try FileManager.default.moveItem(atPath: path, toPath: inbox.path + "/moved")
        try Data("other".utf8).write(to: URL(fileURLWithPath: path))
        try partial.withdraw()
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("other".utf8))
        #expect(names(in: inbox.path).sorted() == ["file", "moved"])
    }
}
