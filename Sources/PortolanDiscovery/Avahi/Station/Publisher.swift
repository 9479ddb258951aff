/// One advertisement: puts it on the air, gives it another name when its own is taken, and puts it back after an interruption.
final class Publisher {
    private var advertisement: Advertisement
    private let names: AsyncStream<String>.Continuation
    private let loop: AvahiLoop
    private let stack: any AvahiStack
    private let interfaces: [Int32]
    private let links: [String]?
    private let onBreak: (AvahiFailure) -> Void

    private var name: String
    private var group: AvahiHandle<GroupEvent>?
    /// Where the advertisement has a host of its own.
    private var hostRecords: HostRecords?
    private var isCommitted = false
    private var establishedAs: String?
    private var collisions = 0
    private var retry: Int?

    /// RFC 6762 §8.1: after so many conflicts the network is left in peace between attempts.
    private static let patientCollisions = 15
    private static let longPause = Duration.seconds(5)

    /// How many names to go on by when the name is taken again.
    private let stride: () -> Int

    /// - Parameters:
    ///   - interfaces: indices to publish on.
    ///   - links: the only interfaces whose addresses a host of the advertisement's own has, by name; nil for all.
    ///   - onBreak: for failures that only a new connection mends.
    init(
        _ advertisement: Advertisement, names: AsyncStream<String>.Continuation, loop: AvahiLoop,
        stack: any AvahiStack, interfaces: [Int32], links: [String]?, stride: @escaping () -> Int,
        onBreak: @escaping (AvahiFailure) -> Void
    ) {
        self.advertisement = advertisement
        self.names = names
        self.loop = loop
        self.stack = stack
        self.interfaces = interfaces
        self.links = links
        self.stride = stride
        self.onBreak = onBreak
        name = advertisement.name
    }

    /// The first attempt, whose failure is the caller's to hear.
    func publishFirst() throws(DiscoveryError) {
        do {
            try commit()
        } catch {
            end()
            throw .publishingFailed(reason: "\(error)")
        }
    }

    /// Does nothing if it is on the air already.
    func publish() {
        guard !isCommitted, retry == nil else { return }
        do {
            try commit()
        } catch {
            onBreak(error)
        }
    }

    private func commit() throws(AvahiFailure) {
        if group == nil {
            group = try stack.makeGroup { [weak self] in self?.handle($0) }
        }
        guard let group else { return }
        // First, so that nobody who hears of the service has to wait for the host.
        if let host = advertisement.hostName, hostRecords == nil {
            hostRecords = HostRecords(of: host, stack: stack, loop: loop, links: links)
        }
        while true {
            do {
                for interface in interfaces {
                    try stack.add(advertisement, as: name, interface: interface, to: group)
                }
                break
            } catch  where error == .collision {
                // Taken on this very machine: the next name at once, no network is asked.
                stack.reset(group)
                try rename()
            }
        }
        isCommitted = true
        try stack.commit(group)
    }

    private func handle(_ event: GroupEvent) {
        switch event {
        case .established:
            guard establishedAs != name else { return }
            establishedAs = name
            names.yield(name)
        case .collision: tryAgain(after: collisions < Self.patientCollisions ? .zero : Self.longPause, renamed: true)
        case .failed: tryAgain(after: Self.longPause, renamed: false)
        }
    }

    /// In the same group: the daemon counts groups, and limits how fast one may try.
    private func tryAgain(after delay: Duration, renamed: Bool) {
        guard retry == nil else { return }
        retry = loop.after(delay) { [weak self] in
            guard let self, let group else { return }
            retry = nil
            stack.reset(group)
            isCommitted = false
            do throws(AvahiFailure) {
                if renamed { try rename() }
                try commit()
            } catch {
                onBreak(error)
            }
        }
    }

    private func rename() throws(AvahiFailure) {
        collisions += 1
        // Two that began at the same moment would go on to the same next name for ever; from the second time on each skips
        // ahead by chance.
        for _ in 0..<(collisions == 1 ? 1 : stride()) {
            // Always longer or another number; a name that stays would be tried forever.
            guard let next = alternativeName(to: name), next != name else { throw .collision }
            name = next
        }
    }

    /// Replaces the TXT record, now or when it is on the air.
    func update(to advertisement: Advertisement) {
        self.advertisement = advertisement
        guard let group, isCommitted else { return }
        do throws(AvahiFailure) {
            for interface in interfaces {
                try stack.updateText(of: advertisement, as: name, interface: interface, in: group)
            }
        } catch {
            onBreak(error)
        }
    }

    /// Off the air until `publish`, with the connection intact.
    func unpublish() {
        guard let group, isCommitted else { return }
        stack.reset(group)
        closeHostRecords()
        forgetAttempt()
    }

    /// The connection is going away, and with it the group.
    func detach() {
        group?.free()
        group = nil
        closeHostRecords()
        forgetAttempt()
    }

    private func closeHostRecords() {
        hostRecords?.close()
        hostRecords = nil
    }

    /// Off the air for good.
    func end() {
        detach()
        names.finish()
    }

    private func forgetAttempt() {
        isCommitted = false
        loop.cancel(retry)
        retry = nil
    }
}
