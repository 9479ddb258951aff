import PortolanTransport

/// Way in which a node receives: permitted senders, rate and destination.
struct ReceiveRoute: Sendable {
    /// The only peers that may offer items; nil means all.
    var sources: [Source]?
    /// Limit for one session, in bytes a second.
    var rateLimit: UInt64?
    /// Record of the items received by this route; nil keeps none.
    var ledger: (any ReceiptLedger)?
    let events: @Sendable (ReceiveEvent) -> Void
    let receiver: @Sendable (Session, RemotePeer) -> any ItemReceiver

    /// True if a peer of that standing and with that key may offer items.
    func entitles(_ standing: Standing, _ key: Fingerprint) -> Bool {
        sources?.contains { $0.includes(standing, key) } ?? true
    }

    /// Groups for whose lack a peer of that standing may not.
    func groupsLacked(by standing: Standing) -> [GroupName] {
        sources?.compactMap { $0.groupLacked(by: standing) } ?? []
    }
}
