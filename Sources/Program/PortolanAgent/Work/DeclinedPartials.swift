import Portolan
import PortolanClient

/// Removal of partial items that the owner has declined since their interruption.
///
/// A sender resumes an interrupted item without another question. The partial of a declined one is therefore removed:
/// its sender must offer it again, and learns of the decision.
struct DeclinedPartials: Sendable {
    let node: Node
    let database: AgentDatabase

    /// Removes the partial of an item, and stops its transfer if it runs.
    ///
    /// The partial of another item of the same sender and title is also removed; its transfer starts again.
    func remove(of item: InboxRecord) async {
        let sender = Fingerprint(ofKeyBytes: item.peer.bytes).description
        // A remaining partial is checked again when the item fails, since it cannot be recorded.
        for partial in (try? await node.partials()) ?? []
        where partial.peerFingerprint == sender && partial.title == item.title {
            // Its transfer may have begun or ended since the listing.
            if (try? await node.forgetPartial(partial.id)) == true { continue }
            if (try? await node.stopPartial(partial.id)) == true { continue }
            _ = try? await node.forgetPartial(partial.id)
        }
    }

    /// Removes the partial of a failed item, if its owner has declined it.
    func removeIfDeclined(_ transfer: IncomingTransfer) async {
        guard let key = transfer.peer.deviceKey,
            let delivered = transfer.parcelPlace.flatMap({ DeliveredItem($0, from: key) }),
            let record = try? await database.read({ try $0.inbox.latest(of: delivered) }), record.state == .declined
        else { return }
        await remove(of: record)
    }
}
