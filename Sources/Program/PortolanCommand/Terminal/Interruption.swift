import Glibc
import PortolanConcurrency
import PortolanValues
import Synchronization

/// Request to end the command: Ctrl-C, a service manager's SIGTERM, or a closed terminal.
///
/// The signals are blocked in every thread and received by a dedicated one, so that no other code runs inside a signal
/// handler. The first signal requests an orderly end; the second ends the process.
enum Interruption {
    private static let handler = Mutex<(@Sendable () -> Void)?>(nil)
    /// Handler of a closed terminal, for a command that keeps running.
    private static let reload = Mutex<(@Sendable () -> Void)?>(nil)

    /// Must be called first in the process, since threads that exist already would not have the signals blocked.
    static func listen() {
        var signals = wanted
        // A closed reader of the output is noticed by the failing write.
        signal(SIGPIPE, SIG_IGN)
        // A file beyond the limit of this process (ulimit -f) is an error of the call that writes it.
        signal(SIGXFSZ, SIG_IGN)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        certain(try startThread(named: "signals", waitForSignals), "No thread waits for signals")
    }

    /// Sets the handler of the first signal, which runs on a separate thread.
    static func onFirst(_ body: @escaping @Sendable () -> Void) {
        handler.withLock { $0 = body }
    }

    /// Sets a handler for SIGHUP in place of ending the command; it is called for each signal, on a separate thread.
    static func onHangup(_ body: @escaping @Sendable () -> Void) {
        reload.withLock { $0 = body }
    }

    @Sendable private static func waitForSignals() {
        waitForEnd()
        guard let end = handler.withLock({ $0 }) else { _exit(ExitStatus.interrupted.rawValue) }
        end()
        waitForEnd()
        _exit(ExitStatus.interrupted.rawValue)
    }

    /// Returns at the next signal that means the end.
    private static func waitForEnd() {
        // The set of wanted signals rather than of blocked ones, since the parent process may have blocked more, such
        // as SIGCHLD.
        var signals = wanted
        var received: Int32 = 0
        while true {
            sigwait(&signals, &received)
            guard received == SIGHUP, let reload = reload.withLock({ $0 }) else { return }
            reload()
        }
    }

    /// Signals that mean something to a command of this process.
    private static var meant: [Int32] { [SIGINT, SIGTERM, SIGHUP].filter { !isIgnored($0) } }

    private static var wanted: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in meant { sigaddset(&signals, signal) }
        return signals
    }

    /// A parent that used `nohup`, or a script that started the command in the background, wants the signal ignored.
    private static func isIgnored(_ signal: Int32) -> Bool {
        var action = sigaction()
        sigaction(signal, nil, &action)
        // Two C function pointers of one size, compared as addresses; neither is called.
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
