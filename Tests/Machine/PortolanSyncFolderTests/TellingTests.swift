import Foundation
import PortolanSyncPlan
import PortolanValues
import Testing

@testable import PortolanSyncFolder

/// Paths of what waits and of what is held.
@Suite struct TellingTests {
    @Test("a waiting file is told with its path: for an obstacle, and for a link that would lead out")
    func waits() async throws {
        let folders = try await SyncFolders(2)
        try folders.makeFolder(1, "x/y")
        try folders.write(1, "x/y/a", "1")
        #expect(symlink("/etc", folders(1, "x/out")) == 0)
        try folders.makeFolder(0, "x/y")
        #expect(mkfifo(folders(0, "x/y/a"), 0o600) == 0)
        let reports = try await folders.settle()
        let report = try #require(reports.last { !$0.waiting.isEmpty })
        let places = Set(report.places.values.flatMap(\.self))
        #expect(places == ["x/out", "x/y/a"], "\(report.places)")
        for (wait, paths) in report.places {
            if case .link = wait { #expect(paths == ["x/out"]) } else { #expect(paths == ["x/y/a"], "\(wait)") }
        }
        #expect(reports.contains { $0.skipped.contains { $0.path.text == "x/y/a" && $0.reason == .special } })

        // The member that made them is told, without a name, and knows the paths.
        let lacks = try await folders.replicas[0].lacks(report, limit: 16) { _ in [] }
        #expect(lacks.map(\.reason) == [.link, .inTheWay] && lacks.allSatisfy { $0.count == 1 }, "\(lacks)")
        let paths = try await folders.replicas[1].paths(of: Set(lacks.flatMap(\.nodes)))
        #expect(lacks.map { $0.nodes.compactMap { paths[$0] } } == [["x/out"], ["x/y/a"]])
        #expect(try await folders.replicas[0].lacks(report, limit: 1) { _ in [] } == Array(lacks.prefix(1)))
    }

    @Test("a name that is not UTF-8 is listed with the path of its folder, and its bytes are told apart")
    func names() async throws {
        let folders = try await SyncFolders(2)
        let folder = String(repeating: "k", count: 240)
        try folders.makeFolder(0, folder)
        try folders.write(0, "\(folder)/f", "text")
        try await folders.settle()
        for byte: UInt8 in [0xE9, 0xFF] {
            try folders.write(0, "new", "\(byte)")
            let name = Array(folders(0, "\(folder)/a").utf8CString.dropLast()) + [CChar(bitPattern: byte), 0]
            #expect(rename(folders(0, "new"), name) == 0)
        }
        let report = try await folders.synchronize(0)
        #expect(report.skipped.map(\.path.text).sorted() == ["\(folder)/a\\xE9", "\(folder)/a\\xFF"])
        #expect(report.skipped.allSatisfy { $0.reason == .name })
        try await folders.settle()
        #expect(try folders.listing(1) == ["\(folder)/", "\(folder)/f=text"])
    }

    @Test("a held deletion names its paths, where it was made and where it is to be made")
    func held() async throws {
        let folders = try await SyncFolders(2, settings: SyncSettings())
        try folders.makeFolder(0, "x")
        for number in 10..<40 { try folders.write(0, "x/\(number)", "\(number)") }
        try folders.write(0, "b", "2")
        try await folders.settle()
        try folders.remove(0, "x")
        let held = try #require(try await folders.synchronize(0).heldHere.first)
        let wanted = ["x"] + (10..<40).map { "x/\($0)" }
        #expect(try await folders.replicas[0].paths(of: held, limit: 1000) == wanted)
        #expect(try await folders.replicas[0].paths(of: held, limit: 5).count == 5)
        folders.replicas[0].confirm(held)
        try await folders.synchronize(0)
        try await folders.pull(1, from: 0)
        let there = try #require(try await folders.synchronize(1).heldFromOthers.first)
        #expect(try await folders.replicas[1].paths(of: there, limit: 1000) == wanted)
    }

    @Test("a held deletion is told by its top, whose path its maker knows even when it has forgotten the deletion")
    func lacks() async throws {
        let folders = try await SyncFolders(2, settings: SyncSettings())
        let (maker, other) = (folders.replicas[0], folders.replicas[1])
        try folders.makeFolder(0, "x")
        for number in 10..<40 { try folders.write(0, "x/\(number)", "\(number)") }
        try folders.write(0, "b", "2")
        try await folders.settle()
        try folders.remove(0, "x")
        let report = try await folders.synchronize(0)
        let own = try await maker.lacks(report, limit: 16) { _ in [1, 2, 3, 4] }
        #expect(own.map(\.reason) == [.ownDeletion] && own.first?.count == 31 && own.first?.mark == [1, 2, 3, 4])
        #expect(try await Array(other.paths(of: Set(own.flatMap(\.nodes))).values) == ["x"])
        maker.confirm(try #require(report.heldHere.first))
        try await folders.synchronize(0)
        try await folders.pull(1, from: 0)
        let held = try await other.lacks(try await folders.synchronize(1), limit: 16) { _ in [1, 2, 3, 4] }
        #expect(held.map(\.reason) == [.deletion] && held.first?.count == 31, "\(held)")
        // Folders are forgotten behind what was in them.
        let heard = try #require(try await other.heard(of: SyncFolders.device(0)))
        for _ in 0..<2 { try await maker.acknowledge(heard, by: SyncFolders.device(1)) }
        #expect(try maker.index.read { $0.tombstones.isEmpty })
        #expect(try await Array(maker.paths(of: Set(held.flatMap(\.nodes))).values) == ["x"])
        let unknown = NodeID(Dot(ReplicaID(device: DeviceID(99), epoch: 1), 1))
        #expect(try await maker.paths(of: [unknown]).isEmpty)
    }

    @Test("second versions are listed")
    func conflicts() async throws {
        let folders = try await SyncFolders(2)
        try folders.makeFolder(0, "x")
        try folders.write(0, "x/a", "1")
        try await folders.settle()
        #expect(try await folders.replicas[0].conflicts(limit: 10).isEmpty)
        try folders.write(0, "x/a", "by A")
        try folders.write(1, "x/a", "by B!")
        try await folders.settle()
        let paths = try await folders.replicas[0].conflicts(limit: 10)
        #expect(paths.count == 1 && paths.first?.hasPrefix("x/a (conflict of ") == true, "\(paths)")
    }
}
