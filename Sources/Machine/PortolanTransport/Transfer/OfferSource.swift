import PortolanCrypto
import PortolanProtocol
import PortolanValues

/// Source of an offer. Its indices are those of the offer.
package protocol OfferSource: Sendable {
    /// Makes an offer of the items that the peer may see by the exchanged rosters; nil if there are none. May block.
    ///
    /// - Parameters:
    ///   - id: the offer's number.
    ///   - request: the number of the request that it answers; nil for none.
    func makeOffer(_ id: UInt64, answering request: UInt64?) throws -> Offer?

    /// True if every peer may see all of it, including the content of folders, so that the offer does not depend on a
    /// roster.
    var isForEveryone: Bool { get }

    /// Returns the representations that the peer may see now, by one look-up of its rights. May block.
    func seen(among places: Set<OfferedPlace>) throws -> Set<OfferedPlace>

    /// Returns true if the peer may see a file or folder with this restriction now. May block.
    func maySee(_ restriction: Restriction) throws -> Bool

    /// Returns the sentence for a representation whose sending stopped because the peer may not see it any more. May
    /// block.
    func withdrawal(of place: OfferedPlace) -> String

    /// Returns the content of a representation if it is in memory and can be read again: it may go with the offer. May
    /// block.
    func contentAtHand(at place: OfferedPlace) -> OfferedContent?

    /// Produces the content of an accepted representation that is not in memory; may run a converter.
    func produce(_ place: OfferedPlace) async throws -> OfferedContent

    func report(_ event: OfferingEvent)

    /// Key of this device for checking signed receipts; nil if they are not checked.
    var deviceKey: DevicePublicKey? { get }
}

extension OfferSource {
    package var deviceKey: DevicePublicKey? { nil }

    package var isForEveryone: Bool { false }

    package func withdrawal(of place: OfferedPlace) -> String { TransportError.withdrawn.description }

    package func contentAtHand(at place: OfferedPlace) -> OfferedContent? { nil }

    /// Returns true if the peer may see a representation now. May block.
    func isSeen(_ place: OfferedPlace) throws -> Bool { try !seen(among: [place]).isEmpty }
}

/// A representation of an offer.
package struct OfferedPlace: Hashable, Sendable {
    package let item: Int
    package let representation: Int

    package init(_ item: Int, _ representation: Int) {
        self.item = item
        self.representation = representation
    }
}
