import PortolanCrypto
import PortolanProtocol
import PortolanValues

/// What an offer is made of. Indices are the offer's.
package protocol Offering: Sendable {
    /// What the peer may see, now that the teams' rosters have been exchanged; nil if there is nothing to offer to it. May block.
    ///
    /// - Parameters:
    ///   - id: the offer's number.
    ///   - request: the number of the request that it answers, if it does.
    func makeOffer(_ id: UInt64, answering request: UInt64?) throws -> Offer?

    /// Whether the peer may still see a representation that it asks for. May block.
    func maySee(item: Int, representation: Int) throws -> Bool

    /// Whether the peer may see, at this moment, a file or folder that is restricted so. May block.
    func maySee(_ restriction: Restriction) throws -> Bool

    /// The content of an item's first representation, where that is at hand and can be had again: it may go with the offer. May block.
    func contentAtHand(item: Int) -> OfferedContent?

    /// The content of a representation that was taken.
    func produce(item: Int, representation: Int) async throws -> OfferedContent

    func report(_ event: OfferingEvent)

    /// Key of this device, by which receipts that the peer signs are judged; nil where they are not looked at.
    var deviceKey: DevicePublicKey? { get }
}

extension Offering {
    package var deviceKey: DevicePublicKey? { nil }

    package func contentAtHand(item: Int) -> OfferedContent? { nil }
}
