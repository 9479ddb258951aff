import PortolanDiscovery
import Synchronization

/// Collects the events of a stream and lets a test wait for the expected ones.
actor EventLog<Event: Sendable> {
    private(set) var events: [Event] = []
    private var isAtEnd = false

    init(_ stream: AsyncStream<Event>) {
        Task { [weak self] in
            for await event in stream { await self?.append(event) }
            await self?.finish()
        }
    }

    private func append(_ event: Event) { events.append(event) }

    private func finish() { isAtEnd = true }

    /// Result of `find` for the first event that it accepts; nil if there is none in time, or the stream ends before.
    func first<Value: Sendable>(_ find: @Sendable (Event) -> Value?) async -> Value? {
        var read = 0
        return await history { events in
            defer { read = events.count }
            return events[read...].lazy.compactMap(find).first
        }
    }

    /// Result of `find` for all events up to the first moment at which it accepts; nil if there is none in time.
    func history<Value: Sendable>(_ find: ([Event]) -> Value?) async -> Value? {
        // The limit suffices for a machine that is busy with other tests.
        let deadline = ContinuousClock.Instant.now + .seconds(300)
        while true {
            let wasAtEnd = isAtEnd
            if let value = find(events) { return value }
            guard !wasAtEnd, ContinuousClock.Instant.now < deadline else { return nil }
            try? await Task.sleep(for: .milliseconds(5))
        }
    }
}

extension DiscoveryEvent {
    func record(named name: String? = nil) -> ServiceRecord? {
        guard case .found(let record) = self, name == nil || record.instanceName == name else { return nil }
        return record
    }

    func lostRecord(named name: String) -> ServiceRecord.ID? {
        guard case .lost(let id) = self, id.instanceName == name else { return nil }
        return id
    }
}
