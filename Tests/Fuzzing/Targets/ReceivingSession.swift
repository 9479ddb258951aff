import Foundation
import PortolanFiles
import PortolanProtocol
import PortolanTransport
import PortolanValues

/// A receiver for the time of one session: the machine of the protocol, and an inbox on a disk.
final class ReceivingSession {
    private let inbox: Inbox
    /// Decisions of the receiver.
    private var choices: FuzzInput
    private var machine = ReceivingMachine()
    private var questions = QuestionSide(capabilities: [.takes, .serves])
    private var offer: Offer?
    private var way = ShakenHands.toResponder()
    private var lanes: [Lane] = (0..<Limits.lanes).map { Lane($0) }
    private var arriving: Arriving?
    /// Tree record on the session, as far as received.
    private var whole: (tree: IncomingTree, record: Data)?
    /// True if the End of a transfer has come before all of its content: the session waits.
    private var isEnding = false
    private var isOver = false

    private final class Lane {
        var way: SealedWay

        init(_ index: Int) { way = ShakenHands.lane(index) }
    }

    private struct Arriving {
        let item: Int
        let name: FileName
        let partial: PartialItem?
        let sink: InboxSink?
        /// nil for data.
        let tree: ArrivingTree?
    }

    init(into path: String, choices: [UInt8]) {
        inbox = valid { try Inbox(path: path, createIfMissing: false) }
        self.choices = FuzzInput(choices)
    }

    /// Takes actions from the input until it, or the session, is over.
    func run(_ input: inout FuzzInput) {
        do {
            while !input.isEmpty, !isOver { try take(&input) }
        } catch {
            _ = "\(error)"
        }
        arriving?.partial?.suspend()
        arriving = nil
    }

    private func take(_ input: inout FuzzInput) throws {
        let step = input.byte()
        switch step % 8 {
        case 0, 1:
            let record = try way.deliver(.control, input.piece())
            guard !isEnding else { return }
            let message = try Message(decoding: record.plaintext)
            guard message.route == .receiving else {
                isOver = try !questions.take(message)
                return
            }
            if case .offer(let offer) = message { try questions.check(offer) }
            try perform(machine.receive(message))
        case 2: try takeData(&input)
        case 3, 4: try take(.tree, lane: step, &input)
        case 5: try take(.payload, lane: step, &input)
        case 6: try take(step & 8 == 0 ? .packed : .tree, lane: step, &input)
        default:
            switch step >> 3 {
            case 0..<24: for message in arriving?.tree?.speak() ?? [] { requireReadable(message) }
            case 24..<28:
                // The receiver fails, which may happen at any time.
                if let arriving { try perform(fail(arriving.item)) }
            case 28, 29: isOver = true
            default:
                isOver = true
                guard !isEnding else { return }
                _ = try way.deliver(.end, [])
                try machine.endOfInput()
            }
        }
    }

    // MARK: On the session

    private func takeData(_ input: inout FuzzInput) throws {
        guard !isEnding else { return }
        let record = try way.deliver(.payload, input.piece())
        let header = try PayloadHeader(decoding: record.plaintext)
        let data = UnsafeRawBufferPointer(rebasing: record.plaintext[PayloadHeader.length...])
        guard case .write(let item) = try machine.payload(header, count: data.count), let sink = arriving?.sink else {
            return
        }
        guard whole == nil else {
            whole?.record += data
            return
        }
        do {
            try sink.write(header.entry, at: header.offset, data)
        } catch {
            try perform(fail(item))
        }
    }

    private func perform(_ actions: [ReceivingMachine.Action]) throws {
        var actions = actions[...]
        while let action = actions.popFirst() {
            switch action {
            case .send(let message): requireReadable(message)
            case .decide(let offer):
                self.offer = offer
                actions += decide(on: offer)
                if machine.allowsPayload { way.allowPayload() }
            case .inline(let item, let begin, let tree, let content):
                actions += try takeInline(item, begin, tree, content)
            case .begin(let item, let begin): actions += start(item, begin, nil)
            case .beginWhole(let item, let begin, let tree):
                actions += start(item, begin, nil)
                whole = (tree, Data())
            case .beginTree(let item, let begin, let tree): actions += start(item, begin, tree)
            case .total: break
            case .compare(let compare): try arriving?.tree?.take(compare)
            case .endTree(let end):
                isEnding = true
                try arriving?.tree?.end(end)
                actions += completed()
            case .complete(let item, _) where whole != nil: actions += try takeWhole(item)
            case .complete(let item, let end): actions += publish(item, end, isData: arriving?.tree == nil)
            case .aborted(let item, _):
                arriving?.partial?.suspend()
                (arriving, whole) = (nil, nil)
                actions += chooseAgain(item, mayDecline: false)
            case .produceFailed(let item, _, _): actions += chooseAgain(item, mayDecline: true)
            case .finished: break
            }
        }
    }

    private func decide(on offer: Offer) -> [ReceivingMachine.Action] {
        var actions: [ReceivingMachine.Action] = []
        if choices.byte() == 255 { actions += machine.pending() }
        var terms: [Int: LaneTerms] = [:]
        var inline: Set<Int> = []
        let decisions = offer.items.enumerated().map { index, item -> ItemDecision in
            let choice = choices.byte()
            guard choice < 250 else { return .decline(Decline(.notWanted)) }
            let wish = laneTerms()
            let representation = Int(choice) % item.representations.count
            terms[index] = wish
            if item.inline?.representation == representation, !wish.asks, choice < 200 { inline.insert(index) }
            return .take(representation: representation)
        }
        return actions + machine.answer(decisions, terms: terms, inline: inline)
    }

    private func laneTerms() -> LaneTerms {
        let choice = choices.byte()
        return LaneTerms(
            asks: choice & 1 == 1, lanes: choice & 6 == 6 ? 1 : Int(choice >> 4), takesWhole: choice & 8 == 8)
    }

    private func chooseAgain(_ item: Int, mayDecline: Bool) -> [ReceivingMachine.Action] {
        guard let offered = offer?.items[item] else { fatalError("An item of no offer") }
        let tried = machine.tried(item)
        let untried = offered.representations.indices.filter { !tried.contains($0) }
        let choice = Int(choices.byte())
        if choice < 128, !untried.isEmpty {
            return machine.answerAgain(
                item, .take(representation: untried[choice % untried.count]), terms: laneTerms())
        }
        if choice < 192, mayDecline { return machine.answerAgain(item, .decline(Decline(.nothingInCommon))) }
        return machine.failed(item, StoringFailure(.source))
    }

    // MARK: Storing

    private func start(_ item: Int, _ begin: Message.Begin, _ tree: IncomingTree?) -> [ReceivingMachine.Action] {
        let noName = valid { try FileName("item") }
        whole = nil
        if let tree, tree.isAbandoned {
            arriving = Arriving(
                item: item, name: noName, partial: nil, sink: nil, tree: ArrivingTree(tree, into: nil))
            return []
        }
        guard let offered = offer?.items[item].representations[Int(begin.representation)] else {
            fatalError("Something begins that was not offered")
        }
        do {
            let name = begin.name.isEmpty ? noName : try FileName(begin.name)
            let partial = try inbox.receive(
                PartialAbout(offered, as: begin, called: name), called: name, for: offered.restriction,
                keeping: begin.requirements.contains(.sparse) ? .sparse : [], asking: begin.asks)
            let sink = try InboxSink(partial, name: name, channel: begin.channel, size: begin.size) { _, _, _ in
                fatalError("It is published here")
            }
            arriving = Arriving(
                item: item, name: name, partial: partial, sink: sink, tree: tree.map { ArrivingTree($0, into: sink) })
            return []
        } catch {
            _ = "\(error)"
            arriving = tree.map {
                Arriving(item: item, name: noName, partial: nil, sink: nil, tree: ArrivingTree($0, into: nil))
            }
            return machine.failed(item, StoringFailure(.cannotWrite))
        }
    }

    private func takeInline(
        _ item: Int, _ begin: Message.Begin, _ tree: IncomingTree?, _ content: Data
    ) throws -> [ReceivingMachine.Action] {
        let actions = start(item, begin, nil)
        return arriving?.sink == nil ? actions : try takeInline(item, tree, content)
    }

    private func takeWhole(_ item: Int) throws -> [ReceivingMachine.Action] {
        defer { whole = nil }
        return try takeInline(item, whole?.tree, whole?.record ?? Data())
    }

    private func takeInline(
        _ item: Int, _ tree: IncomingTree?, _ content: Data
    ) throws -> [ReceivingMachine.Action] {
        guard let sink = arriving?.sink else { return [] }
        do {
            let end = try sink.takeInline(content, tree)
            if tree != nil { requireReadable(.end(end)) }
            return publish(item, end, isData: tree == nil)
        } catch let error as ProtocolViolation {
            throw error
        } catch {
            return fail(item)
        }
    }

    private func publish(_ item: Int, _ end: Message.End, isData: Bool) -> [ReceivingMachine.Action] {
        guard let arriving, let partial = arriving.partial else {
            fatalError("Something is complete that did not begin")
        }
        self.arriving = nil
        do {
            if isData { try partial.finish(0, size: end.bytes) }
            let stored = try partial.publish(as: arriving.name)
            if choices.byte() > 240 { return chooseAgain(item, mayDecline: false) }
            var omissions = end.omissions
            omissions.append(contentsOf: Omissions(stored.report))
            return machine.stored(item, valid { try StoredItem(stored, omissions: omissions) })
        } catch {
            _ = "\(error)"
            partial.discard()
            return machine.failed(item, StoringFailure(.cannotWrite))
        }
    }

    private func fail(_ item: Int) -> [ReceivingMachine.Action] {
        guard let current = arriving, let partial = current.partial else { return [] }
        if choices.flag() { partial.suspend() } else { partial.discard() }
        current.tree?.abandon()
        // Records that still arrive on lanes are counted.
        arriving = current.tree.map {
            Arriving(item: item, name: current.name, partial: nil, sink: nil, tree: $0)
        }
        return machine.failed(item, StoringFailure(.noSpace))
    }

    // MARK: On the lanes

    private func take(_ type: RecordType, lane step: UInt8, _ input: inout FuzzInput) throws {
        let lane = Int(step >> 4) % lanes.count
        let record = try lanes[lane].way.deliver(type, input.piece())
        guard let tree = arriving?.tree else { return }
        try tree.take(record.type, record.plaintext, lane: UInt32(lane))
        if tree.hasFailed, let item = arriving?.item { try perform(fail(item)) }
        try perform(completed())
    }

    /// Actions after all of the tree has come.
    private func completed() -> [ReceivingMachine.Action] {
        guard isEnding, arriving?.tree?.tree.isComplete == true else { return [] }
        isEnding = false
        return machine.treeCompleted()
    }
}
