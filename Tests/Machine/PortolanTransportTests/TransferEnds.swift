import Foundation
import PortolanCompression
import PortolanFiles
import PortolanProtocol
import PortolanValues
import Synchronization

@testable import PortolanTransport

/// Items with one representation each, as they are offered.
struct Offered: OfferSource {
    let contents: [OfferedContent]
    private let isAtHand: Bool
    private let isVisible: @Sendable () -> Bool

    /// - Parameters:
    ///   - isAtHand: true if they may go with the offer.
    ///   - isVisible: true if the receiver may see them at that moment.
    init(
        _ contents: [OfferedContent], isAtHand: Bool = false, isVisible: @escaping @Sendable () -> Bool = { true }
    ) {
        self.contents = contents
        self.isAtHand = isAtHand
        self.isVisible = isVisible
    }

    func makeOffer(_ id: UInt64, answering request: UInt64?) throws -> Offer? {
        try Offer(
            id: id,
            items: contents.map { content in
                var isFolder = ObjCBool(false)
                var isStream = false
                var channel = PortolanProtocol.Channel.file
                switch content {
                case .bytes: channel = .data
                case .file(let path, _, _): _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
                case .contents: isFolder = true
                case .stream: isStream = true
                }
                return try OfferedItem(
                    title: "item",
                    representations: [
                        OfferedRepresentation(
                            type: OfferedType(identifier: "public.data"), channel: channel, suggestedName: "item",
                            isFolder: isFolder.boolValue,
                            source: channel == .file && !isStream ? [UInt8](repeating: 7, count: 16) : [])
                    ])
            }, request: request)
    }

    func seen(among places: Set<OfferedPlace>) -> Set<OfferedPlace> { isVisible() ? places : [] }
    func maySee(_ restriction: Restriction) -> Bool { restriction == .everyone }
    func contentAtHand(at place: OfferedPlace) -> OfferedContent? { isAtHand ? contents[place.item] : nil }
    func produce(_ place: OfferedPlace) -> OfferedContent { contents[place.item] }
    func report(_ event: OfferingEvent) {}
}

/// Accepts everything that is offered, each item into a separate sink.
struct Taking: ItemReceiver {
    var terms = LaneTerms()
    let sinks: [any ItemSink]
    var onEvent: @Sendable (ReceivingEvent) -> Void = { _ in }
    var onBegin: @Sendable (Message.Begin) -> Void = { _ in }
    var onConfirm: @Sendable (_ item: Int) throws -> Void = { _ in }
    var onOffer: @Sendable (Offer) -> Void = { _ in }

    func decide(on offer: Offer) -> [ItemDecision] {
        onOffer(offer)
        return offer.items.map { _ in .take(representation: 0) }
    }
    func choose(item: Int, from offered: OfferedItem, excluding tried: Set<Int>) -> Int? { nil }
    func terms(item: Int, representation: Int, of offered: OfferedItem) -> LaneTerms { terms }
    func receive(
        item: Int, _ representation: OfferedRepresentation, of offered: OfferedItem, as begin: Message.Begin
    ) -> any ItemSink {
        onBegin(begin)
        return sinks[item]
    }
    func confirm(item: Int, representation: Int, _ stored: StoredItem) throws { try onConfirm(item) }
    func report(_ event: ReceivingEvent) { onEvent(event) }
}

/// Sink that keeps only the number of bytes.
final class Counting: ItemSink {
    private let need: ContentNeed
    private let onAdd: @Sendable () -> Void
    private let onWrite: @Sendable () throws -> Void
    private let onPoll: @Sendable () -> Void
    private let onInterrupt: @Sendable () -> Void
    private let bytes = Atomic<UInt64>(0)
    private let isUnwanted = Atomic(false)
    private let wasDiscarded = Atomic(false)
    private let wasWithdrawn = Atomic(false)

    /// - Parameters:
    ///   - need: decision about each file.
    ///   - onWrite: called with each piece.
    ///   - onPoll: called with each poll for a stop request.
    ///   - onInterrupt: called when a call that lasts is to end.
    ///   - onAdd: called with each file, before its decision is sent.
    init(
        need: ContentNeed = .content, onWrite: @escaping @Sendable () throws -> Void = {},
        onPoll: @escaping @Sendable () -> Void = {}, onInterrupt: @escaping @Sendable () -> Void = {},
        onAdd: @escaping @Sendable () -> Void = {}
    ) {
        self.need = need
        self.onAdd = onAdd
        self.onWrite = onWrite
        self.onPoll = onPoll
        self.onInterrupt = onInterrupt
    }

    var count: UInt64 { bytes.load(ordering: .relaxed) }

    var isToStop: Bool {
        onPoll()
        return isUnwanted.load(ordering: .relaxed)
    }

    var isDiscarded: Bool { wasDiscarded.load(ordering: .relaxed) }
    var isWithdrawn: Bool { wasWithdrawn.load(ordering: .relaxed) }

    /// Requests the stop of the transfer.
    func refuse() { isUnwanted.store(true, ordering: .relaxed) }

    func add(_ entry: TreeEntryElement) -> ContentNeed {
        guard case .file = entry.kind else { return .nothing }
        onAdd()
        return need
    }

    func write(_ entry: UInt32, at offset: UInt64, _ data: UnsafeRawBufferPointer) throws {
        bytes.wrappingAdd(UInt64(data.count), ordering: .relaxed)
        try onWrite()
    }

    func content(_ entry: UInt32, _ data: UnsafeRawBufferPointer) throws { try write(entry, at: 0, data) }
    func hole(_ entry: UInt32, at offset: UInt64, length: UInt64) {}
    func finish(_ entry: UInt32, size: UInt64) {}
    func leaveOut(_ entry: UInt32, because reason: Loss.Reason) {}
    func digest(_ entry: UInt32, block: UInt64) -> [UInt8]? { Array(repeating: 0, count: 16) }
    func complete(_ end: Message.End) throws -> Completion {
        .stored(try StoredItem(bytes: count, entries: end.entries, omissions: end.omissions))
    }
    func withdraw() { wasWithdrawn.store(true, ordering: .relaxed) }
    func interrupt() { onInterrupt() }
    func suspend() {}
    func discard() { wasDiscarded.store(true, ordering: .relaxed) }
}

/// Ledger without teams.
struct NoTeams: TeamLedger {
    func teams(sharedWith peer: RemoteIdentity) -> [SharedTeam] { [] }
    func adopt(_ team: TeamID, _ heads: [RosterHead], from peer: RemoteIdentity) -> Bool { false }
}

extension SessionPair {
    /// Receives until the sender has ended.
    ///
    /// - Parameter checkSender: throws when the sender may send nothing any more.
    func receive(
        with receiver: Taking, _ pacing: Pacer? = nil, checkSender: @escaping @Sendable () throws -> Void = {}
    ) async throws {
        var roles = SessionRoles()
        roles.pacing = pacing
        roles.receiving = { { Reception(receiver, checkSender: checkSender) } }
        try await SessionDriver.run(on: self.receiver, ledger: NoTeams(), roles: roles) { try await $0.stay() }
    }

    func send(
        _ contents: [OfferedContent], _ pacing: Pacer? = nil, requiring requirements: Fidelity = [],
        isAtHand: Bool = false, isVisible: @escaping @Sendable () -> Bool = { true }
    ) async throws -> [ItemOutcome] {
        let outcomes = try await SessionDriver.run(on: sender, ledger: NoTeams()) { driver in
            try await driver.offer(
                Offered(contents, isAtHand: isAtHand, isVisible: isVisible), answerWait: .seconds(300),
                manner: SendingManner(compression: .never, pacing: pacing, requirements: requirements))
        }
        return outcomes ?? []
    }
}

/// A folder for as long as `body` runs.
func withFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "portolan-lanes-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
}

/// Looks until it is so.
///
/// - Returns: false if it never was.
func comesTrue(_ condition: () throws -> Bool) async throws -> Bool {
    let end = ContinuousClock.now + .seconds(200)
    while try !condition() {
        guard ContinuousClock.now < end else { return false }
        try await Task.sleep(for: .milliseconds(5))
    }
    return true
}
