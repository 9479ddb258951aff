import PortolanCrypto
import PortolanTrust
import PortolanValues
import SwiftProtobuf

/// Content of one control record (SESSION.md, "Messages").
///
/// A value is always well-formed: its parts cannot break a limit. The machines that its ``route`` names decide if it
/// may come at this moment: `TeamExchange` at the beginning of a session, then one for the offers and one for the
/// questions of each direction; `JoiningMachine` and `AdmittingMachine` while a device joins a team. The protobuf types
/// stay behind `encode()` and `init(decoding:)`.
package enum Message: Hashable, Sendable {
    case offer(Offer)
    case answer(Answer)
    case pending(Pending)
    case begin(Begin)
    case end(End)
    case exportFailed(ExportFailed)
    case receipt(Receipt)
    case ping(id: UInt64)
    case pong(id: UInt64)
    case close(Close)
    case hello(Hello)
    case teamUpdate(TeamUpdate)
    case joinRequest(JoinRequest)
    case joined
    case list(List)
    case listing(Listing)
    case request(Request)
    case refusal(Refusal)
    case wanted(Wanted)
    case holding(Holding)
    case total(Total)
    case base(Base)
    case compare(Compare)
    case laneRequest(UInt32)
    case syncFolders(SyncFolders)
    case syncSince(SyncSince)
    case syncChanges(SyncChanges)
    case syncHeard(SyncHeard)
    case syncWant(SyncWant)
    case syncRefusal(SyncRefusal)
    case syncStatement(SignedFolderStatement)

    /// Reads the plaintext of one control record.
    ///
    /// Fields that this version does not know are passed over; a message that it does not know is refused.
    package init(decoding bytes: some Collection<UInt8>) throws(ProtocolViolation) {
        try ProtocolViolation.check(
            bytes.count <= Limits.control, .limit,
            "A message of \(bytes.count) bytes; at most \(Limits.control) are allowed.")
        // A team's secret may be among them.
        var bytes = Array(bytes)
        defer { wipe(&bytes) }
        let wire = try translating(WireControlMessage(serializedBytes: bytes)) { (_: any Error) in
            ProtocolViolation(.malformed, "A control record does not hold a message.")
        }
        defer { wire.wipeSecret() }
        guard let message = wire.message else {
            throw ProtocolViolation(.malformed, "A message of a kind that this version does not know.")
        }
        do {
            try self.init(message)
        } catch {
            throw error.violation
        }
    }

    private init(_ wire: WireControlMessage.OneOf_Message) throws(InvalidValue) {
        switch wire {
        case .offer(let offer): self = .offer(try Offer(offer))
        case .answer(let answer): self = .answer(try Answer(answer))
        case .pending(let pending): self = .pending(Pending(offer: pending.offerID))
        case .begin(let begin): self = .begin(try Begin(begin))
        case .end(let end): self = .end(try End(end))
        case .exportFailed(let failed): self = .exportFailed(ExportFailed(failed))
        case .receipt(let receipt): self = .receipt(try Receipt(receipt))
        case .ping(let ping): self = .ping(id: ping.id)
        case .pong(let pong): self = .pong(id: pong.id)
        case .close(let close): self = .close(try Close(close))
        case .hello(let hello): self = .hello(try Hello(hello))
        case .teamUpdate(let update): self = .teamUpdate(try TeamUpdate(update))
        case .joinRequest(let request): self = .joinRequest(try JoinRequest(request))
        case .joined: self = .joined
        case .list(let list): self = .list(try List(list))
        case .listing(let listing): self = .listing(try Listing(listing))
        case .request(let request): self = .request(try Request(request))
        case .refusal(let refusal): self = .refusal(Refusal(refusal))
        case .wanted(let wanted): self = .wanted(try Wanted(wanted))
        case .holding(let holding): self = .holding(try Holding(holding))
        case .total(let total): self = .total(try Total(total))
        case .base(let base): self = .base(try Base(base))
        case .compare(let compare): self = .compare(try Compare(compare))
        case .laneRequest(let number): self = .laneRequest(number.number)
        case .syncFolders(let folders): self = .syncFolders(try SyncFolders(folders))
        case .syncSince(let since): self = .syncSince(try SyncSince(since))
        case .syncChanges(let changes): self = .syncChanges(try SyncChanges(changes))
        case .syncHeard(let heard): self = .syncHeard(try SyncHeard(heard))
        case .syncWant(let want): self = .syncWant(try SyncWant(want))
        case .syncRefusal(let refusal): self = .syncRefusal(SyncRefusal(question: refusal.question))
        case .syncStatement(let statement): self = .syncStatement(try SignedFolderStatement(statement))
        }
    }

    /// Encodes the message as the plaintext of a control record. A team's secret may be in it: to be wiped after use.
    package func encode() -> [UInt8] {
        let wire = wire
        defer { wire.wipeSecret() }
        do {
            return try wire.serializedBytes()
        } catch {
            // Serialization fails only for missing proto2 fields and invalid `Any`s; the schema has neither.
            preconditionFailure("A message cannot be serialized: \(error)")
        }
    }

    private var wire: WireControlMessage {
        var control = WireControlMessage()
        switch self {
        case .offer(let offer): control.offer = offer.wire
        case .answer(let answer): control.answer = answer.wire
        case .pending(let pending): control.pending.offerID = pending.offer
        case .begin(let begin): control.begin = begin.wire
        case .end(let end): control.end = end.wire
        case .exportFailed(let failed): control.exportFailed = failed.wire
        case .receipt(let receipt): control.receipt = receipt.wire
        case .ping(let id): control.ping = .with { $0.id = id }
        case .pong(let id): control.pong = .with { $0.id = id }
        case .close(let close): control.close = close.wire
        case .hello(let hello): control.hello = hello.wire
        case .teamUpdate(let update): control.teamUpdate = update.wire
        case .joinRequest(let request): control.joinRequest = request.wire
        case .joined: control.joined = WireJoined()
        case .list(let list): control.list = list.wire
        case .listing(let listing): control.listing = listing.wire
        case .request(let request): control.request = request.wire
        case .refusal(let refusal): control.refusal = refusal.wire
        case .wanted(let wanted): control.wanted = wanted.wire
        case .holding(let holding): control.holding = holding.wire
        case .total(let total): control.total = total.wire
        case .base(let base): control.base = base.wire
        case .compare(let compare): control.compare = compare.wire
        case .laneRequest(let number): control.laneRequest = .with { $0.number = number }
        case .syncFolders(let folders): control.syncFolders = folders.wire
        case .syncSince(let since): control.syncSince = since.wire
        case .syncChanges(let changes): control.syncChanges = changes.wire
        case .syncHeard(let heard): control.syncHeard = heard.wire
        case .syncWant(let want): control.syncWant = want.wire
        case .syncRefusal(let refusal): control.syncRefusal = refusal.wire
        case .syncStatement(let statement): control.syncStatement = statement.wire
        }
        return control
    }

    /// The message's name in the specification, and the part of a session that takes it.
    private var entry: (name: String, route: MessageRoute) {
        switch self {
        case .offer: ("Offer", .receiving)
        case .answer: ("Answer", .offering)
        case .pending: ("Pending", .offering)
        case .begin: ("Begin", .receiving)
        case .end: ("End", .receiving)
        case .exportFailed: ("ExportFailed", .receiving)
        case .receipt: ("Receipt", .offering)
        case .ping: ("Ping", .driver)
        case .pong: ("Pong", .driver)
        case .close: ("Close", .driver)
        case .hello: ("Hello", .opening)
        case .teamUpdate: ("TeamUpdate", .opening)
        case .joinRequest: ("JoinRequest", .opening)
        case .joined: ("Joined", .opening)
        case .list: ("List", .serving)
        case .listing: ("Listing", .requesting)
        case .request: ("Request", .serving)
        case .refusal: ("Refusal", .requesting)
        case .wanted: ("Wanted", .offering)
        case .holding: ("Holding", .offering)
        case .total: ("Total", .receiving)
        case .base: ("Base", .offering)
        case .compare: ("Compare", .receiving)
        case .laneRequest: ("LaneRequest", .driver)
        case .syncFolders: ("SyncFolders", .syncing)
        case .syncSince: ("SyncSince", .syncing)
        case .syncChanges: ("SyncChanges", .syncing)
        case .syncHeard: ("SyncHeard", .syncing)
        case .syncWant: ("SyncWant", .syncing)
        case .syncRefusal: ("SyncRefusal", .syncing)
        case .syncStatement: ("SyncStatement", .syncing)
        }
    }

    /// The message's name in the specification.
    package var name: String { entry.name }

    /// The part of this side's session that takes the message.
    package var route: MessageRoute { entry.route }
}
