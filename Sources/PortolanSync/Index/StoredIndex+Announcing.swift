import Foundation
import GRDB
import PortolanSyncModel

/// Size of one announcement: a member that has to hear more hears it in several ones.
package struct AnnouncementSize: Hashable, Sendable {
    /// An announcement goes on to the last record of a number, and ends after it where it has so many records.
    package var records: Int
    /// The same, for the bytes that its records take in messages at most.
    package var bytes: Int

    package init(records: Int, bytes: Int) {
        self.records = records
        self.bytes = bytes
    }

    /// Well below what a member takes as one answer.
    package static let normal = AnnouncementSize(records: 8192, bytes: 6 << 20)

    /// The size at which nothing more is added, whatever it is.
    fileprivate var most: (records: Int, bytes: Int) { (records * 3, bytes + bytes / 4) }
}

extension StoredIndex {
    /// Records after a number, in the order of their numbers, up to a size.
    ///
    /// All with one number stay together. Where these are too many, all but the first are deletions of nodes that this replica never had,
    /// and of which it tells by the way: some of them are enough.
    ///
    /// - Parameters:
    ///   - cursor: in another epoch for all records.
    ///   - contents: told with the records, which are fewer for that.
    func announcement(
        since cursor: PortolanSyncModel.Cursor?, size: AnnouncementSize, with contents: SmallContents? = nil
    ) -> Announcement {
        let start = cursor?.replica == replica ? cursor?.sequence ?? 0 : 0
        var records: [NodeRecord] = []
        var bytes = 0
        var carried: Set<SmallContents.Content> = []
        var carriedBytes = 0
        var last = start
        let isWhole = transaction.attempt(true) {
            // Of those with one number, the one that got it for itself has the lowest row.
            let statement = try transaction.database.cachedStatement(
                sql: "SELECT id, record, sequence FROM node WHERE sequence > ? ORDER BY sequence, rowid")
            let rows = try Row.fetchCursor(statement, arguments: [Int64(bitPattern: start)])
            let replicas = transaction.state.replicas
            while let row = try rows.next() {
                let number = row.unsigned(2)
                let isFull =
                    records.count >= size.records || bytes >= size.bytes
                    || bytes + carriedBytes >= contents?.together ?? .max
                if number != last, isFull { return false }
                last = number
                guard records.count < size.most.records, bytes < size.most.bytes else { continue }
                let record = try replicas.record(try replicas.node(row.bytes(0)), row.bytes(1))
                bytes += record.mostBytes
                for one in contents?.contents(of: record, toldBy: replica.device) ?? []
                where carried.insert(one).inserted { carriedBytes += one.size }
                records.append(record)
            }
            return true
        }
        return Announcement(records: records, cursor: PortolanSyncModel.Cursor(replica, isWhole ? sequence : last))
    }
}
