import Foundation
import PortolanFiles
import PortolanSyncPlan
import PortolanValues
import TestSupport
import Testing

@testable import PortolanSyncFolder

/// Files that are for a team alone.
@Suite(.attributes(in: SyncFolders.parent))
struct MarkTests {
    private let team: Restriction
    private let group: Restriction

    init() throws {
        let id = try #require(TeamID(bytes: Array(repeating: 7, count: TeamID.length)))
        team = Restriction(.team, for: try Audience(team: id))
        group = Restriction(.group, for: try Audience(team: id, groups: [GroupName("design")]))
    }

    private func mark(_ folders: SyncFolders, _ number: Int, _ name: String, _ restriction: Restriction) throws {
        try StoredVisibility.keep(restriction, on: KernelStorage().open(path: folders(number, name)))
    }

    private func restriction(_ folders: SyncFolders, _ number: Int, _ name: String) throws -> Restriction {
        try StoredVisibility.read(KernelStorage().open(path: folders(number, name)))
    }

    @Test("a marked file that is not for all who have the folder waits, and goes when it is")
    func waiting() async throws {
        let folders = try await SyncFolders(2)
        try folders.write(0, "a", "1")
        try mark(folders, 0, "a", team)
        try folders.write(0, "b", "2")
        let reports = try await folders.settle()
        let waits = SkippedFile(path: DisplayText("a"), reason: .marked(team), place: [SyncName("a")])
        #expect(reports.contains { $0.skipped == [waits] })
        #expect(try folders.listing(1) == ["b=2"])
        for replica in folders.replicas { replica.setAudience { $0 == team } }
        try await folders.settle()
        #expect(try folders.common() == ["a=1", "b=2"])
        #expect(try restriction(folders, 1, "a") == team)
        #expect(try await folders.replicas[1].marks() == [team])
        try await folders.checkAll()
    }

    @Test("an edit that brings a mark is neither told nor served as the version before, and nothing is deleted")
    func markedEdit() async throws {
        let folders = try await SyncFolders(2)
        try folders.makeFolder(0, "x")
        for name in ["a", "x/b"] { try folders.write(0, name, "1") }
        try await folders.settle()
        let form = try folders.replicas[0].index.read { index in
            index.allEntries.compactMap { index.entry($0) }.first { $0.name.text == "a" }?.form
        }
        let digest = try #require(form?.digest)
        #expect(try await folders.replicas[0].content(digest) != nil)
        for name in ["a", "x/b"] { try folders.write(0, name, "secret") }
        try mark(folders, 0, "a", team)
        try mark(folders, 0, "x", team)
        let reports = try await folders.settle()
        #expect(reports.contains { Set($0.skipped.map(\.path.text)) == ["a", "x"] })
        #expect(try folders.listing(1) == ["a=1", "x/", "x/b=1"])
        #expect(try await folders.replicas[0].content(digest) == nil)
    }

    @Test("a mark stays when another file takes the place of the marked one, and goes when a person takes it off")
    func replacing() async throws {
        let folders = try await SyncFolders(2)
        for replica in folders.replicas { replica.setAudience { _ in true } }
        try folders.write(0, "a", "1")
        try mark(folders, 0, "a", team)
        try await folders.settle()
        try folders.write(1, "a", "2")
        try folders.dropAttributes(1, "a")
        try await folders.settle()
        #expect(try folders.common() == ["a=2"])
        for number in 0...1 { #expect(try restriction(folders, number, "a") == team) }
        let disk = KernelStorage()
        try disk.setAttribute(StoredVisibility.attribute, Array("all".utf8), of: disk.open(path: folders(0, "a")))
        try await folders.settle()
        for number in 0...1 { #expect(try restriction(folders, number, "a") == .everyone) }
        #expect(try await folders.replicas[1].marks().isEmpty)
    }

    @Test("the mark of a folder is one of the files in it, also of those that were told before")
    func folderMark() async throws {
        let folders = try await SyncFolders(2)
        for replica in folders.replicas { replica.setAudience { _ in true } }
        try folders.makeFolder(0, "x")
        try folders.write(0, "x/a", "1")
        try await folders.settle()
        try mark(folders, 0, "x", team)
        try folders.write(0, "x/b", "2")
        try mark(folders, 0, "x/b", group)
        try await folders.settle()
        #expect(try restriction(folders, 1, "x/a") == team)
        #expect(try restriction(folders, 1, "x/b") == group)
        try await folders.checkAll()
    }

    @Test("equal files of two devices, one with a mark, are one with the mark")
    func equal() async throws {
        let folders = try await SyncFolders(2)
        for replica in folders.replicas { replica.setAudience { _ in true } }
        for number in 0...1 { try folders.write(number, "a", "1") }
        try mark(folders, 0, "a", team)
        try await folders.settle()
        #expect(try folders.common() == ["a=1"])
        for number in 0...1 { #expect(try restriction(folders, number, "a") == team) }
    }

    @Test("an answer with a mark that is not for this device, or cannot be read, is not taken")
    func foreign() async throws {
        let folders = try await SyncFolders(2)
        let (sender, receiver) = (folders.replicas[0], folders.replicas[1])
        sender.setAudience { _ in true }
        receiver.setAudience(own: { [team] in $0 == team }) { _ in true }
        try folders.write(0, "a", "1")
        try mark(folders, 0, "a", team)
        try await folders.synchronize(0)
        var news = try await sender.announcement(since: nil)
        #expect(news.records.count == 1)
        #expect(try await receiver.mayTake(news))
        news.records[0].contents[0].value.form.extended.mark = Array("x".utf8)
        #expect(try await !receiver.mayTake(news))
        try mark(folders, 0, "a", group)
        try await folders.synchronize(0)
        let later = try await sender.announcement(since: nil)
        #expect(try await !receiver.mayTake(later))
    }

    @Test("a deleted marked file is forgotten when those have acknowledged it who may see it, and that is said once")
    func forgetting() async throws {
        let folders = try await SyncFolders(2)
        let (maker, replica) = (folders.replicas[0], folders.replicas[1])
        let (third, team) = (SyncFolders.device(2), team)
        for one in folders.replicas {
            one.setAudience(sees: { $0 != third || $1 != team }) { _ in true }
            one.setMembers(Set((0...2).map(SyncFolders.device)))
        }
        try folders.write(0, "a", "1")
        try mark(folders, 0, "a", team)
        try await folders.settle()
        try folders.remove(0, "a")
        try await folders.synchronize(0)
        try await folders.pull(1, from: 0)
        try await folders.synchronize(1)
        #expect(try await replica.marks() == [team])
        let news = try await replica.announcement(since: maker.heard(of: SyncFolders.device(1)))
        let heard = try await maker.receive(news).acknowledged
        var opens: [Bool] = []
        for _ in 0..<2 { opens.append(try await replica.acknowledge(heard, by: SyncFolders.device(0))) }
        #expect(opens == [true, false])
        for one in folders.replicas { #expect(try await one.marks().isEmpty) }
    }

    @Test("a disk that stores no mark gets no marked file")
    func plainFileSystem() async throws {
        let folders = try await SyncFolders(2, storage: [1: PlainStorage()])
        for replica in folders.replicas { replica.setAudience { _ in true } }
        try folders.write(0, "a", "1")
        try mark(folders, 0, "a", team)
        try folders.write(0, "b", "2")
        try await folders.settle()
        #expect(try folders.listing(1) == ["b=2"])
    }
}
