import Foundation
import PortolanFiles
import PortolanSyncPlan
import Testing

@testable import PortolanSyncFolder

/// Files here from which the differences of new contents are taken.
@Suite struct EarlierVersionTests {
    private static let old = (0..<600_001).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3 | 1) }
    private static let new = Array(old.prefix(300_000)) + [7] + old.dropFirst(300_000)

    /// Two devices with a large file, which the first has changed.
    private func withChangedFile(_ new: [UInt8] = new, from old: [UInt8] = old) async throws -> SyncFolders {
        let folders = try await SyncFolders(2)
        try folders.write(0, "large", old)
        try await folders.settle()
        try folders.write(0, "large", new)
        try await folders.synchronize(0)
        try await folders.pull(1, from: 0)
        return folders
    }

    /// Puts a byte into a file in its place, as an editor does.
    private func edit(_ folders: SyncFolders, _ number: Int, _ bytes: [UInt8]) throws -> [UInt8] {
        let edited = Array(bytes.prefix(5000)) + [9] + bytes.dropFirst(5000)
        let file = try #require(FileHandle(forWritingAtPath: folders(number, "large")))
        try file.write(contentsOf: Data(edited))
        try file.close()
        return edited
    }

    private func read(_ base: BaseFile, _ range: Range<Int>) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: range.count)
        try bytes.withUnsafeMutableBytes { try base.fill($0, from: UInt64(range.lowerBound)) }
        return bytes
    }

    /// Contents of all files of a device.
    private func contents(_ folders: SyncFolders, _ number: Int) throws -> Set<Data> {
        let names = try FileManager.default.contentsOfDirectory(atPath: folders(number))
        return Set(names.compactMap { FileManager.default.contents(atPath: folders(number, $0)) })
    }

    @Test("the base of a changed content is the version that is replaced, from which a transfer copies")
    func replaced() async throws {
        let folders = try await withChangedFile()
        let arrivals = try await folders.arrivals()
        #expect(arrivals.hasParts && arrivals.base(of: 0) == nil)
        #expect(try arrivals.add(Self.new, as: 0) == .difference)
        let base = try #require(arrivals.base(of: 0))
        #expect(base.size == UInt64(Self.old.count))
        #expect(try read(base, 1000..<500_000) == Array(Self.old[1000..<500_000]))
        #expect(throws: FileError.self) { try read(base, 600_000..<600_002) }
        try arrivals.copy(0, from: 0, to: 0, length: 300_000)
        try arrivals.write(0, Self.new, 300_000..<300_001)
        try arrivals.copy(0, from: 300_000, to: 300_001, length: 300_001)
        try arrivals.finish(0)
        #expect(arrivals.missing.isEmpty && folders.bytes(1, "large") == Self.old)
        let report = try await folders.work()
        #expect(report.steps == 1 && report.fetched == 1 && report.waiting.isEmpty)
        #expect(folders.bytes(1, "large") == Self.new)
        #expect(try await folders.replicas[1].history(of: "large").map(\.size) == [UInt64(Self.old.count)])
    }

    @Test("a version that changes while a content comes is its base no more")
    func changing() async throws {
        let folders = try await withChangedFile()
        let arrivals = try await folders.arrivals()
        #expect(try arrivals.add(Self.new, as: 0) == .difference)
        #expect(arrivals.base(of: 0) != nil)
        _ = try edit(folders, 1, Self.old)
        #expect(arrivals.base(of: 0) == nil)
        let failure = #expect(throws: FileError.self) { try arrivals.copy(0, from: 0, to: 0, length: 300_000) }
        #expect(failure?.kind == .changedHere)
        #expect(try folders.staged().isEmpty)
    }

    @Test("a version that a person has written to since the last scan is no base")
    func unscanned() async throws {
        let folders = try await withChangedFile()
        let edited = try edit(folders, 1, Self.old)
        let arrivals = try await folders.arrivals(changes: .none)
        #expect(try !arrivals.hasParts && arrivals.add(Self.new, as: 0) == .content)
        try arrivals.send(0, Self.new)
        // The scan that follows the refused step finds a conflict.
        try await folders.work(changes: .none)
        #expect(try contents(folders, 1).contains(Data(edited)))
        try await folders.settle()
        #expect(try contents(folders, 1) == [Data(edited), Data(Self.new)])
    }

    @Test("a content that turns out wrong is wanted without its base, and is wrong the second time")
    func mismatch() async throws {
        let folders = try await withChangedFile()
        var wrong = Self.new
        wrong[400_000] ^= 1
        let arrivals = try await folders.arrivals()
        #expect(try arrivals.add(Self.new, as: 0) == .difference)
        try arrivals.send(0, wrong)
        #expect(arrivals.wrong.isEmpty && !arrivals.hasParts)
        #expect(arrivals.takeRestarted().map(\.digest) == [FileLook.digest(Self.new)])
        arrivals.beginTransfer()
        #expect(try arrivals.add(Self.new, as: 0) == .content)
        try arrivals.send(0, wrong)
        #expect(arrivals.wrong.count == 1 && arrivals.takeRestarted().isEmpty)
        #expect(try await folders.work().waiting == [.coming])
        #expect(folders.bytes(1, "large") == Self.old)
        #expect(try folders.staged().isEmpty)
    }

    @Test("a part that was put together from the base is put together once more", arguments: [false, true])
    func resumed(restarts: Bool) async throws {
        let folders = try await withChangedFile()
        do {
            let arrivals = try await folders.arrivals()
            #expect(try arrivals.add(Self.new, as: 0) == .difference)
            try arrivals.copy(0, from: 0, to: 0, length: 300_000)
        }
        if restarts { try await folders.restart(1) }
        let arrivals = try await folders.arrivals()
        #expect(try arrivals.add(Self.new, as: 0) == .difference, "the copies are made once more")
        try arrivals.copy(0, from: 0, to: 0, length: 300_000)
        try arrivals.write(0, Self.new, 300_000..<Self.new.count)
        try arrivals.finish(0)
        #expect(try await folders.work().steps == 1)
        #expect(folders.bytes(1, "large") == Self.new)
    }

    @Test("small files, new ones and those that become small have no base")
    func others() async throws {
        let pairs: [(old: [UInt8], new: [UInt8])] = [
            ([1], Self.new), (Self.old, [1, 2]), (Array(Self.old.prefix(70_000)), Self.new),
        ]
        for (old, new) in pairs {
            let folders = try await withChangedFile(new, from: old)
            let arrivals = try await folders.arrivals()
            #expect(try !arrivals.hasParts && arrivals.add(new, as: 0) == .content)
            try arrivals.send(0, new)
            #expect(try await folders.work().steps == 1)
            #expect(folders.bytes(1, "large") == new)
        }
        let folders = try await SyncFolders.heard { try $0.write(0, "large", Self.new) }
        let arrivals = try await folders.arrivals()
        #expect(try !arrivals.hasParts && arrivals.add(Self.new, as: 0) == .content)
    }

    // MARK: Conflicts

    /// Versions of a file that has changed on both devices.
    private static let versions = [new, Array(old.prefix(100_000)) + [9, 9] + old.dropFirst(100_000)]

    /// Two devices with versions of a large file that are in conflict; the device with this number knows of both.
    ///
    /// - Parameter isNew: true if both devices made a file of that name, false if both changed one file.
    private func withConflict(at number: Int, isNew: Bool) async throws -> SyncFolders {
        let folders = try await SyncFolders(2)
        if !isNew {
            try folders.write(0, "large", Self.old)
            try await folders.settle()
        }
        for (device, bytes) in Self.versions.enumerated() {
            try folders.write(device, "large", bytes)
            try await folders.synchronize(device)
        }
        try await folders.pull(number, from: 1 - number)
        return folders
    }

    // Of the two devices, the first wants the version that gets the name, the second the other one.
    @Test("the base of a conflict's other version is the version that is here", arguments: [0, 1], [false, true])
    func conflict(number: Int, isNew: Bool) async throws {
        let folders = try await withConflict(at: number, isNew: isNew)
        let (own, other) = (Self.versions[number], Self.versions[1 - number])
        let arrivals = try await folders.arrivals(number)
        #expect(try arrivals.add(other, as: 0) == .difference)
        let base = try #require(arrivals.base(of: 0))
        #expect(base.size == UInt64(own.count))
        #expect(try read(base, 1000..<500_000) == Array(own[1000..<500_000]))
        try arrivals.send(0, other)
        let report = try await folders.work(number)
        #expect(report.fetched == 1 && report.waiting.isEmpty)
        #expect(try contents(folders, number) == [Data(own), Data(other)])
    }

    @Test("a conflict's version here that was written to since the last scan is no base", arguments: [0, 1])
    func unscannedConflict(number: Int) async throws {
        let folders = try await withConflict(at: number, isNew: false)
        let edited = try edit(folders, number, Self.versions[number])
        let other = Self.versions[1 - number]
        let arrivals = try await folders.arrivals(number, changes: .none)
        #expect(try !arrivals.hasParts && arrivals.add(other, as: 0) == .content)
        try arrivals.send(0, other)
        try await folders.work(number, changes: .none)
        #expect(try contents(folders, number) == [Data(edited), Data(other)])
    }
}
