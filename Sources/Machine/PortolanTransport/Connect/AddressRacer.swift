import NIOCore
import NIOPosix
import PortolanDiscovery
import PortolanProtocol
import Synchronization

/// Possible place of a peer, with the opening of a session there.
package struct ConnectionPlace: Sendable {
    package let address: NetworkAddress
    package let opening: Opening

    package init(_ address: NetworkAddress, _ opening: Opening) {
        self.address = address
        self.opening = opening
    }
}

/// Performs the decisions of an `AddressRace`: connects, meets the peer on the connection, waits, cancels.
struct AddressRacer<Winner: Sendable>: Sendable {
    let group: any EventLoopGroup
    let runtime: Runtime
    /// Performs the handshake on a connection; if the peer is not the intended one, closes the connection and throws.
    let meet: @Sendable (any NIOCore.Channel, ConnectionPlace) async throws -> Winner
    /// Closes the connection of a second winner.
    let discard: @Sendable (Winner) -> Void

    /// Reason why no address won.
    struct Lost: Error {
        let failure: AddressRace.Failure
        /// The addresses that took no connection.
        let attempts: [ConnectionFault.Attempt]
        /// True if an address accepted a connection.
        let wasConnected: Bool
        /// Errors of ``meet``, in their order.
        let refusals: [any Error]
    }

    private enum Event: Sendable {
        case connected(AddressRace.Attempt, any NIOCore.Channel)
        case met(AddressRace.Attempt, Winner)
        case refused(AddressRace.Attempt, any Error)
        case failed(AddressRace.Attempt, AddressReaction)
        /// nil at the end.
        case found([ConnectionPlace]?)
        case time
    }

    /// - Parameter seek: finds more places, when none of the others has answered.
    /// - Throws: ``Lost``, or `CancellationError`.
    func race(
        _ places: [ConnectionPlace], seek: (@Sendable () -> AsyncStream<[ConnectionPlace]>)? = nil,
        deadline: ContinuousClock.Instant
    ) async throws -> Winner {
        let result = await withTaskGroup(of: Event.self) { tasks in
            let result: Result<Winner, any Error>
            do {
                result = .success(try await run(places, seek, deadline, &tasks))
            } catch {
                result = .failure(error)
            }
            tasks.cancelAll()
            for await event in tasks {
                switch event {
                case .connected(_, let channel): channel.close(promise: nil)
                case .met(_, let winner): discard(winner)
                default: break
                }
            }
            return result
        }
        return try result.get()
    }

    private func run(
        _ places: [ConnectionPlace], _ seek: (@Sendable () -> AsyncStream<[ConnectionPlace]>)?,
        _ deadline: ContinuousClock.Instant,
        _ tasks: inout TaskGroup<Event>
    ) async throws -> Winner {
        var places = Array(places.prefix(AddressRace.maximumAddresses))
        var race = AddressRace(places.map(\.address), canSeek: seek != nil, deadline: deadline)
        var actions = race.start(now: runtime.now)
        var refusals: [any Error] = []
        var wasConnected = false
        // Silent until it has answered.
        var reactions: [AddressRace.Attempt: AddressReaction] = [:]
        var found: AsyncStream<[ConnectionPlace]>?
        while true {
            for action in actions {
                switch action {
                case .connect(let attempt):
                    reactions[attempt] = .silent
                    tasks.addTask { await connect(attempt, deadline: deadline) }
                case .seek:
                    found = seek?()
                    if let found { tasks.addTask { await Self.next(of: found) } }
                // The end of the race cancels all tasks.
                case .cancel: break
                case .wait(let instant):
                    tasks.addTask {
                        try? await runtime.sleep(until: instant)
                        return .time
                    }
                case .giveUp(let failure):
                    let attempts = reactions.sorted { $0.key.number < $1.key.number }.map {
                        ConnectionFault.Attempt($0.key.address, $0.value)
                    }
                    throw Lost(
                        failure: failure, attempts: attempts, wasConnected: wasConnected, refusals: refusals)
                }
            }
            try Task.checkCancellation()
            switch await tasks.next() ?? .time {
            case .connected(let attempt, let channel):
                wasConnected = true
                reactions[attempt] = nil
                let place = places[attempt.number]
                tasks.addTask {
                    do {
                        return .met(attempt, try await meet(channel, place))
                    } catch {
                        return .refused(attempt, error)
                    }
                }
                actions = race.connected(attempt, now: runtime.now)
            case .met(let attempt, let winner):
                _ = race.succeeded(attempt)
                return winner
            case .refused(let attempt, let error):
                refusals.append(error)
                actions = race.failed(attempt, now: runtime.now)
            case .failed(let attempt, let reaction):
                reactions[attempt] = reaction
                actions = race.failed(attempt, now: runtime.now)
            case .found(let more?):
                let added = race.add(more.map(\.address), now: runtime.now)
                places += more.prefix(added.taken)
                actions = added.actions
                if let found { tasks.addTask { await Self.next(of: found) } }
            case .found(nil): actions = race.addNoMore()
            case .time: actions = race.tick(now: runtime.now)
            }
        }
    }

    private static func next(of found: AsyncStream<[ConnectionPlace]>) async -> Event {
        var iterator = found.makeAsyncIterator()
        return .found(await iterator.next())
    }

    /// Connection attempt, which can be cancelled before its channel exists.
    private final class Pending: Sendable {
        private let state = Mutex<(channel: (any NIOCore.Channel)?, isCancelled: Bool)>((nil, false))

        func began(_ channel: any NIOCore.Channel) {
            let isCancelled = state.withLock { state in
                state.channel = channel
                return state.isCancelled
            }
            if isCancelled { channel.close(promise: nil) }
        }

        func cancel() {
            let channel = state.withLock { state in
                state.isCancelled = true
                return state.channel
            }
            channel?.close(promise: nil)
        }
    }

    private func connect(_ attempt: AddressRace.Attempt, deadline: ContinuousClock.Instant) async -> Event {
        let pending = Pending()
        do {
            let channel = try await withTaskCancellationHandler {
                try await ClientBootstrap(group: group)
                    .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                    // Reading starts only after the handler of the handshake is installed.
                    .channelOption(.autoRead, value: false)
                    .connectTimeout(TimeAmount(deadline - runtime.now))
                    .channelInitializer { channel in
                        pending.began(channel)
                        return channel.eventLoop.makeSucceededVoidFuture()
                    }
                    .connect(to: attempt.address.socketAddress()).get()
            } onCancel: {
                pending.cancel()
            }
            return .connected(attempt, channel)
        } catch {
            return .failed(attempt, AddressReaction(error))
        }
    }
}

extension AddressReaction {
    /// - Parameter error: of a connection that was tried.
    fileprivate init(_ error: any Error) {
        switch error {
        case let error as IOError: self.init(errno: error.errnoCode)
        case ChannelError.connectTimeout: self = .silent
        default: self = .failed(reason: "\(error)")
        }
    }
}

extension NetworkAddress {
    fileprivate func socketAddress() -> SocketAddress {
        withSocketAddress { address, _ in
            switch ip {
            case .v4: address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { SocketAddress($0.pointee) }
            case .v6: address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { SocketAddress($0.pointee) }
            }
        }
    }
}
