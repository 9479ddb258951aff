import PortolanCrypto
import PortolanFiles
import PortolanProtocol
import PortolanTransport
import PortolanTrust
import Synchronization

/// The shelf of a node as one peer sees it, by what it is entitled to at each moment.
struct ShelfServing: Serving {
    /// Items in one answer where the peer names no number.
    private static let page = 64

    let node: Node
    let session: Session

    private var peer: RemoteIdentity { session.peer }

    var manner: SendingManner { SendingManner() }

    /// A place is the identifier of the item that was listed last, which tells nothing of what is hidden.
    func items(after: [UInt8], most: Int) throws -> (items: [Message.Listing.Entry], next: [UInt8])? {
        let standing = try node.store.standing(of: peer.deviceKey, now: .now)
        var entries = try visible(to: standing)[...]
        if !after.isEmpty {
            // What it may not see is no place for it, either.
            guard let last = entries.firstIndex(where: { $0.entry.id.bytes == after }) else { return nil }
            entries = entries[(last + 1)...]
        }
        let limit = most == 0 ? Self.page : most
        var shown: [(place: ItemID, entry: Message.Listing.Entry)] = []
        var isAll = true
        for (entry, item) in entries {
            guard shown.count < limit else {
                isAll = false
                break
            }
            guard let offered = node.offered(item, to: standing) else { continue }
            shown.append((entry.id, Message.Listing.Entry(id: entry.id, item: offered)))
        }
        let count = Message.Listing.count(fitting: shown.map(\.entry), most: limit)
        // One that is too large for any answer is passed over.
        let last = shown.isEmpty ? nil : shown[max(count, 1) - 1].place
        let hasMore = !isAll || count < shown.count
        return (shown.prefix(count).map(\.entry), hasMore ? last?.bytes ?? [] : [])
    }

    func offering(for item: ItemID) throws -> (any Offering)? {
        let standing = try node.store.standing(of: peer.deviceKey, now: .now)
        // What is hidden is not found, like what is not there.
        guard let (entry, resolved) = try visible(to: standing).first(where: { $0.entry.id == item }) else {
            return nil
        }
        let remote = try node.remotePeer(of: session)
        let offering = try NodeOffering(
            [resolved], with: node.formMaker(), store: node.store, key: node.identity.key, options: Node.SendOptions()
        ) { entry.events(.sending(entry.id, to: remote, $0)) }
        offering.meet(peer.deviceKey)
        return offering
    }

    private func visible(to standing: Standing) throws -> [(entry: Shelf.Entry, item: ResolvedItem)] {
        let entries = node.shelf.entries
        // Each is offered alone.
        let resolved = try node.resolved(entries.map { $0.item.refreshed() }, numbered: entries.map { _ in 0 })
        return zip(entries, resolved).filter { _, item in
            item.representations.contains { standing.maySee($0.restriction) }
        }
    }
}

extension Node {
    /// An item as a peer of this standing is shown it; nil for one that is not shown, or cannot be described to anybody.
    fileprivate func offered(_ item: ResolvedItem, to standing: Standing) -> OfferedItem? {
        let forms = item.shown(to: standing, with: formMaker())
        guard let candidate = try? CandidateItem(item, forms) else { return nil }
        return (try? Offer.visible(to: standing, from: [candidate], id: 1))?.offer.items.first
    }
}
