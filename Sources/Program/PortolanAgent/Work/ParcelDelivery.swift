import Portolan
import PortolanClient
import PortolanProtocol
import PortolanSettings

/// End of one attempt to deliver a parcel to a peer.
enum DeliveryEnd: Sendable {
    case delivered
    /// Another attempt may succeed.
    case again(OutboxSchedule.Failure, reason: String)
    /// No further attempt at this peer.
    case failed(reason: String)
    /// The parcel was ended otherwise, for example cancelled.
    case over
}

/// Attempt to deliver a parcel.
struct ParcelDelivery: Sendable {
    let node: Node
    let settings: Settings
    let database: AgentDatabase

    func run(_ delivery: ScheduledDelivery) async -> DeliveryEnd {
        do {
            guard let parcel = try await begin(delivery.parcel) else { return .over }
            let node = try await node(for: parcel.options)
            let end = await Result { try await deliver(parcel, delivery, by: node) }
            if node !== self.node { await node.close() }
            return try end.get()
        } catch is CancellationError {
            return .again(.parcel, reason: "The delivery was interrupted.")
        } catch {
            return DeliveryEnd(error)
        }
    }

    /// - Returns: nil if the parcel must not be delivered any more.
    private func begin(_ id: StateID) async throws -> Parcel? {
        try await database.write { change in
            switch try change.outbox.show(id).state {
            case .waiting: try change.outbox.beginAttempt(id)
            // The end of the previous attempt could not be written.
            case .running: break
            case .delivered, .failed, .expired, .cancelled: return nil
            }
            return try change.outbox.parcel(id)
        }
    }

    /// Returns the agent's node, or another one if the parcel's options require it.
    private func node(for options: ParcelOptions) async throws -> Node {
        let usual = node.configuration
        let wanted = settings.node(for: options)
        let isSame =
            (options.interfaces ?? usual.interfaces) == usual.interfaces
            && (options.discovery ?? usual.discovery) == usual.discovery
            && (options.stallSeconds == nil || wanted.stallWait == usual.stallWait)
            && (options.converters || !usual.converters)
        guard !isSame else { return node }
        var configuration = usual
        configuration.interfaces = options.interfaces ?? usual.interfaces
        configuration.discovery = options.discovery ?? usual.discovery
        if options.stallSeconds != nil { configuration.stallWait = wanted.stallWait }
        configuration.converters = usual.converters && options.converters
        return try await Node(configuration)
    }

    private func deliver(
        _ parcel: Parcel, _ delivery: ScheduledDelivery, by node: Node
    ) async throws -> DeliveryEnd {
        if parcel.target.isTeam, let reason = try await refusal(of: delivery.peer, in: parcel.target, by: node) {
            return .failed(reason: reason)
        }
        let contents = try await node.open(parcel)
        let (events, feed) = AsyncStream.makeStream(of: SendEvent.self)
        let recording = Task { try await record(events, of: delivery.parcel, parcel.target.isTeam) }
        let sent = await Result {
            let heard: @Sendable (SendEvent) -> Void = { event in
                switch event {
                case .connected, .settled: feed.yield(event)
                case .waitingForAnswer, .started, .progress, .found, .broke, .resumed, .retrying, .looking: break
                }
            }
            guard parcel.target.isTeam else {
                return try await node.send(
                    contents, to: node.find(parcel.target), options: settings.sendOptions, events: heard)
            }
            guard let member = Fingerprint(parsing: delivery.peer.text) else {
                throw NodeError(.badInput, "A member of a team is named by its fingerprint.")
            }
            return try await node.send(contents, toMember: member, options: settings.sendOptions, events: heard)
        }
        feed.finish()
        try await recording.value
        let deliveries = try sent.get()
        if let open = deliveries.first(where: \.canGoOn) {
            return .again(.parcel, reason: open.reason ?? "The receiver does not have all of it.")
        }
        if let lost = deliveries.first(where: { !$0.isStored }) {
            return .failed(reason: lost.reason ?? "The receiver does not have all of it.")
        }
        let outcomes = try await database.read { try $0.outbox.settlements(of: delivery.parcel) }
            .filter { !parcel.target.isTeam || delivery.peer == PeerHandle($0.member) }
        // An item without an outcome was not offered: the document of the parcel says that it was refused before.
        let stored = Set(outcomes.filter(\.outcome.isStored).map(\.item))
        return parcel.items.indices.allSatisfy(stored.contains)
            ? .delivered : .failed(reason: "The receiver did not want all of it.")
    }

    /// Reason why a team's parcel is no longer for a device, a sentence; nil if it is.
    private func refusal(of peer: PeerHandle, in team: ParcelTarget, by node: Node) async throws -> String? {
        do {
            let isMember = try await node.members(of: team).contains { $0.key.fingerprint.description == peer.text }
            return isMember ? nil : "The device is no member of \(DisplayText(team.text)) any more."
        } catch let error as NodeError {
            return DisplayText(sentence: error.description, limit: 1000).text
        }
    }

    /// Records the peer and each outcome as they become known, in one transaction with the journal entry.
    private func record(_ events: AsyncStream<SendEvent>, of id: StateID, _ isTeam: Bool) async throws {
        var peer: RemotePeer?
        for await event in events {
            switch event {
            case .connected(let met):
                peer = met
                guard !isTeam else { continue }
                try await database.write { try $0.outbox.bind(id, to: met.fingerprint.description) }
            case .settled(let delivery):
                guard let peer, let settlement = StoredSettlement(delivery, by: peer) else { continue }
                _ = try await database.write { try $0.outbox.settle(id, settlement) }
            default: continue
            }
        }
    }
}

extension DeliveryEnd {
    /// Result of an attempt that ended with an error.
    init(_ error: any Error) {
        let reason = DisplayText(oneLine: "\(error)", limit: 1000).text
        switch error {
        case let error as NodeError:
            switch error.kind {
            case .unreachable, .interrupted, .inputOutput, .declined: self = .again(.connection, reason: reason)
            // Another device than the one that is meant ends nothing: the parcel waits for its own.
            case .cannotCreate, .notDelivered, .notTrusted: self = .again(.parcel, reason: reason)
            case .badInput, .noInput, .nothingInCommon: self = .failed(reason: reason)
            }
        case is ParcelError: self = .failed(reason: reason)
        case is StateRefusal: self = .over
        default: self = .again(.parcel, reason: reason)
        }
    }
}
