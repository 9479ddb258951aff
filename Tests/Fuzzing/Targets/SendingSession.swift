import Foundation
import PortolanCrypto
import PortolanProtocol

/// A sender for the time of one session: the machine of the protocol, and files that have sizes and no bytes.
final class SendingSession {
    private enum Entry {
        case folder
        case link
        case whole(UInt64)
        case file(UInt64)
        /// A file of unknown size.
        case stream
    }

    /// A file whose content is being sent.
    private struct OpenFile {
        let entry: UInt32
        let size: UInt64
        var position: UInt64 = 0
        let isCompared: Bool
    }

    /// Entries to send if the folder is taken.
    private static let folder: [Entry] = [
        .folder, .whole(3), .file(700_000), .folder, .link, .file(0), .file(5), .whole(0), .file(262_144),
        .file(1 << 40),
    ]

    private var choices: FuzzInput
    private var way = ShakenHands.toInitiator()
    private var machine: OfferingMachine
    private var questions = QuestionSide(capabilities: [.serves])
    private var transfer: OutgoingTransfer?
    private var hasBegun = false
    private var mustStop = false
    private var isOver = false

    private var tree: OutgoingTree?
    private var entries: ArraySlice<Entry> = []
    private var announced: [UInt32: UInt64] = [:]
    private var wanted: [(entry: UInt32, isCompared: Bool)] = []
    private var open: [OpenFile] = []
    private var undecided: Set<UInt32> = []

    init(choices: [UInt8]) {
        self.choices = FuzzInput(choices)
        machine = OfferingMachine(offer: Self.offer)
    }

    private static let offer: Offer = valid {
        let representations = [
            try OfferedRepresentation(
                type: OfferedType(identifier: "public.folder"), channel: .file, isFolder: true,
                source: [UInt8](repeating: 7, count: 16)),
            try OfferedRepresentation(type: OfferedType(identifier: "public.data"), channel: .file, size: 700_000),
            try OfferedRepresentation(type: OfferedType(identifier: "public.data"), channel: .data, size: 4),
            try OfferedRepresentation(type: OfferedType(identifier: "public.utf8-plain-text"), channel: .data),
        ]
        let item = try OfferedItem(title: "item", representations: representations)
        let inline = try InlineContent(representation: 2, name: [], content: Data([1, 2, 3, 4]))
        guard let offer = try Offer(id: 1, items: [item, item, item]).bringing([0: inline, 2: inline]) else {
            throw InvalidValue("Too much for an offer.")
        }
        return offer
    }

    func run(_ input: inout FuzzInput) {
        do throws(ProtocolViolation) {
            try perform(machine.start())
            while !input.isEmpty, !isOver { try take(&input) }
        } catch {
            _ = error.description
        }
    }

    private func take(_ input: inout FuzzInput) throws(ProtocolViolation) {
        let step = input.byte()
        switch step % 4 {
        case 0, 1:
            let record = try way.deliver(.control, input.piece())
            let message = try Message(decoding: record.plaintext)
            if message.route == .offering {
                try perform(machine.receive(message))
            } else {
                isOver = try !questions.take(message)
            }
        case 2: for _ in 0...(step >> 4) { try send() }
        default:
            if step >> 4 == 0 {
                // Records that a receiver must not send are refused, even if sealed properly.
                _ = try way.deliver(input.flag() ? .payload : .tree, input.piece())
            } else if step >> 4 == 15 {
                isOver = true
                _ = try way.deliver(.end, [])
                try machine.endOfInput()
            } else if step >> 4 > 10 {
                let item = Int(input.byte()) % Self.offer.items.count
                machine.withdraw(
                    item: item, representation: Int(input.byte()) % Self.offer.items[item].representations.count)
            } else {
                try send()
            }
        }
    }

    private func perform(_ actions: [OfferingMachine.Action]) throws(ProtocolViolation) {
        for action in actions {
            switch action {
            case .send(let message): requireReadable(message)
            case .waiting, .settled, .tookInline, .finished: break
            case .produce(let next):
                require(transfer == nil, "Two transfers at once")
                (transfer, hasBegun, mustStop) = (next, false, false)
            case .wanted(let wanted): try receive(wanted)
            case .holding(let holding): _ = try tree?.receive(holding)
            case .base(let base): _ = try tree?.receive(base)
            case .stop(let number):
                require(transfer?.number == number, "A transfer is stopped that is not under way")
                mustStop = true
            }
        }
    }

    private func receive(_ wanted: Message.Wanted) throws(ProtocolViolation) {
        for (entry, decision) in try tree?.receive(wanted) ?? [] {
            undecided.remove(entry)
            if decision != .nothing { self.wanted.append((entry, decision == .compare)) }
        }
    }

    // MARK: Sending

    /// Sends a little more of the current transfer.
    private func send() throws(ProtocolViolation) {
        guard var current = transfer else { return }
        guard hasBegun else {
            try begin(&current)
            return
        }
        if tree != nil { return try sendTree() }
        let room = current.remaining ?? 5
        guard !mustStop, room > 0, choices.byte() < 200 else {
            transfer = nil
            let end = current.end(failure: mustStop ? .cancelled : nil)
            requireReadable(.end(end))
            return try perform(machine.ended(end.transfer, failure: end.failure))
        }
        current.sent(1 + Int(choices.byte()) % Int(room))
        transfer = current
    }

    private func begin(_ current: inout OutgoingTransfer) throws(ProtocolViolation) {
        if mustStop || choices.byte() > 230 {
            transfer = nil
            return try perform(machine.exportFailed(current.number, mustStop ? .cancelled : .export))
        }
        hasBegun = true
        let name = Array("name".utf8)
        if current.channel == .data {
            let isSized = current.representation == 2
            requireReadable(valid { try current.begin(name: name, size: isSized ? 4 : nil) })
        } else {
            let (message, begun) = valid { try current.beginTree(name: name) }
            requireReadable(message)
            tree = begun
            entries =
                current.representation == 0 ? Self.folder[...] : choices.flag() ? [.stream] : [.file(700_000)]
            (announced, wanted, open, undecided) = ([:], [], [], [])
        }
        machine.began(current.number)
        transfer = current
    }

    private func sendTree() throws(ProtocolViolation) {
        if mustStop { return try endTree(.cancelled) }
        if choices.byte() > 250 { return try endTree(.unreadable) }
        switch choices.byte() % 4 {
        case 0, 1: announce()
        case 2: beginFile()
        default: sendPiece()
        }
        guard entries.isEmpty, undecided.isEmpty, wanted.isEmpty, open.isEmpty else { return }
        try endTree(nil)
    }

    private func announce() {
        guard let next = entries.first, let index = tree?.nextIndex else { return }
        switch next {
        case .folder, .link:
            let isFolder = if case .folder = next { true } else { false }
            valid { try tree?.addEntry(isFolder: isFolder) }
        case .whole(let size): valid { try tree?.addWhole(size: size) }
        case .file(let size):
            guard tree?.mayAddFile == true else { return }
            valid { try tree?.addFile(size: size) }
            announced[index] = size
        case .stream:
            guard tree?.mayAddFile == true else { return }
            valid { try tree?.addFile(size: nil) }
            announced[index] = 0
        }
        entries.removeFirst()
        guard announced[index] != nil, let asks = tree?.asks else { return }
        if asks {
            undecided.insert(index)
        } else {
            open.append(OpenFile(entry: index, size: announced[index] ?? 0, isCompared: false))
        }
    }

    private func beginFile() {
        guard tree?.mayBegin == true, !wanted.isEmpty else { return }
        let (entry, isCompared) = wanted.removeFirst()
        let size = announced[entry] ?? 0
        if !isCompared, size < 10, choices.flag(), isSized { return tree?.sentWhole(entry) ?? () }
        tree?.begin(entry)
        open.append(OpenFile(entry: entry, size: size, isCompared: isCompared))
    }

    /// True if the size of the sent item is known.
    private var isSized: Bool { announced.values.contains { $0 > 0 } }

    private func sendPiece() {
        guard !open.isEmpty else { return }
        let place = Int(choices.byte()) % open.count
        let file = open[place]
        let left = file.size - file.position
        guard left > 0 else {
            open.remove(at: place)
            guard let end = tree?.endFile(file.entry, size: file.size) else { return }
            require(end.sent <= file.size, "More was sent than there is")
            return
        }
        let choice = choices.byte()
        let count = choice & 4 == 0 ? left : min(left, BlockDigest.blockSize)
        switch choice % 4 {
        case 0 where count <= UInt64(Limits.payload): tree?.sent(Int(count), of: file.entry)
        case 1 where file.isCompared: tree?.matched(count, of: file.entry)
        default: tree?.skipped(count, of: file.entry)
        }
        open[place].position += count
    }

    private func endTree(_ failure: SourceFailure?) throws(ProtocolViolation) {
        guard let end = tree?.end(lanes: [0], failure: failure) else { return }
        requireReadable(.end(end))
        (tree, transfer) = (nil, nil)
        try perform(machine.ended(end.transfer, failure: end.failure))
    }
}
