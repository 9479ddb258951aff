import Portolan
import PortolanClient
import PortolanOutbox

/// A running or resumable transfer.
typealias TransferState = NodeEvent.TransferState

extension TransferState {
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
            name.value.map { "“\(DisplayText($0, limit: 63))”" } ?? target.value.map {
                "“\(DisplayText($0, limit: 80))”"
            }
            ?? "an unknown device"
        // Each side tells what it knows: of what was sent, some may not have arrived.
        let done = "\(Human.size(bytes)) \(direction == .send ? "sent" : "here")"
        let amount = total.value.map { "\(done) of \(Human.size($0))" } ?? done
        return
            "\(id)  \(status.rawValue)  \(amount)  since \(Human.minute(created.date))  \(direction == .send ? "to" : "from") \(peer)  "
            + "\(shown.joined(separator: ", "))\(more > 0 ? " and \(more) more" : "")"
    }

    private static let shownTitles = 3
}
