import NIOCore
import NIOPosix
import PortolanDiscovery
import PortolanProtocol

/// Opens sessions to peers: connects to the first address that answers, and runs the initiator's side of the handshake.
package struct Connector: Sendable {
    private let identity: LocalIdentity
    private let timing: SessionDeadlines
    private let group: any EventLoopGroup
    private let runtime: Runtime

    package init(
        identity: LocalIdentity, timing: SessionDeadlines,
        group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton, runtime: Runtime = .system
    ) {
        self.identity = identity
        self.timing = timing
        self.group = group
        self.runtime = runtime
    }

    /// Opens a session to the peer at `addresses`.
    ///
    /// - Parameters:
    ///   - opening: this side's first bytes. A code is tried only once: after a failure, no other address is tried.
    ///   - decide: throws if the proved key is not acceptable; called before this device reveals its own.
    /// - Throws: the same errors as ``connect(to:seek:decide:)``
    package func connect(
        to addresses: [NetworkAddress], opening: Opening,
        decide: @escaping @Sendable (RemoteIdentity) async throws -> Void
    ) async throws -> Session {
        let places = addresses.map { ConnectionPlace($0, opening) }
        guard case .code = opening else { return try await connect(to: places, decide: decide) }
        let limit = limits
        let racing = AddressRacer<(any NIOCore.Channel, ConnectionPlace)>(group: group, runtime: runtime) {
            ($0, $1)
        } discard: {
            $0.0.close(promise: nil)
        }
        do {
            let (channel, place) = try await racing.race(places, deadline: limit.race)
            return try await open(
                channel, address: "\(place.address)", lanes: LaneSocketConnector(address: place.address),
                limit: limit.handshake, opening: opening, decide: decide)
        } catch let error as KeyRejected {
            throw error.reason
        } catch let lost as AddressRacer<(any NIOCore.Channel, ConnectionPlace)>.Lost {
            throw unreachable(lost.attempts)
        }
    }

    /// Opens a session to the peer at one of `places`.
    ///
    /// A place without an answer, or with another device than the expected one, is skipped: any host on the network can
    /// announce a wrong address for a name, and an instance of the peer may have just ended. Neither must prevent a
    /// connection to the right place.
    ///
    /// - Parameters:
    ///   - seek: finds more places after none of the others has answered; nil if that is not possible.
    ///   - decide: throws if the proved key is not acceptable; called before this device reveals its own, for several
    ///     places at once.
    /// - Throws: `TransportError`, `HandshakeError`, `CancellationError`, or the error of `decide` for the last
    ///   address.
    package func connect(
        to places: [ConnectionPlace], seek: (@Sendable () -> AsyncStream<[ConnectionPlace]>)? = nil,
        decide: @escaping @Sendable (RemoteIdentity) async throws -> Void
    ) async throws -> Session {
        let limit = limits
        let racing = AddressRacer(group: group, runtime: runtime) { channel, place in
            do {
                return try await introduce(
                    channel, address: "\(place.address)", lanes: LaneSocketConnector(address: place.address),
                    limit: limit.handshake, opening: place.opening, decide: decide)
            } catch {
                channel.close(promise: nil)
                throw error
            }
        } discard: {
            $0.leave()
        }
        do {
            return try await racing.race(places, seek: seek, deadline: limit.race).accept()
        } catch let lost as AddressRacer<Introduction>.Lost {
            let rejections = lost.refusals.compactMap { ($0 as? KeyRejected)?.reason }
            let isOverdue = lost.wasConnected && lost.failure == .deadlinePassed
            throw rejections.last ?? lost.refusals.last
                ?? (isOverdue ? TransportError.offerIsOverdue : unreachable(lost.attempts))
        }
    }

    private func unreachable(_ attempts: [ConnectionFault.Attempt]) -> TransportError {
        let patience = Duration.nanoseconds(timing.offerDeadline.nanoseconds)
        return .unreachable(ConnectionFault(attempts, within: patience, own: LinkAddresses.all()))
    }

    /// Deadlines for connecting, the handshake and the first offer, for both clocks.
    private var limits: (race: ContinuousClock.Instant, handshake: NIODeadline) {
        (runtime.now + .nanoseconds(timing.offerDeadline.nanoseconds), .now() + timing.offerDeadline)
    }

    /// The key at one address was not acceptable.
    package struct KeyRejected: Error {
        package let reason: any Error
    }

    /// Opens a session on an established connection.
    ///
    /// - Parameters:
    ///   - address: address of the peer, for display.
    ///   - lanes: makes the connections of the session's lanes.
    ///   - limit: deadline of the handshake and the first offer.
    /// - Throws: `TransportError`, `HandshakeError`, `CancellationError`; ``KeyRejected`` with the error of `decide`.
    package func open(
        _ channel: any NIOCore.Channel, address: String, lanes: any LaneConnector, limit: NIODeadline,
        opening: Opening, decide: @Sendable (RemoteIdentity) async throws -> Void
    ) async throws -> Session {
        try await introduce(
            channel, address: address, lanes: lanes, limit: limit, opening: opening, decide: decide
        ).accept()
    }

    /// Has the peer prove its key on a connection, and asks `decide`.
    ///
    /// - Throws: as ``open(_:address:lanes:limit:opening:decide:)``
    private func introduce(
        _ channel: any NIOCore.Channel, address: String, lanes: any LaneConnector, limit: NIODeadline,
        opening: Opening, decide: @Sendable (RemoteIdentity) async throws -> Void
    ) async throws -> Introduction {
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
                // A handler is not notified of a close that happened before it was installed.
                if !channel.isActive { handler.endCut() }
                return NIOLoopBound(handler, eventLoop: loop)
            }.get()
        } catch {
            // The peer accepted the connection and closed it: the handshake is cut at its beginning.
            let gone = HandshakeError(.cut)
            identified.fail(gone)
            established.fail(gone)
            throw gone
        }
        // Fails only on a closed connection, which the handshake reports with a better reason.
        try? await channel.setOption(.autoRead, value: true).get()
        return try await withTaskCancellationHandler {
            let peer = try await identified.futureResult.get()
            do {
                try await decide(peer)
            } catch {
                try? await channel.close()
                throw KeyRejected(reason: error)
            }
            return Introduction(channel: channel, handler: handler, established: established.futureResult)
        } onCancel: {
            channel.close(promise: nil)
        }
    }
}

/// Connection on which the peer has proved its key, and this side has not revealed its own.
private struct Introduction: Sendable {
    let channel: any NIOCore.Channel
    let handler: NIOLoopBound<SessionHandler>
    let established: EventLoopFuture<Session>

    /// Shows this device's identity, and completes the handshake.
    func accept() async throws -> Session {
        try await withTaskCancellationHandler {
            channel.eventLoop.execute { handler.value.accept() }
            return try await established.get()
        } onCancel: {
            channel.close(promise: nil)
        }
    }

    func leave() { channel.close(promise: nil) }
}
