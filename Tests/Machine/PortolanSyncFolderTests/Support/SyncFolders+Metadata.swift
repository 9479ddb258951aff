import FilesTestSupport
import Foundation
import GRDB
import PortolanFiles
import PortolanSyncPlan
import Testing

@testable import PortolanSyncFolder

/// Times and permissions.
extension SyncFolders {
    private func status(_ number: Int, _ name: String) throws -> stat {
        var status = stat()
        try #require(lstat(self(number, name), &status) == 0)
        return status
    }

    func time(_ number: Int, _ name: String) throws -> ModificationTime {
        let time = try status(number, name).st_mtim
        return ModificationTime(Int64(time.tv_sec), UInt32(time.tv_nsec))
    }

    /// Sets the time of a file, or of a link itself.
    func setTime(_ number: Int, _ name: String, _ time: ModificationTime) {
        let one = timespec(tv_sec: Int(time.seconds), tv_nsec: Int(time.nanoseconds))
        let times = [one, one]
        #expect(utimensat(AT_FDCWD, self(number, name), times, AT_SYMLINK_NOFOLLOW) == 0)
    }

    /// The twelve mode bits.
    func mode(_ number: Int, _ name: String) throws -> UInt16 {
        UInt16(try status(number, name).st_mode & 0o7777)
    }

    func setMode(_ number: Int, _ name: String, _ mode: UInt16) {
        #expect(chmod(self(number, name), mode_t(mode)) == 0)
    }

    /// Makes the index of a device, which is closed, one that an earlier version of the program left: without
    /// fractions of seconds, later times, and permissions of folders.
    func setBackIndex(_ number: Int) throws {
        let path = "\(path)/\(number).sqlite"
        let queue = try DatabaseQueue(path: path + ".old")
        try IndexSchema.migrator.migrate(queue, upTo: "extended")
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "ATTACH ? AS present", arguments: [path])
            let tables = try String.fetchAll(
                database,
                sql: """
                    SELECT name FROM main.sqlite_master
                        WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name <> 'grdb_migrations'
                    """)
            for table in tables {
                let columns = try database.columns(in: table).map(\.name).joined(separator: ", ")
                try database.execute(
                    sql: "INSERT INTO main.\(table) (\(columns)) SELECT \(columns) FROM present.\(table)")
            }
            try database.execute(sql: "DETACH present")
            try Self.setBackRecords(database)
        }
        try queue.close()
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: path + ".old", toPath: path)
    }

    private static func setBackRecords(_ database: Database) throws {
        var replicas = Replicas(
            try Row.fetchAll(database, sql: "SELECT device, epoch FROM replica ORDER BY number").map { row in
                let device = try #require(DeviceID(Array(row["device"] as Data)))
                return ReplicaID(device: device, epoch: UInt64(bitPattern: row["epoch"] as Int64))
            })
        for row in try Row.fetchAll(database, sql: "SELECT id, record FROM node") {
            let id: Data = row["id"]
            var record = try replicas.record(try replicas.node(Array(id)), Array(row["record"] as Data))
            record.permissions = nil
            for place in record.contents.indices {
                record.contents[place].value.modified.nanoseconds = 0
                record.contents[place].value.touch = nil
            }
            try database.execute(
                sql: "UPDATE node SET record = ? WHERE id = ?", arguments: [Data(replicas.blob(record)), id])
        }
    }
}

/// The machine's disk with times of two seconds, and without permissions of folders.
struct CoarseStorage: PassThroughStorage {
    private func coarse(_ time: FileTime) -> FileTime {
        (try? FileTime(seconds: time.seconds & ~1, nanoseconds: 0)) ?? time
    }

    func setModified(_ time: FileTime, of file: Descriptor) throws(SystemFailure) {
        try disk.setModified(coarse(time), of: file)
    }

    func setModified(_ time: FileTime, ofLink name: String, in folder: Descriptor) throws(SystemFailure) {
        try disk.setModified(coarse(time), ofLink: name, in: folder)
    }

    func makeFolder(_ name: String, in folder: Descriptor, mode: UInt32) throws(SystemFailure) {
        try disk.makeFolder(name, in: folder, mode: 0o755)
    }

    func setPermissions(_ mode: UInt16, of file: Descriptor) throws(SystemFailure) {
        guard try disk.status(of: file).kind != .folder else { throw SystemFailure(EPERM) }
        try disk.setPermissions(mode, of: file)
    }
}

/// The machine's disk as a user without privileges has it: names change only in folders that their owner may write to.
struct UnprivilegedStorage: PassThroughStorage {
    private func check(_ folder: Descriptor) throws(SystemFailure) {
        guard try disk.status(of: folder).mode & 0o200 != 0 else { throw SystemFailure(EACCES) }
    }

    func makeFolder(_ name: String, in folder: Descriptor, mode: UInt32) throws(SystemFailure) {
        try check(folder)
        try disk.makeFolder(name, in: folder, mode: mode)
    }

    func move(
        _ name: String, in folder: Descriptor, to other: String, in otherFolder: Descriptor, _ manner: MoveManner
    ) throws(SystemFailure) {
        try check(folder)
        try check(otherFolder)
        try disk.move(name, in: folder, to: other, in: otherFolder, manner)
    }

    func remove(_ name: UnsafePointer<CChar>, in folder: Descriptor, isFolder: Bool) throws(SystemFailure) {
        try check(folder)
        try disk.remove(name, in: folder, isFolder: isFolder)
    }
}
