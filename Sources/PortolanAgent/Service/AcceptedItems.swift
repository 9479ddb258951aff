import Portolan
import Synchronization

/// Decisions about accepted items whose transfer has not ended yet.
final class AcceptedItems: Sendable {
    /// Decisions by session.
    private let rulings = Mutex<[RandomID: [TransferID: ReasonedDecision]]>([:])
    /// Accepted items of the newest offer, by session, until one of them begins.
    private let newest = Mutex<[RandomID: [TransferID]]>([:])
    /// Charges (``Quota``) of items of which nothing has come yet, by session.
    private let charges = Mutex<[RandomID: [TransferID: Int64]]>([:])

    func remember(_ rulings: [ReasonedDecision], for offer: IncomingOffer) {
        let taken = zip(offer.items, rulings).filter { $0.1.takes }
        newest.withLock { $0[offer.peer.session] = taken.isEmpty ? nil : taken.map(\.0.transfer) }
        self.rulings.withLock { all in
            for (item, ruling) in taken { all[offer.peer.session, default: [:]][item.transfer] = ruling }
        }
        charges.withLock { all in
            for (item, ruling) in taken {
                if let charge = ruling.charge { all[offer.peer.session, default: [:]][item.transfer] = charge }
            }
        }
    }

    /// Records that an item begins, so that its offer is no longer declined.
    func begin(_ item: IncomingTransfer) { newest.withLock { $0[item.peer.session] = nil } }

    /// Forgets the newest offer of a peer, which was declined.
    ///
    /// - Returns: its items that had been accepted before; nil if there are none.
    func takeBackOffer(of peer: RemotePeer) -> [TransferID]? {
        guard let taken = newest.withLock({ $0.removeValue(forKey: peer.session) }) else { return nil }
        rulings.withLock { all in for item in taken { all[peer.session]?[item] = nil } }
        return taken
    }

    /// Forgets the charges of items of a session.
    ///
    /// - Parameter items: nil for all of them.
    /// - Returns: the charges.
    func takeCharges(of items: [TransferID]?, in session: RandomID) -> [Int64] {
        charges.withLock { all in
            let taken = (items ?? all[session].map { Array($0.keys) } ?? []).compactMap {
                all[session]?.removeValue(forKey: $0)
            }
            if all[session]?.isEmpty == true { all[session] = nil }
            return taken
        }
    }

    /// Forgets an item that was declined.
    ///
    /// - Returns: true if it had been accepted before.
    func takeBack(_ item: IncomingTransfer) -> Bool {
        rulings.withLock { $0[item.peer.session]?.removeValue(forKey: item.id) } != nil
    }

    /// Returns the decision about an item; nil for a resumed transfer, which has none.
    func ruling(of item: ReceivedItem) -> ReasonedDecision? {
        newest.withLock { $0[item.peer.session] = nil }
        return rulings.withLock { $0[item.peer.session]?.removeValue(forKey: item.transfer) }
    }

    func forget(_ peer: RemotePeer) {
        rulings.withLock { $0[peer.session] = nil }
        newest.withLock { $0[peer.session] = nil }
    }
}

/// Body of a journal entry about the decision on an offer.
struct DecidedOffer: Encodable {
    struct Item: Encodable {
        let title: String
        let type: String
        let bytes: UInt64?
        let action: String
        /// Number and line of the rule; nil for the default, and for a decision of the owner.
        let rule: Int?
        let line: Int?
        /// Number in the inbox of an item that waits or was decided about there.
        let inbox: Int64?
    }

    let sender: String
    let items: [Item]
    let notImportable: [String]
    /// Number of omitted items; nil for none.
    let more: Int?

    /// Limits of a shortened entry: items, and characters of their text.
    private static let (fewItems, shortText) = (4, 80)

    /// - Parameter isShortened: true for a few items only, and short texts, for unwanted offers.
    init(_ offer: IncomingOffer, _ rulings: [ReasonedDecision], isShortened: Bool = false) {
        func text(_ text: String) -> String { isShortened ? DisplayText(text, limit: Self.shortText).text : text }
        let most = isShortened ? Self.fewItems : .max
        sender = text(offer.peer.localName)
        items = zip(offer.items, rulings).prefix(most).map { item, ruling in
            Item(
                title: text(item.title), type: text(item.contentType), bytes: item.size,
                action: ruling.action.rawValue, rule: ruling.policy?.rule, line: ruling.policy?.line,
                inbox: ruling.number)
        }
        notImportable = offer.notImportable.prefix(most).map(text)
        let rest = offer.items.count - items.count
        more = rest > 0 ? rest : nil
    }
}

extension ReasonedDecision {
    /// True if a rule declines it, and not a decision of the owner.
    var isDeclinedByPolicy: Bool {
        switch self {
        case .policy(let verdict, _, _): verdict.action.kind == .decline
        case .overQuota: true
        case .waits, .accepted, .declined, .goesOn: false
        }
    }

    fileprivate var takes: Bool { action == .accept || action == .quarantine }

    fileprivate var action: PolicyActionKind {
        switch self {
        case .policy(let verdict, _, _): verdict.action.kind
        case .waits: .ask
        case .goesOn: .accept
        case .accepted(let record, let verdict):
            record.isForQuarantine || verdict.action.kind == .quarantine ? .quarantine : .accept
        case .declined, .overQuota: .decline
        }
    }

    fileprivate var policy: PolicyVerdict? {
        switch self {
        case .policy(let verdict, _, _), .overQuota(let verdict, _, _), .waits(_, let verdict), .goesOn(let verdict):
            verdict
        case .accepted, .declined: nil
        }
    }

    fileprivate var number: Int64? {
        switch self {
        case .policy, .overQuota, .goesOn: nil
        case .waits(let number, _): number
        case .accepted(let record, _), .declined(let record): record.id
        }
    }
}
