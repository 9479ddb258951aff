import PortolanProtocol
import PortolanSyncPlan
import Testing

/// Small contents that come with the changes that name them.
@Suite struct SyncCarriedContentTests {
    private let folder = SyncFolderID()
    private let latest = SyncPosition(epoch: 3, sequence: 9)
    private let replica = ReplicaID(device: DeviceID(1), epoch: 1)

    /// A file whose only version has this content.
    private func file(_ number: UInt64, _ content: [UInt8], size: UInt64? = nil) -> NodeRecord {
        let dot = Dot(replica, number)
        var record = NodeRecord(id: NodeID(dot), kind: .file)
        record.move(dot, to: NodePlace(.root, SyncName("\(number)")))
        let form = ContentForm(ContentDigest(ofContent: content))
        record.write(dot, FileVersion(form: form, size: size ?? UInt64(content.count)), replacing: [])
        return record
    }

    /// Outcome of an answer that has these contents.
    private func answer(
        _ records: [NodeRecord], _ contents: [[UInt8]], wanted: Bool = true
    ) throws -> SyncMachine.Answer {
        var machine = SyncMachine()
        let since = machine.since(folder, nil, contents: wanted ? .all : .none)
        #expect(since.contents == (wanted ? .all : .none))
        return try machine.receive(
            Message.SyncChanges(question: since.question, records: records, latest: latest, contents: contents))
    }

    @Test func contentComesInSeparateParts() throws {
        var machine = SyncMachine()
        let since = machine.since(folder, nil, contents: .all)
        let records = [file(1, [1]), file(2, [2, 2])]
        let parts = [
            Message.SyncChanges(question: since.question, records: records, latest: nil),
            Message.SyncChanges(question: since.question, records: [], latest: nil, contents: [[2, 2], [1]]),
            Message.SyncChanges(question: since.question, records: [], latest: latest),
        ]
        #expect(try machine.receive(parts[0]) == .partly)
        #expect(try machine.receive(parts[1]) == .partly)
        let contents: [ContentDigest: [UInt8]] = [
            ContentDigest(ofContent: [1]): [1], ContentDigest(ofContent: [2, 2]): [2, 2],
        ]
        #expect(try machine.receive(parts[2]) == .changes(records, latest, contents: contents))
    }

    @Test func unnamedContentIsRefused() throws {
        #expect(violation { _ = try answer([file(1, [1])], [[2]]) } == .malformed)
        #expect(violation { _ = try answer([], [[1]]) } == .malformed)
        #expect(violation { _ = try answer([file(1, [1], size: 2)], [[1]]) } == .malformed)
    }

    @Test func repeatedContentIsRefused() throws {
        #expect(violation { _ = try answer([file(1, [1]), file(2, [1])], [[1], [1]]) } == .malformed)
    }

    @Test func unrequestedContentIsRefused() throws {
        #expect(violation { _ = try answer([file(1, [1])], [[1]], wanted: false) } == .unexpected)
    }

    @Test func contentsCountWithTheRecords() throws {
        var machine = SyncMachine()
        let since = machine.since(folder, nil, contents: .all)
        let parts = (1...3).map { number in
            Message.SyncChanges(
                question: since.question, records: [], latest: nil, contents: [[number]],
                size: Limits.changes.bytes / 2)
        }
        #expect(try machine.receive(parts[0]) == .partly)
        #expect(try machine.receive(parts[1]) == .partly)
        #expect(violation { _ = try machine.receive(parts[2]) } == .limit)
    }

    @Test func oneMessageHasOneLargeContentOrSmallOnes() throws {
        let large = [UInt8](repeating: 7, count: Limits.syncContent)
        for contents in [[large], [[1], [2, 3]]] {
            let changes = Message.SyncChanges(question: 1, records: [], latest: nil, contents: contents)
            let since = Message.SyncSince(question: 1, folder: folder, position: nil, contents: .all)
            #expect(try Message(decoding: Message.syncChanges(changes).encode()) == .syncChanges(changes))
            #expect(try Message(decoding: Message.syncSince(since).encode()) == .syncSince(since))
        }
        for contents in [[large, [1]], [large + [1]], [[]]] {
            let changes = Message.SyncChanges(question: 1, records: [], latest: nil, contents: contents)
            #expect(throws: (any Error).self) { try Message(decoding: Message.syncChanges(changes).encode()) }
        }
    }
}
