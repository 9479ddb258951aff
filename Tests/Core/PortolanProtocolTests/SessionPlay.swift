import Foundation
import PortolanCrypto
import PortolanProtocol
import PortolanTrust
import TestSupport
import Testing

/// Side of a session after its handshake. It receives the other side's records in their order; each message of its
/// machines must be its own next record. Decisions of a person or a disk are taken from the record that reports them.
struct SessionPlay {
    private let side: HandshakeSide
    private let opening: OpeningKind
    private let capabilities: Capabilities
    private let records: [SessionRecord]
    private var isOver = false
    /// Messages that the machines have sent, and that the vector has not reached yet.
    private var said: [[UInt8]] = []

    private var team: TeamHeads?
    private var exchange: TeamExchange
    private var offering: OfferingMachine?
    private var receiving = ReceivingMachine()
    private var requesting = RequestingMachine()
    private var serving = ServingMachine()
    private var joining: JoiningMachine
    private var admitting = AdmittingMachine()
    private var transfer: OutgoingTransfer?

    private var offer: Offer?
    private var tree: IncomingTree?
    private var names: [UInt32: String] = [:]
    private var arrived: Int?
    /// True if this side accepts an item.
    private var hasAnswered = false
    private var result = SessionOutcome()

    init(
        _ side: HandshakeSide, _ opening: OpeningKind, _ capabilities: Capabilities, _ held: [TeamHeads.Update],
        _ records: [SessionRecord]
    ) throws {
        self.side = side
        self.opening = opening
        self.capabilities = capabilities
        self.records = records
        joining = JoiningMachine(name: side.identity.name)
        team = held.isEmpty ? nil : try TeamHeads.restored(held)
        exchange = TeamExchange(own: try team.map { [try Self.shared($0)] } ?? [], capabilities: capabilities)
    }

    private static func shared(_ team: TeamHeads) throws -> SharedTeam {
        SharedTeam(
            team: team.id, digest: team.team.digest,
            heads: try team.updates.map {
                try RosterHead(roster: $0.signed.bytes, signature: $0.signed.signature, secret: $0.secret)
            })
    }

    /// Number of messages of the machines that the vector does not have.
    var unsaid: Int { said.count }

    /// Returns the result of the session, as this side knows it.
    func outcome(like expected: SessionOutcome) -> SessionOutcome {
        var outcome = result
        if let team { outcome.heads = Set(team.heads.map(\.signed.bytes)) }
        if !hasAnswered { outcome.items = expected.items }
        return outcome
    }

    mutating func run() throws {
        switch opening {
        case .open, .team: perform(exchange.start())
        case .code(.joining) where side.role == .initiator: for action in joining.start() { perform(action) }
        case .code: break
        }
        for record in records {
            if record.from == side.label { try say(record) } else { try hear(record) }
        }
    }

    // MARK: Saying

    private mutating func say(_ record: SessionRecord) throws {
        if record.lane == nil, record.type == RecordType.control.rawValue {
            try decide(Message(decoding: record.plaintext))
            try #require(!said.isEmpty, "Nothing is to be said")
            #expect(said.removeFirst() == record.plaintext)
        } else if record.lane == nil, record.type == RecordType.payload.rawValue {
            #expect(transfer?.nextPayload.encode() == Array(record.plaintext.prefix(PayloadHeader.length)))
            transfer?.sent(record.plaintext.count - PayloadHeader.length)
        } else if record.lane == nil {
            #expect(said.isEmpty)
        }
    }

    /// Makes the decision that this side's message reports.
    private mutating func decide(_ message: Message) throws {
        switch message {
        case .offer(let offer):
            try exchange.peerCapabilities.check(message)
            try #require(exchange.isComplete)
            if let request = offer.request { serving.answered(request) }
            offering = OfferingMachine(offer: offer, firstTransfer: offering?.nextTransfer ?? 1)
            perform(offering?.start() ?? [])
        case .list(let list):
            try exchange.peerCapabilities.check(message)
            said.append(Message.list(requesting.list(after: list.after, most: list.most)).encode())
        case .request(let request):
            try exchange.peerCapabilities.check(message)
            said.append(Message.request(requesting.request(request.item)).encode())
        case .listing(let listing):
            serving.answered(listing.id)
            said.append(message.encode())
        case .refusal(let refusal):
            serving.answered(refusal.id)
            said.append(message.encode())
        case .laneRequest:
            try #require(side.role == .responder && transfer?.channel == .file)
            said.append(message.encode())
        case .begin(let begin):
            if begin.channel == .data {
                said.append(try #require(try transfer?.begin(name: begin.name, size: begin.size)).encode())
            } else {
                said.append(try #require(try transfer?.beginTree(name: begin.name, size: begin.size)).message.encode())
            }
            offering?.began(begin.transfer)
        case .end(let end):
            // The vector supplies the totals of lanes.
            said.append((transfer?.channel == .data ? transfer?.end() : end).map { Message.end($0).encode() } ?? [])
            perform(offering?.ended(end.transfer, failure: end.failure) ?? [])
        case .pending: perform(receiving.pending())
        case .answer(let answer):
            hasAnswered = true
            perform(
                receiving.answer(
                    answer.choices.map(\.decision),
                    terms: Dictionary(uniqueKeysWithValues: answer.choices.map { (Int($0.item), $0.terms) })))
        case .receipt(let receipt):
            guard case .stored(let stored) = receipt.outcome else { throw VectorError("Something is not stored") }
            #expect(arrived == Int(receipt.item))
            perform(receiving.stored(Int(receipt.item), stored))
        case .teamUpdate(let update) where opening == .code(.joining): try admit(update)
        case .joined:
            for action in joining.stored() { perform(action) }
        default: break
        }
    }

    private mutating func admit(_ update: Message.TeamUpdate) throws {
        try adopt([update.head])
        for action in admitting.admitted(update.team, [update.head]) { perform(action) }
    }

    // MARK: Hearing

    private mutating func hear(_ record: SessionRecord) throws {
        if record.lane != nil { return try hear(onLane: record) }
        switch RecordType(rawValue: record.type) {
        case .control: try hear(Message(decoding: record.plaintext))
        case .payload:
            let header = try PayloadHeader(decoding: record.plaintext)
            let data = Array(record.plaintext.dropFirst(PayloadHeader.length))
            #expect(try receiving.payload(header, count: data.count) == .write(item: result.items.count))
            result.items.append(.data(data))
        case .end: try hearEnd()
        case .tree, .packed, nil: throw VectorError("No record of a session")
        }
    }

    private mutating func hear(_ message: Message) throws {
        switch opening {
        case .code(.pairing): throw VectorError("A pairing has no messages")
        case .code(.joining) where side.role == .initiator:
            for action in try joining.receive(message) { try take(action) }
        case .code(.joining):
            for action in try admitting.receive(message) { perform(action) }
        case .open, .team:
            if exchange.isComplete { try route(message) } else { try hear(exchange.receive(message)) }
        }
    }

    private mutating func route(_ message: Message) throws {
        try capabilities.check(message)
        switch (message.route, message) {
        case (.offering, _): perform(try #require(try offering?.receive(message)))
        case (.receiving, .offer(let offer)):
            if let request = offer.request { try requesting.receiveOffer(answering: request) }
            perform(try receiving.receive(message))
        case (.receiving, _): perform(try receiving.receive(message))
        case (.requesting, .listing(let listing)): try requesting.receive(listing)
        case (.requesting, .refusal(let refusal)): try requesting.receive(refusal)
        case (.serving, .list(let list)): try serving.receive(list)
        case (.serving, .request(let request)): try serving.receive(request)
        case (.driver, .laneRequest): #expect(side.role == .initiator && receiving.allowsPayload)
        default: Issue.record("\(message) at a time when all goes well")
        }
    }

    private mutating func hearEnd() throws {
        switch opening {
        case .code(.pairing): break
        case .code(.joining):
            if side.role == .initiator { try joining.endOfInput() } else { try admitting.endOfInput() }
        case .open, .team:
            try offering?.endOfInput()
            try receiving.endOfInput()
            #expect(requesting.unanswered == 0 && serving.unanswered == 0)
        }
    }

    private mutating func hear(_ actions: [TeamExchange.Action]) throws {
        perform(actions)
        for case .adopt(_, let heads) in actions { try adopt(heads) }
    }

    private mutating func take(_ action: JoiningMachine.Action) throws {
        perform(action)
        if case .adopt(_, let heads) = action { try adopt(heads) }
    }

    /// Judges received heads, a minute after the newest of them was signed.
    private mutating func adopt(_ heads: [RosterHead]) throws {
        let updates = heads.map {
            TeamHeads.Update(signed: SignedRoster(bytes: $0.roster, signature: $0.signature), secret: $0.secret)
        }
        let now = Date(timeIntervalSince1970: 1_800_000_060)
        guard var held = team else { return team = try TeamHeads.joining(updates, now: now) }
        for update in updates { _ = try held.adopt(update, now: now) }
        team = held
    }

    // MARK: On a lane

    private mutating func hear(onLane record: SessionRecord) throws {
        let lane = try #require(record.lane).number
        switch RecordType(rawValue: record.type) {
        case .tree:
            try record.plaintext.withUnsafeBytes { bytes in
                var reader = try TreeReader(bytes)
                while let element = try reader.next() { try take(element, lane: lane) }
            }
        case .payload:
            let header = try PayloadHeader(decoding: record.plaintext)
            let data = Array(record.plaintext.dropFirst(PayloadHeader.length))
            #expect(try tree?.take(header, count: data.count, lane: lane) == .take)
            add(data, to: header.entry)
            _ = try tree?.wrote(UInt64(data.count), of: header.entry)
        case .end, nil: break
        case .control, .packed: throw VectorError("No record of this lane")
        }
    }

    private mutating func take(_ element: TreeElement, lane: UInt32) throws {
        let verdict = try tree?.take(element, lane: lane)
        guard case .entry(let entry) = element, case .file(let file) = entry.kind else { return }
        #expect(verdict == .take)
        names[entry.index] = String(decoding: entry.name, as: UTF8.self)
        if let content = file.content {
            add(Array(content), to: entry.index)
        } else {
            tree?.decide(entry.index, .all)
        }
    }

    private mutating func add(_ data: [UInt8], to entry: UInt32) {
        guard let name = names[entry], case .files(var files)? = result.items.last else { return }
        files[name, default: []] += data
        result.items[result.items.count - 1] = .files(files)
    }

    // MARK: Actions

    private mutating func perform(_ actions: [TeamExchange.Action]) {
        for case .send(let message) in actions { said.append(message.encode()) }
    }

    private mutating func perform(_ action: JoiningMachine.Action) {
        if case .send(let message) = action { said.append(message.encode()) }
    }

    private mutating func perform(_ action: AdmittingMachine.Action) {
        if case .send(let message) = action { said.append(message.encode()) }
    }

    private mutating func perform(_ actions: [OfferingMachine.Action]) {
        for action in actions {
            switch action {
            case .send(let message): said.append(message.encode())
            case .produce(let next): transfer = next
            case .waiting, .settled, .finished: break
            case .wanted, .holding, .base, .stop, .tookInline: Issue.record("Nobody asks, and nobody stops")
            }
        }
    }

    private mutating func perform(_ actions: [ReceivingMachine.Action]) {
        for action in actions {
            switch action {
            case .send(let message): said.append(message.encode())
            case .decide(let offer): self.offer = offer
            case .beginTree(_, _, let tree):
                self.tree = tree
                result.items.append(.files([:]))
            case .endTree(let end):
                #expect(throws: Never.self) { try tree?.end(end) }
                #expect(tree?.isComplete == true)
                perform(receiving.treeCompleted())
            case .complete(let item, _): arrived = item
            case .begin, .total, .finished: break
            case .aborted, .produceFailed, .inline, .compare, .beginWhole: Issue.record("All goes well")
            }
        }
    }
}
