import Portolan
import Synchronization

/// Decisions about accepted items whose transfer has not ended yet.
///
/// A session has one offer at a time (SESSION.md 6.2), so that a sender's offers are forgotten as others replace them.
final class AcceptedItems: Sendable {
    /// The part of a decision that the record of a stored item needs.
    struct Ruling: Sendable {
        let origin: String?
        let accepted: Int64?
        fileprivate(set) var verdict: String?

        init(_ decision: ReasonedDecision) {
            (origin, accepted, verdict) = (decision.origin, decision.accepted, decision.verdict)
        }
    }

    private struct Offer {
        let sender: Fingerprint
        var rulings: [TransferID: Ruling]
        /// True from the first item that begins or ends: the offer is no longer declined.
        var hasBegun = false

        var bytes: Int { rulings.values.reduce(0) { $0 + ($1.verdict?.utf8.count ?? 0) } }
    }

    /// Size of the verdicts that are kept for one sender. Items beyond are stored without an explanation.
    static let verdicts = 1 << 20

    /// Newest offer by session, while an accepted item of it has not ended.
    private let offers = Mutex<[RandomID: Offer]>([:])
    /// Charges (``Quota``) of items of which nothing has come yet, by session.
    private let charges = Mutex<[RandomID: [TransferID: Int64]]>([:])

    /// Remembers an offer in the place of the session's one before.
    ///
    /// - Returns: charges of that one's items of which nothing has come.
    func remember(_ rulings: [ReasonedDecision], for offer: IncomingOffer) -> [Int64] {
        let taken = zip(offer.items, rulings).filter { $0.1.takes }
        offers.withLock { offers in
            offers[offer.peer.session] = nil
            guard !taken.isEmpty else { return }
            var room = Self.verdicts
            for other in offers.values where other.sender == offer.peer.fingerprint { room -= other.bytes }
            var kept = Offer(sender: offer.peer.fingerprint, rulings: [:])
            for (item, decision) in taken {
                var ruling = Ruling(decision)
                room -= ruling.verdict?.utf8.count ?? 0
                if room < 0 { ruling.verdict = nil }
                kept.rulings[item.transfer] = ruling
            }
            offers[offer.peer.session] = kept
        }
        return charges.withLock { all in
            let before = all.removeValue(forKey: offer.peer.session)
            for (item, ruling) in taken {
                if let charge = ruling.charge { all[offer.peer.session, default: [:]][item.transfer] = charge }
            }
            let now = Set(all[offer.peer.session]?.values.map { $0 } ?? [])
            return before?.values.filter { !now.contains($0) } ?? []
        }
    }

    /// Number of accepted items that have not ended, and size of their verdicts.
    var held: (items: Int, bytes: Int) {
        offers.withLock { offers in
            offers.values.reduce((0, 0)) { ($0.0 + $1.rulings.count, $0.1 + $1.bytes) }
        }
    }

    /// Records that an item begins, so that its offer is no longer declined.
    func begin(_ item: IncomingTransfer) { offers.withLock { $0[item.peer.session]?.hasBegun = true } }

    /// Forgets the newest offer of a peer, which was declined.
    ///
    /// - Returns: its items that had been accepted before and have not ended; nil if there are none.
    func takeBackOffer(of peer: RemotePeer) -> [TransferID]? {
        offers.withLock { offers in
            guard let offer = offers[peer.session], !offer.hasBegun else { return nil }
            offers[peer.session] = nil
            return Array(offer.rulings.keys)
        }
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

    /// Forgets an item that has ended.
    ///
    /// - Returns: the decision about it; nil for a resumed transfer, which has none.
    @discardableResult
    func end(_ item: TransferID, of peer: RemotePeer, hasBegun: Bool = true) -> Ruling? {
        offers.withLock { offers in
            guard let ruling = offers[peer.session]?.rulings.removeValue(forKey: item) else { return nil }
            if hasBegun { offers[peer.session]?.hasBegun = true }
            if offers[peer.session]?.rulings.isEmpty == true { offers[peer.session] = nil }
            return ruling
        }
    }

    func forget(_ peer: RemotePeer) { offers.withLock { $0[peer.session] = nil } }
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
