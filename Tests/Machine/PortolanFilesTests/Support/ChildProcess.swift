import Glibc
import Testing

/// A part of a test that runs in a process of its own: to be killed, or to give up privileges.
///
/// The child is this very test program, asked to run one test, which is enabled only there.
struct ChildProcess {
    /// Task and folder of the child; nil in an ordinary run.
    static let assignment: (task: String, folder: String)? = {
        guard let text = getenv("PORTOLAN_FILES_TEST_CHILD").map({ String(cString: $0) }) else { return nil }
        let parts = text.split(separator: ":", maxSplits: 1)
        return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
    }()

    let identifier: pid_t

    /// - Parameter output: a file for the child's output.
    init(task: String, folder: String, output: String) throws {
        let arguments = [
            "portolan-tests", "--testing-library", "swift-testing", "--filter", "PortolanFilesTests.ChildTasks",
        ]
        var environment = ["PORTOLAN_FILES_TEST_CHILD=\(task):\(folder)", "PATH=/usr/bin:/bin"]
        if let libraries = getenv("LD_LIBRARY_PATH") {
            environment.append("LD_LIBRARY_PATH=" + String(cString: libraries))
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        var identifier: pid_t = 0
        let result = withStrings(arguments) { arguments in
            withStrings(environment) { posix_spawn(&identifier, "/proc/self/exe", &actions, nil, arguments, $0) }
        }
        try #require(result == 0, "no child process: error \(result)")
        self.identifier = identifier
    }

    func kill() { Glibc.kill(identifier, SIGKILL) }

    /// - Returns: the wait status.
    @discardableResult
    func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        return status
    }
}

private func withStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
}

/// Waits for something to become true, as long as it may take on a machine that is busy with other tests.
func eventually(_ condition: () -> Bool) -> Bool {
    let deadline = ContinuousClock.now + .seconds(300)
    while ContinuousClock.now < deadline {
        if condition() { return true }
        usleep(2000)
    }
    return false
}
