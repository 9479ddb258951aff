import Foundation
import Portolan
import PortolanTrust

/// How a transfer that runs or can go on is shown.
enum TransferLine {
    static func text(_ transfer: TransferRecord) -> String {
        let titles = transfer.titles.prefix(shownTitles).map { "“\(DisplayText($0, limit: 60))”" }
        let more = transfer.titles.count - titles.count
        let name =
            transfer.name.map { "“\(DisplayText($0, limit: 63))”" } ?? DisplayText(transfer.target, limit: 80).text
        let done = Human.size(transfer.bytes)
        let amount = transfer.total.map { "\(done) of \(Human.size($0))" } ?? done
        return "\(transfer.id)  \(transfer.status.rawValue)  to \(name)  \(titles.joined(separator: ", "))"
            + "\(more > 0 ? " and \(more) more" : "")  \(amount)  since \(Human.minute(transfer.created))"
    }

    private static let shownTitles = 3
}

extension Event {
    static func transfer(_ transfer: TransferRecord, kind: EventKind = .transfer) -> Event {
        Event(
            kind,
            [
                "id": .string(transfer.id.text), "direction": "send", "status": .string(transfer.status.rawValue),
                "target": .string(transfer.target), "name": .optional(transfer.name) { .peerText($0) },
                "fingerprint": .optional(transfer.fingerprint) { .string($0) },
                "titles": .array(transfer.titles.map { .string($0) }), "bytes": .unsigned(transfer.bytes),
                "total": .optional(transfer.total) { .unsigned($0) }, "created": .date(transfer.created),
                "folder": .string(transfer.folder),
            ])
    }
}
