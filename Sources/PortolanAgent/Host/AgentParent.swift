import CPortolanLinux
import Glibc

/// Parent process of an agent without a service manager: restarts the agent when a folder is added, because a process
/// cannot leave its Landlock confinement.
///
/// Otherwise the parent only forwards signals, and ends with the status of its child. The child is the agent, and is
/// killed when its parent is.
package enum AgentParent {
    /// Exit status of an agent that must be restarted, also named in its unit.
    package static let restartStatus: Int32 = 84
    /// Environment variable with the exit status after which the agent's starter restarts it.
    package static let variable = "PORTOLAN_RESTART_STATUS"

    /// Forks the agent's process, and becomes its parent, which never returns. Call this before there is a second
    /// thread.
    ///
    /// - Parameter ending: signals that end an agent. In the child they are blocked for a thread that waits for them.
    /// - Returns: in the child, the status for a restart; nil in this process if it does not fork, because there is
    ///   no confinement, or a service manager restarts it.
    package static func begin(ending: [Int32]) -> Int32? {
        // A service manager accepts messages only from the process that it started, and not from its child.
        guard getenv("NOTIFY_SOCKET") == nil, getenv(variable) == nil,
            // Before version 2 of Landlock, no agent is confined by it.
            portolan_landlock_version() >= 2
        else { return nil }
        var (signals, before) = (sigset_t(), sigset_t())
        sigemptyset(&signals)
        for signal in ending + [SIGCHLD, SIGTSTP] { sigaddset(&signals, signal) }
        // A process that ignores SIGCHLD gets no status of its children.
        signal(SIGCHLD, SIG_DFL)
        pthread_sigmask(SIG_BLOCK, &signals, &before)
        var isToEnd = false
        while true {
            let child = portolan_start_child()
            guard child > 0 else {
                for signal in ending { sigaddset(&before, signal) }
                pthread_sigmask(SIG_SETMASK, &before, nil)
                return child == 0 ? restartStatus : nil
            }
            let status = attend(child, &signals, &isToEnd)
            guard exitStatus(status) == restartStatus else { end(as: status) }
            if isToEnd { _exit(0) }
        }
    }

    /// Returns the exit status after which this process is restarted; nil if the environment names none.
    ///
    /// Removes the variable, so that child processes do not inherit it.
    package static func takeStatusFromEnvironment() -> Int32? {
        let text = getenv(variable).map { String(cString: $0) }
        unsetenv(variable)
        return text.flatMap { Int32($0) }.flatMap { (1...255).contains($0) ? $0 : nil }
    }

    /// Forwards signals until the child has ended.
    ///
    /// The child has a process group of its own, so that it gets a terminal's signals once, from here. If this process
    /// is killed, the child is killed, too.
    ///
    /// - Parameter isToEnd: set to true after a signal to end.
    /// - Returns: its status of waitpid(2).
    private static func attend(_ child: pid_t, _ signals: inout sigset_t, _ isToEnd: inout Bool) -> Int32 {
        while true {
            var received: Int32 = 0
            sigwait(&signals, &received)
            switch received {
            case SIGCHLD:
                var status: Int32 = 0
                // The first process of a container also inherits the children of others.
                while case let ended = waitpid(-1, &status, WNOHANG), ended > 0 {
                    if ended == child { return status }
                }
            case SIGTSTP:
                kill(child, SIGSTOP)
                raise(SIGSTOP)
                kill(child, SIGCONT)
            default:
                if received != SIGHUP { isToEnd = true }
                kill(child, received)
            }
        }
    }

    /// Returns the exit status; nil for a process that a signal ended.
    private static func exitStatus(_ status: Int32) -> Int32? {
        status & 0x7F == 0 ? (status >> 8) & 0xFF : nil
    }

    /// Ends with the status of a child.
    private static func end(as status: Int32) -> Never {
        if let status = exitStatus(status) { _exit(status) }
        let number = status & 0x7F
        // The core file of the child is enough.
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        signal(number, SIG_DFL)
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, number)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        kill(getpid(), number)
        _exit(128 + number)
    }
}
