import Foundation
import PortolanFiles
import PortolanSyncPlan
import Testing

@testable import PortolanSyncFolder

/// Small contents that arrive with changes.
@Suite struct CarriedContentTests {
    private static let largest = 64 << 10
    private static let answerBytes: UInt64 = 8 << 20

    private static func small(
        for member: Int = 1, isOwn: Bool = false, together: Int = .max
    ) -> SmallContents {
        SmallContents(upTo: largest, together: together, for: SyncFolders.device(member), isOwn: isOwn)
    }

    /// Texts of the small contents of an announcement.
    private func texts(
        _ folders: SyncFolders, _ number: Int, _ small: SmallContents,
        since cursor: PortolanSyncPlan.ChangeCursor? = nil
    ) async throws -> Set<String> {
        let replica = folders.replicas[number]
        let news = try await replica.announcement(since: cursor, with: small)
        let contents = try await replica.contents(small.contents(of: news))
        return Set(contents.map { String(decoding: $0, as: UTF8.self) })
    }

    /// Sends the changes of one device to another, with small contents.
    ///
    /// - Returns: the number of contents, and true if sending the contents of further changes is likely to be useful.
    @discardableResult
    private func pull(
        _ folders: SyncFolders, _ number: Int, from other: Int, _ small: SmallContents,
        beforeKeeping body: () -> Void = {}
    ) async throws -> (contents: Int, isOfUse: Bool) {
        let (receiver, sender) = (folders.replicas[number], folders.replicas[other])
        let cursor = try await receiver.heard(of: SyncFolders.device(other))
        let news = try await sender.announcement(since: cursor, with: small)
        let contents = try await sender.contents(small.contents(of: news)).map { (FileLook.digest($0), $0) }
        _ = try await receiver.receive(news)
        body()
        let isOfUse = try await receiver.lacksContents(of: news, upTo: Self.largest)
        try await receiver.keep(Dictionary(contents, uniquingKeysWith: { one, _ in one }))
        return (contents.count, isOfUse)
    }

    private func staged(_ folders: SyncFolders, _ number: Int) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folders(number, "\(ControlFolder.name)/staging"))
    }

    @Test("contents that came with changes are needed from no member, and leave nothing behind")
    func used() async throws {
        let folders = try await SyncFolders(2)
        try folders.makeFolder(0, "x")
        for (name, text) in [("a", "1"), ("x/b", "two"), ("x/same", "two"), ("empty", "")] {
            try folders.write(0, name, text)
        }
        #expect(symlink("x/b", folders(0, "link")) == 0)
        try await folders.synchronize(0)
        #expect(try await pull(folders, 1, from: 0, Self.small()).contents == 3)
        #expect(try staged(folders, 1).isEmpty, "the file has no name")
        let report = try await folders.replicas[1].synchronize(from: SyncFolders.Others(replicas: []))
        #expect(report.waiting.isEmpty)
        #expect(try folders.common() == ["a=1", "empty=", "link->x/b", "x/", "x/b=two", "x/same=two"])
        #expect(try staged(folders, 1).isEmpty)
        #expect(folders.replicas[1].carried.content(FileLook.digest(Array("1".utf8))) == nil)
    }

    @Test("carried contents are dropped after a synchronization that has not used them, and asked for as ever")
    func unused() async throws {
        let folders = try await SyncFolders(2)
        try folders.write(0, "a", "1")
        try await folders.synchronize(0)
        let replica = folders.replicas[1]
        try await folders.synchronize(1)
        try await pull(folders, 1, from: 0, Self.small())
        replica.setWays(SyncWays(.sendOnly))
        try await folders.synchronize(1)
        replica.setWays(SyncWays())
        let report = try await replica.synchronize(from: SyncFolders.Others(replicas: []))
        #expect(report.fetched == 0 && folders.text(1, "a") == nil)
        #expect(try await folders.synchronize(1).fetched == 1)
        #expect(try folders.common() == ["a=1"])
    }

    @Test("an announcement ends where its contents have no more room, and the next one goes on with the rest")
    func severalAnswers() async throws {
        let folders = try await SyncFolders(2)
        for number in 0..<10 { try folders.write(0, "\(number)", "\(number)" + String(repeating: "x", count: 9_999)) }
        try await folders.synchronize(0)
        var counts: [Int] = []
        while try await folders.replicas[1].heard(of: SyncFolders.device(0))?.sequence
            != folders.replicas[0].position()?.sequence
        {
            let (contents, isOfUse) = try await pull(folders, 1, from: 0, Self.small(together: 40_000))
            #expect(isOfUse)
            counts.append(contents)
        }
        #expect(counts.count > 2 && counts.reduce(0, +) == 10 && counts.allSatisfy { $0 <= 4 })
        let report = try await folders.replicas[1].synchronize(from: SyncFolders.Others(replicas: []))
        #expect(report.fetched == 10)
        #expect(try folders.common().count == 10)
    }

    @Test("equal contents count, and come, once")
    func equal() async throws {
        let folders = try await SyncFolders(1)
        for number in 0..<10 { try folders.write(0, "\(number)", String(repeating: "x", count: 10_000)) }
        try await folders.synchronize(0)
        let small = Self.small(together: 30_000)
        let news = try await folders.replicas[0].announcement(since: nil, with: small)
        #expect(news.records.count == 10 && small.contents(of: news).count == 1)
    }

    @Test("many contents come in their order, also from deep folders, without those of files that changed")
    func inOrder() async throws {
        let folders = try await SyncFolders(1)
        for folder in ["a", "a/b", "a/b/c"] { try folders.makeFolder(0, folder) }
        for number in 0..<150 { try folders.write(0, "\(["a/b/c/", "a/", ""][number % 3])\(number)", "text \(number)") }
        try await folders.synchronize(0)
        try folders.write(0, "a/b/c/60", "another text")
        try folders.remove(0, "a/70")
        let all = try await folders.replicas[0].announcement(since: nil, with: Self.small())
        let small = Self.small().contents(of: all)
        #expect(small.count == 150)
        let changed = [60, 70].map { FileLook.digest(Array("text \($0)".utf8)) }
        let came = try await folders.replicas[0].contents(small).map { FileLook.digest($0) }
        #expect(came == small.map(\.digest).filter { !changed.contains($0) })
    }

    @Test("large contents, empty ones and those of deleted files do not come")
    func left() async throws {
        let folders = try await SyncFolders(1)
        try folders.write(0, "empty", "")
        try folders.write(0, "deleted", "2")
        try folders.write(0, "largest", String(repeating: "x", count: Self.largest))
        try folders.write(0, "large", String(repeating: "y", count: Self.largest + 1))
        try await folders.synchronize(0)
        try folders.remove(0, "deleted")
        try await folders.synchronize(0)
        #expect(try await texts(folders, 0, Self.small()) == [String(repeating: "x", count: Self.largest)])
    }

    @Test("a member gets no content of its own, and with later changes new contents without those that only moved")
    func writers() async throws {
        let folders = try await SyncFolders(3)
        for (number, text) in ["zero", "one", "two"].enumerated() { try folders.write(number, text, text) }
        try folders.write(0, "moved", "moved")
        try await folders.settle()
        let before = try await folders.replicas[0].position()
        folders.move(0, "moved", to: "other")
        try folders.write(0, "zero", "new")
        try folders.write(2, "two", "newer")
        try await folders.settle()
        #expect(try await texts(folders, 0, Self.small()) == ["moved", "new", "newer"])
        #expect(try await texts(folders, 0, Self.small(isOwn: true), since: before) == ["new"])
    }

    @Test("contents that were changed since are left out")
    func changed() async throws {
        let folders = try await SyncFolders(1)
        try folders.write(0, "a", "1")
        try folders.write(0, "b", "2")
        try await folders.synchronize(0)
        try folders.write(0, "a", "3")
        #expect(try await texts(folders, 0, Self.small()) == ["2"])
    }

    @Test("contents are of no use where most are there, and where no step is made")
    func use() async throws {
        let folders = try await SyncFolders(2)
        for number in 0..<10 {
            try folders.write(0, "\(number)", "\(number)")
            if number < 6 { try folders.write(1, "same \(number)", "\(number)") }
        }
        try await folders.synchronize(0)
        let replica = folders.replicas[1]
        #expect(try await replica.filling() == .unknown)
        #expect(try await replica.takesContents(bytes: Self.answerBytes))
        try await folders.synchronize(1)
        #expect(try await replica.filling() == .known)
        #expect(try await !pull(folders, 1, from: 0, Self.small()).isOfUse)
        replica.setWays(SyncWays(.sendOnly))
        #expect(try await !replica.takesContents(bytes: Self.answerBytes))
        let new = try await SyncFolders(1)
        #expect(try await new.replicas[0].filling() == .empty)
    }

    @Test("contents take no more than their share of the disk, and no more than there is for them")
    func room() throws {
        let contents = CarriedContents(KernelStorage())
        #expect(contents.mayTake(bytes: 8 << 20, free: 32 << 20))
        #expect(!contents.mayTake(bytes: 8 << 20, free: 31 << 20))
        #expect(!contents.mayTake(bytes: CarriedContents.most.bytes + 1, free: .max))
    }

    @Test("contents for which there is no room on the disk are asked for")
    func full() async throws {
        let disk = WatchedStorage()
        let folders = try await SyncFolders(2, storage: [1: disk])
        try folders.write(0, "a", "1")
        try await folders.synchronize(0)
        try await folders.synchronize(1)
        try await pull(folders, 1, from: 0, Self.small()) { disk.fill(true) }
        disk.fill(false)
        #expect(try await folders.replicas[1].synchronize(from: SyncFolders.Others(replicas: [])).fetched == 0)
        try await folders.synchronize(1)
        #expect(try folders.common() == ["a=1"])
    }
}
