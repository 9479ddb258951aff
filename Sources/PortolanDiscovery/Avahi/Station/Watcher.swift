/// Browses while anyone watches, resolves what appears, and keeps the table of what is there.
///
/// Bounded whatever the network sends: so many records, so many of them being resolved at a time.
final class Watcher {
    static let maximumRecords = 4096
    /// The daemon allows 1024 objects a client.
    static let maximumResolvers = 256
    /// How long records that were there before an interruption may take to be seen again.
    static let graceAfterSettling = Duration.seconds(2)
    static let graceWithoutConnection = Duration.seconds(30)
    /// A record that could not be resolved is tried again after this, then after twice as long, and so on.
    static let firstRetry = Duration.seconds(10)
    static let slowestRetry = Duration.seconds(300)
    /// Resolvers that take longer than this do not keep the rest from being called settled.
    static let settlingPatience = Duration.seconds(1)

    private let loop: AvahiLoop
    private let stack: any AvahiStack
    private let interfaces: [Int32]
    var onFailure: (AvahiFailure) -> Void = { _ in }

    private var subscribers: [Int: Subscriber] = [:]
    private var browsers: [AvahiHandle<BrowserEvent>] = []
    private var browsersThatHaveAnswered = 0
    private var beginnings = 0
    private var isAttached = false
    private var isSettled = false
    private var trouble: String?
    private var records: [ServiceRecord.ID: Sighting] = [:]
    /// Records that wait for one of the resolvers, longest first. Those that no longer do are passed over.
    private var waiting = Queue()
    /// Those that have one, oldest first.
    private var resolving: [ServiceRecord.ID] = []
    private var staleTimer: Int?
    private var catchUpTimer: Int?
    private var resolveTimer: Int?

    /// A record as far as it is known.
    private struct Sighting {
        var record: ServiceRecord?
        var isOwn: Bool
        var resolver: AvahiHandle<ResolverEvent>?
        /// Known from before an interruption, not seen again yet.
        var isStale = false
        var isUnanswered = true
        var isWaiting = false
        var failures = 0
    }

    /// First in, first out, without moving the rest at each step.
    private struct Queue {
        private var ids: [ServiceRecord.ID] = []
        private var head = 0

        var first: ServiceRecord.ID? { head < ids.count ? ids[head] : nil }

        mutating func append(_ id: ServiceRecord.ID) { ids.append(id) }

        mutating func removeFirst() {
            head += 1
            if head > 512, head * 2 > ids.count {
                ids.removeFirst(head)
                head = 0
            }
        }
    }

    init(loop: AvahiLoop, stack: any AvahiStack, interfaces: [Int32]) {
        self.loop = loop
        self.stack = stack
        self.interfaces = interfaces
    }

    // MARK: Who watches

    func add(_ subscriber: Subscriber, as id: Int) {
        let isFirst = subscribers.isEmpty
        subscribers[id] = subscriber
        if let trouble { subscriber.announce(.unavailable(trouble)) }
        for sighting in records.values {
            if let record = sighting.record { subscriber.found(record) }
        }
        if isSettled { subscriber.announce(.settled) }
        if isFirst, isAttached { startBrowsing() }
        catchUpLater()
    }

    func removeSubscriber(_ id: Int) {
        guard subscribers.removeValue(forKey: id) != nil, subscribers.isEmpty else { return }
        stopBrowsing()
        records = [:]
    }

    func end() {
        stopBrowsing()
        for subscriber in subscribers.values { subscriber.finish() }
        subscribers = [:]
        records = [:]
    }

    // MARK: The connection

    /// There is a connection; begins to look if anyone watches.
    func attach() {
        if trouble != nil {
            trouble = nil
            for subscriber in subscribers.values { subscriber.announce(.recovered) }
        }
        guard !isAttached else { return }
        isAttached = true
        if !subscribers.isEmpty { startBrowsing() }
    }

    /// The connection is going away. What was found is kept for a while: after a restart it is mostly still there.
    func detach() {
        isAttached = false
        stopBrowsing()
        for id in records.keys { records[id]?.isStale = true }
        dropStale(after: Self.graceWithoutConnection)
    }

    func announceTrouble(_ reason: String) {
        guard trouble != reason else { return }
        trouble = reason
        for subscriber in subscribers.values { subscriber.announce(.unavailable(reason)) }
        catchUpLater()
    }

    private func startBrowsing() {
        do {
            for interface in interfaces {
                browsers.append(try stack.browse(interface: interface) { [weak self] in self?.handle($0) })
            }
        } catch {
            onFailure(error)
        }
    }

    private func stopBrowsing() {
        for id in resolving { freeResolver(of: id) }
        for browser in browsers { browser.free() }
        browsers = []
        browsersThatHaveAnswered = 0
        beginnings += 1
        isSettled = false
        waiting = Queue()
        for id in records.keys { records[id]?.isWaiting = false }
        resolving = []
    }

    private func dropStale(after delay: Duration) {
        loop.cancel(staleTimer)
        staleTimer = loop.after(delay) { [weak self] in
            guard let self else { return }
            for (id, sighting) in records where sighting.isStale { remove(id) }
        }
    }

    // MARK: What there is

    private func handle(_ event: BrowserEvent) {
        switch event {
        case .new(let id, let isOwn): appeared(id, isOwn: isOwn)
        case .removed(let id): remove(id)
        case .allForNow:
            later(stack.settlingDelay) { watcher in
                watcher.browsersThatHaveAnswered += 1
                watcher.settleIfDone()
            }
            later(stack.settlingDelay + Self.settlingPatience) { $0.settle() }
        case .failed(let failure): onFailure(failure)
        }
    }

    /// Does nothing if the browsers of now have been given up by then.
    private func later(_ delay: Duration, _ body: @escaping (Watcher) -> Void) {
        let beginning = beginnings
        loop.after(delay) { [weak self] in
            if let self, beginnings == beginning { body(self) }
        }
    }

    private func appeared(_ id: ServiceRecord.ID, isOwn: Bool) {
        if var sighting = records[id] {
            sighting.isStale = false
            sighting.isOwn = isOwn
            records[id] = sighting
        } else {
            guard records.count < Self.maximumRecords else { return }
            records[id] = Sighting(isOwn: isOwn)
        }
        resolveLater(id)
    }

    private func remove(_ id: ServiceRecord.ID) {
        freeResolver(of: id)
        if records.removeValue(forKey: id)?.record != nil { tell { $0.lost(id) } }
        resolveNext()
    }

    private func resolveLater(_ id: ServiceRecord.ID) {
        guard let sighting = records[id], sighting.resolver == nil, !sighting.isWaiting else { return }
        records[id]?.isWaiting = true
        waiting.append(id)
        resolveNext()
    }

    private func resolveNext() {
        while let id = waiting.first, isAttached, !browsers.isEmpty {
            guard records[id]?.isWaiting == true else {
                waiting.removeFirst()
                continue
            }
            if resolving.count >= Self.maximumResolvers {
                // A resolver that has answered only listens for changes: who has no answer at all comes first.
                guard let oldest = resolving.first(where: { records[$0]?.isUnanswered == false }) else { return }
                freeResolver(of: oldest)
            }
            waiting.removeFirst()
            records[id]?.isWaiting = false
            do {
                records[id]?.isUnanswered = true
                resolving.append(id)
                let resolver = try stack.resolve(id) { [weak self] in self?.handle($0, of: id) }
                records[id]?.resolver = resolver
            } catch {
                resolving.removeAll { $0 == id }
                onFailure(error)
                return
            }
        }
    }

    private func resolveNextSoon() {
        guard resolveTimer == nil else { return }
        resolveTimer = loop.after(.zero) { [weak self] in
            self?.resolveTimer = nil
            self?.resolveNext()
        }
    }

    private func handle(_ event: ResolverEvent, of id: ServiceRecord.ID) {
        guard var sighting = records[id] else { return }
        sighting.isUnanswered = false
        switch event {
        case .found(let service):
            let address = NetworkAddress(
                ip: service.ip, port: service.port, interface: NetworkInterface(index: id.interface))
            let record = ServiceRecord(
                id: id, hostName: service.hostName, address: address, txt: service.txt,
                isOwn: sighting.isOwn && Self.isHere(service.ip))
            let isNews = sighting.record != record
            sighting.record = record
            sighting.failures = 0
            records[id] = sighting
            if isNews { tell { $0.found(record) } }
        case .failed:
            // Its host no longer answers: a device that was switched off takes two minutes to get here (RFC 6762 §10).
            let wasThere = sighting.record != nil
            sighting.record = nil
            sighting.failures += 1
            records[id] = sighting
            freeResolver(of: id)
            if wasThere { tell { $0.lost(id) } }
            let delay = min(Self.slowestRetry, Self.firstRetry * (1 << min(sighting.failures - 1, 5)))
            loop.after(delay) { [weak self] in self?.resolveLater(id) }
        }
        settleIfDone()
        // Not at once: the resolver that calls would be freed while it does.
        if waiting.first != nil { resolveNextSoon() }
    }

    /// A name that was ours may be another machine's by now, after a conflict, and Avahi goes on calling it ours.
    private static func isHere(_ ip: IPAddress) -> Bool { ip.isLoopback || LinkAddresses.all().contains(ip) }

    private func freeResolver(of id: ServiceRecord.ID) {
        records[id]?.resolver?.free()
        records[id]?.resolver = nil
        resolving.removeAll { $0 == id }
    }

    // MARK: Telling

    private func settleIfDone() {
        guard waiting.first == nil, !resolving.contains(where: { records[$0]?.isUnanswered == true }) else { return }
        settle()
    }

    private func settle() {
        guard !isSettled, !browsers.isEmpty, browsersThatHaveAnswered >= browsers.count else { return }
        isSettled = true
        for subscriber in subscribers.values { subscriber.announce(.settled) }
        catchUpLater()
        dropStale(after: Self.graceAfterSettling)
    }

    private func tell(_ event: (Subscriber) -> Void) {
        for subscriber in subscribers.values { event(subscriber) }
        catchUpLater()
    }

    private func catchUpLater() {
        guard catchUpTimer == nil, subscribers.values.contains(where: \.isBehind) else { return }
        catchUpTimer = loop.after(.milliseconds(100)) { [weak self] in
            guard let self else { return }
            catchUpTimer = nil
            for subscriber in subscribers.values { subscriber.catchUp { self.records[$0]?.record } }
            catchUpLater()
        }
    }
}
