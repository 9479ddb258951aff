import Foundation
import PortolanSyncModel
import Synchronization
import Testing

@testable import PortolanSync

/// Contents of changed files that are fetched with the help of the stored version.
@Suite struct EarlierVersionTests {
    /// Content of a changed file, whose provider gets the earlier version.
    private final class Provider: ContentProvider {
        private struct Source: ContentSource {
            let bytes: [UInt8]
            var end = Int.max
            let partsAtOnce = 4
            let partBytes = 64 << 10
            let noted: @Sendable (UInt64) -> Void

            func read(at offset: UInt64, count: Int) async throws -> [UInt8] {
                noted(offset)
                guard Int(offset) < end else { throw SyncError.noContent }
                return Array(bytes.dropFirst(Int(offset)).prefix(count))
            }
        }

        /// Content with the earlier version, and without it.
        let first: [UInt8]
        let other: [UInt8]
        let end: Int
        private let state = Mutex((earlier: [EarlierVersion](), offsets: [UInt64](), whole: 0))

        init(_ first: [UInt8], _ other: [UInt8], until end: Int = .max) {
            (self.first, self.other, self.end) = (first, other, end)
        }

        var earlier: [EarlierVersion] { state.withLock { $0.earlier } }
        var offsets: [UInt64] { state.withLock { $0.offsets } }
        /// Count of requests without an earlier version.
        var whole: Int { state.withLock { $0.whole } }

        func content(_ digest: ContentDigest) async throws -> (any ContentSource)? {
            state.withLock { $0.whole += 1 }
            return Source(bytes: other) { _ in }
        }

        func content(
            _ digest: ContentDigest, size: UInt64, after earlier: EarlierVersion
        ) async throws -> (any ContentSource)? {
            state.withLock { $0.earlier.append(earlier) }
            return Source(bytes: first, end: end) { offset in self.state.withLock { $0.offsets.append(offset) } }
        }
    }

    private static let old = (0..<600_001).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3 | 1) }
    private static let new = Array(old.prefix(300_000)) + [7] + old.dropFirst(300_000)

    private func write(_ folders: SyncFolders, _ number: Int, _ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: folders(number, "large")))
    }

    /// Two devices with a large file, which the first has changed.
    private func withChangedFile(_ new: [UInt8] = new, from old: [UInt8] = old) async throws -> SyncFolders {
        let folders = try await SyncFolders(2)
        try write(folders, 0, old)
        try await folders.settle()
        try write(folders, 0, new)
        try await folders.synchronize(0)
        try await folders.pull(1, from: 0)
        return folders
    }

    private func bytes(_ folders: SyncFolders, _ number: Int) -> [UInt8]? {
        FileManager.default.contents(atPath: folders(number, "large")).map { Array($0) }
    }

    @Test("a provider of changed content gets the version that is replaced, and nothing of it once it has changed")
    func reading() async throws {
        let folders = try await withChangedFile()
        let provider = Provider(Self.new, Self.new)
        let report = try await folders.replicas[1].synchronize(from: provider)
        #expect(report.steps == 1 && report.fetched == 1 && provider.whole == 0)
        #expect(bytes(folders, 1) == Self.new)
        let earlier = try #require(provider.earlier.first)
        #expect(provider.earlier.count == 1 && earlier.size == UInt64(Self.old.count))
        #expect(await earlier.read(1000..<500_000) == Array(Self.old[1000..<500_000]), "in the history by now")
        #expect(await earlier.read(600_000..<600_002) == nil)
    }

    @Test("a version that changes while it is open is of no further use")
    func changing() async throws {
        let folders = try await withChangedFile()
        // The step ends without content: the earlier version stays in place.
        let provider = Provider(Self.new, Self.new, until: 0)
        try await folders.replicas[1].synchronize(from: provider)
        let earlier = try #require(provider.earlier.first)
        #expect(await earlier.read(0..<10) == Array(Self.old[0..<10]))
        let file = try #require(FileHandle(forWritingAtPath: folders(1, "large")))
        try file.write(contentsOf: Data([1, 2, 3]))
        try file.close()
        #expect(await earlier.read(0..<10) == nil)
        #expect(await earlier.read(1000..<1010) == nil)
    }

    @Test("a version that a person has written since the last scan is no earlier version")
    func unscanned() async throws {
        let folders = try await withChangedFile()
        var secret = Self.old
        secret.insert(9, at: 5000)
        let file = try #require(FileHandle(forWritingAtPath: folders(1, "large")))
        try file.write(contentsOf: Data(secret))
        try file.close()
        let provider = Provider(Self.new, Self.new)
        try await folders.replicas[1].synchronize(from: provider, changes: .none)
        // A scan that follows the refused step may record the version, and then it is one of a conflict.
        #expect(provider.earlier.allSatisfy { $0.size == UInt64(secret.count) })
        let names = try FileManager.default.contentsOfDirectory(atPath: folders(1))
        #expect(names.contains { FileManager.default.contents(atPath: folders(1, $0)) == Data(secret) })
    }

    @Test("content that turns out wrong is fetched once more without the earlier version, and then not again")
    func mismatch() async throws {
        let folders = try await withChangedFile()
        var wrong = Self.new
        wrong[400_000] ^= 1
        let refused = Provider(wrong, wrong)
        let report = try await folders.replicas[1].synchronize(from: refused)
        #expect(report.steps == 0 && report.waiting.count == 1)
        #expect(refused.earlier.count == 1 && refused.whole == 1 && bytes(folders, 1) == Self.old)

        let provider = Provider(wrong, Self.new)
        try await folders.replicas[1].synchronize(from: provider)
        #expect(provider.earlier.count == 1 && provider.whole == 1 && bytes(folders, 1) == Self.new)
    }

    @Test("what came of a changed file is gone on with", arguments: [false, true])
    func goesOn(restarts: Bool) async throws {
        let folders = try await withChangedFile()
        let cut = try await folders.replicas[1].synchronize(from: Provider(Self.new, Self.new, until: 400_000))
        #expect(cut.steps == 0 && cut.waiting.count == 1 && bytes(folders, 1) == Self.old)
        if restarts { try await folders.restart(1) }
        let provider = Provider(Self.new, Self.new)
        let report = try await folders.replicas[1].synchronize(from: provider)
        #expect(report.steps == 1 && provider.whole == 0)
        #expect(provider.offsets.min() ?? 0 > 0)
        #expect(bytes(folders, 1) == Self.new)
    }

    @Test("small files, new ones and those that become small are fetched as they are")
    func others() async throws {
        let pairs: [(old: [UInt8], new: [UInt8])] = [
            ([1], Self.new), (Self.old, [1, 2]), (Array(Self.old.prefix(70_000)), Self.new),
        ]
        for (old, new) in pairs {
            let folders = try await withChangedFile(new, from: old)
            let provider = Provider(new, new)
            let report = try await folders.replicas[1].synchronize(from: provider)
            #expect(report.steps == 1 && provider.earlier.isEmpty && bytes(folders, 1) == new)
        }
        let folders = try await SyncFolders(2)
        try write(folders, 0, Self.new)
        try await folders.synchronize(0)
        try await folders.synchronize(1)
        try await folders.pull(1, from: 0)
        let provider = Provider(Self.new, Self.new)
        try await folders.replicas[1].synchronize(from: provider)
        #expect(provider.earlier.isEmpty && provider.whole == 1 && bytes(folders, 1) == Self.new)
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
            try write(folders, 0, Self.old)
            try await folders.settle()
        }
        for (device, bytes) in Self.versions.enumerated() {
            try write(folders, device, bytes)
            try await folders.synchronize(device)
        }
        try await folders.pull(number, from: 1 - number)
        return folders
    }

    /// Contents of all files of a device.
    private func contents(_ folders: SyncFolders, _ number: Int) throws -> Set<Data> {
        let names = try FileManager.default.contentsOfDirectory(atPath: folders(number))
        return Set(names.compactMap { FileManager.default.contents(atPath: folders(number, $0)) })
    }

    // One of the devices fetches the version that gets the name, the other the one that gets the conflict name.
    @Test("a provider of a conflict's other version gets the version that is here", arguments: [0, 1], [false, true])
    func conflict(number: Int, isNew: Bool) async throws {
        let folders = try await withConflict(at: number, isNew: isNew)
        let (own, other) = (Self.versions[number], Self.versions[1 - number])
        let provider = Provider(other, other)
        let report = try await folders.replicas[number].synchronize(from: provider)
        #expect(report.fetched == 1 && report.waiting.isEmpty && provider.whole == 0)
        let earlier = try #require(provider.earlier.first)
        #expect(provider.earlier.count == 1 && earlier.size == UInt64(own.count))
        #expect(await earlier.read(1000..<500_000) == Array(own[1000..<500_000]))
        #expect(try contents(folders, number) == [Data(own), Data(other)])
    }

    @Test("a conflict's version here that has been written to since the last scan is not used", arguments: [0, 1])
    func unscannedConflict(number: Int) async throws {
        let folders = try await withConflict(at: number, isNew: false)
        var secret = Self.versions[number]
        secret.insert(8, at: 5000)
        let file = try #require(FileHandle(forWritingAtPath: folders(number, "large")))
        try file.write(contentsOf: Data(secret))
        try file.close()
        let other = Self.versions[1 - number]
        let provider = Provider(other, other)
        try await folders.replicas[number].synchronize(from: provider, changes: .none)
        #expect(provider.earlier.isEmpty && provider.whole == 1)
        #expect(try contents(folders, number) == [Data(secret), Data(other)])
    }
}
