import Portolan
import PortolanClient
import PortolanOutbox

/// Running or resumable transfer, for display.
struct TransferView: Sendable {
    let id: String
    let direction: NodeEvent.TransferState.Direction
    let status: NodeEvent.TransferState.Status
    /// Receiver, as the user named it.
    let target: String?
    let name: String?
    let fingerprint: String?
    let titles: [String]
    let bytes: UInt64
    let total: UInt64?
    let created: Date
    /// Folder that it was sent from, or is received into; that of the agent for its parcels.
    let folder: String
}

extension TransferView {
    init(_ record: TransferRecord) {
        self.init(
            id: record.id.text, direction: .send, status: record.status, target: record.target, name: record.name,
            fingerprint: record.fingerprint, titles: record.titles, bytes: record.bytes, total: record.total,
            created: record.created, folder: record.folder)
    }

    /// - Parameter home: home of the agent that is to deliver it.
    init(_ parcel: OutboxParcel, in home: HomeDirectory) {
        self.init(
            id: parcel.id.description, direction: .send, status: parcel.state == .running ? .running : .waiting,
            target: parcel.target, name: nil, fingerprint: parcel.fingerprint, titles: parcel.titles, bytes: 0,
            total: nil, created: parcel.created, folder: home.state)
    }

    init(_ partial: KeptPartial) {
        self.init(
            id: partial.id, direction: .receive, status: partial.isRunning ? .running : .resumable, target: nil,
            name: partial.peerName, fingerprint: partial.peerFingerprint, titles: [partial.title], bytes: partial.bytes,
            total: partial.size, created: partial.created, folder: partial.inbox)
    }

    /// Line for a person.
    var line: String {
        let shown = titles.prefix(Self.shownTitles).map { "“\(DisplayText($0, limit: 60))”" }
        let more = titles.count - shown.count
        let peer =
            name.map { "“\(DisplayText($0, limit: 63))”" } ?? target.map { "“\(DisplayText($0, limit: 80))”" }
            ?? "somebody"
        // Each side tells what it knows: of what was sent, some may not have arrived.
        let done = "\(Human.size(bytes)) \(direction == .send ? "sent" : "here")"
        let amount = total.map { "\(done) of \(Human.size($0))" } ?? done
        return
            "\(id)  \(status.rawValue)  \(amount)  since \(Human.minute(created))  \(direction == .send ? "to" : "from") \(peer)  "
            + "\(shown.joined(separator: ", "))\(more > 0 ? " and \(more) more" : "")"
    }

    private static let shownTitles = 3
}

extension NodeEvent.TransferState {
    init(_ transfer: TransferView) {
        self.init(
            id: transfer.id, direction: transfer.direction, status: transfer.status, target: transfer.target,
            name: transfer.name, fingerprint: transfer.fingerprint, titles: transfer.titles, bytes: transfer.bytes,
            total: transfer.total, created: transfer.created, folder: transfer.folder)
    }
}
