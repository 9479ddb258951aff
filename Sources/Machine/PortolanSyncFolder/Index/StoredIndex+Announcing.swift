import Foundation
import GRDB
import PortolanSyncPlan

/// Limit on the size of one announcement: larger sets of changes take several.
package struct AnnouncementSize: Hashable, Sendable {
    /// Number of records after which an announcement ends, at the last record of a sequence number.
    package var records: Int
    /// Size of its records in messages after which it ends, in bytes.
    package var bytes: Int

    package init(records: Int, bytes: Int) {
        self.records = records
        self.bytes = bytes
    }

    /// Default, well below the limit of a member for one answer.
    package static let normal = AnnouncementSize(records: 8192, bytes: 6 << 20)

    /// Size at which no record is added in any case.
    fileprivate var most: (records: Int, bytes: Int) { (records * 3, bytes + bytes / 4) }
}

extension StoredIndex {
    /// Returns records after a number, in the order of their numbers, up to a size.
    ///
    /// Records of one number stay together. If these are too many, all but the first are deletions of nodes that this
    /// replica never had, which it only passes on: a part of them is enough.
    ///
    /// - Parameters:
    ///   - cursor: cursor of the receiver; all records for one of another epoch.
    ///   - contents: small contents to send with the records, which are fewer then.
    func announcement(
        since cursor: PortolanSyncPlan.ChangeCursor?, size: AnnouncementSize, with contents: SmallContents? = nil
    ) -> Announcement {
        let start = cursor?.replica == replica ? cursor?.sequence ?? 0 : 0
        var records: [NodeRecord] = []
        var bytes = 0
        var carried: Set<SmallContents.Content> = []
        var carriedBytes = 0
        var last = start
        let isWhole = transaction.attempt(true) {
            // Of the records with one number, the one that caused it has the lowest row.
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
        return Announcement(
            records: records, cursor: PortolanSyncPlan.ChangeCursor(replica, isWhole ? sequence : last))
    }
}
