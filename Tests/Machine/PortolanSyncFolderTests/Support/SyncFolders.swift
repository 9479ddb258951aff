import Foundation
import PortolanFiles
import PortolanSyncPlan
import Synchronization
import Testing

@testable import PortolanSyncFolder

/// Devices with folders in one temporary folder, which communicate by function calls.
final class SyncFolders: Sendable {
    /// Folder of the temporary ones.
    static let parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"

    let path: String
    let passed = Passed()
    private let all: Mutex<[FolderReplica]>

    var replicas: [FolderReplica] { all.withLock { $0 } }

    /// - Parameters:
    ///   - storage: disks, by number; the machine's for those that are not there.
    ///   - clocks: seconds by which clocks are wrong.
    init(
        _ count: Int, settings: SyncSettings = .unguarded, storage: [Int: any Storage] = [:],
        clocks: [Int: Int64] = [:]
    ) async throws {
        var template = Array("\(Self.parent)/portolan-sync-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { fatalError("no temporary folder in \(Self.parent)") }
        path = String(cString: made)
        var replicas: [FolderReplica] = []
        for number in 0..<count {
            try FileManager.default.createDirectory(
                atPath: Self.folder(path, number), withIntermediateDirectories: true)
            replicas.append(
                try await Self.open(
                    path, number, settings, storage[number] ?? KernelStorage(), clocks[number] ?? 0, passed: passed))
        }
        all = Mutex(replicas)
        for replica in replicas { replica.setMembers(Set((0..<count).map(Self.device))) }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    static func device(_ number: Int) -> DeviceID { DeviceID(UInt64(number) + 1) }

    private static func folder(_ path: String, _ number: Int) -> String { "\(path)/\(number)" }

    static func open(
        _ path: String, _ number: Int, _ settings: SyncSettings = .unguarded, _ storage: any Storage = KernelStorage(),
        _ clock: Int64 = 0, without own: OwnFiles = .none, passed: Passed = Passed()
    ) async throws -> FolderReplica {
        try await FolderReplica.open(
            folder: folder(path, number), index: "\(path)/\(number).sqlite", device: device(number),
            author: ["A", "B", "C"][number], seals: seals(number), settings: settings, writer: writer,
            storage: storage, without: own,
            now: { passed.now(clock) })
    }

    /// The program beside the test bundle, unless `PORTOLAN_BINARY` names it: it writes into databases.
    static let writer: String? = {
        if let named = ProcessInfo.processInfo.environment["PORTOLAN_BINARY"] { return named }
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") || $0.contains(".xctest/") }
        let folder = bundle.map { $0.components(separatedBy: ".xctest")[0] }
        return folder.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path + "/portolan" }
    }()

    /// A maker of seals that differs from those of other devices.
    static func seals(_ number: Int) -> SealMaker {
        SealMaker { state in
            let sum = state.reduce(UInt64(number) + 1) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
            return (0..<16 as Range<UInt64>).map { UInt8(truncatingIfNeeded: sum >> (8 * ($0 % 8))) }
        }
    }

    /// Ends the process of a device, and starts it again.
    func restart(
        _ number: Int, without own: OwnFiles = .none, meanwhile: () throws -> Void = {}
    ) async throws {
        try await replicas[number].close()
        try meanwhile()
        try await reopen(number, without: own)
    }

    private func reopen(_ number: Int, without own: OwnFiles = .none) async throws {
        let new = try await Self.open(path, number, without: own, passed: passed)
        new.setMembers(Set(replicas.indices.map(Self.device)))
        all.withLock { $0[number] = new }
    }

    /// Lets time pass for all devices.
    func pass(_ seconds: Int64) { passed.add(seconds) }

    /// Time of all devices beside the machine's.
    final class Passed: Sendable {
        private let state = Mutex<(frozen: FileTime?, seconds: Int64)>((nil, 0))

        func add(_ seconds: Int64) { state.withLock { $0.seconds += seconds } }

        func freeze(at time: FileTime) { state.withLock { $0.frozen = time } }

        func now(_ clock: Int64) -> FileTime {
            let (frozen, seconds) = state.withLock { $0 }
            let now = frozen ?? .now
            return (try? FileTime(seconds: now.seconds + clock + seconds, nanoseconds: now.nanoseconds)) ?? now
        }
    }

    /// Stops the clock of all devices at a time after all changes of files in a test.
    func stopClock() throws { passed.freeze(at: try FileTime(seconds: FileTime.now.seconds + 10_000, nanoseconds: 0)) }

    // MARK: Set back

    private static let indexEndings = ["", "-wal", "-shm"]

    /// Copies the folder and the index of a device.
    func keepState(of number: Int) async throws {
        try await replicas[number].close()
        try copyState("\(number)", to: "kept-\(number)")
        try await reopen(number)
    }

    /// Ends the process of a device, whose folder and index become those of the copy, and starts it again.
    func setBack(_ number: Int) async throws {
        try await replicas[number].close()
        try copyState("kept-\(number)", to: "\(number)")
        try await reopen(number)
    }

    /// Makes another folder and index like those of the copy.
    func restoreState(of number: Int, as name: String) throws {
        try copyState("kept-\(number)", to: name)
    }

    private func copyState(_ source: String, to target: String) throws {
        let manager = FileManager.default
        // A machine that is set back has the same folder with earlier contents.
        try manager.createDirectory(atPath: "\(path)/\(target)", withIntermediateDirectories: true)
        for name in try manager.contentsOfDirectory(atPath: "\(path)/\(target)") {
            try manager.removeItem(atPath: "\(path)/\(target)/\(name)")
        }
        for name in try manager.contentsOfDirectory(atPath: "\(path)/\(source)") {
            try manager.copyItem(atPath: "\(path)/\(source)/\(name)", toPath: "\(path)/\(target)/\(name)")
        }
        for ending in Self.indexEndings {
            try? manager.removeItem(atPath: "\(path)/\(target).sqlite\(ending)")
            guard manager.fileExists(atPath: "\(path)/\(source).sqlite\(ending)") else { continue }
            try manager.copyItem(
                atPath: "\(path)/\(source).sqlite\(ending)", toPath: "\(path)/\(target).sqlite\(ending)")
        }
    }

    // MARK: Files

    func callAsFunction(_ number: Int, _ name: String = "") -> String { "\(path)/\(number)/\(name)" }

    func write(_ number: Int, _ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: self(number, name)))
    }

    func makeFolder(_ number: Int, _ name: String) throws {
        try FileManager.default.createDirectory(atPath: self(number, name), withIntermediateDirectories: true)
    }

    func move(_ number: Int, _ name: String, to other: String) {
        #expect(rename(self(number, name), self(number, other)) == 0)
    }

    func remove(_ number: Int, _ name: String) throws { try FileManager.default.removeItem(atPath: self(number, name)) }

    func text(_ number: Int, _ name: String) -> String? {
        FileManager.default.contents(atPath: self(number, name)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Paths and contents in a folder, in order: `a/b=text`, `a/`, `a->target`.
    func listing(_ number: Int, below folder: String = "") throws -> [String] {
        var lines: [String] = []
        for name in try FileManager.default.contentsOfDirectory(atPath: self(number, folder)).sorted() {
            if folder.isEmpty, name == ControlFolder.name { continue }
            let path = folder.isEmpty ? name : "\(folder)/\(name)"
            var status = stat()
            guard lstat(self(number, path), &status) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFDIR: lines += ["\(path)/"] + (try listing(number, below: path))
            case S_IFLNK:
                lines.append(
                    "\(path)->\(try FileManager.default.destinationOfSymbolicLink(atPath: self(number, path)))")
            default: lines.append("\(path)=\(text(number, path) ?? "")")
            }
        }
        return lines.sorted()
    }

    /// The listing that all devices have. The notes of conflicts are `*`.
    func common() throws -> [String] {
        let all = try replicas.indices.map { try listing($0) }
        for one in all { #expect(one == all[0]) }
        return all[0].map { line in
            guard let start = line.range(of: "(conflict of "),
                let end = line.range(of: ")", range: start.upperBound..<line.endIndex)
            else { return line }
            return line.replacingCharacters(in: start.lowerBound..<end.upperBound, with: "*")
        }
    }

    /// Compares the index with the disk: one entry, which stands for a living node, for each file and folder, and no
    /// others.
    func checkIndex(_ number: Int, _ note: String = "") throws {
        let disk = try listing(number).map { line in
            if line.hasSuffix("/") { return String(line.dropLast()) }
            return line.components(separatedBy: "->")[0].components(separatedBy: "=")[0]
        }
        let (paths, handles, alive) = try replicas[number].index.transact { index in
            let entries = index.allEntries.compactMap { index.entry($0) }
            let alive = entries.allSatisfy { entry in
                entry.seen.contains { index.record($0.node).map { !$0.isDeleted } ?? false }
            }
            let paths = entries.map { index.path(of: $0.id)?.map(\.text).joined(separator: "/") ?? "?" }
            return (paths, entries.filter { $0.kind == .folder }.map(\.handle), alive)
        }
        #expect(paths.sorted() == disk.sorted(), "\(note)")
        #expect(Set(handles).count == handles.count, "\(note)")
        #expect(alive, "\(note)")
    }

    // MARK: Members

    /// A provider of the content that the other devices have.
    struct Others: ContentProvider {
        let replicas: [FolderReplica]

        func content(_ digest: ContentDigest) async throws -> (any ContentSource)? {
            for replica in replicas {
                if let source = try await replica.content(digest) { return source }
            }
            return nil
        }
    }

    @discardableResult
    func synchronize(_ number: Int) async throws -> SyncReport {
        let others = replicas.indices.filter { $0 != number }.map { replicas[$0] }
        return try await replicas[number].synchronize(from: Others(replicas: others))
    }

    /// - Returns: whether there was news.
    @discardableResult
    func pull(_ number: Int, from other: Int) async throws -> Bool {
        do {
            let cursor = try await replicas[number].heard(of: Self.device(other))
            let announcement = try await replicas[other].announcement(since: cursor, by: Self.device(number))
            if announcement.cursor == cursor { return false }
            let (acknowledged, refused) = try await replicas[number].receive(announcement)
            #expect(refused.isEmpty)
            try await replicas[other].acknowledge(acknowledged, by: Self.device(number))
        } catch let error as SyncError where error.kind == .epochEnded {}
        return true
    }

    /// Lets all devices exchange states until no step is left.
    @discardableResult
    func settle() async throws -> [SyncReport] {
        var all: [SyncReport] = []
        for _ in 0..<100 {
            var goesOn = false
            for number in replicas.indices {
                let report = try await synchronize(number)
                all.append(report)
                if report.steps > 0 { goesOn = true }
            }
            for number in replicas.indices {
                for other in replicas.indices where other != number {
                    if try await pull(number, from: other) { goesOn = true }
                }
            }
            if !goesOn { return all }
        }
        Issue.record("It does not settle.")
        return all
    }

    /// Compares all indexes with their disks and records: nothing is found.
    func checkAll(_ note: String = "", sourceLocation: SourceLocation = #_sourceLocation) async throws {
        for (number, replica) in replicas.enumerated() {
            let found = try await replica.check().findings.map { "\($0.kind.rawValue) “\($0.path)”" }
            #expect(found.isEmpty, "device \(number) \(note)", sourceLocation: sourceLocation)
        }
    }
}

extension SyncSettings {
    /// Without limits on deletions.
    static var unguarded: SyncSettings {
        var settings = SyncSettings()
        settings.deletionGuard = .off
        return settings
    }
}
