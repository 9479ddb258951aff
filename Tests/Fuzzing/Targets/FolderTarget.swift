import PortolanProtocol
import PortolanSyncPlan
import PortolanTrust
import SyncPlanSupport

extension FuzzTarget {
    /// Both sides of the questions about a folder, and a device's plan after the received records.
    static let folders = FuzzTarget("folders", longest: 8192) { input in
        var talk = FolderTalk()
        for _ in 0..<64 where !input.isEmpty {
            do {
                try talk.step(&input)
            } catch {
                require(error is ProtocolViolation || error is InvalidValue, "An error that ends no session")
                return
            }
        }
    }
}

/// Device and its peer, whose messages come from the input.
private struct FolderTalk {
    private var machine = SyncMachine()
    private var index = MemoryIndex(replica: own, author: "own", rootHandle: FileHandleID(1))
    private var unanswered = 0
    private var open: [UInt64] = []
    private var requesting = RequestingMachine()
    private var serving = ServingMachine()
    /// Requests of the peer for contents without an answer.
    private var wanted: [UInt64] = []
    private var lastHandle: UInt64 = 1

    private static let own = ReplicaID(device: DeviceID(1), epoch: 1)
    private static let replicas = [
        ReplicaID(device: DeviceID(2), epoch: 1), ReplicaID(device: DeviceID(2), epoch: 2),
        ReplicaID(device: DeviceID(3), epoch: 1),
    ]
    private static let folder = SyncFolderID([UInt8](repeating: 7, count: SyncFolderID.length))
    private static let names = ["a", "b", "A", "a.txt", ".portolan-sync", "ä"]

    mutating func step(_ input: inout FuzzInput) throws {
        guard let folder = Self.folder else { return }
        require(machine.mayAsk == (unanswered < Limits.questions), "It counts its questions otherwise")
        switch input.number(below: 8) {
        case 0:
            guard machine.mayAsk else { return }
            _ = machine.since(folder, input.flag() ? SyncPosition(epoch: 1, sequence: UInt64(input.byte())) : nil)
            unanswered += 1
        case 1:
            guard requesting.mayAsk else { return }
            _ = requesting.want(contents(&input), of: folder)
        case 2: try receive(try Message(decoding: input.piece()))
        case 3:
            let question = UInt64(input.number(below: 20))
            let latest =
                input.flag()
                ? SyncPosition(epoch: 1, sequence: UInt64(input.byte()), seal: Self.seal(&input)) : nil
            let records = (0..<input.number(below: 8)).map { _ in Self.record(&input) }
            let changes = Message.SyncChanges(question: question, records: records, latest: latest)
            // Only encodable messages come to the machine.
            try receive(try Message(decoding: Message.syncChanges(changes).encode()))
        case 4:
            let question = UInt64(input.number(below: 20))
            if input.flag() {
                try receive(.refusal(.init(id: question, reason: .gone)))
            } else {
                try receive(.syncRefusal(.init(question: question)))
            }
        case 5:
            let question = UInt64(input.byte())
            if input.flag() {
                try receive(.syncSince(.init(question: question, folder: folder, position: nil)))
            } else {
                let want = Message.SyncWant(id: question, folder: folder, contents: contents(&input))
                try receive(try Message(decoding: Message.syncWant(want).encode()))
            }
        case 6:
            guard !wanted.isEmpty else { return }
            serving.answered(wanted.remove(at: input.number(below: wanted.count)))
        default:
            guard !open.isEmpty else { return }
            machine.answered(open.remove(at: input.number(below: open.count)))
        }
    }

    private mutating func receive(_ message: Message) throws {
        switch message {
        case .syncSince(let since):
            try machine.receive(since)
            open.append(since.question)
        case .syncWant(let want):
            try serving.receive(want)
            wanted.append(want.id)
            require(Set(want.contents.map(\.digest)).count == want.contents.count, "It takes one content twice")
        case .syncChanges(let changes): take(try machine.receive(changes))
        case .refusal(let refusal):
            let before = requesting.unanswered
            try requesting.receive(refusal)
            require(requesting.unanswered == before - 1, "It takes what answers nothing")
        case .syncRefusal(let refusal): take(try machine.receive(refusal))
        case .syncStatement(let statement): _ = try? statement.verified()
        default: return
        }
        for open in [open, wanted] {
            require(open.count <= Limits.questions, "It takes more questions than it must")
            require(open == open.sorted() && Set(open).count == open.count, "It takes one number twice")
        }
    }

    private mutating func take(_ answer: SyncMachine.Answer) {
        if case .partly = answer { return }
        unanswered -= 1
        require(unanswered >= 0, "It takes what answers nothing")
        switch answer {
        case .changes(let records, _, _, _):
            require(records.count <= Limits.changes.records, "More records than an answer may have")
            require(records.allSatisfy(\.isWellFormed), "A record without the form of records")
            let refused = index.receive(records)
            require(Set(refused).isSubset(of: Set(records.map(\.id))), "It refuses what nobody said")
            settle()
        case .partly, .refused: break
        }
    }

    /// Performs the planned steps, one after the other.
    private mutating func settle() {
        for _ in 0..<32 {
            let plan = index.plan(guard: DeletionGuard())
            guard let step = plan.steps.first else { return }
            lastHandle += 1
            index.commit(step, handle: FileHandleID(lastHandle))
        }
    }

    private func contents(_ input: inout FuzzInput) -> [Message.SyncWant.Content] {
        let first = UInt64(input.byte())
        return (0...UInt64(input.number(below: 4))).map { Message.SyncWant.Content(ContentDigest(first + $0), size: 1) }
    }

    private static func seal(_ input: inout FuzzInput) -> ReplicaSeal? {
        input.flag() ? ReplicaSeal([UInt8](repeating: input.byte(), count: ReplicaSeal.length)) : nil
    }

    private static func record(_ input: inout FuzzInput) -> NodeRecord {
        let kinds: [NodeKind] = [.folder, .file, .link]
        var record = NodeRecord(id: NodeID(dot(&input)), kind: kinds[input.number(below: kinds.count)])
        for _ in 0...input.number(below: 3) {
            let dot = dot(&input)
            switch input.number(below: 4) {
            case 0, 1:
                let parent = input.flag() ? NodeID.root : NodeID(Self.dot(&input))
                record.move(dot, to: NodePlace(parent, SyncName(names[input.number(below: names.count)])))
            case 2 where record.kind != .folder:
                let form = ContentForm(ContentDigest(UInt64(input.number(below: 4))), attributes: 0o644)
                record.write(dot, FileVersion(form: form, size: 1, author: "b"), replacing: [])
            default: record.delete(dot, seen: [])
            }
        }
        if input.flag() {
            let metadata: ItemMetadata = record.kind == .folder ? .permissions(0o700) : .time(ModificationTime(1, 2))
            _ = record.set(metadata, dot(&input), of: record.contents.map(\.dot))
        }
        return record
    }

    private static func dot(_ input: inout FuzzInput) -> Dot {
        Dot(replicas[input.number(below: replicas.count)], UInt64(input.number(below: 12)) + 1)
    }
}
