import Foundation
import GRDB
import Glibc
import NodeTestSupport
import PortolanCrypto
import PortolanProtocol
import PortolanTransport
import PortolanTrust
import PortolanValues
import Testing

@testable import Portolan
@testable import PortolanOutbox

@Suite final class TransferRegisterTests {
    private let root = FileManager.default.temporaryDirectory.path + "/portolan-register-\(UUID())"
    private let register: TransferRegister
    private let lifetime = Duration.seconds(7 * 86400)

    init() throws {
        register = TransferRegister(try HomeDirectory(override: root, environment: [:]))
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    /// A parcel of one file, which no test reads.
    private func parcel(_ path: String = "/tmp/disk.img", to target: String = "b") throws -> Parcel {
        let form = ParcelForm(
            type: .data, name: "disk.img", isFolder: false, restriction: .everyone, content: .path(path))
        return try Parcel(
            id: .random(), created: Date(timeIntervalSince1970: 0), target: ParcelTarget(target),
            items: [ParcelItem(title: nil, forms: [form], preview: nil)], previews: [], options: ParcelOptions())
    }

    private func peer(_ key: DevicePublicKey = DeviceKey.generate().publicKey) -> RemotePeer {
        RemotePeer(
            name: "ben", fingerprint: Fingerprint(of: key), address: "127.0.0.1", isKnown: true, standing: .anyone,
            deviceKey: key)
    }

    private func record(
        _ title: String = "disk.img", to target: String = "b", canGoOn: Bool = true, created: Date = .now
    ) throws -> TransferRecord {
        TransferRecord(
            id: .random(), created: created, target: target, titles: [title],
            parcel: canGoOn ? try parcel(to: target) : nil, folder: "/tmp", changed: created, total: 100)
    }

    private func write(_ text: String, as name: String) throws {
        let path = root + "/state/transfers/" + name
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        chmod(path, 0o600)
    }

    private func contents() throws -> TransferRegister.Contents { try register.contents(lifetime: lifetime) }

    @Test func anEmptyRegisterIsNotMade() throws {
        #expect(try contents().transfers.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: root))
    }

    @Test func lockedRecordsRunAndOthersAreResumable() throws {
        let record = try record()
        var lock: HeldLock? = try register.add(record)
        #expect(try contents().transfers.map(\.status) == [.waiting])
        withExtendedLifetime(lock) {}
        lock = nil
        let kept = try contents().transfers
        #expect(kept.map(\.status) == [.resumable])
        #expect(kept.map(\.id) == [record.id])
        let (taken, held) = try register.take(record.id)
        #expect(taken.parcel == record.parcel)
        #expect(throws: RegisterError.self) { try self.register.take(record.id) }
        #expect(throws: RegisterError.self) { try self.register.forget(record.id) }
        withExtendedLifetime(held) {}
    }

    @Test(arguments: [nil, Fingerprint(ofKeyBytes: [7])])
    func totalIsKnownOnlyForOneReceiver(member: Fingerprint?) async throws {
        let running = RunningTransfer(try record(), in: register, lock: nil)
        let peer = peer()
        running.report(.connected(peer), of: member)
        let transfer = TransferID(item: 0)
        running.report(.started(transfer, representation: 0, name: "folder", bytes: nil), of: member)
        running.report(.found(transfer, bytes: 4096, isAll: false), of: member)
        running.report(.progress(transfer, done: 10, transferred: 10), of: member)
        await running.end(isToBeKept: true)
        let kept = try #require(try contents().transfers.first)
        #expect(kept.bytes == 10)
        #expect(kept.total == (member == nil ? 4096 : nil))
    }

    @Test func unresumableRecordEndsWithItsProcess() throws {
        withExtendedLifetime(try register.add(record(canGoOn: false))) {}
        withExtendedLifetime(try register.add(record(created: .now - 8 * 86400))) {}
        #expect(try contents().transfers.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: root + "/state/transfers").isEmpty)
    }

    @Test func sameCommandResumesItsRecord() throws {
        let record = try record()
        withExtendedLifetime(try register.add(record)) {}
        #expect(try register.take(likeParcel: parcel("/tmp/other.img")) == nil)
        #expect(try register.take(likeParcel: parcel(to: "c")) == nil)
        let same = try parcel()
        #expect(same.id != record.parcel?.id)
        let taken = try #require(try register.take(likeParcel: same))
        #expect(taken.0.id == record.id)
        #expect(taken.0.begunAnew(with: same, total: 5).parcel == same)
        #expect(try register.take(likeParcel: same) == nil, "it runs")
        withExtendedLifetime(taken.1) {}
    }

    @Test func outcomesAreRecorded() async throws {
        let running = RunningTransfer(try record(), in: register, lock: nil)
        let peer = peer()
        running.report(.connected(peer))
        let outcome = Delivery.Outcome.stored(try StoredItem(bytes: 3), representation: 0)
        running.report(.settled(Delivery(transfer: TransferID(item: 0), title: "disk.img", outcome: outcome)))
        await running.end(isToBeKept: true)
        let kept = try #require(try contents().transfers.first?.parcel)
        #expect(kept.settled == [0: .stored])
        #expect(kept.target.fingerprint == peer.fingerprint)
    }

    @Test("the answers of a team's members are written down for each")
    func answersOfMembers() async throws {
        let running = RunningTransfer(try record(to: "@acme"), in: register, lock: nil)
        let keys = (0..<2).map { _ in DeviceKey.generate().publicKey }
        let outcomes = [
            Delivery.Outcome.stored(try StoredItem(bytes: 3), representation: 0),
            .failed(StoringFailure(.noSpace), trouble: nil),
        ]
        for (key, outcome) in zip(keys, outcomes) {
            let peer = peer(key)
            running.report(.connected(peer), of: peer.fingerprint)
            let delivery = Delivery(transfer: TransferID(item: 0), title: "disk.img", outcome: outcome)
            running.report(.settled(delivery), of: peer.fingerprint)
        }
        await running.end(isToBeKept: true)
        let kept = try #require(try contents().transfers.first?.parcel)
        #expect(kept.settledByMember == [Fingerprint(of: keys[0]): [0: .stored]])
        #expect(kept.settled.isEmpty)
        #expect(kept.target.fingerprint == nil)
    }

    @Test("a small sending is written down when it has taken a while, and looked after from then on")
    func smallSending() async throws {
        let clock = ManualClock()
        let home = try HomeDirectory(override: root, environment: [:])
        let register = TransferRegister(home, on: Runtime(clock: clock))
        let running = RunningTransfer(try record(), in: register, lock: nil)
        let peer = peer()
        running.report(.connected(peer))
        var sleeps = clock.sleeps.makeAsyncIterator()
        #expect(await sleeps.next() == .milliseconds(250))
        #expect(try contents().transfers.isEmpty)
        clock.advance(by: .milliseconds(250))
        #expect(await sleeps.next() == .milliseconds(500))
        #expect(try contents().transfers.map(\.name) == ["ben"])
        await running.end(isToBeKept: false)
        #expect(try contents().transfers.isEmpty)
    }

    @Test(
        "a sending can go on if an item of it may be stored another time",
        arguments: [
            ([.declined(Decline(.tooLarge), trouble: nil)], false),
            ([.declined(Decline(.visibility), trouble: nil)], false),
            ([.declined(Decline(.notWanted), trouble: nil)], false),
            ([.failed(StoringFailure(.fidelity), trouble: nil)], false),
            ([.declined(Decline(.noSpace), trouble: nil)], true),
            ([.declined(Decline(.notInTime), trouble: nil)], true),
            ([.failed(StoringFailure(.noSpace), trouble: nil)], true),
            ([.failed(StoringFailure(.cancelled), trouble: nil)], true),
            ([.declined(Decline(.tooLarge), trouble: nil), .failed(StoringFailure(.noSpace), trouble: nil)], true),
            ([.declined(Decline(.notWanted), trouble: nil), .failed(StoringFailure(.noSpace), trouble: nil)], true),
        ] as [([Delivery.Outcome], Bool)])
    func refusals(outcomes: [Delivery.Outcome], canGoOn: Bool) {
        let deliveries = outcomes.enumerated().map {
            Delivery(transfer: TransferID(item: $0.offset), title: "disk.img", outcome: $0.element)
        }
        #expect(RegisteredSender.Outcome.peer(deliveries).canGoOn == canGoOn)
    }

    @Test func cancellingLeavesAStopRequest() throws {
        let record = try record()
        let lock = try register.add(record)
        #expect(!register.isToStop(record.id))
        #expect(try register.cancel(record.id).id == record.id)
        #expect(try register.cancel(record.id).id == record.id, "twice is once")
        #expect(register.isToStop(record.id))
        withExtendedLifetime(lock) {}
        try register.remove(record.id)
        #expect(!register.isToStop(record.id))
    }

    @Test func resumedSendingIgnoresAnEarlierStopRequest() throws {
        let record = try record()
        var lock: HeldLock? = try register.add(record)
        _ = try register.cancel(record.id)
        withExtendedLifetime(lock) {}
        // The process was killed before it polled.
        lock = nil
        let taken = try register.take(record.id)
        #expect(!register.isToStop(record.id))
        withExtendedLifetime(taken.1) {}
    }

    @Test func lifetimeCountsFromTheLastChange() throws {
        var old = try record(created: .now - 30 * 86400)
        old.changed = .now - 86400
        withExtendedLifetime(try register.add(old)) {}
        #expect(try contents().transfers.map(\.id) == [old.id])
    }

    @Test func recordWithoutAProcessCanBeForgottenButNotCancelled() throws {
        let record = try record()
        withExtendedLifetime(try register.add(record)) {}
        let failure = try #require(throws: RegisterError.self) { try self.register.cancel(record.id) }
        #expect(failure == .idle(record.id))
        #expect(try register.forget(record.id).id == record.id)
        let unknown = try #require(throws: RegisterError.self) { try self.register.forget(record.id) }
        #expect(unknown == .unknown(record.id))
        #expect(try contents().transfers.isEmpty)
    }

    @Test("a sending of nothing before leaves the state of the home closed")
    func closedState() throws {
        let items = [Item(title: "it", representations: [.data(Data("it".utf8), contentType: .utf8PlainText)])]
        _ = register.begin(items, to: "b", as: try parcel(), from: "/")
        #expect(!FileManager.default.fileExists(atPath: root))
    }

    @Test("outcomes are rows, and the document of the parcel stays as it was made")
    func settlementsAreRows() async throws {
        let running = RunningTransfer(try record(), in: register, lock: nil)
        let peer = peer()
        running.report(.connected(peer))
        let outcome = Delivery.Outcome.declined(Decline(.notWanted), trouble: nil)
        running.report(.settled(Delivery(transfer: TransferID(item: 0), title: "disk.img", outcome: outcome)))
        await running.end(isToBeKept: true)
        try inOutbox { outbox throws in
            let id = try #require(try StateID.fetchOne(outbox.database, sql: "SELECT parcel FROM sending"))
            let rows = try outbox.settlements(of: id)
            #expect(rows.map(\.outcome) == [.declined])
            #expect(rows.map(\.member) == [peer.stateKey])
            #expect(try Parcel(document: outbox.document(of: id)).settled.isEmpty)
            #expect(try outbox.parcel(id).settled == [0: .declined])
        }
    }

    @Test("the agent's queries pass over sendings of commands, and 'transfers' lists the agent's parcels")
    func bothKinds() throws {
        let record = try record()
        let lock = try register.add(record)
        let queued = try parcel()
        try inOutbox { outbox throws in
            _ = try outbox.add(queued, expires: nil)
            #expect(try outbox.list().map(\.id) == [StateID(queued.id)])
            #expect(throws: StateRefusal.self) { try outbox.show(StateID(#require(record.parcel).id)) }
            try outbox.recover()
            #expect(try outbox.expire().isEmpty)
            #expect(try outbox.prune(before: .distantFuture) == 0)
        }
        let contents = try contents()
        #expect(contents.transfers.map(\.id) == [record.id])
        #expect(contents.parcels.map(\.id) == [StateID(queued.id)])
        let name = try RecordID(queued.id.description)
        #expect(throws: RegisterError.queued(name)) { try self.register.take(name) }
        withExtendedLifetime(lock) {}
    }

    private func inOutbox(_ body: (Outbox) throws -> Void) throws {
        let queue = try StateFolder(path: root + "/state/agent").connect(now: .now)
        try queue.write { try body(Outbox(database: $0, now: .now) { _, _, _, _ in }) }
    }
}
