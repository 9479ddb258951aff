import PortolanProtocol

/// An offer that a peer has made in a session, with identifiers for its items.
package struct OpenOffer: Sendable {
    package let offer: Offer
    let peer: RemotePeer
    private let batch = RandomID.random()

    init(_ offer: Offer, from peer: RemotePeer) {
        self.offer = offer
        self.peer = peer
    }

    func id(of item: Int) -> TransferID { TransferID(batch: batch, item: item) }

    func transfer(of item: Int) -> IncomingTransfer {
        IncomingTransfer(
            id: id(of: item), peer: peer, title: offer.items[item].title, parcelPlace: offer.parcelPlace(of: item))
    }
}
