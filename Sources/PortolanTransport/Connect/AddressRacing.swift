import NIOCore
import NIOPosix
import PortolanDiscovery
import Synchronization

/// Performs what an `AddressRace` decides: connects, waits, cancels.
struct AddressRacing {
    let group: any EventLoopGroup

    private enum Event: Sendable {
        case connected(AddressRace.Attempt, any NIOCore.Channel)
        case failed(AddressRace.Attempt)
        case time
    }

    /// The connections under way, so that one that lost can be closed before it has been made.
    private final class Attempts: Sendable {
        private let channels = Mutex<[AddressRace.Attempt: any NIOCore.Channel]>([:])

        func began(_ attempt: AddressRace.Attempt, _ channel: any NIOCore.Channel) {
            channels.withLock { $0[attempt] = channel }
        }

        func cancel(_ attempt: AddressRace.Attempt) {
            channels.withLock { $0[attempt] }?.close(promise: nil)
        }
    }

    /// - Throws: `AddressRace.Failure`, or `CancellationError`.
    func race(
        _ addresses: [NetworkAddress], deadline: ContinuousClock.Instant
    ) async throws -> (any NIOCore.Channel, NetworkAddress) {
        let attempts = Attempts()
        return try await withTaskCancellationHandler {
            try await withThrowingTaskGroup(of: Event.self) { tasks in
                var race = AddressRace(addresses, deadline: deadline)
                var actions = race.start(now: .now)
                while true {
                    for action in actions {
                        switch action {
                        case .connect(let attempt):
                            tasks.addTask { await connect(attempt, attempts, deadline: deadline) }
                        case .cancel(let attempt):
                            attempts.cancel(attempt)
                        case .wait(let instant):
                            tasks.addTask {
                                try? await Task.sleep(until: instant, clock: .continuous)
                                return .time
                            }
                        case .giveUp(let failure):
                            tasks.cancelAll()
                            throw failure
                        }
                    }
                    try Task.checkCancellation()
                    switch try await tasks.next() ?? .time {
                    case .connected(let attempt, let channel):
                        for case .cancel(let loser) in race.succeeded(attempt) { attempts.cancel(loser) }
                        tasks.cancelAll()
                        return (channel, attempt.address)
                    case .failed(let attempt):
                        actions = race.failed(attempt, now: .now)
                    case .time:
                        actions = race.tick(now: .now)
                    }
                }
            }
        } onCancel: {
            for number in addresses.indices {
                attempts.cancel(AddressRace.Attempt(number: number, address: addresses[number]))
            }
        }
    }

    private func connect(
        _ attempt: AddressRace.Attempt, _ attempts: Attempts, deadline: ContinuousClock.Instant
    ) async -> Event {
        do {
            let channel = try await ClientBootstrap(group: group)
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                // Nothing is read before the winner's handler is there to hear it.
                .channelOption(.autoRead, value: false)
                .connectTimeout(TimeAmount(deadline - .now))
                .channelInitializer { channel in
                    attempts.began(attempt, channel)
                    return channel.eventLoop.makeSucceededVoidFuture()
                }
                .connect(to: attempt.address.socketAddress()).get()
            return .connected(attempt, channel)
        } catch {
            return .failed(attempt)
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
