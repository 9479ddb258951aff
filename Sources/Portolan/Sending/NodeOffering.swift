import CoreTransferable
import PortolanCrypto
import PortolanFiles
import PortolanProtocol
import PortolanTransport
import PortolanTrust
import Synchronization
import UniformTypeIdentifiers

/// The items of one sending as the peer sees them, and what stands behind each. What is settled is not offered again.
final class NodeOffering: Offering {
    /// How it is to be sent.
    let options: Node.SendOptions
    private let items: [Item]
    private let candidates: [CandidateItem]
    private let trust: TrustStore
    private let key: DeviceKey
    private let events: @Sendable (SendEvent) -> Void
    private let state = Mutex(State())

    private struct State {
        /// Whom this is offered to, once that is proved.
        var key: DevicePublicKey?
        /// What was offered in the present session.
        var visible: VisibleOffer?
        /// The items that the places in that offer's sources are about.
        var offered: [Int] = []
        /// What has become of items, by item.
        var settled: [Int: Delivery.Outcome] = [:]
        /// What went wrong on this side, by item.
        var troubles: [Int: String] = [:]
        /// Items of which something was read that cannot be read again.
        var spent: Set<Int> = []
        /// Whether the present session has got something across.
        var hasProgressed = false

        /// The items of which something was offered in the present session.
        var offeredItems: [Int] {
            visible?.sources.compactMap { sources in sources.first.map { offered[$0.item] } } ?? []
        }
    }

    init(
        _ items: [Item], trust: TrustStore, key: DeviceKey, options: Node.SendOptions,
        events: @escaping @Sendable (SendEvent) -> Void
    ) throws {
        self.items = items
        self.trust = trust
        self.key = key
        self.options = options
        self.events = events
        candidates = try items.map { try CandidateItem($0) }
    }

    // MARK: Sessions

    /// Another session is about to be opened.
    func beginAttempt() {
        state.withLock { state in
            state.visible = nil
            state.hasProgressed = false
        }
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
        pending.contains { number in
            candidates[number].representations.contains { standing.maySee($0.visibility, $0.audience) }
        }
    }

    private var pending: [Int] {
        state.withLock { state in items.indices.filter { state.settled[$0] == nil } }
    }

    /// The peer has proved this key; everything is decided by it from here on.
    func meet(_ key: DevicePublicKey) {
        state.withLock { $0.key = key }
    }

    private func standing() throws -> Standing {
        guard let key = state.withLock(\.key) else { preconditionFailure("Nobody was met") }
        return try trust.standing(of: key, now: .now)
    }

    /// Whether the present session has got something across.
    var hasProgressed: Bool { state.withLock(\.hasProgressed) }

    var hasStored: Bool {
        state.withLock { $0.settled.values.contains { if case .stored = $0 { true } else { false } } }
    }

    /// The session broke: settles what cannot be sent again.
    ///
    /// - Returns: whether there is anything left to send.
    func canGoOn(after reason: String) -> Bool {
        let (lost, isLeft) = state.withLock { state in
            let concerned = state.visible == nil ? Array(items.indices) : state.offeredItems
            let open = concerned.filter { state.settled[$0] == nil }
            let lost = open.filter { state.spent.contains($0) }
            return (lost, lost.count < open.count)
        }
        for number in lost { settle(number, .brokenOff(reason)) }
        return isLeft
    }

    /// What became of each item, now that no other session follows.
    func conclude() -> [Delivery] {
        for number in pending { settle(number, .hidden) }
        let settled = state.withLock(\.settled)
        return items.indices.map { Delivery(item: $0, title: items[$0].title, outcome: settled[$0] ?? .hidden) }
    }

    private func settle(_ number: Int, _ outcome: Delivery.Outcome) {
        state.withLock { $0.settled[number] = outcome }
        events(.settled(Delivery(item: number, title: items[number].title, outcome: outcome)))
    }

    // MARK: Offering

    func makeOffer() throws -> Offer? {
        let pending = pending
        let visible = try Offer.visible(
            to: standing(), from: pending.map { try candidates[$0].naming(sources(of: items[$0])) }, id: 1)
        state.withLock { state in
            state.visible = visible
            state.offered = pending
        }
        return visible?.offer
    }

    /// What the peer is to know each representation's source by.
    private func sources(of item: Item) -> [[UInt8]] {
        guard let peer = state.withLock(\.key) else { preconditionFailure("Nobody was met") }
        return item.representations.map { representation in
            guard let path = representation.sourcePath, let resolved = try? SourcePath.resolved(path) else { return [] }
            return key.sourceName(ofPath: resolved, for: peer)
        }
    }

    func maySee(item: Int, representation: Int) throws -> Bool {
        let source = source(item: item, representation: representation)
        let asked = candidates[source.item].representations[source.representation]
        return try standing().maySee(asked.visibility, asked.audience)
    }

    /// Where an offered representation stands among those that were given.
    private func source(item: Int, representation: Int) -> (item: Int, representation: Int) {
        state.withLock { state in
            guard let visible = state.visible else { preconditionFailure("Nothing was offered") }
            let source = visible.source(item: item, representation: representation)
            return (state.offered[source.item], source.representation)
        }
    }

    func produce(item: Int, representation: Int) async throws -> OfferedContent {
        let source = source(item: item, representation: representation)
        switch items[source.item].representations[source.representation].content {
        case .bytes(let produce): return .bytes(try await produce())
        case .file(let produce): return .file(path: try await produce().file.path)
        case .stream(let descriptor):
            state.withLock { _ = $0.spent.insert(source.item) }
            return .stream(descriptor)
        }
    }

    func report(_ event: OfferingEvent) {
        switch event {
        case .waiting:
            events(.waitingForAnswer)
        case .began(let item, let representation, let name, let size):
            let source = source(item: item, representation: representation)
            events(.started(item: source.item, representation: source.representation, name: name, bytes: size))
        case .resumed(let item, let kept):
            events(.resumed(item: source(item: item, representation: 0).item, kept: kept))
        case .sent(let item, let bytes):
            if bytes > 0 { state.withLock { $0.hasProgressed = true } }
            events(.progress(item: source(item: item, representation: 0).item, sent: bytes))
        case .found(let item, let bytes, let isAll):
            events(.found(item: source(item: item, representation: 0).item, bytes: bytes, isAll: isAll))
        case .broke(let item, let representation, let sentence):
            let source = source(item: item, representation: representation)
            state.withLock { $0.troubles[source.item] = sentence }
            events(.broke(item: source.item, representation: source.representation, reason: sentence))
        case .settled(let item, let outcome):
            state.withLock { $0.hasProgressed = true }
            settle(source(item: item, representation: 0).item, deliveryOutcome(outcome, of: item))
        }
    }

    private func deliveryOutcome(_ outcome: ItemOutcome, of offered: Int) -> Delivery.Outcome {
        let number = source(item: offered, representation: 0).item
        let trouble = state.withLock { $0.troubles[number] }
        switch outcome {
        case .stored(let stored, let representation):
            return .stored(
                stored, representation: source(item: offered, representation: representation).representation)
        case .declined(let decline, _): return .declined(decline, trouble: trouble)
        case .failed(let failure, _): return .failed(failure, trouble: trouble)
        }
    }
}

extension CandidateItem {
    /// The same with the sources of its representations, each of 16 bytes or none.
    fileprivate func naming(_ sources: [[UInt8]]) throws -> CandidateItem {
        try CandidateItem(
            title: title,
            representations: zip(representations, sources).map { representation, source in
                try OfferedRepresentation(
                    type: representation.type, visibility: representation.visibility,
                    audience: representation.audience, channel: representation.channel, size: representation.size,
                    suggestedName: representation.suggestedName, isFolder: representation.isFolder, source: source)
            },
            preview: preview)
    }

    init(_ item: Item) throws {
        try self.init(
            title: item.title,
            representations: item.representations.map { representation in
                let channel: Channel = if case .bytes = representation.content { .data } else { .file }
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
