/// Browses while there are subscribers, resolves new services and those sought by name, and keeps the table of records.
///
/// The number of records, and of those that are resolved at a time, is bounded.
final class Watcher {
    static let maximumRecords = 4096
    /// Largest number of resolvers; the daemon allows 1024 objects a client.
    static let maximumResolvers = 256
    /// Time for records from before an interruption to appear again.
    static let graceAfterSettling = Duration.seconds(2)
    static let graceWithoutConnection = Duration.seconds(30)
    /// Delay before a record that could not be resolved is tried again; doubled after each failure.
    static let firstRetry = Duration.seconds(10)
    static let slowestRetry = Duration.seconds(300)
    /// Delay before a sought record is tried again, each time: a subscriber waits for it.
    static let seekRetry = Duration.seconds(1)
    /// Time after which a slow resolver no longer delays `settled`.
    static let settlingPatience = Duration.seconds(1)

    private let loop: AvahiLoop
    private let stack: any AvahiStack
    private let interfaces: [Int32]
    private let links: [String]?
    var onFailure: (AvahiFailure) -> Void = { _ in }

    private var subscribers: [Int: Subscriber] = [:]
    private var browsers: [AvahiHandle<BrowserEvent>] = []
    private var browsersThatHaveAnswered = 0
    private var beginnings = 0
    private var isAttached = false
    private var isSettled = false
    private var trouble: String?
    private var records: [ServiceRecord.ID: WatchedRecord] = [:]
    private var crowd = NameCounter()
    /// Records that are sought by name.
    private var sought: Set<ServiceRecord.ID> = []
    /// Runs while there are subscribers.
    private let linkWatch: LinkWatch
    /// Records that wait for a resolver, longest first. Records that no longer wait are skipped.
    private var waiting = RecordQueue()
    /// Records with a resolver, oldest first.
    private var resolving: [ServiceRecord.ID] = []
    private var staleTimer: Int?
    private var catchUpTimer: Int?
    private var resolveTimer: Int?

    /// A record as far as it is resolved.
    private struct WatchedRecord {
        var record: ServiceRecord?
        var isOwn: Bool
        var resolver: AvahiHandle<ResolverEvent>?
        /// True for a record from before an interruption that has not appeared again.
        var isStale = false
        var isUnanswered = true
        var isWaiting = false
        var failures = 0
    }

    /// - Parameters:
    ///   - interfaces: indices to browse on.
    ///   - links: names of the interfaces on which one instance is sought; nil for all.
    ///   - readPrefixes: reads the networks of the links.
    init(
        loop: AvahiLoop, stack: any AvahiStack, interfaces: [Int32], links: [String]?,
        readPrefixes: @escaping () -> LinkPrefixes
    ) {
        self.loop = loop
        self.stack = stack
        self.interfaces = interfaces
        self.links = links
        linkWatch = LinkWatch(loop: loop, read: readPrefixes)
    }

    // MARK: Subscribers

    func add(_ subscriber: Subscriber, as id: Int) {
        if subscribers.isEmpty { linkWatch.start { [weak self] in self?.judgeAgain() } }
        subscribers[id] = subscriber
        if let trouble { subscriber.announce(.unavailable(trouble)) }
        for sighting in records.values {
            if let record = sighting.record { subscriber.found(record) }
        }
        if crowd.announced > 0 { subscriber.announce(.crowded(crowd.announced)) }
        if isSettled { subscriber.announce(.settled) }
        if isAttached { startLooking() }
        catchUpLater()
    }

    func removeSubscriber(_ id: Int) {
        guard subscribers.removeValue(forKey: id) != nil, subscribers.isEmpty else { return }
        stopBrowsing()
        forgetAll()
    }

    func end() {
        stopBrowsing()
        for subscriber in subscribers.values { subscriber.finish() }
        subscribers = [:]
        forgetAll()
    }

    private func forgetAll() {
        records = [:]
        crowd = NameCounter()
        linkWatch.stop()
    }

    // MARK: The connection

    /// Uses a new connection; begins to browse if there are subscribers.
    func attach() {
        if trouble != nil {
            trouble = nil
            for subscriber in subscribers.values { subscriber.announce(.recovered) }
        }
        guard !isAttached else { return }
        isAttached = true
        startLooking()
    }

    /// Gives up the connection. Records are kept for a while: after a restart they mostly still exist.
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

    /// Starts the missing browsers and searches of the subscribers.
    private func startLooking() {
        if browsers.isEmpty, subscribers.values.contains(where: { $0.wanted == nil }) { startBrowsing() }
        for name in Set(subscribers.values.compactMap(\.wanted)) { seek(name) }
    }

    private func startBrowsing() {
        do {
            for interface in interfaces {
                browsers.append(try stack.active.browse(interface: interface) { [weak self] in self?.handle($0) })
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
        waiting = RecordQueue()
        sought = []
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

    // MARK: Records

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

    /// Runs `body` after a delay, unless the present browsers have been given up by then.
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
            insert(id, WatchedRecord(isOwn: isOwn))
        }
        resolveLater(id)
    }

    private func insert(_ id: ServiceRecord.ID, _ sighting: WatchedRecord) {
        records[id] = sighting
        guard let count = crowd.insert(id.instanceName) else { return }
        for subscriber in subscribers.values { subscriber.announce(.crowded(count)) }
        catchUpLater()
    }

    private func remove(_ id: ServiceRecord.ID) {
        freeResolver(of: id)
        if let removed = records.removeValue(forKey: id) {
            crowd.remove(id.instanceName)
            if removed.record != nil { tell { $0.lost(id) } }
        }
        if sought.remove(id) != nil {
            // Its subscriber still waits, and in a crowded network no browser may have room for it.
            loop.after(Self.seekRetry) { [weak self] in
                if let self, isAttached { startLooking() }
            }
        }
        resolveNext()
    }

    /// Asks for an instance on every link, independent of the browsers and of the queue.
    private func seek(_ name: String) {
        guard (1...63).contains(name.utf8.count) else { return }
        for link in LinkAddresses.current(on: links).keys.sorted() {
            for family in [AddressFamily.v4, .v6] {
                let id = ServiceRecord.ID(instanceName: name, interface: link, family: family)
                guard sought.insert(id).inserted else { continue }
                if records[id] == nil { insert(id, WatchedRecord(isOwn: false)) }
                guard records[id]?.resolver != nil || startResolver(of: id) else { return }
            }
        }
    }

    /// Decides anew for each record if it is on its link.
    private func judgeAgain() {
        for (id, sighting) in records {
            guard let old = sighting.record else { continue }
            let record = linkWatch.record(
                id, isOwn: sighting.isOwn, host: old.hostName, ip: old.address.ip, port: old.address.port, txt: old.txt)
            guard record != old else { continue }
            records[id]?.record = record
            tell { $0.found(record) }
        }
    }

    private func resolveLater(_ id: ServiceRecord.ID) {
        guard let sighting = records[id], sighting.resolver == nil, !sighting.isWaiting else { return }
        records[id]?.isWaiting = true
        waiting.append(id)
        resolveNext()
    }

    private func resolveNext() {
        while let id = waiting.first, isAttached, !subscribers.isEmpty {
            guard records[id]?.isWaiting == true else {
                waiting.removeFirst()
                continue
            }
            if resolving.count >= Self.maximumResolvers {
                // A resolver that has answered only watches for changes: records without an answer come first.
                guard let oldest = resolving.first(where: { records[$0]?.isUnanswered == false }) else { return }
                freeResolver(of: oldest)
            }
            waiting.removeFirst()
            guard startResolver(of: id) else { return }
        }
    }

    /// - Returns: false if the connection has failed.
    @discardableResult
    private func startResolver(of id: ServiceRecord.ID) -> Bool {
        do {
            // A sought record may also stand in the queue.
            records[id]?.isWaiting = false
            records[id]?.isUnanswered = true
            resolving.append(id)
            let resolver = try stack.active.resolve(id) { [weak self] in self?.handle($0, of: id) }
            records[id]?.resolver = resolver
            return true
        } catch {
            resolving.removeAll { $0 == id }
            onFailure(error)
            return false
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
            linkWatch.refreshIfUnwatched()
            let record = linkWatch.record(
                id, isOwn: sighting.isOwn, host: service.hostName, ip: service.ip, port: service.port, txt: service.txt)
            let isNews = sighting.record != record
            sighting.record = record
            sighting.failures = 0
            records[id] = sighting
            if isNews { tell { $0.found(record) } }
        case .failed:
            // The host no longer answers: for a device that was switched off this takes two minutes (RFC 6762 §10).
            let wasThere = sighting.record != nil
            sighting.record = nil
            sighting.failures += 1
            records[id] = sighting
            freeResolver(of: id)
            if wasThere { tell { $0.lost(id) } }
            let isSought = sought.contains(id)
            let delay =
                isSought
                ? Self.seekRetry : min(Self.slowestRetry, Self.firstRetry * (1 << min(sighting.failures - 1, 5)))
            loop.after(delay) { [weak self] in
                guard let self else { return }
                guard isSought, isAttached, sought.contains(id) else { return resolveLater(id) }
                if records[id]?.resolver == nil { startResolver(of: id) }
            }
        }
        settleIfDone()
        // The call is deferred, because it would free the resolver that is calling.
        if waiting.first != nil { resolveNextSoon() }
    }

    private func freeResolver(of id: ServiceRecord.ID) {
        records[id]?.resolver?.free()
        records[id]?.resolver = nil
        resolving.removeAll { $0 == id }
    }

    // MARK: Delivery

    private func settleIfDone() {
        // A sought instance may not exist, and does not delay `settled`.
        let isBusy = resolving.contains { records[$0]?.isUnanswered == true && !sought.contains($0) }
        if waiting.first == nil, !isBusy { settle() }
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
