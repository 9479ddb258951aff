/// One reader of events, who may be slow.
///
/// Its stream holds a bounded number of events. What does not fit is not queued but remembered as "this record is not up to
/// date", and told from the present state once there is room.
final class Subscriber {
    static let streamCapacity = 1024

    /// The only instance that the reader asks for; nil for all.
    let wanted: String?
    private let stream: AsyncStream<DiscoveryEvent>.Continuation
    private var outdated: Set<ServiceRecord.ID> = []
    private var unsaid: [DiscoveryEvent] = []
    private var hasSettled = false

    init(_ stream: AsyncStream<DiscoveryEvent>.Continuation, wanted: String? = nil) {
        self.stream = stream
        self.wanted = wanted
    }

    /// Whether something waits for room.
    var isBehind: Bool { !outdated.isEmpty || !unsaid.isEmpty }

    func found(_ record: ServiceRecord) { tell(.found(record), about: record.id) }

    func lost(_ id: ServiceRecord.ID) { tell(.lost(id), about: id) }

    private func tell(_ event: DiscoveryEvent, about id: ServiceRecord.ID) {
        guard wanted == nil || id.instanceName == wanted else { return }
        // Never past one that waits: the reader would hear the older one last.
        if outdated.contains(id) || !offer(event) { outdated.insert(id) }
    }

    /// `settled`, `crowded` and news of the backend: of these only the latest of each kind matters.
    func announce(_ event: DiscoveryEvent) {
        if event == .settled {
            // A new connection settles again; the reader was told that it need not wait any more.
            guard !hasSettled, wanted == nil else { return }
            hasSettled = true
        }
        if !unsaid.isEmpty || !offer(event) {
            unsaid.removeAll { $0.replaces(event) }
            unsaid.append(event)
        }
    }

    /// - Parameter present: the record as it is now; nil if it is gone.
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
    /// Whether only the later of the two matters.
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
