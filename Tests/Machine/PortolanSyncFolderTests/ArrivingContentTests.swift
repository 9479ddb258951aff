import Foundation
import PortolanFiles
import PortolanSyncPlan
import Testing

@testable import PortolanSyncFolder

/// Contents that members send beside the rounds of work.
@Suite struct ArrivingContentTests {
    private static let large = (0..<1_000_003).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3 | 1) }
    /// Bytes of a part of it, with two of its four blocks.
    private static let cut = 600_000
    private static let block = 256 << 10

    private static func digest(_ content: [UInt8]) -> ContentDigest { FileLook.digest(content) }

    private func heard(_ content: [UInt8] = large) async throws -> SyncFolders {
        try await .heard { try $0.write(0, "large", content) }
    }

    /// Lets a device use what has arrived, and checks that both have the same file then.
    private func checkPublished(_ folders: SyncFolders, _ name: String = "large") async throws {
        let report = try await folders.work()
        #expect(report.steps == 1 && report.fetched == 1 && report.waiting.isEmpty && report.wanted.isEmpty)
        #expect(folders.bytes(1, name) == folders.bytes(0, name))
        #expect(try folders.staged().isEmpty)
    }

    /// Lets a device use what has arrived, and checks that it still has no file.
    private func checkAwaited(_ folders: SyncFolders) async throws {
        let report = try await folders.work()
        #expect(report.steps == 0 && report.waiting == [.coming])
        #expect(try folders.listing(1).isEmpty)
    }

    // MARK: Parts

    @Test("a content that came in part is continued by its blocks, also after a restart", arguments: [false, true])
    func resumed(restarts: Bool) async throws {
        let folders = try await heard()
        try await folders.bringPart(of: Self.large, until: Self.cut)
        #expect(folders.bytes(1, "large") == nil)
        try await checkAwaited(folders)
        if restarts { try await folders.restart(1) }
        let arrivals = try await folders.arrivals()
        #expect(arrivals.hasParts)
        #expect(try arrivals.add(Self.large, as: 3) == .compare(blocks: [0..<2]))
        let source = try KernelStorage().open(path: folders(0, "large"))
        for block: UInt64 in 0..<2 {
            let digest = try #require(source.digest(ofBlock: block, inFileOf: UInt64(Self.large.count)))
            #expect(try arrivals.digest(3, block: block) == digest)
        }
        #expect(try arrivals.digest(3, block: 3) == nil)
        try arrivals.write(3, Self.large, 2 * Self.block..<Self.large.count)
        try arrivals.finish(3)
        #expect(arrivals.missing.isEmpty && arrivals.wrong.isEmpty && !arrivals.hasParts)
        try await checkPublished(folders)
    }

    @Test("a content whose transfer was cut is continued by the next transfer, from another member")
    func nextMember() async throws {
        let folders = try await heard()
        let arrivals = try await folders.arrivals()
        #expect(try !arrivals.hasParts && arrivals.add(Self.large, as: 0) == .content)
        try arrivals.write(0, Self.large, 0..<Self.cut)
        arrivals.beginTransfer()
        #expect(arrivals.hasParts)
        #expect(try arrivals.add(Self.large, as: 0) == .compare(blocks: [0..<2]))
        try arrivals.write(0, Self.large, 2 * Self.block..<Self.large.count)
        try arrivals.finish(0)
        try await checkPublished(folders)
    }

    @Test("a damaged part is not the content, and the content is wanted anew, whole")
    func damaged() async throws {
        let folders = try await heard()
        try await folders.bringPart(of: Self.large, until: Self.cut)
        let file = try #require(FileHandle(forWritingAtPath: folders.part()))
        try file.write(contentsOf: Data(repeating: 7, count: 100))
        try file.close()
        let arrivals = try await folders.arrivals()
        #expect(try arrivals.add(Self.large, as: 0) == .compare(blocks: [0..<2]))
        try arrivals.write(0, Self.large, 2 * Self.block..<Self.large.count)
        try arrivals.finish(0)
        #expect(arrivals.missing.count == 1 && arrivals.wrong.isEmpty)
        #expect(try folders.staged().isEmpty)
        try await checkAwaited(folders)
        #expect(arrivals.takeRestarted().map(\.digest) == [Self.digest(Self.large)])
        #expect(arrivals.takeRestarted().isEmpty)
        arrivals.beginTransfer()
        #expect(try arrivals.add(Self.large, as: 0) == .content)
        try arrivals.send(0, Self.large)
        #expect(arrivals.missing.isEmpty)
        try await checkPublished(folders)
    }

    @Test("a part that is too old is not continued")
    func old() async throws {
        let folders = try await heard()
        try await folders.bringPart(of: Self.large, until: Self.cut)
        let past = timeval(tv_sec: time(nil) - 8 * 86_400, tv_usec: 0)
        #expect(utimes(try folders.part(), [past, past]) == 0)
        #expect(try await folders.arrivals().add(Self.large, as: 0) == .content)
        #expect(try folders.staged().isEmpty)
    }

    @Test("a part that is not wanted any more is removed by the next synchronization")
    func unwanted() async throws {
        let folders = try await heard()
        try await folders.bringPart(of: Self.large, until: Self.cut)
        #expect(try folders.part().isEmpty == false)
        try folders.remove(0, "large")
        try await folders.synchronize(0)
        try await folders.pull(1, from: 0)
        #expect(try await folders.work().waiting.isEmpty)
        #expect(try folders.staged().isEmpty && folders.listing(1).isEmpty)
    }

    @Test("a part that a synchronization removes while its content comes is made anew")
    func removedPart() async throws {
        let folders = try await heard()
        try await folders.bringPart(of: Self.large, until: Self.cut)
        let arrivals = try await folders.arrivals()
        #expect(try arrivals.add(Self.large, as: 0) == .compare(blocks: [0..<2]))
        try FileManager.default.removeItem(atPath: folders.part())
        #expect(try arrivals.digest(0, block: 0) == nil)
        try arrivals.send(0, Self.large)
        try await checkPublished(folders)
    }

    @Test("zeros take no space, and overwrite bytes that an earlier transfer left there")
    func holes() async throws {
        let zeros = [UInt8](repeating: 0, count: 1 << 20)
        let content = zeros + [1, 2, 3] + zeros
        let folders = try await heard(content)
        let junk = [UInt8](repeating: 9, count: content.count)
        for isSecond in [false, true] {
            let arrivals = try await folders.arrivals()
            #expect(try arrivals.add(content, as: 0) == (isSecond ? .compare(blocks: [0..<4]) : .content))
            if !isSecond {
                try arrivals.write(0, junk, 0..<zeros.count)
                continue
            }
            try arrivals.hole(0, at: 0, length: UInt64(zeros.count))
            try arrivals.write(0, content, zeros.count..<zeros.count + 3)
            try arrivals.hole(0, at: UInt64(zeros.count + 3), length: UInt64(zeros.count))
            try arrivals.finish(0)
        }
        try await checkPublished(folders)
        var status = stat()
        #expect(stat(folders(1, "large"), &status) == 0)
        #expect(status.st_size == content.count && status.st_blocks * 512 < 1 << 18)
    }

    // MARK: Other contents than wanted

    @Test("a content with other bytes is wrong, leaves nothing behind and is not published", arguments: [false, true])
    func wrong(isSmall: Bool) async throws {
        let content = isSmall ? Array("12345".utf8) : Self.large
        let folders = try await heard(content)
        let arrivals = try await folders.arrivals()
        var changed = content
        changed[content.count - 2] ^= 8
        func send(_ entry: UInt32, _ bytes: [UInt8]) throws {
            #expect(try arrivals.add(content, as: entry) == .content)
            if isSmall { try arrivals.send(entry, small: bytes) } else { try arrivals.send(entry, bytes) }
        }
        try send(0, changed)
        #expect(arrivals.wrong == [Self.digest(content)] && arrivals.takeRestarted().isEmpty)
        #expect(arrivals.missing.map(\.digest) == [Self.digest(content)])
        #expect(try folders.staged().isEmpty)
        try await checkAwaited(folders)
        // A part that is shorter than it should be has other bytes, too.
        if !isSmall {
            arrivals.beginTransfer()
            try send(0, Array(content.dropLast(1000)))
            #expect(arrivals.wrong.count == 1)
        }
        arrivals.beginTransfer()
        try send(0, content)
        #expect(arrivals.wrong.isEmpty && arrivals.missing.isEmpty)
        try await checkPublished(folders)
    }

    @Test("a file of unknown name or other size is not wanted, nor a second entry of one name")
    func names() async throws {
        let folders = try await heard()
        let arrivals = try await folders.arrivals()
        let (name, size) = (ArrivingContents.name(of: Self.digest(Self.large)), UInt64(Self.large.count))
        #expect(try arrivals.add([1, 2, 3], as: 0) == .nothing)
        #expect(try arrivals.add(1, named: "large", size: size) == .nothing)
        #expect(try arrivals.add(2, named: name, size: size - 1) == .nothing)
        #expect(try arrivals.add(3, named: name, size: nil) == .nothing)
        try arrivals.send(0, small: [1, 2, 3])
        try arrivals.send(2, Self.large)
        #expect(try folders.staged().isEmpty && arrivals.missing.count == 1 && arrivals.wrong.isEmpty)
        #expect(try arrivals.add(4, named: name, size: size) == .content)
        try arrivals.write(4, Self.large, 0..<Self.cut)
        #expect(try arrivals.add(5, named: name, size: size) == .nothing)
        try arrivals.send(5, [1, 2, 3])
        try arrivals.write(4, Self.large, Self.cut..<Self.large.count)
        try arrivals.finish(4)
        #expect(try arrivals.add(6, named: name, size: size) == .nothing)
        try arrivals.send(6, [1, 2, 3])
        try await checkPublished(folders)
    }

    @Test("a content is written by one transfer at a time, and by none once it is whole")
    func twoTransfers() async throws {
        let folders = try await heard()
        let wanted = try await folders.work().wanted
        let first = try await folders.replicas[1].arrivals(for: wanted)
        let second = try await folders.replicas[1].arrivals(for: wanted)
        #expect(try first.add(Self.large, as: 0) == .content)
        #expect(try second.add(Self.large, as: 0) == .nothing)
        try first.send(0, Self.large)
        #expect(try second.add(Self.large, as: 1) == .nothing)
        #expect(try await folders.replicas[1].arrivals(for: wanted).missing.isEmpty)
        try await checkPublished(folders)
    }

    @Test("an entry that is left out leaves the others, and its own part")
    func leftOut() async throws {
        let folders = try await SyncFolders.heard {
            try $0.write(0, "large", Self.large)
            try $0.write(0, "small", "12345")
        }
        let arrivals = try await folders.arrivals()
        #expect(try arrivals.add(Self.large, as: 0) == .content)
        #expect(try arrivals.add(Array("12345".utf8), as: 1) == .content)
        try arrivals.write(0, Self.large, 0..<Self.cut)
        arrivals.leaveOut(0)
        try arrivals.send(1, small: Array("12345".utf8))
        #expect(arrivals.missing.map(\.digest) == [Self.digest(Self.large)])
        let report = try await folders.work()
        #expect(report.steps == 1 && report.waiting == [.coming])
        #expect(try folders.listing(1) == ["small=12345"])
        #expect(try arrivals.add(Self.large, as: 2) == .compare(blocks: [0..<2]))
    }

    @Test("a content that was replaced while it came is not published")
    func superseded() async throws {
        let folders = try await heard()
        let arrivals = try await folders.arrivals()
        #expect(try arrivals.add(Self.large, as: 0) == .content)
        let next = Self.large + [1, 2, 3]
        try folders.write(0, "large", next)
        try await folders.synchronize(0)
        try await folders.pull(1, from: 0)
        try arrivals.send(0, Self.large)
        try await checkAwaited(folders)
        #expect(try folders.staged().isEmpty)
        let other = try await folders.arrivals()
        #expect(other.missing.map(\.digest) == [Self.digest(next)])
        #expect(try other.add(next, as: 0) == .content)
        try other.send(0, next)
        try await checkPublished(folders)
        // The first transfer has left nothing when that becomes the content again.
        try folders.write(0, "large", Self.large)
        try await folders.synchronize(0)
        try await folders.pull(1, from: 0)
        let last = try await folders.arrivals()
        #expect(try last.add(Self.large, as: 0) == .difference)
        try last.send(0, Self.large)
        try await checkPublished(folders)
    }

    // MARK: Links

    private func link(_ folders: SyncFolders, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: folders(0, "link"), withDestinationPath: target)
    }

    @Test("the target of a link comes as a content, and is made a link", arguments: [false, true])
    func links(isSmall: Bool) async throws {
        let folders = try await SyncFolders.heard { try link($0, to: "a/b") }
        let arrivals = try await folders.arrivals()
        let target = Array("a/b".utf8)
        #expect(try arrivals.add(target, as: 0) == .content)
        if isSmall { try arrivals.send(0, small: target) } else { try arrivals.send(0, target) }
        #expect(try await folders.work().waiting.isEmpty)
        #expect(try folders.common() == ["link->a/b"])
        #expect(try folders.staged().isEmpty)
    }

    @Test("a link that would lead out is not made, and nothing of it stays")
    func outsideLink() async throws {
        let folders = try await SyncFolders.heard { try link($0, to: "/etc") }
        let arrivals = try await folders.arrivals()
        let target = Array("/etc".utf8)
        #expect(try arrivals.add(target, as: 0) == .content)
        try arrivals.send(0, small: target)
        let report = try await folders.work()
        let wait = try #require(report.waiting.count == 1 ? report.waiting.first : nil)
        guard case .link = wait else {
            Issue.record("\(wait)")
            return
        }
        #expect(report.places[wait] == ["link"] && report.wanted.isEmpty)
        #expect(try folders.listing(1).isEmpty && folders.staged().isEmpty)
    }

    @Test("a link whose record claims an empty target is not asked for")
    func emptyLink() async throws {
        let folders = try await SyncFolders(2)
        try link(folders, to: "a")
        try await folders.synchronize(0)
        try await folders.synchronize(1)
        try await folders.pull(1, from: 0, sayingSize: 0)
        let report = try await folders.work()
        #expect(report.waiting == [.content(Self.digest(Array("a".utf8)))] && report.wanted.isEmpty)
    }

    // MARK: Reports

    @Test("a content is awaited until no member has it, and its path is told")
    func waiting() async throws {
        let folders = try await SyncFolders.heard { try $0.write(0, "a", "12345") }
        let digest = Self.digest(Array("12345".utf8))
        let awaited = try await folders.work()
        #expect(awaited.waiting == [.coming] && awaited.places == [.coming: ["a"]])
        #expect(awaited.wanted.map(\.digest) == [digest] && awaited.wanted.map(\.size) == [5])
        #expect(try await folders.replicas[1].lacks(awaited, limit: 16) { _ in [] }.isEmpty)
        let missing = try await folders.work(without: [digest])
        #expect(missing.waiting == [.content(digest)] && missing.places == [.content(digest): ["a"]])
        #expect(missing.wanted.map(\.digest) == [digest])
    }

    @Test("contents are wanted once each, in a fixed order, also if the folder is read again")
    func wanted() async throws {
        let names = (10..<60).map { "\($0)" }
        let folders = try await SyncFolders.heard { folders in
            for name in names + ["same", "taken"] { try folders.write(0, name, name == "same" ? "10" : name) }
        }
        // A step finds this file in its way.
        try folders.write(1, "taken", "own")
        let wanted = try await folders.work(changes: .none).wanted
        #expect(wanted.count == 51 && Set(wanted.map(\.digest)).count == 51)
        #expect(Set(wanted.map(\.digest)) == Set((names + ["taken"]).map { Self.digest(Array($0.utf8)) }))
        let again = try await folders.work().wanted.map(\.digest)
        for _ in 0..<3 { #expect(try await folders.work().wanted.map(\.digest) == again) }
    }

    @Test("a transfer that is stopped copies no further, and leaves its part")
    func stop() async throws {
        let folders = try await heard()
        try await folders.replicas[1].synchronize(from: SyncFolders.Others(replicas: [folders.replicas[0]]))
        let next = Array(Self.large.dropFirst()) + [4, 5]
        try folders.write(0, "large", next)
        try await folders.synchronize(0)
        try await folders.pull(1, from: 0)
        let arrivals = try await folders.arrivals()
        #expect(try arrivals.add(next, as: 0) == .difference)
        try arrivals.copy(0, from: 1, to: 0, length: UInt64(Self.cut))
        #expect(!arrivals.isStopped)
        arrivals.stop()
        #expect(arrivals.isStopped)
        let start = UInt64(Self.cut)
        #expect(throws: FileError.stopped) { try arrivals.copy(0, from: start + 1, to: start, length: 100_000) }
        arrivals.beginTransfer()
        #expect(try folders.staged().count == 1 && arrivals.add(next, as: 0) == .difference)
    }
}
