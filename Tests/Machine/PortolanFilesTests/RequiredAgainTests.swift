import CPortolanLinux
import Glibc
import PortolanCrypto
import PortolanValues
import TestSupport
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

/// Stored entries are checked for required properties, as new ones are.
@Suite(.aside) struct RequiredAgainTests {
    private let temporary = TemporaryFolder.inMemory()

    /// Nil where the file system keeps no attributes, by which files are recognised.
    private func inbox() throws -> Inbox? {
        let inbox = try temporary.inbox()
        guard try SourceMark.set(.test(9), on: inbox.open(), by: KernelStorage()) else {
            print("skipped: the file system of \(inbox.path) keeps no attributes")
            return nil
        }
        return inbox
    }

    private func attribute(of path: String) -> [UInt8]? {
        var value = [UInt8](repeating: 0, count: 16)
        let count = portolan_get_attribute_of_path(path, "user.colour", &value, 16)
        return count < 0 ? nil : Array(value.prefix(Int(count)))
    }

    /// A folder with a file, both with an attribute that is given.
    private func send(_ value: [UInt8]?, to inbox: Inbox, keeping required: Fidelity = []) throws -> PublishedItem {
        let about = try Shipment([Shipment.Entry(parent: 0, name: "tree", kind: .folder)]).about()
        let partial = try inbox.receive(about, called: name("tree"), keeping: required, asking: true)
        let attributes = try value.map { [try #require(FileAttribute(name: "colour".utf8, value: $0))] } ?? []
        try partial.add(
            TreeEntry(
                index: 0, parent: 0, name: name("tree"), kind: .folder, permissions: 0o755, modified: someTime,
                attributes: attributes))
        let need = try partial.add(
            TreeEntry(
                index: 1, parent: 0, name: name("file"), kind: .file(size: 1), permissions: 0o444, modified: someTime,
                attributes: attributes))
        if need == .content { try partial.content(1, "x") }
        return try partial.publish(as: name("tree"))
    }

    @Test(arguments: [[], .attributes] as [Fidelity])
    func laterAttributesAreStored(required: Fidelity) throws {
        guard let inbox = try inbox() else { return }
        _ = try send(nil, to: inbox)
        #expect(try send([1], to: inbox, keeping: required).report.isComplete)
        let paths = [inbox.path + "/tree", inbox.path + "/tree/file"]
        #expect(paths.allSatisfy { attribute(of: $0) == [1] })
        #expect(status(of: paths[1])?.mode == 0o444)
        // The author of a folder's change is unknown: the folder stays, and the difference is reported.
        if required.isEmpty {
            let stored = try send([2, 2], to: inbox)
            #expect(stored.report.omissions == [Loss(path: "", reason: .attributes)])
            #expect(attribute(of: paths[0]) == [1] && attribute(of: paths[1]) == [2, 2])
        } else {
            #expect(kind { _ = try send([2, 2], to: inbox, keeping: required) } == .fidelity)
        }
    }

    @Test func aLinkGetsItsTime() throws {
        let inbox = try temporary.inbox()
        guard try self.inbox() != nil else { return }
        var shipment = Shipment([
            Shipment.Entry(parent: 0, name: "tree", kind: .folder, permissions: 0o755),
            Shipment.Entry(parent: 0, name: "link", kind: .link("a")),
        ])
        for seconds in [1, 2] {
            shipment.entries[1].modified = FileTime(timespec(tv_sec: seconds, tv_nsec: 3))
            let partial = try inbox.receive(
                shipment.about(), called: name("tree"), keeping: .modified, asking: true)
            try shipment.send(to: partial)
            #expect(try partial.publish(as: name("tree")).report.isComplete)
            #expect(status(of: inbox.path + "/tree/link")?.modified == shipment.entries[1].modified)
        }
    }

    // MARK: - Holes

    private let size: UInt64 = 20 << 20

    /// A file with a hole behind its first bytes.
    private func sendHole(
        to inbox: Inbox, _ modified: FileTime = someTime, keeping required: Fidelity = []
    ) throws -> (stored: PublishedItem, need: ContentNeed) {
        let about = try Shipment([Shipment.Entry(parent: 0, name: "file", kind: .file([]))]).about("file")
        let partial = try inbox.receive(about, called: name("file"), keeping: required, asking: true)
        let need = try partial.add(
            TreeEntry(
                index: 0, parent: 0, name: name("file"), kind: .file(size: size), permissions: 0o644,
                modified: modified))
        switch need {
        case .nothing: break
        case .content:
            try partial.write(0, at: 0, "start")
            try partial.hole(0, at: 5, length: size - 5)
            try partial.finish(0, size: size)
        case .difference: Issue.record("No difference was allowed")
        case .compare(let blocks):
            for block in blocks.joined() { #expect(try partial.digest(0, block: block) != nil) }
            let held = ByteRanges(blocks, ofFileOf: size).total
            try partial.hole(0, at: held, length: size - held)
            try partial.finish(0, size: size)
        }
        return (try partial.publish(as: name("file")), need)
    }

    @Test func touchedSparseFileIsComparedAndStoredOnce() throws {
        guard let inbox = try inbox() else { return }
        _ = try sendHole(to: inbox)
        let again = try sendHole(to: inbox, FileTime(timespec(tv_sec: 5, tv_nsec: 0)), keeping: .sparse)
        #expect(again.need == .compare(blocks: [0..<1]))
        #expect(again.stored.updated && again.stored.keptBytes == size && names(in: inbox.path) == ["file"])
        let found = try #require(status(of: inbox.path + "/file"))
        #expect(found.modified.seconds == 5 && found.allocated < 1 << 20)
    }

    @Test func holeReplacedByBytesIsCountedOnce() throws {
        guard let inbox = try inbox() else { return }
        _ = try sendHole(to: inbox)
        let about = try Shipment([Shipment.Entry(parent: 0, name: "file", kind: .file([]))]).about("file")
        let partial = try inbox.receive(about, called: name("file"), keeping: .sparse, asking: true)
        try partial.add(
            TreeEntry(
                index: 0, parent: 0, name: name("file"), kind: .file(size: size), permissions: 0o644,
                modified: FileTime(timespec(tv_sec: 5, tv_nsec: 0))))
        let block = BlockDigest.blockSize
        try partial.hole(0, at: block, length: size - block)
        try partial.write(0, at: 0, String(repeating: "y", count: Int(block)))
        try partial.finish(0, size: size)
        #expect(try partial.publish(as: name("file")).name.text == "file (2)")
        let bytes = try #require(content(of: inbox.path + "/file (2)"))
        #expect(bytes.count == Int(size) && bytes.prefix(Int(block)).allSatisfy { $0 == UInt8(ascii: "y") })
        #expect(bytes.dropFirst(Int(block)).allSatisfy { $0 == 0 })
    }

    @Test func fileWithFilledHolesIsSentAgain() throws {
        guard let inbox = try inbox() else { return }
        _ = try sendHole(to: inbox)
        let file = open(inbox.path + "/file", O_WRONLY)
        let zeros = [UInt8](repeating: 0, count: 1 << 20)
        for place in 1..<Int(size >> 20) {
            #expect(pwrite(file, zeros, zeros.count, off_t(place << 20)) == zeros.count)
        }
        var times = [timespec(tv_sec: 0, tv_nsec: FileTime.omitted), someTime.timespec]
        #expect(futimens(file, &times) == 0)
        close(file)
        // The file is unchanged, unless its holes are required.
        #expect(try sendHole(to: inbox).need == .nothing)
        let again = try sendHole(to: inbox, keeping: .sparse)
        #expect(again.need == .content && again.stored.name.text == "file (2)")
        #expect(try sendHole(to: inbox, keeping: .sparse).need == .nothing)
        #expect(names(in: inbox.path) == ["file", "file (2)"])
    }
}
