import Glibc
import PortolanSyncPlan
import Testing

@testable import PortolanSyncFolder

/// Plans that cover one part of the changes at a time.
@Suite struct PartTests {
    private func settings(_ deletionGuard: DeletionGuard = .off) -> SyncSettings {
        var settings = SyncSettings()
        settings.deletionGuard = deletionGuard
        settings.maximumPart = 3
        return settings
    }

    private func fill(_ folders: SyncFolders) throws {
        for folder in ["x", "x/y", "x/y/z", "w"] {
            try folders.makeFolder(0, folder)
            for number in 0..<10 { try folders.write(0, "\(folder)/\(number)", "\(folder) \(number)") }
        }
    }

    @Test("a first copy, edits and moves come whole, and nothing stays to be planned")
    func firstCopy() async throws {
        let folders = try await SyncFolders(2, settings: settings())
        try fill(folders)
        try await folders.settle()
        let first = try folders.common()
        #expect(first.count == 44)
        for number in 0..<10 { try folders.write(0, "w/\(number)", "edited \(number)") }
        folders.move(0, "x/y", to: "w/y")
        folders.move(0, "w/0", to: "spare")
        folders.move(0, "w/1", to: "w/0")
        folders.move(0, "spare", to: "w/1")
        try await folders.settle()
        let second = try folders.common()
        #expect(second.count == 44 && second.contains("w/0=edited 1") && second.contains("w/y/z/3=x/y/z 3"))
        for replica in folders.replicas { #expect(try replica.index.read(\.dirty).isEmpty) }
    }

    @Test("a deletion is counted whole, and held")
    func deletion() async throws {
        let folders = try await SyncFolders(2, settings: settings(DeletionGuard()))
        try fill(folders)
        try await folders.settle()
        for number in 0..<10 { try folders.write(0, "w/\(number)", "edited \(number)") }
        try folders.remove(0, "x")
        folders.replicas[0].confirm(try #require(try await folders.synchronize(0).heldHere.first))
        try await folders.settle()
        let report = try await folders.synchronize(1)
        #expect(report.heldFromOthers.map(\.count) == [33])
        #expect(folders.text(1, "x/y/z/3") == "x/y/z 3" && folders.text(1, "w/3") == "edited 3")
    }

    @Test("content that is found on no member stops no other part")
    func missing() async throws {
        let folders = try await SyncFolders(2, settings: settings())
        try fill(folders)
        try await folders.synchronize(0)
        try folders.remove(0, "x/3")
        try await folders.pull(1, from: 0)
        let report = try await folders.synchronize(1)
        // Three of the four folders have all that they get, and their permissions are set in steps of their own.
        #expect(report.waiting.count == 1 && report.steps == 46, "\(report.waiting) \(report.steps)")
        #expect(folders.text(1, "w/9") == "w 9" && folders.text(1, "x/3") == nil)
    }

    @Test("a file in the way stops no other part, and no deletion")
    func inTheWay() async throws {
        let folders = try await SyncFolders(2, settings: settings())
        try folders.makeFolder(0, "a")
        try folders.write(0, "a/old", "old")
        try await folders.settle()
        #expect(mkfifo(folders(1, "a/own"), 0o600) == 0)
        try folders.write(0, "a/own", "theirs")
        try folders.remove(0, "a/old")
        try fill(folders)
        try await folders.synchronize(0)
        try await folders.pull(1, from: 0)
        let report = try await folders.synchronize(1)
        #expect(report.waiting == [.inTheWay(SyncName("own"))], "\(report.waiting)")
        #expect(folders.text(1, "x/y/z/9") == "x/y/z 9" && folders.text(1, "w/0") == "w 0")
        #expect(folders.text(1, "a/old") == nil, "a deletion is made all the same")
    }
}
