import PortolanCrypto
import PortolanTransport
import PortolanTrust

/// One way in which a node receives: from whom, how fast, and into what.
struct ReceiveRoute: Sendable {
    /// Whether a peer of that standing and with that key may offer anything.
    var entitled: @Sendable (Standing, Fingerprint) -> Bool = { _, _ in true }
    /// Bytes a second that may come in over one session.
    var rateLimit: UInt64?
    /// Record of the items that came by it; nil keeps none.
    var ledger: (any ReceiptLedger)?
    let events: @Sendable (ReceiveEvent) -> Void
    let receiver: @Sendable (Session, RemotePeer) -> any ItemReceiver
}
