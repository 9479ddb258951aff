import PortolanProtocol

/// Role of this side in a session: handles the messages of its routes.
///
/// The driver of the session knows roles only by this protocol. One task calls ``meetPeer()`` first, then
/// ``receive(_:)`` for one message after the other, and ``peerEnded()`` last; other tasks call ``run()``, ``finish()``
/// and ``fail(_:)`` at the same time.
package protocol SessionRole: AnyObject, Sendable {
    /// Routes of the messages that the role handles; no two roles of a session share one.
    var routes: Set<MessageRoute> { get }

    /// Prepares for the peer after the exchange of the teams' rosters. Reading of the session continues when it
    /// returns.
    ///
    /// - Throws: an error that ends the session.
    func meetPeer() async throws

    /// Handles a message of the peer. Reading of the session continues when it returns: a role without room makes the
    /// peer wait.
    ///
    /// - Throws: `ProtocolViolation` for a message that is not allowed, and other errors that end the session.
    func receive(_ message: Message) async throws

    /// Does the work of the role, on threads that may block. Called once; the task is cancelled when the session is
    /// over.
    ///
    /// - Throws: an error that ends the session.
    func run() async throws

    /// Notes the peer's end record. Must not wait.
    func peerEnded()

    /// Called before this side sends its end record, after all work is done. May block.
    ///
    /// - Throws: an error that ends the session early.
    func finish() throws

    /// Has the role refuse the peer's open work in order, since the peer has lost its rights; the session ends soon.
    /// Must not wait.
    func refuse(_ error: TransportError)

    /// Fails the role's waiters after an early end of the session. Called at most once. Must not wait.
    func fail(_ error: any Error)

    /// Error that ended the session from outside of ``run()``, and is more specific than the end of the connection that
    /// followed.
    var breakage: (any Error)? { get }
}

extension SessionRole {
    package func meetPeer() async throws {}
    package func run() async throws {}
    package func peerEnded() {}
    package func finish() throws {}
    package func refuse(_ error: TransportError) {}
    package func fail(_ error: any Error) {}
    package var breakage: (any Error)? { nil }
}

/// Roles of a session, and the routes of messages to them.
struct RoleTable {
    let roles: [any SessionRole]
    /// The role that takes the payload records.
    let payload: ReceivingRole?
    private var takers: [MessageRoute: any SessionRole] = [:]

    init(_ roles: [any SessionRole]) {
        self.roles = roles
        payload = roles.lazy.compactMap { $0 as? ReceivingRole }.first
        for role in roles {
            for route in role.routes {
                precondition(route != .driver && route != .opening, "The driver takes the messages of \(route)")
                precondition(takers[route] == nil, "Two roles take the messages of \(route)")
                takers[route] = role
            }
        }
    }

    /// Returns the role that handles a message; nil if there is none.
    func role(for message: Message) -> (any SessionRole)? { takers[message.route] }
}
