import PortolanProtocol
import PortolanSyncPlan
import Testing

@Suite struct SyncMachineTests {
    private let folder = SyncFolderID()
    private let latest = SyncPosition(epoch: 3, sequence: 9)

    private func records(_ count: Int, from first: UInt64 = 1) -> [NodeRecord] {
        let replica = ReplicaID(device: DeviceID(1), epoch: 1)
        return (first..<first + UInt64(count)).map { number in
            var record = NodeRecord(id: NodeID(Dot(replica, number)), kind: .folder)
            record.move(Dot(replica, number), to: NodePlace(.root, SyncName("\(number)")))
            return record
        }
    }

    @Test func changesAreReturnedWhenAllPartsHaveCome() throws {
        var machine = SyncMachine()
        let since = machine.since(folder, nil)
        let all = records(3)
        let parts = [
            Message.SyncChanges(question: since.question, records: Array(all.prefix(2)), latest: nil),
            Message.SyncChanges(question: since.question, records: Array(all.suffix(1)), latest: latest),
        ]
        #expect(try machine.receive(parts[0]) == .partly)
        #expect(try machine.receive(parts[1]) == .changes(all, latest))
        #expect(violation { _ = try machine.receive(parts[1]) } == .unexpected)
    }

    @Test func answerToNoQuestionIsRefused() throws {
        var machine = SyncMachine()
        let since = machine.since(folder, nil)
        let changes = Message.SyncChanges(question: 99, records: [], latest: latest)
        #expect(violation { _ = try machine.receive(changes) } == .unexpected)
        let refusal = Message.SyncRefusal(question: 99)
        #expect(violation { _ = try machine.receive(refusal) } == .unexpected)
        #expect(try machine.receive(Message.SyncRefusal(question: since.question)) == .refused)
    }

    @Test func wantsHaveNumbersAmongThoseOfListsAndRequests() throws {
        var requesting = RequestingMachine()
        let contents = [Message.SyncWant.Content(ContentDigest(1), size: 1)]
        let list = requesting.list(after: [], most: 0)
        let wants = (0..<3).map { _ in requesting.want(contents, of: folder) }
        #expect([list.id] + wants.map(\.id) == [1, 2, 3, 4])
        try requesting.receiveOffer(answering: wants[1].id)
        try requesting.receive(Message.Refusal(id: wants[0].id, reason: .gone))
        for id in [list.id, wants[0].id, wants[1].id] {
            #expect(violation { try requesting.receiveOffer(answering: id) } == .unexpected)
        }
        let listing = try Message.Listing(id: wants[2].id, items: [], next: [])
        #expect(violation { try requesting.receive(listing) } == .unexpected)
    }

    @Test func sixteenWantsMayWait() throws {
        var requesting = RequestingMachine()
        var serving = ServingMachine()
        let contents = [Message.SyncWant.Content(ContentDigest(1), size: 1)]
        for _ in 0..<Limits.questions {
            #expect(requesting.mayAsk)
            try serving.receive(requesting.want(contents, of: folder))
        }
        #expect(!requesting.mayAsk)
        let more = Message.SyncWant(id: 17, folder: folder, contents: contents)
        #expect(violation { try serving.receive(more) } == .limit)
        serving.answered(1)
        let used = Message.SyncWant(id: 16, folder: folder, contents: contents)
        #expect(violation { try serving.receive(used) } == .unexpected)
        try serving.receive(more)
    }

    @Test func moreChangesThanAFolderHasAreRefused() throws {
        var machine = SyncMachine()
        let since = machine.since(folder, nil)
        let part = Message.SyncChanges(
            question: since.question, records: records(1), latest: nil, size: Limits.changes.bytes / 2)
        #expect(try machine.receive(part) == .partly)
        #expect(try machine.receive(part) == .partly)
        #expect(violation { _ = try machine.receive(part) } == .limit)
    }

    @Test func sixteenQuestionsMayWait() throws {
        var asking = SyncMachine()
        var answering = SyncMachine()
        for _ in 0..<Limits.questions {
            #expect(asking.mayAsk)
            try answering.receive(asking.since(folder, nil))
        }
        #expect(!asking.mayAsk)
        let more = Message.SyncSince(question: 17, folder: folder, position: nil)
        #expect(violation { try answering.receive(more) } == .limit)
        answering.answered(1)
        #expect(
            violation { try answering.receive(Message.SyncSince(question: 16, folder: folder, position: nil)) }
                == .unexpected)
        try answering.receive(more)
    }

    @Test func partHoldsAtLeastOneRecord() throws {
        let all = records(2000)
        var rest = all[...]
        var read: [NodeRecord] = []
        while !rest.isEmpty {
            let count = Message.SyncChanges.count(fitting: rest)
            #expect((1...Limits.records).contains(count))
            let part = Message.SyncChanges(question: 1, records: Array(rest.prefix(count)), latest: nil)
            let bytes = Message.syncChanges(part).encode()
            #expect(bytes.count <= Limits.recordBytes)
            guard case .syncChanges(let same) = try Message(decoding: bytes) else { return }
            read += same.records
            rest = rest.dropFirst(count)
        }
        #expect(read == all)
        let largest = try #require(Self.largestRecord())
        let bytes = Message.syncChanges(.init(question: 1, records: [largest], latest: latest)).encode()
        #expect(bytes.count > Limits.recordBytes)
        guard case .syncChanges(let same) = try Message(decoding: bytes) else { return }
        #expect(same.records == [largest])
    }

    /// Returns a record of the largest size.
    private static func largestRecord() -> NodeRecord? {
        let replicas = (1...UInt64(NodeRecord.maximumReplicas)).map { ReplicaID(device: DeviceID($0), epoch: $0) }
        var record = NodeRecord(id: NodeID(Dot(replicas[0], 1)), kind: .file)
        let name = String(repeating: "n", count: SyncName.maximumBytes)
        let dots = replicas.prefix(NodeRecord.maximumSiblings).map { Dot($0, .max / 2) }
        record.places = dots.map { StampedValue($0, NodePlace(NodeID($0), SyncName(name))) }
        let extended = (0..<ExtendedAttribute.maximumCount).map { number in
            ExtendedAttribute(SyncName("\(number + 10)"), [UInt8](repeating: 1, count: 11))
        }
        record.contents = dots.map {
            let form = ContentForm(ContentDigest($0.replica.epoch), attributes: 0o777, extended: extended)
            return StampedValue($0, FileVersion(form: form, size: .max / 2, author: name))
        }
        record.life = dots
        for replica in replicas { record.version.add(Dot(replica, .max / 2)) }
        return record.isWellFormed ? record : nil
    }
}
