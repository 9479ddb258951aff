/// The part of a session that a message belongs to.
///
/// Offers travel in both directions of a session, and so do questions. No kind of message belongs to more than one
/// part, so that its kind alone tells where it goes.
package enum MessageRoute: Hashable, Sendable {
    /// Messages about the connection and its lanes, for the driver of the session.
    case driver
    /// The offers that this side makes: `OfferingMachine`.
    case offering
    /// The offers that the peer makes: `ReceivingMachine`.
    case receiving
    /// The lists and requests of this side: `RequestingMachine`.
    case requesting
    /// The lists and requests of the peer: `ServingMachine`.
    case serving
    /// The beginning of a session: `TeamExchange`, `JoiningMachine` and `AdmittingMachine`.
    case opening
    /// Folders kept alike: `SyncMachine`.
    case syncing
}
