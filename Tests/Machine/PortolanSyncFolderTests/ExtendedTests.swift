import Foundation
import PortolanFiles
import PortolanSyncPlan
import PortolanValues
import TestSupport
import Testing

@testable import PortolanSyncFolder

/// Extended attributes of synchronized files.
@Suite(.attributes(in: SyncFolders.parent)) struct ExtendedTests {
    @Test("attributes go to the others, change and go away, and no content is fetched for that")
    func following() async throws {
        let folders = try await SyncFolders(2)
        try folders.write(0, "a", "1")
        try folders.set(0, "a", "tag", "red")
        try await folders.settle()
        #expect(try folders.attributes(1, "a") == ["tag": "red"])
        try folders.set(1, "a", "tag", "blue")
        try folders.set(1, "a", "note", "")
        var reports = try await folders.settle()
        #expect(try folders.attributes(0, "a") == ["tag": "blue", "note": ""])
        try folders.dropAttributes(0, "a")
        reports += try await folders.settle()
        #expect(try folders.attributes(1, "a").isEmpty)
        #expect(try folders.common() == ["a=1"])
        #expect(reports.allSatisfy { $0.fetched == 0 } && reports.contains { $0.copied == 1 })
    }

    @Test("attributes of a file that its owner may not write to arrive with it")
    func writeProtected() async throws {
        let folders = try await SyncFolders(2)
        try folders.write(0, "a", "1")
        try folders.set(0, "a", "tag", "red")
        #expect(chmod(folders(0, "a"), 0o444) == 0)
        try await folders.settle()
        #expect(try folders.attributes(1, "a") == ["tag": "red"])
        #expect(access(folders(1, "a"), R_OK) == 0)
    }

    @Test("attributes that two set differently while apart make no second version: those of one count on both")
    func conflict() async throws {
        let folders = try await SyncFolders(2)
        try folders.write(0, "a", "1")
        try await folders.settle()
        try folders.set(0, "a", "tag", "red")
        try folders.set(1, "a", "tag", "blue")
        try await folders.settle()
        #expect(try folders.common() == ["a=1"])
        let tags = try (0...1).map { try folders.attributes($0, "a")["tag"] }
        #expect(tags == ["red", "red"], "the change with the greater dot")
    }

    @Test("attributes that two set alike while apart are no conflict")
    func alike() async throws {
        let folders = try await SyncFolders(2)
        try folders.write(0, "a", "1")
        try await folders.settle()
        for number in 0...1 { try folders.set(number, "a", "tag", "red") }
        try await folders.settle()
        #expect(try folders.common() == ["a=1"])
    }

    @Test("an attribute too large for a record stays, is listed, and keeps nothing else back")
    func tooLarge() async throws {
        let folders = try await SyncFolders(2)
        try folders.write(0, "a", "1")
        try folders.set(0, "a", "large", String(repeating: "x", count: 1100))
        try folders.set(0, "a", "tag", "red")
        let report = try await folders.synchronize(0)
        let skipped = [SkippedFile(path: DisplayText("a"), reason: .attributes, place: [SyncName("a")])]
        #expect(report.skipped == skipped)
        try await folders.settle()
        #expect(try folders.attributes(1, "a") == ["tag": "red"])
        #expect(try folders.attributes(0, "a").keys.sorted() == ["large", "tag"])
        #expect(try await folders.synchronize(0).skipped == skipped, "a later look lists it, too")
    }

    @Test(
        "edits and renames on a file system without attributes take none away from the others",
        arguments: [nil, 3])
    func plainFileSystem(longest: Int?) async throws {
        let folders = try await SyncFolders(2, storage: [1: PlainStorage(longest: longest)])
        try folders.write(0, "a", "1")
        try folders.set(0, "a", "tag", "purple")
        try folders.set(0, "a", "one", "1")
        try await folders.settle()
        #expect(try folders.attributes(1, "a") == (longest == nil ? [:] : ["one": "1"]))
        try await folders.settle()
        let all = ["tag": "purple", "one": "1"]
        #expect(try folders.attributes(0, "a") == all)
        try folders.write(1, "a", "two")
        try await folders.settle()
        #expect(try folders.common() == ["a=two"])
        #expect(try folders.attributes(0, "a") == all)
        folders.move(1, "a", to: "b")
        try await folders.settle()
        #expect(try folders.common() == ["b=two"])
        #expect(try folders.attributes(0, "b") == all)
        let report = try await folders.synchronize(1)
        #expect(report.skipped == [SkippedFile(path: DisplayText("b"), reason: .attributes, place: [SyncName("b")])])
    }

    @Test("an attribute that is set right before a file is replaced is put back with its file")
    func lateAttribute() async throws {
        let disk = WatchedStorage()
        let folders = try await SyncFolders(2, storage: [0: disk])
        try folders.write(0, "a", "1")
        try await folders.settle()
        try folders.write(1, "a", "theirs")
        try await folders.synchronize(1)
        try await folders.pull(0, from: 1)
        disk.beforeMove { name, manner in
            guard name == "a", manner == .exchanging else { return }
            disk.beforeMove(nil)
            #expect(throws: Never.self) { try folders.set(0, "a", "tag", "mine") }
        }
        try await folders.settle()
        #expect(Set(try folders.common().compactMap { $0.split(separator: "=").last }) == ["1", "theirs"])
        let names = try folders.listing(0).map { String($0.prefix { $0 != "=" }) }
        #expect(try names.contains { try folders.attributes(1, $0) == ["tag": "mine"] })
    }

    @Test("no name of an announcement leads out of the user's space, and Portolan's own are not stored")
    func hostileNames() async throws {
        let folders = try await SyncFolders(1)
        try folders.write(0, "a", "1")
        try await folders.synchronize(0)
        let author = ReplicaID(device: SyncFolders.device(1), epoch: 9)
        var record = NodeRecord(id: NodeID(Dot(author, 1)), kind: .file)
        record.move(Dot(author, 1), to: NodePlace(.root, SyncName("b")))
        let extended = ["portolan.audience", "security.capability", "trusted.x"].map {
            ExtendedAttribute(SyncName($0), [1])
        }
        let form = ContentForm(FileLook.digest(Array("1".utf8)), attributes: 0o644, extended: extended)
        record.write(Dot(author, 2), FileVersion(form: form, size: 1, author: "x"), replacing: [])
        #expect(record.isWellFormed)
        _ = try await folders.replicas[0].receive(
            Announcement(records: [record], cursor: PortolanSyncPlan.ChangeCursor(author, 2)))
        try await folders.synchronize(0)
        let before = try await folders.replicas[0].position()
        try await folders.synchronize(0)
        #expect(try await folders.replicas[0].position() == before, "nothing of it is sent back as a change")
        let file = try KernelStorage().open(path: folders(0, "b"))
        var names = [UInt8](repeating: 0, count: 1024)
        let count = try names.withUnsafeMutableBytes { try KernelStorage().listAttributes(of: file, into: $0) }
        let list = Set(names[..<count].split(separator: 0).map { String(decoding: $0, as: UTF8.self) })
        #expect(list.isSuperset(of: ["user.security.capability", "user.trusted.x"]))
        #expect(list.isDisjoint(with: ["user.portolan.audience", "security.capability", "trusted.x"]))
    }

    @Test("attributes are in order, none twice, and within their limits")
    func wellFormed() {
        func attribute(_ name: String, _ bytes: Int = 0) -> ExtendedAttribute {
            ExtendedAttribute(SyncName(name), [UInt8](repeating: 1, count: bytes))
        }
        #expect([attribute("a", 1020)].isWellFormed)
        #expect((0..<64).map { attribute("\($0 + 10)") }.isWellFormed)
        let wrong = [
            [attribute("a", 1021)], (0..<65).map { attribute("\($0 + 10)") }, [attribute("b"), attribute("a")],
            [attribute("a"), attribute("a", 1)], [attribute("")], [attribute("a\0")],
            [attribute(String(repeating: "a", count: 251))],
        ]
        for attributes in wrong { #expect(!attributes.isWellFormed) }
    }
}
