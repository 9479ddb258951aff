import PortolanFiles
import PortolanProtocol
import PortolanTransport
import Synchronization

/// Shelf of a node for one peer; the peer's standing is evaluated at each question.
final class ShelfServer: ItemServer {
    private let shelf: Shelf
    private let environment: NodeEnvironment
    private let session: Session
    private let listing = Mutex(ShelfListCursor())

    private var peer: RemoteIdentity { session.peer }

    var manner: SendingManner { SendingManner() }

    init(_ shelf: Shelf, in environment: NodeEnvironment, session: Session) {
        self.shelf = shelf
        self.environment = environment
        self.session = session
    }

    func items(after: [UInt8], most: Int) throws -> (items: [Message.Listing.Entry], next: [UInt8])? {
        let view = try view()
        // Parts are made one at a time, so the lock has no other waiter.
        var listing = self.listing.withLock(\.self)
        defer { self.listing.withLock { $0 = listing } }
        return try listing.part(after: after, most: most, of: view) { environment.offered($0, to: view.standing) }
    }

    func offering(for item: ItemID) throws -> (any OfferSource)? {
        // A hidden item is answered like an item that does not exist.
        let view = try view()
        guard let (entry, resolved) = try view.look(at: item) else { return nil }
        let remote = try environment.remotePeer(of: session, view.standing)
        let offering = try NodeOfferSource(
            [resolved], with: environment.formMaker(), store: environment.store, on: environment.runtime,
            key: environment.identity.key, without: environment.own,
            options: SendOptions()
        ) { entry.events(.sending(entry.id, to: remote, $0)) }
        offering.meet(peer.deviceKey)
        return offering
    }

    private func view() throws -> ShelfView {
        let standing = try environment.store.standing(of: peer.deviceKey, now: environment.runtime.date)
        return ShelfView(
            shelf: shelf, standing: standing, audience: shelf.lacksAudience ? try environment.defaultAudience() : nil
        )
    }
}

extension NodeEnvironment {
    /// Item as it is offered to a peer of this standing; nil if it is not visible or cannot be described.
    fileprivate func offered(_ item: ResolvedItem, to standing: Standing) -> OfferedItem? {
        let forms = item.shown(to: standing, with: formMaker())
        guard let candidate = try? CandidateItem(item, forms) else { return nil }
        return (try? Offer.visible(to: standing, from: [candidate], id: 1))?.offer.items.first
    }
}
