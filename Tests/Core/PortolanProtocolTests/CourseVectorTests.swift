import PortolanProtocol
import TestSupport
import Testing

/// The courses of Protocol/vectors: sessions of two devices without a common team, given as the plaintexts of their
/// records.
@Suite struct CourseVectorTests {
    @Test func coursesMatchTheVectors() throws {
        for vector in try VectorFile.all(ofKind: "course") {
            let steps = try vector.objects("steps").flatMap { try CourseStep.steps($0) }
            let outcome = try vector.object("outcome")
            if outcome.has("refused") {
                let (by, kind) = (try outcome.text("by"), try outcome.name("refused", ProtocolViolation.Kind.self))
                var play = try CoursePlay(by, steps)
                for step in steps.dropLast() { try play.take(step) }
                let last = try #require(steps.last)
                #expect(last.from != by, "\(vector.path)")
                #expect(violation { try play.take(last) } == kind, "\(vector.path)")
            } else {
                #expect(try outcome.flag("accepted"), "\(vector.path)")
                for side in outcome.has("by") ? [try outcome.text("by")] : ["initiator", "responder"] {
                    var play = try CoursePlay(side, steps)
                    for step in steps {
                        #expect(throws: Never.self, "\(vector.path), \(side)") { try play.take(step) }
                    }
                }
            }
        }
    }
}

private struct CourseStep {
    let from: String
    let type: RecordType
    let plaintext: [UInt8]

    /// Returns one step, or several equal ones but for their counters.
    static func steps(_ json: VectorObject) throws -> [CourseStep] {
        guard json.has("repeat") else { return [try CourseStep(json)] }
        let counters = try json.objects("counters").map { try VectorCounter($0) }
        let step = try CourseStep(json.object("step"))
        return try (0..<json.number("repeat")).map { copy in
            var plaintext = step.plaintext
            for counter in counters { counter.write(copy: copy, to: &plaintext) }
            return CourseStep(from: step.from, type: step.type, plaintext: plaintext)
        }
    }

    private init(from: String, type: RecordType, plaintext: [UInt8]) {
        (self.from, self.type, self.plaintext) = (from, type, plaintext)
    }

    private init(_ json: VectorObject) throws {
        from = try json.text("from")
        type = try #require(RecordType(rawValue: UInt8(json.number("type"))))
        plaintext = try json.bytes("plaintext")
    }
}

/// Side of a course. It sends the messages of its own steps, and checks those of the other side.
private struct CoursePlay {
    let side: String
    let capabilities: Capabilities
    var exchange: TeamExchange
    var offering: OfferingMachine?
    var receiving = ReceivingMachine()
    var requesting = RequestingMachine()
    var serving = ServingMachine()
    var syncing = SyncMachine()
    var lanes: LaneNumbers
    var offered: Offer?
    /// True after the first Answer to the offer.
    var hasAnswered = false
    var transfer: OutgoingTransfer?
    var outgoing: OutgoingTree?
    var incoming: IncomingTree?

    init(_ side: String, _ steps: [CourseStep]) throws {
        self.side = side
        let first = try #require(steps.first { $0.from == side })
        guard case .hello(let hello) = try Message(decoding: first.plaintext) else { throw VectorError("No Hello") }
        capabilities = hello.capabilities
        exchange = TeamExchange(own: [], capabilities: capabilities)
        lanes = LaneNumbers(isConnecting: side == "initiator")
        _ = exchange.start()
    }

    mutating func take(_ step: CourseStep) throws {
        if step.from == side {
            if step.type == .control { try say(Message(decoding: step.plaintext)) }
            // An offer that crosses the end counts as never made.
            let isAnswered = receiving.isAtRest || !receiving.unsettled.isEmpty
            if step.type == .end, !isAnswered { receiving = ReceivingMachine() }
        } else {
            try hear(step)
        }
    }

    // MARK: Saying

    private mutating func say(_ message: Message) throws {
        switch message {
        case .offer(let offer):
            if let request = offer.request { serving.answered(request) }
            offering = OfferingMachine(offer: offer, firstTransfer: offering?.nextTransfer ?? 1)
            _ = offering?.start()
        case .begin(let begin):
            if begin.channel == .file {
                outgoing = try transfer?.beginTree(name: begin.name, size: begin.size).tree
            }
            offering?.began(begin.transfer)
        case .end(let end): try perform(offering?.ended(end.transfer, failure: end.failure) ?? [])
        case .exportFailed(let failed):
            let number = try #require(transfer?.number)
            try perform(offering?.exportFailed(number, failed.failure) ?? [])
        case .answer(let answer): try decide(answer)
        case .receipt(let receipt):
            switch receipt.outcome {
            case .stored(let stored): _ = receiving.stored(Int(receipt.item), stored)
            case .failed(let failure): _ = receiving.failed(Int(receipt.item), failure)
            }
        case .list(let list): _ = requesting.list(after: list.after, most: list.most)
        case .request(let request): _ = requesting.request(request.item)
        case .listing(let listing): serving.answered(listing.id)
        case .refusal(let refusal): serving.answered(refusal.id)
        default: if message.route == .syncing { try saySync(message) }
        }
    }

    private mutating func saySync(_ message: Message) throws {
        switch message {
        case .syncSince(let since):
            #expect(syncing.since(since.folder, since.position, contents: since.contents) == since)
        case .syncWant(let want):
            // A course may begin with any number.
            _ = requesting.want(want.contents, of: want.folder)
        case .syncChanges(let changes): if changes.latest != nil { syncing.answered(changes.question) }
        case .syncRefusal(let refusal): syncing.answered(refusal.question)
        default: break
        }
    }

    private mutating func decide(_ answer: Message.Answer) throws {
        if hasAnswered {
            for choice in answer.choices {
                _ = receiving.answerAgain(Int(choice.item), choice.decision, terms: choice.terms)
            }
        } else {
            let terms = Dictionary(uniqueKeysWithValues: answer.choices.map { (Int($0.item), $0.terms) })
            let inline = Set(answer.choices.filter(\.isInline).map { Int($0.item) })
            _ = receiving.answer(answer.choices.map(\.decision), terms: terms, inline: inline)
        }
        hasAnswered = true
        for choice in answer.choices {
            guard case .take(let representation) = choice.decision, let items = offered?.items else { continue }
            if items[Int(choice.item)].representations[representation].channel == .file {
                lanes.allow(choice.terms.mostLanes)
            }
        }
    }

    // MARK: Hearing

    private mutating func hear(_ step: CourseStep) throws {
        switch step.type {
        case .control:
            let message = try Message(decoding: step.plaintext)
            if exchange.isComplete { try hear(message) } else { _ = try exchange.receive(message) }
        case .payload:
            let header = try PayloadHeader(decoding: step.plaintext)
            _ = try receiving.payload(header, count: step.plaintext.count - PayloadHeader.length)
        case .end:
            try offering?.endOfInput()
            try receiving.endOfInput()
        case .tree, .packed: throw VectorError("No record of a session")
        }
    }

    private mutating func hear(_ message: Message) throws {
        try capabilities.check(message)
        switch (message.route, message) {
        case (.offering, _):
            let actions = try offering?.receive(message)
            try perform(try #require(actions))
        case (.receiving, .offer(let offer)):
            if let request = offer.request { try requesting.receiveOffer(answering: request) }
            offered = offer
            hasAnswered = false
            try perform(receiving.receive(message))
        case (.receiving, _): try perform(receiving.receive(message))
        case (.requesting, .listing(let listing)): try requesting.receive(listing)
        case (.requesting, .refusal(let refusal)): try requesting.receive(refusal)
        case (.serving, .list(let list)): try serving.receive(list)
        case (.serving, .request(let request)): try serving.receive(request)
        case (.driver, .laneRequest(let number)): try lanes.receive(request: number)
        case (.syncing, .syncSince(let since)): try syncing.receive(since)
        case (.syncing, .syncWant(let want)): try serving.receive(want)
        case (.syncing, .syncChanges(let changes)): _ = try syncing.receive(changes)
        case (.syncing, .syncRefusal(let refusal)): _ = try syncing.receive(refusal)
        case (.syncing, _): break
        default: throw VectorError("\(message.name) in a course")
        }
    }

    private mutating func perform(_ actions: [OfferingMachine.Action]) throws {
        for action in actions {
            switch action {
            case .produce(let next): transfer = next
            case .wanted(let wanted): _ = try outgoing?.receive(wanted)
            default: break
            }
        }
    }

    private mutating func perform(_ actions: [ReceivingMachine.Action]) throws {
        for action in actions {
            switch action {
            case .beginTree(_, _, let tree): incoming = tree
            case .endTree(let end):
                try incoming?.end(end)
                try perform(receiving.treeCompleted())
            default: break
            }
        }
    }
}
