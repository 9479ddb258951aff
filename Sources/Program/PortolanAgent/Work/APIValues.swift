import Portolan
import PortolanClient

// State as values of the local API.

extension AgentAPI.ID {
    init(_ id: StateID) { self.init(id.bytes.reduce(0) { $0 << 8 | UInt128($1) }) }

    /// Makes the identifier for the number of an inbox item.
    init(item: Int64) { self.init(UInt128(UInt64(bitPattern: item))) }

    var state: StateID {
        let bytes = withUnsafeBytes(of: bits.bigEndian) { Array($0) }
        guard let id = StateID(bytes) else { preconditionFailure("An identifier has 16 bytes") }
        return id
    }

    /// Number of an inbox item; nil for other identifiers.
    var item: Int64? { Int64(exactly: bits) }
}

extension AgentAPI.Parcel {
    init(_ parcel: OutboxParcel, settlements: [AgentAPI.Settlement]? = nil) {
        self.init(
            id: AgentAPI.ID(parcel.id), target: parcel.target, titles: parcel.titles,
            state: parcel.state, reason: parcel.reason, created: parcel.created,
            changed: parcel.changed, expires: parcel.expires, attempts: parcel.attempts, due: parcel.nextDue,
            settlements: settlements)
    }
}

extension AgentAPI.Settlement {
    /// - Parameters:
    ///   - name: name of the receiver in its team.
    ///   - isValid: true if its receipt is that of the receiver for the item.
    init(_ settlement: StoredSettlement, name: String?, receiptIsValid isValid: Bool?) {
        self.init(
            member: settlement.member.description, name: name, item: settlement.item,
            outcome: settlement.outcome.rawValue,
            reason: settlement.reason, receipt: settlement.receipt.map { Data($0) },
            receiptIsValid: isValid)
    }
}

extension AgentAPI.InboxItem {
    /// - Parameter offer: description of the offer: JSON.
    init(_ record: InboxRecord, offer: String? = nil) throws {
        self.init(
            id: AgentAPI.ID(item: record.id), state: record.state, reason: record.reason, at: record.at,
            changed: record.changed, peer: record.peer.description, sender: record.sender,
            parcel: record.parcel.map { AgentAPI.ID($0) }, item: record.item, title: record.title, rule: record.rule,
            deadline: record.deadline, fallback: record.fallback?.rawValue, path: record.file?.path,
            size: record.file.map { UInt64(clamping: $0.size) },
            digest: record.file?.digest.map { Hexadecimal.text($0) },
            offer: try offer.map { try APICoding.decode(JSONValue.self, from: Data($0.utf8)) })
    }
}

extension AgentAPI.Event {
    init(_ entry: JournalEntry) throws {
        self.init(
            cursor: entry.cursor, at: entry.at, kind: entry.kind.rawValue, transfer: entry.transfer,
            peer: entry.peer?.description, body: try APICoding.decode(JSONValue.self, from: Data(entry.body.utf8)))
    }
}

extension AgentAPI.Verdict {
    package init(_ explanation: PolicyExplanation) {
        let into: String? =
            switch explanation.verdict.action {
            case .accept(let into), .quarantine(let into), .ask(_, _, let into): into
            case .decline: nil
            }
        self.init(
            item: explanation.item, action: explanation.verdict.action.kind.rawValue, into: into,
            rule: explanation.verdict.rule, line: explanation.verdict.line,
            passed: explanation.passed.map { Passed(rule: $0.rule, line: $0.line, reason: $0.reason) })
    }
}

extension Portolan.ParcelOptions {
    init(_ options: AgentAPI.ParcelOptions) {
        self.init()
        switch options.compression {
        case .automatic, nil: compression = .automatic
        case .always: compression = .zstd
        case .never: compression = .never
        }
        rateLimit = options.limitRate
        attributes = options.attributes ?? false
        allowsOmissions = options.allowOmissions ?? false
    }
}
