import Foundation
import Synchronization

/// Exclusive lock on the state in a folder, held until it is released or the process ends.
package final class AgentLock: Sendable {
    let folder: StateFolder
    /// Open lock file; nil once it is released.
    private let descriptor: Mutex<Int32?>

    /// Number of attempts to take the lock, and microseconds between two. A killed agent holds it until the system has
    /// removed the process, which the killer of its parent does not see.
    private static let leastAttempts = 25
    private static let mostAttempts = 500
    private static let pause: UInt32 = 20_000

    /// Creates the folder if it is missing, and locks it. Waits for the removal of a killed agent.
    ///
    /// - Throws: ``AgentStateError`` of the kind `inUse`, with the process that holds the lock.
    package init(folder path: String) throws(AgentStateError) {
        folder = try StateFolder(path: path)
        let name = "\(path)/agent.lock"
        let file = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard file >= 0 else { throw .system("open", path: name) }
        descriptor = Mutex(file)
        // From here on `deinit` closes the file.
        try StateFolder.check(name, kind: S_IFREG, expected: "a regular file")
        var attempts = 0
        while flock(file, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK else { throw .system("lock", path: name) }
            let holder = Self.process(in: file)
            guard attempts < (Self.isDying(holder) ? Self.mostAttempts : Self.leastAttempts) else {
                throw AgentStateError(.inUse(process: holder), path: name)
            }
            attempts += 1
            usleep(Self.pause)
        }
        let text = "\(getpid())\n"
        guard ftruncate(file, 0) == 0, pwrite(file, text, text.utf8.count, 0) == text.utf8.count else {
            // The number is for people: on a full disk the lock holds without it.
            guard errno == ENOSPC || errno == EDQUOT else { throw .system("write", path: name) }
            return
        }
    }

    deinit { release() }

    package func release() {
        descriptor.withLock { descriptor in
            guard let file = descriptor else { return }
            // A child between fork(2) and exec(2) shares the open file, so closing alone would not release the lock.
            flock(file, LOCK_UN)
            close(file)
            descriptor = nil
        }
    }

    /// True for a process that has been killed, and is not removed yet.
    private static func isDying(_ process: Int32?) -> Bool {
        guard let process else { return false }
        guard let text = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8) else { return true }
        return text.split(separator: "\n").contains { line in
            if line.hasPrefix("State:") { return line.contains("Z") || line.contains("X") }
            guard line.hasPrefix("ShdPnd:") || line.hasPrefix("SigPnd:") else { return false }
            let pending = line.split(whereSeparator: \.isWhitespace).last.flatMap { UInt64($0, radix: 16) }
            return (pending ?? 0) & (1 << UInt64(SIGKILL - 1)) != 0
        }
    }

    private static func process(in file: Int32) -> Int32? {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = pread(file, &bytes, bytes.count, 0)
        return count > 0 ? Int32(String(decoding: bytes[..<count], as: UTF8.self).prefix { $0.isNumber }) : nil
    }
}
