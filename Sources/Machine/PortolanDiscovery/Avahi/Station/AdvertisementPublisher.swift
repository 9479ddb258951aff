/// Publisher of one advertisement: renames it after a collision, and publishes it again after an interruption.
final class AdvertisementPublisher {
    private var advertisement: Advertisement
    private let names: AsyncStream<String>.Continuation
    private let loop: AvahiLoop
    private let stack: any AvahiStack
    private let interfaces: [Int32]
    private let links: [String]?
    private let onBreak: (AvahiFailure) -> Void

    private var name: String
    private var group: AvahiHandle<GroupEvent>?
    /// Address records for an advertisement with its own host name.
    private var hostRecords: HostRecords?
    private var isCommitted = false
    private var establishedAs: String?
    private var collisions = 0
    private var retry: Int?

    /// Number of conflicts after which attempts are spaced out, as RFC 6762 §8.1 demands.
    private static let patientCollisions = 15
    private static let longPause = Duration.seconds(5)

    /// Returns the number of names to skip after a repeated collision.
    private let stride: () -> Int

    /// - Parameters:
    ///   - interfaces: indices to publish on.
    ///   - links: names of the interfaces whose addresses are announced for the advertisement's own host; nil for all.
    ///   - onBreak: called for failures that only a new connection repairs.
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

    /// Makes the first attempt, and throws its error to the caller.
    func publishFirst() throws(DiscoveryError) {
        do {
            try commit()
        } catch {
            end()
            throw .publishingFailed(reason: "\(error)")
        }
    }

    /// Publishes the advertisement, unless it is published already.
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
            group = try stack.active.makeGroup { [weak self] in self?.handle($0) }
        }
        guard let group else { return }
        // The host comes first, so that browsers of the service find it at once.
        if let host = advertisement.hostName, hostRecords == nil {
            hostRecords = HostRecords(of: host, stack: stack, loop: loop, links: links)
        }
        while true {
            do {
                for interface in interfaces {
                    try stack.active.add(advertisement, as: name, interface: interface, to: group)
                }
                break
            } catch  where error == .collision {
                // The name is taken on this machine: the next name is tried at once, without a question to the network.
                stack.active.reset(group)
                try rename()
            }
        }
        isCommitted = true
        try stack.active.commit(group)
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

    /// Tries again with the same group, because the daemon counts groups and limits their rate.
    private func tryAgain(after delay: Duration, renamed: Bool) {
        guard retry == nil else { return }
        retry = loop.after(delay) { [weak self] in
            guard let self, let group else { return }
            retry = nil
            stack.active.reset(group)
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
        // Two devices that began at the same moment would try the same next name for ever; from the second collision on
        // each skips a random number.
        for _ in 0..<(collisions == 1 ? 1 : stride()) {
            // The next name is longer or has another number; an equal name would be tried for ever.
            guard let next = alternativeName(to: name), next != name else { throw .collision }
            name = next
        }
    }

    /// Replaces the TXT record, now or after publishing.
    func update(to advertisement: Advertisement) {
        self.advertisement = advertisement
        guard let group, isCommitted else { return }
        do throws(AvahiFailure) {
            for interface in interfaces {
                try stack.active.updateText(of: advertisement, as: name, interface: interface, in: group)
            }
        } catch {
            onBreak(error)
        }
    }

    /// Removes the advertisement until `publish`, with the connection intact.
    func unpublish() {
        guard let group, isCommitted else { return }
        stack.active.reset(group)
        closeHostRecords()
        forgetAttempt()
    }

    /// Forgets the group, whose connection is being closed.
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

    /// Ends the advertisement for good.
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
