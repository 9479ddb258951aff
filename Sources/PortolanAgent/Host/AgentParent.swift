import CPortolanLinux
import Glibc

/// The process that was started as the agent, where nobody else would start an agent again: nothing lets out a process that Landlock holds
/// in, so that another one begins afresh when a folder has come.
///
/// It does nothing but pass signals on, and ends as its child does. The child is the agent, and is killed when its parent is.
package enum AgentParent {
    /// Exit status of an agent that is to be started again, as its unit has it, too.
    package static let restartStatus: Int32 = 84
    /// Variable by which whoever starts an agent says after which exit status it starts it again.
    package static let variable = "PORTOLAN_RESTART_STATUS"

    /// Makes the process that is the agent, and becomes its parent, which never returns from here. To be called before there is a second
    /// thread.
    ///
    /// - Parameter ending: the signals that mean something to an agent. In the child they wait for a thread that takes them.
    /// - Returns: in the child, the status after which it is started again; nil in this process where it stays alone, since nothing would
    ///   hold it in, or somebody else looks after it.
    package static func begin(ending: [Int32]) -> Int32? {
        // A service manager takes news from the process that it started, and from no child of it.
        guard getenv("NOTIFY_SOCKET") == nil, getenv(variable) == nil,
            // Before the second version, no agent is held in by it.
            portolan_landlock_version() >= 2
        else { return nil }
        var (signals, before) = (sigset_t(), sigset_t())
        sigemptyset(&signals)
        for signal in ending + [SIGCHLD, SIGTSTP] { sigaddset(&signals, signal) }
        // A process that ignores it leaves no status of its children to be read.
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

    /// The exit status after which whoever started this process starts it again; nil if nobody has said so.
    ///
    /// Removes the variable, so that no program that this one starts is told the same.
    package static func takeStatusFromEnvironment() -> Int32? {
        let text = getenv(variable).map { String(cString: $0) }
        unsetenv(variable)
        return text.flatMap { Int32($0) }.flatMap { (1...255).contains($0) ? $0 : nil }
    }

    /// Passes signals on until the child has ended.
    ///
    /// The child has a process group of its own, so that what a terminal sends comes to it once, and from here. Whatever ends this process
    /// unasked ends the child, too.
    ///
    /// - Parameter isToEnd: whether it was told to end.
    /// - Returns: its status as waitpid(2) has it.
    private static func attend(_ child: pid_t, _ signals: inout sigset_t, _ isToEnd: inout Bool) -> Int32 {
        while true {
            var received: Int32 = 0
            sigwait(&signals, &received)
            switch received {
            case SIGCHLD:
                var status: Int32 = 0
                // The first process of a container has the children of others as well.
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

    /// nil for a process that a signal ended.
    private static func exitStatus(_ status: Int32) -> Int32? {
        status & 0x7F == 0 ? (status >> 8) & 0xFF : nil
    }

    /// Ends as a child did.
    private static func end(as status: Int32) -> Never {
        if let status = exitStatus(status) { _exit(status) }
        let number = status & 0x7F
        // The child's core file is enough.
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
