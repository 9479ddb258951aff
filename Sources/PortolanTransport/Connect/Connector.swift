import NIOCore
import NIOPosix
import PortolanCrypto
import PortolanDiscovery
import PortolanProtocol

/// Opens sessions to peers: connects to the first of their addresses that answers, and runs the initiator's side of the handshake.
package struct Connector: Sendable {
    private let identity: LocalIdentity
    private let timing: SessionTiming
    private let group: any EventLoopGroup
    private let runtime: Runtime

    package init(
        identity: LocalIdentity, timing: SessionTiming,
        group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton, runtime: Runtime = .system
    ) {
        self.identity = identity
        self.timing = timing
        self.group = group
        self.runtime = runtime
    }

    /// Opens a session to the peer at `addresses`.
    ///
    /// An address where somebody else answers than expected is passed over while there are others: anyone on the network can advertise
    /// a wrong address for a right name, and must not keep us from the right one.
    ///
    /// - Parameters:
    ///   - opening: what this side shows first. A code is tried once only: its failure is not followed by another address.
    ///   - decide: throws if the key that was proved is not acceptable; this device has not shown its own by then.
    /// - Throws: `TransportError`, `HandshakeError`, `CancellationError`, or what `decide` threw for the last address.
    package func connect(
        to addresses: [NetworkAddress], opening: Opening, decide: @Sendable (RemoteIdentity) async throws -> Void
    ) async throws -> Session {
        let start = ContinuousClock.now
        let limit = NIODeadline.now() + timing.offerDeadline
        let deadline = start + .nanoseconds(timing.offerDeadline.nanoseconds)
        var remaining = addresses
        var refusal: (any Error)?
        while true {
            let channel: any NIOCore.Channel
            let address: NetworkAddress
            do {
                (channel, address) = try await AddressRacing(group: group).race(remaining, deadline: deadline)
            } catch let failure as AddressRace.Failure {
                throw refusal ?? TransportError.unreachable(failure.description)
            }
            do {
                return try await open(
                    channel, address: "\(address)", lanes: LaneSocketConnector(address: address), limit: limit,
                    opening: opening, decide: decide)
            } catch let error as KeyRejected {
                if case .code = opening { throw error.reason }
                remaining.removeAll { $0 == address }
                refusal = error.reason
                if remaining.isEmpty { throw error.reason }
            }
        }
    }

    /// The key at one address was not acceptable.
    package struct KeyRejected: Error {
        package let reason: any Error
    }

    /// Opens a session on a connection that was made.
    ///
    /// - Parameters:
    ///   - address: where the connection goes to, for people.
    ///   - lanes: makes the connections of the session's lanes.
    ///   - limit: when the handshake and the first offer must be over.
    /// - Throws: `TransportError`, `HandshakeError`, `CancellationError`; ``KeyRejected`` with what `decide` threw.
    package func open(
        _ channel: any NIOCore.Channel, address: String, lanes: any LaneConnector, limit: NIODeadline,
        opening: Opening, decide: @Sendable (RemoteIdentity) async throws -> Void
    ) async throws -> Session {
        let loop = channel.eventLoop
        let identified = loop.makePromise(of: RemoteIdentity.self)
        let established = loop.makePromise(of: Session.self)
        established.futureResult.whenFailure { _ in }
        let identity = identity
        let (silence, runtime) = (timing.silence, runtime)
        let handler: NIOLoopBound<SessionHandler>
        do {
            handler = try await loop.submit {
                let handler = SessionHandler(
                    handshake: identity.handshake(opening), deadline: limit, silence: silence,
                    address: address, lanes: .connecting(by: lanes), identified: identified,
                    established: established, on: loop, runtime: runtime)
                try channel.pipeline.syncOperations.addHandler(handler)
                // Nothing tells a handler of an end that was before it.
                if !channel.isActive { handler.endCut() }
                return NIOLoopBound(handler, eventLoop: loop)
            }.get()
        } catch {
            // It was there: the handshake is cut at its beginning.
            let gone = HandshakeError(.cut)
            identified.fail(gone)
            established.fail(gone)
            throw gone
        }
        // Fails only on a connection that is gone, which the handshake says better.
        try? await channel.setOption(.autoRead, value: true).get()
        return try await withTaskCancellationHandler {
            let peer = try await identified.futureResult.get()
            do {
                try await decide(peer)
            } catch {
                try? await channel.close()
                throw KeyRejected(reason: error)
            }
            loop.execute { handler.value.accept() }
            return try await established.futureResult.get()
        } onCancel: {
            channel.close(promise: nil)
        }
    }
}
