import PortolanProtocol

/// Roles of this side in a session.
package struct SessionRoles: Sendable {
    /// Called with the peer after the exchange of the teams' rosters, so that the facts about it are current. May block
    /// for this device's own state. The result makes a reception for each unrequested offer; nil accepts none.
    package var receiving: (@Sendable () async throws -> @Sendable () -> Reception)?
    /// Answers the peer's lists and requests; nil has no items.
    package var serving: (any ItemServer)?
    /// Time for which an idle session is kept if the peer keeps it, too; nil ends it at once.
    package var idleTime: Duration?
    /// Limit of the rate at which content is received.
    package var pacing: Pacer?
    /// Roles besides those for offers, lists and requests.
    package var additional: [RoleMaker] = []

    package init() {}

    package var capabilities: Capabilities {
        var capabilities: Capabilities = []
        if receiving != nil { capabilities.insert(.takes) }
        if serving != nil { capabilities.insert(.serves) }
        if idleTime != nil { capabilities.insert(.stays) }
        for maker in additional { capabilities.formUnion(maker.capabilities) }
        return capabilities
    }

    /// Returns the roles of one session, in the order in which they learn of its end.
    func makeRoles(_ handle: SessionHandle) -> [any SessionRole] {
        let requesting = RequestingRole(handle.session)
        var roles: [any SessionRole] = [
            ReceivingRole(handle, receiving, pacing, requesting), OfferingRole(handle), requesting,
        ]
        if let serving { roles.append(ServingRole(handle, serving)) }
        return roles + additional.map { $0.make(handle) }
    }
}

/// Makes a role for each session of this side.
package struct RoleMaker: Sendable {
    /// Capabilities that are announced to the peer at the beginning of the session.
    package let capabilities: Capabilities
    let make: @Sendable (SessionHandle) -> any SessionRole

    /// - Parameter make: called before anything is read of the session.
    package init(
        saying capabilities: Capabilities = [], _ make: @escaping @Sendable (SessionHandle) -> any SessionRole
    ) {
        self.capabilities = capabilities
        self.make = make
    }
}

/// Items that the peer of one session may list and fetch. Its calls may block for a disk.
package protocol ItemServer: Sendable {
    /// Returns a part of the items that the peer may see now.
    ///
    /// - Parameters:
    ///   - after: `next` of the preceding part; empty for the first. Comes from the peer, so it may have any value.
    ///   - most: largest number of items that the peer wants; with 0 this side decides.
    /// - Returns: nil if the list cannot continue from `after`.
    /// - Throws: `StoreError` if the peer's rights are unknown; `TransportError.busy` if asking later may help.
    func items(after: [UInt8], most: Int) throws -> (items: [Message.Listing.Entry], next: [UInt8])?

    /// Returns the offering for a request; nil if the item does not exist or the peer may not see it: the peer must not
    /// be able to tell these cases apart.
    ///
    /// - Throws: `StoreError` if the peer's rights are unknown; `TransportError.busy` if asking later may help; another
    ///   error if the item cannot be read.
    func offering(for item: ItemID) throws -> (any OfferSource)?

    /// Settings for sending it.
    var manner: SendingManner { get }
}
