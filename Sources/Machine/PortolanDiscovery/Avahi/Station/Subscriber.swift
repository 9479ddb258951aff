/// Subscriber to events, which may be slow.
///
/// Its stream holds a bounded number of events. For an event that does not fit, only the record is marked as outdated;
/// its present state is delivered once there is room.
final class Subscriber {
    static let streamCapacity = 1024

    /// The only instance for the subscriber; nil for all.
    let wanted: String?
    private let stream: AsyncStream<DiscoveryEvent>.Continuation
    private var outdated: Set<ServiceRecord.ID> = []
    private var unsaid: [DiscoveryEvent] = []
    private var hasSettled = false

    init(_ stream: AsyncStream<DiscoveryEvent>.Continuation, wanted: String? = nil) {
        self.stream = stream
        self.wanted = wanted
    }

    /// True if an event waits for room.
    var isBehind: Bool { !outdated.isEmpty || !unsaid.isEmpty }

    func found(_ record: ServiceRecord) { tell(.found(record), about: record.id) }

    func lost(_ id: ServiceRecord.ID) { tell(.lost(id), about: id) }

    private func tell(_ event: DiscoveryEvent, about id: ServiceRecord.ID) {
        guard wanted == nil || id.instanceName == wanted else { return }
        // An event must not pass a waiting one about the same record: the subscriber would get the older one last.
        if outdated.contains(id) || !offer(event) { outdated.insert(id) }
    }

    /// Delivers `settled`, `crowded` and events of the backend: only the latest of each kind counts.
    func announce(_ event: DiscoveryEvent) {
        if event == .settled {
            // A new connection settles again; the subscriber had that event before.
            guard !hasSettled, wanted == nil else { return }
            hasSettled = true
        }
        if !unsaid.isEmpty || !offer(event) {
            unsaid.removeAll { $0.replaces(event) }
            unsaid.append(event)
        }
    }

    /// - Parameter present: returns the present record; nil if it has vanished.
    func catchUp(_ present: (ServiceRecord.ID) -> ServiceRecord?) {
        while let id = outdated.first {
            guard offer(present(id).map(DiscoveryEvent.found) ?? .lost(id)) else { return }
            outdated.remove(id)
        }
        while let event = unsaid.first {
            guard offer(event) else { return }
            unsaid.removeFirst()
        }
    }

    func finish() { stream.finish() }

    private func offer(_ event: DiscoveryEvent) -> Bool {
        if case .dropped = stream.yield(event) { false } else { true }
    }
}

extension DiscoveryEvent {
    /// True if only the later of the two events counts.
    fileprivate func replaces(_ other: DiscoveryEvent) -> Bool {
        switch (self, other) {
        case (.settled, .settled), (.crowded, .crowded): true
        case (.unavailable, .unavailable), (.unavailable, .recovered), (.recovered, .unavailable),
            (.recovered, .recovered):
            true
        default: false
        }
    }
}
