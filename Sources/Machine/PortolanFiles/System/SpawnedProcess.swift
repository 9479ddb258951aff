import Glibc

/// A program that was started with open files of this one. It gets no other descriptors, and default signal handling.
package final class SpawnedProcess {
    private let number: pid_t
    private var isEnded = false

    /// - Parameters:
    ///   - program: its path, or its name in PATH.
    ///   - environment: its variables; nil for those of this process.
    ///   - words: its arguments, beginning with its name.
    ///   - files: descriptors that it gets, by their numbers there.
    package init(
        _ program: String, _ words: [String], environment: [String]? = [], files: [(file: Descriptor, as: Int32)]
    ) throws(SystemFailure) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // Copies have numbers that none of the new process has.
        var copies: [Descriptor] = []
        for (file, number) in files {
            let copy = fcntl(file.number, F_DUPFD_CLOEXEC, 10)
            guard copy >= 0 else { throw .last }
            copies.append(Descriptor(owning: copy))
            posix_spawn_file_actions_adddup2(&actions, copy, number)
        }
        defer { withExtendedLifetime(copies) {} }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Our threads take no signals, and the process ignores two.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var usual = sigset_t()
        sigemptyset(&usual)
        sigaddset(&usual, SIGPIPE)
        sigaddset(&usual, SIGXFSZ)
        posix_spawnattr_setsigdefault(&attributes, &usual)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let arguments = words.map { strdup($0) } + [nil]
        let variables = environment.map { $0.map { strdup($0) } + [nil] }
        defer { for text in arguments + (variables ?? []) { free(text) } }
        var number: pid_t = 0
        let result =
            if let variables { posix_spawnp(&number, program, &actions, &attributes, arguments, variables) } else {
                posix_spawnp(&number, program, &actions, &attributes, arguments, environ)
            }
        guard result == 0 else { throw SystemFailure(result) }
        self.number = number
    }

    deinit { if !isEnded { end() } }

    /// Makes two ends of a connection, of which one can be given to a process.
    package static func connection() throws(SystemFailure) -> (own: Descriptor, given: Descriptor) {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw .last
        }
        return (Descriptor(owning: ends[0]), Descriptor(owning: ends[1]))
    }

    /// Waits until it has ended.
    ///
    /// - Returns: its exit code; 128 and more for a signal.
    package func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(number, &status, 0) < 0, errno == EINTR {}
        isEnded = true
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }

    /// Waits for some time, and then ends it.
    package func end(within milliseconds: Int = 0) {
        var status: Int32 = 0
        for _ in 0..<milliseconds / 10 {
            if waitpid(number, &status, WNOHANG) != 0 {
                isEnded = true
                return
            }
            usleep(10_000)
        }
        kill(number, SIGKILL)
        _ = wait()
    }
}
