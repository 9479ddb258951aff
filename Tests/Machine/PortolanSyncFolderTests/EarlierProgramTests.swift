import Foundation
import GRDB
import Glibc
import PortolanFiles
import PortolanSyncPlan
import TestSupport
import Testing

@testable import PortolanSyncFolder

/// Folders and indices of an earlier program (Tests/Fixtures), opened by this one.
@Suite struct EarlierProgramTests {
    /// Both devices in a temporary folder.
    private final class Devices {
        static let names = ["ada": "notes", "ben": "copy"]
        let path: String

        init() throws {
            var template = Array("/tmp/portolan-earlier-XXXXXX".utf8CString)
            guard let made = mkdtemp(&template) else { fatalError("no temporary folder") }
            path = String(cString: made)
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        func folder(_ name: String) -> String { "\(path)/\(Self.names[name] ?? "")" }

        func index(_ name: String) throws -> String {
            let sync = "\(path)/\(name)/state/sync"
            let files = try FileManager.default.contentsOfDirectory(atPath: sync)
            return "\(sync)/\(try #require(files.first { $0.hasSuffix(".sqlite") }))"
        }

        func open(_ name: String) async throws -> Member {
            let path = try index(name)
            let index = try FolderIndex(path: path, author: name)
            let device = try #require(try index.identity()).device
            index.close()
            let replica = try await FolderReplica.open(
                folder: folder(name), index: path, device: device, author: name,
                seals: SyncFolders.seals(name == "ada" ? 0 : 1))
            return Member(name: name, device: device, replica: replica)
        }

        /// Gives an index the inodes and times of the unpacked files, as if the earlier program had left them here.
        func adopt(_ name: String) throws {
            let queue = try DatabaseQueue(path: try index(name))
            defer { try? queue.close() }
            let root = folder(name)
            try queue.write { database in
                let entries = try Row.fetchAll(database, sql: "SELECT id, parent, name, inode FROM entry")
                var paths: [Int64: String] = [0: root]
                while paths.count < entries.count {
                    for row in entries {
                        guard paths[row["id"]] == nil, let parent = paths[row["parent"]] else { continue }
                        paths[row["id"]] = "\(parent)/\(String(decoding: row["name"] as Data, as: UTF8.self))"
                    }
                }
                var adopted: [Int64: (path: String, look: Look)] = [:]
                for row in entries {
                    let path = try #require(paths[row["id"]])
                    let look = try Look(path)
                    adopted[row["inode"]] = (path, look)
                    try database.execute(
                        sql: "UPDATE entry SET inode = ?, generation = ? WHERE id = ?",
                        arguments: [look.inode, look.generation, row["id"] as Int64])
                }
                let files = try Row.fetchAll(database, sql: "SELECT * FROM file")
                try database.execute(sql: "DELETE FROM file")
                for row in files {
                    let folder = try #require(adopted[row["folder"]])
                    let look = try Look("\(folder.path)/\(String(decoding: row["name"] as Data, as: UTF8.self))")
                    let news: [String: Int64] = [
                        "folder": folder.look.inode, "inode": look.inode, "generation": look.generation,
                        "changed": look.changed, "changed_part": look.changedPart,
                    ]
                    let columns = Array(row.columnNames)
                    let values = columns.map { news[$0]?.databaseValue ?? row[$0] as DatabaseValue }
                    let marks = columns.map { _ in "?" }.joined(separator: ", ")
                    try database.execute(
                        sql: "INSERT INTO file (\(columns.joined(separator: ", "))) VALUES (\(marks))",
                        arguments: StatementArguments(values))
                }
            }
        }
    }

    /// Numbers of a file in an index.
    private struct Look {
        let inode: Int64
        let generation: Int64
        let changed: Int64
        let changedPart: Int64

        init(_ path: String) throws {
            var status = stat()
            guard lstat(path, &status) == 0 else { throw SystemFailure(errno) }
            inode = Int64(bitPattern: UInt64(status.st_ino))
            let disk = KernelStorage()
            let isLink = status.st_mode & S_IFMT == S_IFLNK
            generation = isLink ? 0 : Int64(bitPattern: disk.generation(of: try disk.open(path: path)))
            changed = Int64(status.st_ctim.tv_sec)
            changedPart = Int64(status.st_ctim.tv_nsec)
        }
    }

    private struct Member {
        let name: String
        let device: DeviceID
        let replica: FolderReplica

        /// Merges the changes of another member.
        func hear(_ other: Member) async throws {
            let cursor = try await replica.heard(of: other.device)
            let announcement = try await other.replica.announcement(since: cursor)
            guard announcement.cursor != cursor else { return }
            let (acknowledged, refused) = try await replica.receive(announcement)
            #expect(refused.isEmpty)
            try await other.replica.acknowledge(acknowledged, by: device)
        }
    }

    private struct Contents: ContentProvider {
        let other: FolderReplica

        func content(_ digest: ContentDigest) async throws -> (any ContentSource)? { try await other.content(digest) }
    }

    /// Lets both devices scan, and hear each other, some times.
    private func exchange(_ members: [Member]) async throws -> [SyncReport] {
        var reports: [SyncReport] = []
        for _ in 0..<4 {
            for (member, other) in [(members[0], members[1]), (members[1], members[0])] {
                reports.append(try await member.replica.synchronize(from: Contents(other: other.replica)))
                try await member.hear(other)
            }
        }
        return reports
    }

    @Test(
        "an older home loses, changes and announces nothing, in its place or restored from a copy",
        arguments: [true, false])
    func opened(isInPlace: Bool) async throws {
        let devices = try Devices()
        guard try EarlierProgram.unpack(into: devices.path) else { return }
        if isInPlace { for name in Devices.names.keys { try devices.adopt(name) } }
        let before = try Devices.names.keys.map { try EarlierProgram.listing(of: devices.folder($0)) }
        #expect(
            try EarlierProgram.listing(of: devices.folder("ada"), shared: true)
                == EarlierProgram.listing(of: devices.folder("ben"), shared: true))

        let members = [try await devices.open("ada"), try await devices.open("ben")]
        for member in members { member.replica.setMembers(Set(members.map(\.device))) }
        let history = [try await members[0].replica.history(), try await members[1].replica.history()]
        #expect(history.map(\.count) == [2, 1])
        for report in try await exchange(members) {
            #expect(report.newEpoch == nil && report.steps == 0 && report.waiting.isEmpty, "\(report)")
            #expect(report.heldHere.isEmpty && report.heldFromOthers.isEmpty && report.skipped.isEmpty, "\(report)")
        }
        for member in members {
            #expect(try await member.replica.position()?.sequence == EarlierProgram.sequences[member.name])
        }
        #expect(try Devices.names.keys.map { try EarlierProgram.listing(of: devices.folder($0)) } == before)
        #expect([try await members[0].replica.history(), try await members[1].replica.history()] == history)

        // An edit, a deletion and a new file travel as before.
        try Files.write("third", to: "\(devices.folder("ada"))/edited")
        try FileManager.default.removeItem(atPath: "\(devices.folder("ada"))/twice")
        try Files.write("new", to: "\(devices.folder("ben"))/private/new")
        _ = try await exchange(members)
        let all = try EarlierProgram.listing(of: devices.folder("ada"), shared: true)
        #expect(try EarlierProgram.listing(of: devices.folder("ben"), shared: true) == all)
        #expect(all["twice"] == nil && all.count == before[0].count)
        #expect(try Files.read("\(devices.folder("ben"))/edited") == Array("third".utf8))
        for name in Devices.names.keys {
            let disk = KernelStorage()
            let tagged = try disk.open(path: "\(devices.folder(name))/tagged")
            #expect(SourceAttributes(of: tagged, by: disk).attributes.map(\.name) == ["tag"])
        }
        for member in members { try await member.replica.close() }
    }
}
