import PortolanCrypto
import PortolanTransport
import PortolanTrust

/// Way in which a node receives: permitted senders, rate and destination.
struct ReceiveRoute: Sendable {
    /// True if a peer of that standing and with that key may offer items.
    var entitled: @Sendable (Standing, Fingerprint) -> Bool = { _, _ in true }
    /// Bytes a second that may come in over one session.
    var rateLimit: UInt64?
    /// Record of the items that came by it; nil keeps none.
    var ledger: (any ReceiptLedger)?
    let events: @Sendable (ReceiveEvent) -> Void
    let receiver: @Sendable (Session, RemotePeer) -> any ItemReceiver
}
