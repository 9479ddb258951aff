import Portolan

/// Record of a sending that is stored between runs, so that it can be listed, stopped and resumed.
package struct TransferRecord: Codable, Hashable, Sendable {
    /// Version 2 has a parcel of version 2. Earlier records are read.
    private static let form = DocumentForm(nil, versions: 1...2)
    /// Bytes of a parcel, indented once more, and as much for the rest.
    static let sizeLimit = 2 * Parcel.sizeLimit

    package typealias Status = NodeEvent.TransferState.Status

    package let id: RecordID
    package let created: Date
    /// Target, as the user named it.
    package let target: String
    /// Name of the receiver that was found; nil for a team.
    package var name: String?
    package var fingerprint: String?
    package let titles: [String]
    /// Items for another process to send; nil if they cannot be sent again.
    package var parcel: Parcel?
    /// Folder that it was sent from.
    package let folder: String
    package var status = Status.waiting
    /// Time of the last change. Without a running process, the record is kept for a limited time after it.
    package var changed: Date
    /// Of all items so far.
    package var bytes: UInt64 = 0
    /// Total of all items; nil while that of one item is unknown, and if there are several receivers.
    package var total: UInt64?

    package var file: [UInt8] { Self.form.text(of: self) }

    /// - Throws: `TransferDefect`
    init(file: [UInt8]) throws(TransferDefect) {
        do throws(DocumentDefect) {
            self = try Self.form.read(Self.self, from: file).body
        } catch .otherVersion(let version, let written) where version > written {
            throw .newer
        } catch .unreadable(let error as ParcelError) {
            throw .damaged(reason: error.description)
        } catch {
            throw .damaged()
        }
    }

    package init(
        id: RecordID, created: Date, target: String, titles: [String], parcel: Parcel?, folder: String, total: UInt64?
    ) {
        self.id = id
        self.created = created
        changed = created
        self.target = target
        self.titles = titles
        self.parcel = parcel
        self.folder = folder
        self.total = total
    }

    /// The record for sending the items again from the beginning, since settled items may have changed.
    package func begunAnew(with parcel: Parcel, total: UInt64?) -> TransferRecord {
        TransferRecord(
            id: id, created: created, target: target, titles: titles, parcel: parcel, folder: folder, total: total)
    }
}

/// Defect of a record that is not used.
enum TransferDefect: Error, Hashable {
    /// A later version of this program wrote it.
    case newer
    /// - Parameter reason: the defect, as a sentence.
    case damaged(reason: String = "It cannot be read as a transfer.")
}
