import Foundation
import GRDB
import PortolanSyncPlan
import PortolanValues

/// Mark of the file that the last look found at a place. A file without a mark that takes the place inherits it.
struct PlaceMark: Hashable, Sendable {
    /// Seconds for which an empty place keeps it: many programs take a file away before they write it anew.
    private static let patience: Int64 = 10

    var handle: FileHandleID
    /// Time when the file was made, in nanoseconds since 1970; nil where it is not known. Some file systems give a new
    /// file the inode of the one before, and have no generations.
    var birth: Int64?
    var mark: Restriction
    /// Time when the place was found empty, in seconds since 1970; nil for one with a file.
    var emptied: Int64?

    func isOf(_ handle: FileHandleID, birth: Int64?) -> Bool {
        self.handle == handle && (self.birth ?? birth) == (birth ?? self.birth)
    }

    /// True if a new file at the place is no new version of the marked one.
    func isOver(at now: Int64) -> Bool { emptied.map { now - $0 > Self.patience } ?? false }
}

/// Marks of places. A new epoch keeps them.
extension StoredIndex {
    func placeMarks(in folder: UInt64) -> [SyncName: PlaceMark] {
        transaction.attempt([:]) {
            let all = try transaction.all(
                "SELECT name, inode, generation, birth, mark, emptied FROM place_mark WHERE folder = ?",
                [Int64(bitPattern: folder)]
            ) { row in
                let mark = RestrictionText.restriction(in: try row.bytes(4)) ?? .nobody
                let handle = FileHandleID(row.unsigned(1), generation: row.unsigned(2))
                return (try row.name(0), PlaceMark(handle: handle, birth: row[3], mark: mark, emptied: row[5]))
            }
            return Dictionary(uniqueKeysWithValues: all)
        }
    }

    /// - Parameter mark: nil to forget it.
    func set(_ mark: PlaceMark?, at place: FilePlace) {
        let (folder, name) = (Int64(bitPattern: place.folder), Data(place.name.text.utf8))
        transaction.attempt(()) {
            guard let mark else {
                return try transaction.execute("DELETE FROM place_mark WHERE folder = ? AND name = ?", [folder, name])
            }
            try transaction.execute(
                "INSERT OR REPLACE INTO place_mark VALUES (?, ?, ?, ?, ?, ?, ?)",
                [
                    folder, name, Int64(bitPattern: mark.handle.number), Int64(bitPattern: mark.handle.generation),
                    mark.birth, Data(RestrictionText.bytes(of: mark.mark)), mark.emptied,
                ])
        }
    }
}
