import Glibc
import PortolanCrypto
import PortolanProtocol
import PortolanTransport
import SimulationSupport
import Synchronization
import TestSupport

@testable import FilesTestSupport
@testable import PortolanFiles

/// A receiving process for the time of one session: takes everything into an inbox on a simulated disk, by the code
/// that ships.
final class SimulatedInbox: ItemReceiver {
    private struct State {
        var known = StoredItemState.nothing
        var came = 0
        var isSaved = false
        var hasLeftOut = false
        var random: SeededGenerator
    }

    private let disk: SimulatedDisk
    private let inbox: Inbox
    private let savesOften: Bool
    private let state: Mutex<State>

    /// - Parameter savesOften: true if it saves its progress at random moments, as it otherwise does after some time.
    init(_ disk: SimulatedDisk, savesOften: Bool, seed: UInt64) throws(FileError) {
        self.disk = disk
        self.savesOften = savesOften
        inbox = try Inbox(path: disk.path, createIfMissing: false, features: .detected, storage: disk)
        state = Mutex(State(random: SeededGenerator(seed: seed)))
    }

    /// State of the item when the offer arrived.
    var known: StoredItemState { state.withLock(\.known) }

    /// Bytes of content that arrived.
    var came: Int { state.withLock(\.came) }

    /// True if it wrote its progress.
    var isSaved: Bool { state.withLock(\.isSaved) }

    /// True if an item was stored without an entry for which the disk had no room, and the sender was told so.
    var hasLeftOut: Bool { state.withLock(\.hasLeftOut) }

    /// Receives the items of a session.
    func serve(_ session: Session) async {
        var roles = SessionRoles()
        roles.receiving = { { Reception(self) } }
        // The sender reports the end, and the disk shows the content.
        try? await SessionDriver.run(on: session, ledger: NoTeams(), roles: roles) { try await $0.stay() }
    }

    private static let identity: ItemIdentity = {
        guard let identity = ItemIdentity(bytes: [UInt8](repeating: 9, count: ItemIdentity.length)) else {
            preconditionFailure("An identity has 32 bytes")
        }
        return identity
    }()

    // MARK: Deciding

    func decide(on offer: Offer) -> [ItemDecision] {
        let offered = offer.items[0].representations[0]
        if !offered.source.isEmpty, let name = try? FileName(offered.suggestedName ?? "") {
            let known = try? inbox.known(Self.identity, called: name, isFolder: offered.isFolder)
            state.withLock { $0.known = known ?? .nothing }
        }
        return [.take(representation: 0)]
    }

    func choose(item: Int, from offered: OfferedItem, excluding tried: Set<Int>) -> Int? { nil }

    func terms(item: Int, representation: Int, of offered: OfferedItem) -> LaneTerms {
        LaneTerms(asks: known != .nothing)
    }

    // MARK: Storing

    func receive(
        item: Int, _ representation: OfferedRepresentation, of offered: OfferedItem, as begin: Message.Begin
    ) throws -> any ItemSink {
        let name = try FileName(representation.suggestedName ?? "")
        let about =
            representation.source.isEmpty
            ? nil
            : PartialAbout(
                identity: Self.identity, peerName: "sender", peerFingerprint: "fingerprint", title: offered.title,
                name: name, typeIdentifier: representation.type.identifier, size: begin.size,
                isFolder: representation.isFolder, created: FileTime(timespec(tv_sec: 1, tv_nsec: 0)))
        let partial = try inbox.receive(about, called: name, asking: begin.asks)
        let sink = try InboxSink(partial, name: name, channel: begin.channel, size: begin.size) {
            [self] partial, name, _ in
            let stored = try partial.publish(as: name)
            let leavesOut = stored.report.omissions.contains { $0.reason == .noSpace }
            state.withLock { $0.hasLeftOut = leavesOut }
            return .stored(
                try StoredItem(
                    name: Array(stored.name.utf8), bytes: stored.bytes, entries: UInt32(stored.entries),
                    keptEntries: UInt32(stored.keptEntries), keptBytes: stored.keptBytes, isUpdated: stored.updated))
        }
        return CountingSink(sink) { [self] count in took(count, into: partial) }
    }

    private func took(_ count: Int, into partial: PartialItem) {
        let saves = state.withLock { state in
            state.came += count
            return savesOften && state.random.chance(20)
        }
        guard saves, partial.place.about != nil, partial.area.workspace.root != nil,
            partial.saveProgress(completely: false), !disk.isDead
        else { return }
        state.withLock { $0.isSaved = true }
    }

    func report(_ event: ReceivingEvent) {}
}

/// A sink that counts content and passes it to another sink.
private struct CountingSink: ItemSink {
    private let sink: any ItemSink
    private let took: @Sendable (Int) -> Void

    init(_ sink: any ItemSink, took: @escaping @Sendable (Int) -> Void) {
        self.sink = sink
        self.took = took
    }

    func add(_ entry: TreeEntryElement) throws -> ContentNeed { try sink.add(entry) }

    func content(_ entry: UInt32, _ bytes: UnsafeRawBufferPointer) throws {
        try sink.content(entry, bytes)
        took(bytes.count)
    }

    func write(_ entry: UInt32, at offset: UInt64, _ bytes: UnsafeRawBufferPointer) throws {
        try sink.write(entry, at: offset, bytes)
        took(bytes.count)
    }

    func hole(_ entry: UInt32, at offset: UInt64, length: UInt64) throws {
        try sink.hole(entry, at: offset, length: length)
    }

    func finish(_ entry: UInt32, size: UInt64) throws { try sink.finish(entry, size: size) }

    func leaveOut(_ entry: UInt32, because reason: Loss.Reason) throws {
        try sink.leaveOut(entry, because: reason)
    }

    func digest(_ entry: UInt32, block: UInt64) throws -> [UInt8]? { try sink.digest(entry, block: block) }

    var isToStop: Bool { sink.isToStop }

    func complete(_ end: Message.End) async throws -> Completion { try await sink.complete(end) }

    func interrupt() { sink.interrupt() }

    func suspend() { sink.suspend() }

    func discard() { sink.discard() }
}
