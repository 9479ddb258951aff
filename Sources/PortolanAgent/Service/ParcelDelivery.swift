import Foundation
import Portolan
import PortolanProtocol
import PortolanTransfers
import PortolanTrust

/// End of one attempt to deliver a parcel to its peer.
enum DeliveryEnd: Sendable {
    case delivered
    /// It may be tried again.
    case again(OutboxSchedule.Failure, reason: String)
    case failed(reason: String)
    /// Somebody else has ended it, as by cancelling.
    case over
}

/// One attempt to deliver a parcel.
struct ParcelDelivery: Sendable {
    let node: Node
    let settings: Settings
    let database: AgentDatabase

    func run(_ id: StateID) async -> DeliveryEnd {
        do {
            guard let parcel = try await begin(id) else { return .over }
            let node = try await node(for: parcel.options)
            let end = await Result { try await deliver(parcel, id, by: node) }
            if node !== self.node { await node.close() }
            return try end.get()
        } catch is CancellationError {
            return .again(.parcel, reason: "The delivery was interrupted.")
        } catch {
            return DeliveryEnd(error)
        }
    }

    /// - Returns: nil if the parcel is not to be delivered any more.
    private func begin(_ id: StateID) async throws -> Parcel? {
        let document = try await database.write { change -> [UInt8]? in
            switch try change.outbox.show(id).state {
            case .waiting: try change.outbox.beginAttempt(id)
            // The end of the attempt before could not be written.
            case .running: break
            case .delivered, .failed, .expired, .cancelled: return nil
            }
            return try change.outbox.document(of: id)
        }
        return try document.map { try Parcel(document: $0) }
    }

    /// The agent's node, or another one where the parcel's options ask for that.
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

    private func deliver(_ parcel: Parcel, _ id: StateID, by node: Node) async throws -> DeliveryEnd {
        let contents = try await node.open(parcel)
        let peer = try await node.find(parcel.target)
        let (events, feed) = AsyncStream.makeStream(of: SendEvent.self)
        let recording = Task { try await record(events, parcel, id) }
        let sent = await Result {
            try await node.send(contents, to: peer, options: settings.sendOptions) { event in
                switch event {
                case .connected, .settled: feed.yield(event)
                case .waitingForAnswer, .started, .progress, .found, .broke, .resumed, .retrying, .looking: break
                }
            }
        }
        feed.finish()
        let recorded = try await recording.value
        let deliveries = try sent.get()
        if let open = deliveries.first(where: \.staysOpen) {
            return .again(.parcel, reason: open.reason ?? "The receiver does not have all of it.")
        }
        if let lost = deliveries.first(where: { !$0.isStored }) {
            return .failed(reason: lost.reason ?? "The receiver does not have all of it.")
        }
        let refused = recorded.settled.values.contains { $0 != .stored && $0 != .incomplete }
        return refused ? .failed(reason: "The receiver did not want all of it.") : .delivered
    }

    /// Records the peer that is met and each outcome when it is known, in one transaction with its entry of the journal.
    ///
    /// - Returns: the parcel with its outcomes.
    private func record(_ events: AsyncStream<SendEvent>, _ parcel: Parcel, _ id: StateID) async throws -> Parcel {
        var parcel = parcel
        var member: PeerKey?
        for await event in events {
            switch event {
            case .connected(let peer):
                member = peer.stateKey
                guard parcel.target.fingerprint == nil else { continue }
                parcel.meet(peer.fingerprint)
                let document = try parcel.document()
                try await database.write { try $0.outbox.replaceDocument(of: id, by: document) }
            case .settled(let delivery):
                guard !delivery.staysOpen, let member else { continue }
                parcel.settle(delivery)
                let outcome = parcel.settled[delivery.item].flatMap { SettlementOutcome(rawValue: $0.rawValue) }
                let settlement = Settlement(
                    member: member, item: delivery.item, outcome: outcome ?? .failed, reason: delivery.reason)
                let document = try parcel.document()
                try await database.write { change in
                    try change.outbox.settle(id, settlement)
                    try change.outbox.replaceDocument(of: id, by: document)
                }
            default: continue
            }
        }
        return parcel
    }
}

extension Delivery {
    /// Whether another attempt may bring the item.
    fileprivate var staysOpen: Bool {
        if case .declined(let decline, _) = outcome, decline.reason == .notInTime { return true }
        return canGoOn
    }

    /// Sentence for the owner about an item that was not stored; nil for one that was.
    fileprivate var reason: String? {
        func sentence(_ begin: String, _ detail: String, _ trouble: String?) -> String {
            let rest = [detail, trouble ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
            return DisplayText(sentence: rest.isEmpty ? "\(begin)." : "\(begin): \(rest)", limit: 1000).text
        }
        switch outcome {
        case .stored: return nil
        case .declined(let decline, let trouble): return sentence("The receiver declined it", decline.detail, trouble)
        case .failed(let failure, let trouble):
            return sentence("The receiver does not have it", failure.detail, trouble)
        case .brokenOff(let reason): return DisplayText(sentence: reason, limit: 1000).text
        case .hidden: return "The receiver may see no form of it."
        }
    }
}

extension DeliveryEnd {
    /// What comes of an attempt that an error ended.
    init(_ error: any Error) {
        let reason = DisplayText(sentence: "\(error)", limit: 1000).text
        switch error {
        case let error as NodeError:
            switch error.kind {
            case .unreachable, .interrupted, .inputOutput, .declined: self = .again(.connection, reason: reason)
            case .cannotCreate, .notDelivered: self = .again(.parcel, reason: reason)
            case .badInput, .noInput, .notTrusted, .nothingInCommon: self = .failed(reason: reason)
            }
        case is ParcelError: self = .failed(reason: reason)
        case is OutboxError: self = .over
        default: self = .again(.parcel, reason: reason)
        }
    }
}
