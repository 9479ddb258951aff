import PortolanTransport

/// Way in which a node receives: permitted senders, rate and destination.
struct ReceiveRoute: Sendable {
    /// True if a peer of that standing and with that key may offer items.
    var entitled: @Sendable (Standing, Fingerprint) -> Bool = { _, _ in true }
    /// Groups for whose lack a peer of that standing may not.
    var groupsLacked: @Sendable (Standing) -> [GroupName] = { _ in [] }
    /// Limit for one session, in bytes a second.
    var rateLimit: UInt64?
    /// Record of the items received by this route; nil keeps none.
    var ledger: (any ReceiptLedger)?
    let events: @Sendable (ReceiveEvent) -> Void
    let receiver: @Sendable (Session, RemotePeer) -> any ItemReceiver
}
