import Portolan
import Synchronization

/// Decisions by which items were taken whose transfer has not ended yet.
final class ItemsUnderWay: Sendable {
    /// By session.
    private let rulings = Mutex<[RandomID: [TransferID: ItemRuling]]>([:])

    func remember(_ rulings: [ItemRuling], for offer: IncomingOffer) {
        self.rulings.withLock { all in
            for (item, ruling) in zip(offer.items, rulings) where ruling.takes {
                all[offer.peer.session, default: [:]][item.transfer] = ruling
            }
        }
    }

    /// nil for an item that nobody was asked about, since its transfer went on.
    func ruling(of item: ReceivedItem) -> ItemRuling? {
        rulings.withLock { $0[item.peer.session]?.removeValue(forKey: item.transfer) }
    }

    func forget(_ peer: RemotePeer) { rulings.withLock { $0[peer.session] = nil } }
}

/// Body of an entry of the journal about the decision on an offer.
struct DecidedOffer: Encodable {
    struct Item: Encodable {
        let title: String
        let type: String
        let bytes: UInt64?
        let action: String
        /// Number and line of the rule; nil for the default, and for a decision of the owner's.
        let rule: Int?
        let line: Int?
        /// Number in the inbox of an item that waits there or was decided about there.
        let inbox: Int64?
    }

    let sender: String
    let items: [Item]
    let notImportable: [String]

    init(_ offer: IncomingOffer, _ rulings: [ItemRuling]) {
        sender = offer.peer.localName
        items = zip(offer.items, rulings).map { item, ruling in
            Item(
                title: item.title, type: item.contentType, bytes: item.size, action: ruling.action.rawValue,
                rule: ruling.policy?.rule, line: ruling.policy?.line, inbox: ruling.number)
        }
        notImportable = offer.notImportable
    }
}

extension ItemRuling {
    fileprivate var takes: Bool { action == .accept || action == .quarantine }

    fileprivate var action: PolicyActionKind {
        switch self {
        case .policy(let verdict, _): verdict.action.kind
        case .waits: .ask
        case .accepted(let record): record.isForQuarantine ? .quarantine : .accept
        case .declined: .decline
        }
    }

    fileprivate var policy: PolicyVerdict? {
        switch self {
        case .policy(let verdict, _), .waits(_, let verdict): verdict
        case .accepted, .declined: nil
        }
    }

    fileprivate var number: Int64? {
        switch self {
        case .policy: nil
        case .waits(let number, _): number
        case .accepted(let record), .declined(let record): record.id
        }
    }
}
