import CoreTransferable
import PortolanCrypto
import PortolanFiles
import PortolanProtocol
import PortolanTransport
import PortolanTrust
import Synchronization
import UniformTypeIdentifiers

/// The items of one send as the peer sees them, and what stands behind each.
final class NodeOffering: Offering {
    private let items: [Item]
    private let candidates: [CandidateItem]
    private let trust: TrustStore
    private let events: @Sendable (SendEvent) -> Void
    private let meeting = Mutex(Meeting())
    /// What went wrong on this side, by item.
    private let troubles = Mutex<[Int: String]>([:])

    /// Whom this is offered to, once that is proved, and what was offered.
    private struct Meeting {
        var key: DevicePublicKey?
        var visible: VisibleOffer?
    }

    init(_ items: [Item], trust: TrustStore, events: @escaping @Sendable (SendEvent) -> Void) throws {
        self.items = items
        candidates = try items.map { try CandidateItem($0) }
        self.trust = trust
        self.events = events
    }

    /// Whether there is anything to offer to the device with a fingerprint that the network tells. May block.
    func isVisible(toPresumed fingerprint: Fingerprint) throws -> Bool {
        try isAnythingVisible(to: trust.presumedStanding(of: fingerprint, now: .now))
    }

    /// Whether there is anything to offer to the device with this key. May block.
    func isVisible(to key: DevicePublicKey) throws -> Bool {
        try isAnythingVisible(to: trust.standing(of: key, now: .now))
    }

    private func isAnythingVisible(to standing: Standing) -> Bool {
        candidates.contains { $0.representations.contains { standing.maySee($0.visibility, $0.audience) } }
    }

    /// The peer has proved this key; everything is decided by it from here on.
    func meet(_ key: DevicePublicKey) {
        meeting.withLock { $0.key = key }
    }

    private func standing() throws -> Standing {
        guard let key = meeting.withLock(\.key) else { preconditionFailure("Nobody was met") }
        return try trust.standing(of: key, now: .now)
    }

    func makeOffer() throws -> Offer? {
        let visible = try Offer.visible(to: standing(), from: candidates, id: 1)
        meeting.withLock { $0.visible = visible }
        return visible?.offer
    }

    func maySee(item: Int, representation: Int) throws -> Bool {
        let source = visible.source(item: item, representation: representation)
        let asked = candidates[source.item].representations[source.representation]
        return try standing().maySee(asked.visibility, asked.audience)
    }

    private var visible: VisibleOffer {
        guard let visible = meeting.withLock(\.visible) else { preconditionFailure("Nothing was offered") }
        return visible
    }

    func produce(item: Int, representation: Int) async throws -> OfferedContent {
        let source = visible.source(item: item, representation: representation)
        switch items[source.item].representations[source.representation].content {
        case .bytes(let produce): return .bytes(try await produce())
        case .file(let produce): return .file(path: try await produce().file.path)
        case .stream(let descriptor): return .stream(descriptor)
        }
    }

    func report(_ event: OfferingEvent) {
        switch event {
        case .waiting:
            events(.waitingForAnswer)
        case .began(let item, let representation, let name, let size):
            let source = visible.source(item: item, representation: representation)
            events(.started(item: source.item, representation: source.representation, name: name, bytes: size))
        case .sent(let item, let bytes):
            events(.progress(item: visible.source(item: item, representation: 0).item, sent: bytes))
        case .broke(let item, let representation, let sentence):
            let source = visible.source(item: item, representation: representation)
            troubles.withLock { $0[source.item] = sentence }
            events(.broke(item: source.item, representation: source.representation, reason: sentence))
        }
    }

    /// - Parameter outcomes: nil or empty if nothing was offered.
    func deliveries(_ outcomes: [ItemOutcome]?) -> [Delivery] {
        var deliveries = items.indices.map { Delivery(item: $0, title: items[$0].title, outcome: .hidden) }
        let troubles = troubles.withLock(\.self)
        for (offered, outcome) in (outcomes ?? []).enumerated() {
            let item = visible.source(item: offered, representation: 0).item
            let mapped: Delivery.Outcome =
                switch outcome {
                case .stored(let stored, let representation):
                    .stored(
                        stored,
                        representation: visible.source(item: offered, representation: representation).representation)
                case .declined(let decline, _): .declined(decline, trouble: troubles[item])
                case .failed(let failure, _): .failed(failure, trouble: troubles[item])
                }
            deliveries[item] = Delivery(item: item, title: items[item].title, outcome: mapped)
        }
        for delivery in deliveries { events(.settled(delivery)) }
        return deliveries
    }
}

extension CandidateItem {
    init(_ item: Item) throws {
        try self.init(
            title: item.title,
            representations: item.representations.map { representation in
                let channel: Channel = if case .file = representation.content { .file } else { .data }
                let restriction = representation.restriction
                return try OfferedRepresentation(
                    type: OfferedType(representation.contentType), visibility: restriction.visibility,
                    audience: restriction.audience,
                    channel: channel, size: representation.size,
                    suggestedName: representation.suggestedName, isFolder: representation.isFolder)
            },
            preview: item.preview)
    }
}
