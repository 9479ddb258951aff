import Portolan
import PortolanValues

/// Partial content of items that their owner has declined since.
///
/// A sender goes on with an item that broke off, and nobody is asked about it again. So what came of a declined one is removed: its
/// sender has to offer it anew, and learns of the decision.
struct DeclinedPartials: Sendable {
    let node: Node
    let database: AgentDatabase

    /// Removes what came of an item, and stops it if it is just coming.
    ///
    /// The partial of another item of the same sender and title goes with it: that one begins anew.
    func remove(of item: InboxItem) async {
        let sender = Fingerprint(ofKeyBytes: item.peer.bytes).description
        // A partial that stays is looked at again when the item fails, since it cannot be recorded.
        for partial in (try? await node.partials()) ?? []
        where partial.peerFingerprint == sender && partial.title == item.title {
            _ =
                partial.isRunning
                ? try? await node.stopPartial(partial.id) : try? await node.forgetPartial(partial.id)
        }
    }

    /// The same for an item that has failed, if its owner has declined it.
    func removeIfDeclined(_ transfer: IncomingTransfer) async {
        guard let key = transfer.peer.deviceKey,
            let delivered = transfer.parcelPlace.flatMap({ DeliveredItem($0, from: key) }),
            let record = try? await database.read({ try $0.inbox.latest(of: delivered) }), record.state == .declined
        else { return }
        await remove(of: record.item)
    }
}
