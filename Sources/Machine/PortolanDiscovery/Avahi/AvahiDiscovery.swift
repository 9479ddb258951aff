import PortolanConcurrency
import Synchronization

/// Discovery through Avahi, by the daemon or inside the process. Must be shut down, or others keep seeing this device.
package final class AvahiDiscovery: Discovery {
    package let backend: DiscoveryBackend
    private let thread: StationThread
    private let nextID = Atomic(0)

    init(backend: DiscoveryBackend, thread: StationThread) {
        self.backend = backend
        self.thread = thread
    }

    deinit {
        thread.perform { $0.shutDown() }
    }

    package func browse() -> AsyncStream<DiscoveryEvent> { watch(for: nil) }

    package func seek(_ instance: String) -> AsyncStream<DiscoveryEvent> { watch(for: instance) }

    /// - Parameter wanted: the only instance to ask for; nil for all.
    private func watch(for wanted: String?) -> AsyncStream<DiscoveryEvent> {
        let id = newID()
        let (events, stream) = AsyncStream.makeStream(
            of: DiscoveryEvent.self, bufferingPolicy: .bufferingOldest(Subscriber.streamCapacity))
        stream.onTermination = { [thread] _ in thread.perform { $0.unsubscribe(id) } }
        if !thread.perform({ $0.subscribe(id, stream, wanted: wanted) }) { stream.finish() }
        return events
    }

    package func advertise(_ advertisement: Advertisement) async throws(DiscoveryError) -> AdvertisementHandle {
        let id = newID()
        let (names, stream) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(16))
        let reply = OneShot<Void, DiscoveryError>()
        let isAccepted = thread.perform { station in
            reply.settle(
                Result { () throws(DiscoveryError) in try station.advertise(advertisement, as: id, names: stream) })
        }
        if !isAccepted { reply.settle(.failure(.shutDown)) }
        try await reply.value()
        return AdvertisementHandle(names: names) { [thread] advertisement in
            await thread.ask { $0.update(id, to: advertisement) }
        } withdraw: { [thread] in
            await thread.ask { $0.withdraw(id) }
        }
    }

    package func shutdown() async {
        await thread.ask { $0.shutDown() }
    }

    private func newID() -> Int { nextID.add(1, ordering: .relaxed).newValue }
}

extension StationThread {
    /// Longest wait for the thread: a daemon that hangs blocks it in one call for up to 25 seconds.
    private static let patience = Duration.seconds(2)

    /// Runs `command` on the thread and waits for it, with a time limit; returns at once if the station has ended.
    func ask(_ command: @escaping Command) async {
        let reply = OneShot<Void, Never>()
        let isAccepted = perform { station in
            command(station)
            reply.settle()
        }
        guard isAccepted else { return }
        let timer = Task {
            try await Task.sleep(for: Self.patience)
            reply.settle()
        }
        await reply.value()
        timer.cancel()
    }
}
