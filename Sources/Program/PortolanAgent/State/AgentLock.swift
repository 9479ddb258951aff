import Foundation
import PortolanTrust
import Synchronization

/// Exclusive lock on the state in a folder, held until it is released or the process ends.
package final class AgentLock: Sendable {
    let folder: StateFolder
    private let lock: Mutex<HeldLock?>

    private static let name = "agent.lock"
    /// Longest waits for the lock. A killed agent holds it until the system has removed the process, which the killer
    /// of its parent does not see.
    private static let wait = Duration.milliseconds(500)
    private static let longWait = Duration.seconds(10)

    /// Creates the folder if it is missing, and locks it. Waits for the removal of a killed agent.
    ///
    /// - Throws: ``AgentStateError`` of the kind `inUse`, with the process that holds the lock; `StoreError`.
    package init(folder path: String) throws {
        folder = try StateFolder(path: path)
        let directory = try PrivateDirectory(path: path)
        var held = try directory.hold(Self.name, patience: Self.wait)
        if held == nil {
            let text = (try? directory.read(Self.name, limit: 16)).map { String(decoding: $0, as: UTF8.self) }
            let holder = text.flatMap { Int32($0.prefix { $0.isNumber }) }
            if Self.isDying(holder) { held = try directory.hold(Self.name, patience: Self.longWait) }
            if held == nil { throw AgentStateError(.inUse(process: holder), path: directory.path(of: Self.name)) }
        }
        lock = Mutex(held)
        // The file that is locked must not be replaced.
        let file = open(directory.path(of: Self.name), O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOFOLLOW)
        defer { close(file) }
        let text = "\(getpid())\n"
        guard write(file, text, text.utf8.count) == text.utf8.count else {
            // The number is for people: on a full disk the lock holds without it.
            guard errno == ENOSPC || errno == EDQUOT else {
                throw AgentStateError.system("write", path: directory.path(of: Self.name))
            }
            return
        }
    }

    package func release() { lock.withLock { $0 = nil } }

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
}
