import Foundation
import PortolanCrypto
import PortolanFiles
import PortolanProtocol
import PortolanTransport
import PortolanTrust
import Synchronization
import UniformTypeIdentifiers

/// Takes one peer's items into the inbox.
final class InboxReceiver: ItemReceiver {
    private let peer: RemotePeer
    private let inbox: Inbox
    private let types: [UTType]?
    private let options: Node.ReceiveOptions
    private let deciding: Deciding
    private let onStored: @Sendable () -> Void
    private let offer = Mutex<Offer?>(nil)
    private let session: Session
    private let arrivals: Arrivals
    /// What is on its way in here, by item.
    private let arriving = Mutex<[Int: (identity: ItemIdentity, arrival: Arrivals.Arrival)]>([:])

    /// - Parameter onStored: called when the peer has given something.
    init(
        peer: RemotePeer, on session: Session, _ arrivals: Arrivals, inbox: Inbox, accepting types: [UTType]?,
        options: Node.ReceiveOptions, deciding: Deciding, onStored: @escaping @Sendable () -> Void
    ) {
        self.peer = peer
        self.session = session
        self.arrivals = arrivals
        self.inbox = inbox
        self.types = types
        self.options = options
        self.deciding = deciding
        self.onStored = onStored
    }

    deinit {
        for (identity, arrival) in arriving.withLock(\.values) { arrivals.end(identity, arrival) }
    }

    func decide(on offer: Offer) async -> [ItemDecision] {
        self.offer.withLock { $0 = offer }
        let choices = offer.items.map { Negotiation.choose($0, accepting: types) }
        for (item, choice) in zip(offer.items, choices) {
            guard let choice, let identity = ItemIdentity(of: item.representations[choice], from: peer) else {
                continue
            }
            await arrivals.makeRoom(for: identity, on: session)
        }
        if let missing = shortage(for: offer, choices) {
            deciding.events(.declined(peer, reason: missing))
            return choices.map { .decline(Decline($0 == nil ? .nothingInCommon : .noSpace)) }
        }
        // What is gone on with was accepted when it began.
        return await deciding.decide(
            on: offer, from: peer, choices: choices, isAccepted: isGoneOnWith(offer, choices))
    }

    /// Whether all that would be taken has begun to come before and broke off.
    private func isGoneOnWith(_ offer: Offer, _ choices: [Int?]) -> Bool {
        let taken = zip(offer.items, choices).compactMap { item, choice in
            choice.map { known(item.representations[$0], of: item) }
        }
        return !taken.isEmpty
            && taken.allSatisfy {
                if case .partial = $0 { true } else { false }
            }
    }

    /// What there is of what is offered.
    private func known(_ representation: OfferedRepresentation, of item: OfferedItem) -> Known {
        guard let identity = ItemIdentity(of: representation, from: peer),
            let name = try? FileName(for: representation, of: item, calling: []),
            let known = try? inbox.find(identity, called: name, isFolder: representation.isFolder)
        else { return .nothing }
        return known
    }

    func terms(item: Int, representation: Int, of offered: OfferedItem) -> LaneTerms {
        LaneTerms(asks: known(offered.representations[representation], of: offered) != .nothing)
    }

    /// Why there is no room for what was offered, if there is none. What the sender says of sizes is only good for saying no.
    private func shortage(for offer: Offer, _ choices: [Int?]) -> String? {
        guard let free = try? inbox.freeSpace() else { return nil }
        let announced = zip(offer.items, choices).reduce(UInt64(0)) { sum, pair in
            let size = pair.1.map { missing(of: pair.0.representations[$0], of: pair.0) } ?? 0
            let (total, overflow) = sum.addingReportingOverflow(size)
            return overflow ? .max : total
        }
        let usable = free - min(free, options.reserve)
        guard announced > usable else { return nil }
        let kept = options.reserve > 0 ? ", of which \(options.reserve) are to stay free" : ""
        return
            "There is no room for it: \(announced) bytes were offered, \(free) are free in “\(DisplayText(inbox.path))”\(kept)."
    }

    /// How much of what is offered is still to come, as far as that is known.
    private func missing(of representation: OfferedRepresentation, of item: OfferedItem) -> UInt64 {
        guard let size = representation.size else { return 0 }
        guard case .partial(let bytes) = known(representation, of: item) else { return size }
        return size - min(size, bytes)
    }

    func choose(from item: OfferedItem, excluding tried: Set<Int>) -> Int? {
        Negotiation.choose(item, accepting: types, excluding: tried)
    }

    func receive(
        item: Int, _ representation: OfferedRepresentation, of offered: OfferedItem, as begin: Message.Begin
    ) throws -> any ItemSink {
        guard !begin.requirements.contains(.unspecified) else {
            throw FileError(
                .fidelity, "The sender requires something to be kept that this version does not know; update Portolan.")
        }
        let name = try FileName(for: representation, of: offered, calling: begin.name)
        let identity = ItemIdentity(of: representation, from: peer)
        if let identity {
            let arrival = arrivals.begin(identity, on: session)
            arriving.withLock { $0[item] = (identity, arrival) }
        }
        let about = identity.map { identity in
            PartialAbout(
                identity: identity, peerName: peer.name, peerFingerprint: peer.fingerprint.description,
                title: offered.title, name: name, typeIdentifier: representation.type.identifier, size: begin.size,
                isFolder: representation.isFolder, created: .now)
        }
        let partial = try inbox.receive(
            about, called: name, for: Restriction(representation.visibility, for: representation.audience),
            keeping: Fidelity(begin.requirements), reserve: options.reserve, asking: begin.asks)
        return try InboxSink(partial, name: name, channel: begin.channel, size: begin.size) {
            [deciding] partial, name, omissions in
            if partial.changedFiles > 0 {
                let what = partial.changedFiles == 1 ? "A file" : "\(partial.changedFiles) files"
                deciding.events(
                    .warning("\(what) of “\(name)” had changed at the sender's since it broke off, and came afresh."))
            }
            let stored = try partial.publish(as: name)
            var lost = omissions
            for omission in Omissions(stored.report).listed { lost.append(omission) }
            return .stored(
                try PortolanProtocol.StoredItem(
                    name: Array(stored.name.utf8), bytes: stored.bytes, entries: UInt32(clamping: stored.entries),
                    omissions: lost, keptEntries: UInt32(clamping: stored.keptEntries), keptBytes: stored.keptBytes,
                    isUpdated: stored.updated))
        }
    }

    func report(_ event: ReceivingEvent) {
        guard let offer = offer.withLock(\.self) else { return }
        switch event {
        case .began(let item, let representation, let size):
            let bytes = size ?? offer.items[item].representations[representation].size
            deciding.events(.started(peer, title: offer.items[item].title, bytes: bytes))
        case .resumed(let item, let kept):
            deciding.events(.resumed(peer, title: offer.items[item].title, kept: kept))
        case .received(let item, let bytes):
            deciding.events(.progress(peer, title: offer.items[item].title, received: bytes))
        case .found(let item, let bytes, let isAll):
            deciding.events(.found(peer, title: offer.items[item].title, bytes: bytes, isAll: isAll))
        case .stored(let item, let representation, let stored):
            end(item)
            onStored()
            let name = String(decoding: stored.name, as: UTF8.self)
            let taken = offer.items[item].representations[representation]
            deciding.events(
                .stored(
                    ReceivedItem(
                        stored, taken, titled: offer.items[item].title, from: peer, name: name,
                        path: inbox.path + "/" + name)))
        case .failed(let item, let sentence):
            end(item)
            deciding.events(.failed(peer, title: offer.items[item].title, reason: sentence))
        }
    }
}

extension InboxReceiver {
    /// The item is on its way in no more.
    private func end(_ item: Int) {
        guard let ended = arriving.withLock({ $0.removeValue(forKey: item) }) else { return }
        arrivals.end(ended.identity, ended.arrival)
    }
}

extension FileName {
    /// What a received item is to be called: as the sender says, or made of its title and type where the sender says nothing.
    ///
    /// - Throws: `FileError` for a name that nobody may give a file here.
    init(
        for representation: OfferedRepresentation, of item: OfferedItem, calling name: [UInt8]
    ) throws(FileError) {
        let proposed = name.isEmpty ? Array((representation.suggestedName ?? "").utf8) : name
        guard proposed.isEmpty else {
            do {
                try self.init(proposed)
            } catch {
                throw FileError(error, name: proposed)
            }
            return
        }
        let fileExtension =
            representation.type.localType?.preferredFilenameExtension ?? representation.type.extensions.first
        let title = item.title.isEmpty ? "item" : item.title
        self = .sanitised(fromLocal: Array((title + (fileExtension.map { "." + $0 } ?? "")).utf8))
    }
}

extension ItemIdentity {
    /// What names a source of a peer's, for whom it is, and as what; nil if the peer does not name it.
    fileprivate init?(of representation: OfferedRepresentation, from peer: RemotePeer) {
        guard !representation.source.isEmpty else { return nil }
        let restriction = Restriction(representation.visibility, for: representation.audience)
        let lines = [
            "portolan/1 source", peer.fingerprint.description, representation.type.identifier, restriction.description,
            representation.isFolder ? "folder" : "file",
        ]
        self.init(bytes: sha256(lines.map { Array(($0 + "\n").utf8) } + [representation.source]))
    }
}

extension Fidelity {
    fileprivate init(_ requirements: Set<Requirement>) {
        self = []
        for requirement in requirements {
            switch requirement {
            case .mode: insert(.mode)
            case .modified: insert(.modified)
            case .symlinks: insert(.symbolicLinks)
            case .attributes: insert(.attributes)
            case .sparse: insert(.sparse)
            case .hardLinks: insert(.hardLinks)
            // Refused before.
            case .unspecified: break
            }
        }
    }
}
