import PortolanConcurrency
import PortolanProtocol
import PortolanTransport
import Synchronization

extension Node {
    /// A fresh code to be read aloud, for pairing or for an invitation.
    ///
    /// - Throws: `NodeError` when too many wrong codes were entered within a minute, `StoreError`.
    public func makePairingCode() async throws -> PairingCode {
        if case .wait(let seconds) = try await withLookupThread({
            try environment.attempts.allowance(now: runtime.date)
        }) {
            throw NodeError(
                .notTrusted,
                "Wrong codes were entered several times within a minute. Somebody may be guessing; try again in \(seconds) s."
            )
        }
        var random = SystemRandomNumberGenerator()
        return .random(using: &random)
    }

    /// Waits until the code is entered on another device, and keeps that device as a contact.
    ///
    /// A wrong code ends the wait, and the code is not valid any more.
    /// - Parameters:
    ///   - valid: lifetime of the code.
    ///   - events: called with each event, from any thread; must return quickly.
    /// - Throws: `NodeError`, `StoreError`, `CancellationError`
    public func waitForPairing(
        _ code: PairingCode, valid: Duration = .seconds(600),
        events: @escaping @Sendable (CodeEvent) -> Void = { _ in }
    ) async throws -> Contact {
        try await wait(for: code, valid: valid, events: events) { try self.confirm($0) }
    }

    /// Waits until the code is entered on another device.
    ///
    /// - Parameter keep: keeps that device's key before the other side hears that it is kept. May block.
    func wait<Kept: Sendable>(
        for code: PairingCode, valid: Duration, events: @escaping @Sendable (CodeEvent) -> Void,
        keep: @escaping @Sendable (RemoteIdentity) throws -> Kept
    ) async throws -> Kept {
        let met = Mutex<Kept?>(nil)
        let waiting = CodeListener(
            code, for: .pairing, uses: 1, valid: valid, in: environment, listener: listener, events: events)
        try await waiting.run { session in
            do {
                let kept = try await PairingRun.respond(on: session) { try keep(session.peer) }
                met.withLock { $0 = kept }
            } catch {
                throw NodeError.ofSession(error)
            }
            return false
        }
        guard let kept = met.withLock(\.self) else { throw CancellationError() }
        return kept
    }

    /// Enters the code that another device shows, and stores that device as a contact.
    ///
    /// The code is spent, whether it was right or not, once the other device has been reached.
    /// - Parameters:
    ///   - place: `host:port` of the other device, where discovery does not find it.
    ///   - wait: longest time until the other device appears.
    /// - Throws: `NodeError`, `StoreError`, `CancellationError`
    public func pair(
        with code: PairingCode, at place: String? = nil, wait: Duration = .seconds(120),
        events: @escaping @Sendable (CodeEvent) -> Void = { _ in }
    ) async throws -> Contact {
        try await enter(code, at: place, wait: wait, events: events) { try self.confirm($0) }
    }

    /// Enters a code that another device waits with.
    ///
    /// - Parameter keep: keeps that device's key. May block.
    func enter<Kept: Sendable>(
        _ code: PairingCode, at place: String?, wait: Duration, events: @escaping @Sendable (CodeEvent) -> Void,
        keep: @escaping @Sendable (RemoteIdentity) throws -> Kept
    ) async throws -> Kept {
        let session = try await CodeConnector(environment: environment, code: code, purpose: .pairing, events: events)
            .open(at: place, wait: wait)
        do {
            return try await PairingRun.initiate(on: session) { try keep(session.peer) }
        } catch {
            throw NodeError.ofSession(error)
        }
    }

    /// Stores a key that a code has confirmed, under a name with a number if the name belongs to another key. May
    /// block.
    ///
    /// - Throws: `StoreError`, and `NodeError` if it was not stored.
    @discardableResult
    func confirm(_ peer: RemoteIdentity) throws -> Contact {
        try store.peers.confirm(name: peer.name, key: peer.deviceKey, now: runtime.date)
        let peers = try store.peers.contacts()
        guard let contact = peers.first(where: { $0.fingerprint == peer.fingerprint }).flatMap(Contact.init) else {
            throw NodeError(.inputOutput, "“\(peer.name)” was written down and is not there.")
        }
        return contact
    }
}
