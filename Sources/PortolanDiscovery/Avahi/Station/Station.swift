/// Keeps one connection to Avahi alive and puts what is wanted of it back in place whenever it had to be made anew.
///
/// Lives on its ``StationThread``. What is wanted (who watches, what is advertised) outlives every connection; what Avahi
/// gave out (browsers, resolvers, groups) dies with each.
final class Station {
    private let loop: AvahiLoop
    private let stack: any AvahiStack
    private let interfaces: [Int32]
    private let links: [String]?
    private let watcher: Watcher
    private var publishers: [Int: Publisher] = [:]

    private var connection = Connection.closed
    private var reopenings = 0
    private var readySince: ContinuousClock.Instant?
    private var onOpening: ((Result<Void, any Error>) -> Void)?
    private(set) var isOver = false

    private enum Connection: Equatable {
        case closed
        case absent
        case ready(canPublish: Bool)
        /// To be closed and made anew in a later turn.
        case broken
    }

    private let stride: () -> Int

    /// - Parameters:
    ///   - interfaces: indices to browse and publish on.
    ///   - links: the only interfaces whose addresses are told for hosts of ours, by name; nil for all.
    ///   - prefixes: reads which addresses are on which link.
    ///   - stride: how many names to go on by when a name is taken again; by chance, so that two do not keep pace.
    init(
        loop: AvahiLoop, stack: any AvahiStack, interfaces: [Int32], links: [String]? = nil,
        stride: @escaping () -> Int = { .random(in: 1...8) },
        prefixes: @escaping () -> LinkPrefixes = LinkPrefixes.current
    ) {
        self.stride = stride
        self.loop = loop
        self.stack = stack
        self.interfaces = interfaces
        self.links = links
        watcher = Watcher(loop: loop, stack: stack, interfaces: interfaces, links: links, readPrefixes: prefixes)
        watcher.onFailure = { [weak self] failure in self?.connectionBroke(failure) }
    }

    /// The first attempt, which does not wait for a daemon.
    ///
    /// - Parameter onOpening: called once: connected, or why not. After a failure nothing more is tried, the station is over.
    func open(_ onOpening: @escaping (Result<Void, any Error>) -> Void) {
        self.onOpening = onOpening
        do {
            try stack.open(isPatient: false) { [weak self] in self?.changed(to: $0) }
        } catch {
            opened(.failure(error))
        }
    }

    private func opened(_ opening: Result<Void, any Error>) {
        guard let report = onOpening else { return }
        onOpening = nil
        if case .failure = opening { isOver = true }
        report(opening)
    }

    // MARK: The connection

    private func changed(to state: StackState) {
        guard !isOver, connection != .broken else { return }
        switch state {
        case .ready(let canPublish):
            connection = .ready(canPublish: canPublish)
            opened(.success(()))
            readySince = readySince ?? .now
            // Avahi may be in the middle of something that ends in this state: act when it is through.
            loop.after(.zero) { [weak self] in self?.putInPlace() }
        case .absent:
            connection = .absent
            watcher.announceTrouble("The Avahi daemon is not running. It is waited for.")
        case .broken(let failure):
            opened(.failure(failure))
            connectionBroke(failure)
        }
    }

    /// Begins what is wanted and not running, with whatever the connection allows now.
    private func putInPlace() {
        guard case .ready(let canPublish) = connection else { return }
        watcher.attach()
        guard case .ready = connection else { return }
        for publisher in publishers.values {
            if canPublish { publisher.publish() } else { publisher.unpublish() }
        }
    }

    private func connectionBroke(_ failure: AvahiFailure) {
        guard !isOver, connection != .broken else { return }
        connection = .broken
        // One that breaks as soon as it is there must not be made anew as fast as the machine can.
        if let readySince, readySince.duration(to: .now) > .seconds(5) { reopenings = 0 }
        readySince = nil
        let sentence =
            switch failure {
            case .daemonIsBack: "The Avahi daemon is running again, and this process changes over to it."
            case .clockWasSetBack: "This machine's clock was set back. It looks around, and shows itself, anew."
            default: "The connection to Avahi was lost: \(failure). It is being made anew."
            }
        watcher.announceTrouble(sentence)
        reopen()
    }

    /// In a later turn: to free a connection inside the callback that says it is broken crashes inside the library.
    private func reopen() {
        let delay = Duration.milliseconds(reopenings == 0 ? 0 : min(2000, 100 << min(reopenings, 5)))
        reopenings += 1
        loop.after(delay) { [weak self] in
            guard let self, !isOver else { return }
            letGo()
            do {
                try stack.open(isPatient: true) { [weak self] in self?.changed(to: $0) }
            } catch {
                connection = .broken
                reopen()
            }
        }
    }

    private func letGo() {
        watcher.detach()
        for publisher in publishers.values { publisher.detach() }
        stack.close()
        connection = .closed
    }

    // MARK: What is wanted

    /// - Parameter wanted: the only instance that the subscriber asks for; nil for all.
    func subscribe(_ id: Int, _ stream: AsyncStream<DiscoveryEvent>.Continuation, wanted: String? = nil) {
        guard !isOver else {
            stream.finish()
            return
        }
        watcher.add(Subscriber(stream, wanted: wanted), as: id)
    }

    func unsubscribe(_ id: Int) {
        watcher.removeSubscriber(id)
    }

    func advertise(
        _ advertisement: Advertisement, as id: Int, names: AsyncStream<String>.Continuation
    ) throws(DiscoveryError) {
        guard !isOver else { throw .shutDown }
        let publisher = Publisher(
            advertisement, names: names, loop: loop, stack: stack, interfaces: interfaces, links: links,
            stride: stride,
            onBreak: { [weak self] failure in self?.connectionBroke(failure) })
        if connection == .ready(canPublish: true) { try publisher.publishFirst() }
        publishers[id] = publisher
    }

    func update(_ id: Int, to advertisement: Advertisement) {
        publishers[id]?.update(to: advertisement)
    }

    func withdraw(_ id: Int) {
        publishers.removeValue(forKey: id)?.end()
    }

    func shutDown() {
        guard !isOver else { return }
        isOver = true
        for publisher in publishers.values { publisher.end() }
        publishers = [:]
        watcher.end()
        letGo()
        loop.cancelAll()
    }

    /// The thread is about to end; whatever a connection that never came to be has left behind goes with it.
    func close() {
        isOver = true
        letGo()
    }
}
