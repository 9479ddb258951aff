import CAvahi

/// Avahi stack that uses the daemon while it runs, else the stack inside this process.
///
/// A stopped daemon must not make this device invisible: after a delay the process does mDNS itself, until a daemon
/// runs again. Each change breaks the connection, and the owner opens it again.
final class AutomaticStack: AvahiStack {
    /// Longest wait for a daemon that has stopped: a restart takes a second or two.
    private let patience: Duration
    /// Interval of the checks for a daemon while this process works without one.
    private let pause: Duration

    private let daemon: any AvahiStack
    private let embedded: any AvahiStack
    private let makeProbe: () -> any AvahiStack
    private let loop: AvahiLoop
    private var usesDaemon = true
    /// True if the next connection uses the daemon.
    private var usesDaemonNext = true
    private var isOpen = false
    /// True while the connection waits for a daemon.
    private var isAbsent = false
    /// Number of waits for a daemon so far.
    private var absences = 0
    /// Number of openings, by which timers of a former connection are recognised.
    private var openings = 0
    private var onState: (StackState) -> Void = { _ in }

    convenience init(
        client: PortolanAvahiClient, core: PortolanAvahiCore, loop: AvahiLoop, interfaces: [String]?
    ) {
        self.init(
            daemon: LibraryStack(.daemon(client, poll: loop.api)),
            embedded: LibraryStack(.embedded(core, loop: loop, interfaces: interfaces)), loop: loop
        ) { LibraryStack(.daemon(client, poll: loop.api)) }
    }

    /// - Parameter makeProbe: makes a stack that checks for a daemon.
    init(
        daemon: any AvahiStack, embedded: any AvahiStack, loop: AvahiLoop, patience: Duration = .seconds(3),
        pause: Duration = .seconds(10), makeProbe: @escaping () -> any AvahiStack
    ) {
        self.daemon = daemon
        self.embedded = embedded
        self.makeProbe = makeProbe
        self.loop = loop
        self.patience = patience
        self.pause = pause
    }

    private var stack: any AvahiStack { usesDaemon ? daemon : embedded }

    var active: any AvahiObjects { stack.active }

    var settlingDelay: Duration { stack.settlingDelay }

    func open(isPatient: Bool, onState: @escaping (StackState) -> Void) throws(AvahiFailure) {
        self.onState = onState
        isOpen = true
        openings += 1
        usesDaemon = usesDaemonNext
        if usesDaemon {
            do {
                return try daemon.open(isPatient: isPatient) { [weak self] in self?.daemonChanged(to: $0) }
            } catch {
                // The bus is missing, or the daemon is missing at the first opening: the caller chooses then.
                guard isPatient else { throw error }
                (usesDaemon, usesDaemonNext) = (false, false)
            }
        }
        do {
            try embedded.open(isPatient: isPatient, onState: onState)
        } catch {
            // A daemon may run at the next attempt, and the check for one starts only after this has opened.
            usesDaemonNext = true
            throw error
        }
        later(pause) { $0.lookForDaemon() }
    }

    func close() {
        isOpen = false
        stack.close()
    }

    private func daemonChanged(to state: StackState) {
        isAbsent = state == .absent
        onState(state)
        guard isAbsent else { return }
        absences += 1
        let absence = absences
        later(patience) { stack in
            guard stack.isAbsent, stack.absences == absence else { return }
            stack.usesDaemonNext = false
            stack.onState(.broken(.noDaemon))
        }
    }

    private func lookForDaemon() {
        let probe = makeProbe()
        var isThere = false
        try? probe.open(isPatient: false) { state in
            if case .ready = state { isThere = true }
        }
        // The connection is not closed inside the callback.
        probe.close()
        guard isThere else { return later(pause) { $0.lookForDaemon() } }
        usesDaemonNext = true
        onState(.broken(.daemonIsBack))
    }

    /// Runs `body` after a delay, unless the present connection has been closed by then.
    private func later(_ delay: Duration, _ body: @escaping (AutomaticStack) -> Void) {
        let opening = openings
        loop.after(delay) { [weak self] in
            guard let self, isOpen, openings == opening else { return }
            body(self)
        }
    }
}
