import Portolan
import PortolanClient
import PortolanProtocol
import PortolanSettings

/// Decision about one item of an offer, with its reason.
enum ReasonedDecision: Sendable {
    /// - Parameters:
    ///   - verdict: the verdict in its stored form: JSON.
    ///   - charge: number of the item's charge (``Quota``).
    case policy(PolicyVerdict, verdict: String, charge: Int64? = nil)
    /// The rule takes no more from the sender now, or never as much as the item has.
    case overQuota(PolicyVerdict, isStranger: Bool, isEver: Bool)
    /// The item waits for its owner, under this number of the inbox.
    case waits(Int64, PolicyVerdict)
    /// The owner has accepted the item, or the fallback of its rule has. The policy, as it is now, does not decline it.
    case accepted(InboxRecord, PolicyVerdict)
    case declined(InboxRecord)
    /// The item was accepted before it broke off, and the policy asks.
    case goesOn(PolicyVerdict)

    var waits: Bool {
        if case .waits = self { true } else { false }
    }

    /// Number of the inbox record by which the item is accepted.
    var accepted: Int64? {
        if case .accepted(let record, _) = self { record.id } else { nil }
    }

    /// Rule, for a record of the inbox that is made when the item is stored.
    var origin: String? {
        if case .policy(let verdict, _, _) = self { verdict.origin } else { nil }
    }

    /// Verdict for such a record: JSON.
    var verdict: String? {
        if case .policy(_, let text, _) = self { text } else { nil }
    }

    var charge: Int64? {
        if case .policy(_, _, let charge) = self { charge } else { nil }
    }

    func answer(in folders: PolicyFolders) -> Decision.Answer {
        switch self {
        case .policy(let verdict, _, _): return verdict.answer(in: folders)
        case .overQuota(let verdict, let isStranger, let isEver):
            let sender = isStranger ? "devices that it does not know, all together," : "you"
            let because = "\(verdict.origin) of the policy takes \(verdict.most ?? 0) bytes from its sender in a day."
            guard isEver else {
                return .postpone(
                    detail: "It is more than this device still takes from \(sender) in 24 hours. Send it again later.",
                    because: because)
            }
            return .decline(
                detail: "It is more than this device takes from \(sender) in 24 hours.", because: because)
        case .goesOn: return .ask
        case .waits(let number, let verdict):
            return .postpone(
                detail: "It waits for a decision of the owner of this device. Nobody need wait for that: it was not "
                    + "taken yet, and can be sent again.",
                because: "\(verdict.origin) of the policy asks; it is number \(number) of the inbox.")
        case .accepted(let record, let verdict):
            if case .quarantine = verdict.action { return verdict.answer(in: folders) }
            let destination: Destination =
                record.isForQuarantine
                ? .quarantine(folders.quarantine) : verdict.destination(for: record, in: folders)
            return .take(into: destination, types: verdict.types)
        case .declined(let record):
            return .decline(
                detail: record.reason ?? "The owner of this device declined it.",
                because: "it was declined as number \(record.id) of the inbox.")
        }
    }
}

/// An offered item, with all facts for the decision and its record.
struct OfferedItemFacts: Sendable {
    /// The item, with the folder for it after a question.
    let item: InboxRecord
    /// Description: JSON.
    let description: String
    let policy: PolicyVerdict
    /// Verdict of the policy with the earlier rules: JSON.
    let verdict: String
    /// The most that may arrive; nil if it is not known.
    var bytes: UInt64?
    var isStranger = false

    /// Charge for a rule with a limit.
    fileprivate var charge: Quota.Charge {
        let place = item.delivered.map { "\($0.parcel) \($0.item)" } ?? description
        return Quota.Charge(peer: item.peer, isStranger: isStranger, item: place, bytes: bytes ?? .max)
    }
}

extension OfferedItemFacts {
    init(
        _ offered: IncomingOffer.Item, of offer: IncomingOffer, from peer: PeerKey, _ explanation: PolicyExplanation,
        in folders: PolicyFolders
    ) throws {
        let verdict = explanation.verdict
        let destination: Destination? =
            if case .take(_, let destination, _, _) = verdict.agreed(in: folders) { destination } else { nil }
        self.init(
            item: InboxRecord(
                peer: peer, sender: offer.peer.localName, parcel: offer.parcel.map { StateID($0) },
                item: offered.transfer.item,
                place: offered.parcelPlace.map { Int(truncatingIfNeeded: $0.item) } ?? offered.transfer.item,
                title: offered.title, rule: verdict.origin, folder: destination?.folder,
                owners: destination?.owners ?? []),
            description: try InboxDescription(
                title: offered.title, types: offered.forms.map(\.contentType), bytes: offered.size,
                folder: offered.isFolder, message: offered.preview?.message, name: offered.suggestedName,
                estimatedBytes: offered.estimatedSize
            ).text,
            policy: verdict,
            verdict: String(decoding: try APICoding.encode(AgentAPI.Verdict(explanation)), as: UTF8.self),
            bytes: offered.mostBytes,
            isStranger: !offer.peer.standing.isContact && offer.peer.standing.memberships.isEmpty)
    }
}

extension AgentTransaction {
    /// Decides about an item: by the owner's earlier decision to decline it, else by the policy. Items to ask about are
    /// stored in the inbox, unless the owner has accepted them.
    ///
    /// - Parameters:
    ///   - isGoingOn: true for an item that was accepted before and broke off.
    ///   - isTold: returns false if the journal has enough entries of the sender.
    func decide(
        about facts: OfferedItemFacts, isGoingOn: Bool = false, isTold: () -> Bool = { true }
    ) throws -> ReasonedDecision {
        let own = try facts.item.delivered.flatMap { try inbox.latest(of: $0) }
        let like =
            own == nil || own?.state == .waiting
            ? try inbox.accepted(like: facts.item, describedBy: facts.description) : nil
        let earlier = like ?? own
        if let earlier, earlier.state == .declined { return .declined(earlier) }
        // A different item under the same name is not the one that the owner has accepted.
        if facts.policy.action.kind != .decline, let earlier, earlier.state == .accepted,
            try inbox.isOfSameItem(earlier.id, as: facts.description)
        {
            if like != nil, let own { try inbox.forget(own.id, reason: "It was accepted as number \(earlier.id).") }
            return .accepted(like == nil ? earlier : try inbox.transfer(earlier.id, to: facts.item), facts.policy)
        }
        switch facts.policy.action {
        case .ask where isGoingOn: return .goesOn(facts.policy)
        case .ask(let wait, let ending, _):
            if own == nil, let declined = try inbox.declined(like: facts.item, describedBy: facts.description) {
                return .declined(declined)
            }
            var item = facts.item
            item.deadline = now.addingTimeInterval(TimeInterval(wait.components.seconds))
            item.fallback = ending
            let number = try inbox.wait(item, offer: facts.description, isTold: isTold)
            try inbox.keep(verdict: facts.verdict, of: number)
            return .waits(number, facts.policy)
        case .decline(let detail):
            // The policy has changed since the question.
            if let earlier, [.waiting, .accepted].contains(earlier.state) {
                try inbox.decline(earlier.id, reason: detail)
            }
            return .policy(facts.policy, verdict: facts.verdict)
        case .accept, .quarantine:
            guard let most = facts.policy.most else { return .policy(facts.policy, verdict: facts.verdict) }
            let charge = facts.charge
            guard let number = try quota.charge(charge, most: most, isGoingOn: isGoingOn) else {
                return .overQuota(facts.policy, isStranger: facts.isStranger, isEver: charge.bytes > most)
            }
            return .policy(facts.policy, verdict: facts.verdict, charge: number)
        }
    }

    /// Records a stored item: in the record of its question or acceptance, else in a new one.
    ///
    /// - Parameters:
    ///   - accepted: number of the record by which it was accepted.
    ///   - verdict: JSON; for a new record.
    /// - Throws: `StateRefusal` for an item that was declined meanwhile, and for a second one by the same acceptance.
    func store(
        _ item: InboxRecord, _ file: StoredItemFile, isQuarantined: Bool, accepted: Int64?, verdict: String?
    ) throws {
        let record = try accepted.map { try inbox.show($0) } ?? item.delivered.flatMap { try inbox.latest(of: $0) }
        // An acceptance permits one item.
        let isUsed = accepted != nil && (record?.state == .received || record?.state == .quarantined)
        if let record, isUsed || [.waiting, .accepted, .declined].contains(record.state) {
            // The policy now accepts the item that it asked about before.
            if record.state == .waiting, !isQuarantined { try inbox.accept(record.id, reason: item.rule) }
            return try inbox.stored(record.id, file, isQuarantined: isQuarantined)
        }
        let number = try inbox.store(item, file, isQuarantined: isQuarantined)
        if let verdict { try inbox.keep(verdict: verdict, of: number) }
    }
}

extension PolicyVerdict {
    /// Destination of an item that was accepted for a folder: one of the policy, or another one that a person named.
    fileprivate func destination(for record: InboxRecord, in folders: PolicyFolders) -> Destination {
        guard let folder = record.folder else { return .inbox }
        if case .take(_, let destination, _, _) = agreed(in: folders), destination.folder == folder {
            return destination
        }
        return .folder(folder).owned(by: record.owners)
    }
}

extension PolicyFolders {
    /// Folders of an agent.
    init(_ settings: Settings) {
        self.init(inbox: settings.inbox, quarantine: settings.home.data + "/quarantine")
    }
}
