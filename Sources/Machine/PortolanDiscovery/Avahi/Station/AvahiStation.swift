/// Owner of the connection to Avahi: reconnects after a failure, and restores subscriptions and advertisements.
///
/// A station lives on its ``StationThread``. Subscriptions and advertisements outlive a connection; Avahi's objects
/// (browsers, resolvers, groups) end with it.
final class AvahiStation {
    private let loop: AvahiLoop
    private let stack: any AvahiStack
    private let interfaces: [Int32]
    private let links: [String]?
    private let watcher: Watcher
    private var publishers: [Int: AdvertisementPublisher] = [:]

    private var connection = Connection.closed
    private var reopenings = 0
    private var readySince: ContinuousClock.Instant?
    private var onOpening: ((Result<Void, any Error>) -> Void)?
    private(set) var isOver = false

    private enum Connection: Equatable {
        case closed
        case absent
        case ready(canPublish: Bool)
        /// The connection must be closed, and opened again in a later turn.
        case broken
    }

    private let stride: () -> Int

    /// - Parameters:
    ///   - interfaces: indices to browse and publish on.
    ///   - links: names of the interfaces whose addresses are announced for Portolan's own hosts; nil for all.
    ///   - prefixes: reads the networks of the links.
    ///   - stride: number of names to skip after a repeated collision; random, so that two devices do not stay in step.
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

    /// Makes the first attempt, which does not wait for a daemon.
    ///
    /// - Parameter onOpening: called once with success or the error. After a failure the station has ended.
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
            // Avahi may be inside an operation that ends in this state, so the work is done in a later turn.
            loop.after(.zero) { [weak self] in self?.putInPlace() }
        case .absent:
            connection = .absent
            watcher.announceTrouble("The Avahi daemon is not running. It is waited for.")
        case .broken(let failure):
            opened(.failure(failure))
            connectionBroke(failure)
        }
    }

    /// Starts the missing browsers and advertisements, as far as the connection allows now.
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
        // A connection that breaks at once must not be opened again without a delay.
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

    /// Opens the connection again in a later turn: to free a connection inside the callback that reports its failure
    /// crashes inside the library.
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

    // MARK: Subscriptions and advertisements

    /// - Parameter wanted: the only instance for the subscriber; nil for all.
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
        let publisher = AdvertisementPublisher(
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

    /// Ends the station before its thread ends, with the remains of a connection that was never complete.
    func close() {
        isOver = true
        letGo()
    }
}
