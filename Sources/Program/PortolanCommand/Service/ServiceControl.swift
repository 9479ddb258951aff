import Glibc
import PortolanValues

/// Service manager that can run the agent: the user's, or for root the machine's.
struct ServiceControl: Sendable {
    let scope: ServiceUnit.Scope

    private static let unit = ServiceUnit.name

    /// Manager for this user.
    static var own: ServiceControl { ServiceControl(scope: geteuid() == 0 ? .machine : .user) }

    /// - Returns: nil if there is no systemd.
    private func systemctl(_ words: String...) async throws -> ProgramRun.RunEnd? {
        try await ProgramRun.run(["systemctl"] + (scope == .user ? ["--user"] : []) + ["--no-pager"] + words)
    }

    /// Version of the manager, 0 if it does not report one; nil if it cannot be reached.
    func version() async throws -> Int? {
        guard let ending = try await systemctl("show", "--property=Version"), ending.isSuccess else { return nil }
        let lines = ending.output.split(separator: "\n")
        let value = lines.first { $0.hasPrefix("Version=") }?.dropFirst("Version=".count)
        return Int(value?.prefix { $0.isNumber } ?? "") ?? 0
    }

    /// True if the unit runs, or is being started or stopped.
    func isActive() async throws -> Bool {
        let ending = try await systemctl("show", "--property=ActiveState", Self.unit)
        let states = ["active", "activating", "reloading", "deactivating"].map { "ActiveState=\($0)" }
        return ending?.output.split(separator: "\n").contains { states.contains(String($0)) } ?? false
    }

    /// Makes the manager read its files again.
    func reload() async throws { try await require("daemon-reload") }

    /// Starts the unit now and from now on, and waits until it is ready.
    func enable() async throws { try await require("enable", "--now", Self.unit) }

    /// Starts it anew if it runs.
    func restart() async throws { try await require("try-restart", Self.unit) }

    func start() async throws { try await require("start", Self.unit) }

    func stop() async throws { try await require("stop", Self.unit) }

    /// Stops the service, and removes it from the automatic start.
    func disable() async throws { try await require("disable", "--now", Self.unit) }

    /// Forgets that it failed, if it did.
    func forgetFailure() async throws { _ = try await systemctl("reset-failed", Self.unit) }

    private func require(_ words: String...) async throws {
        let all = ["systemctl"] + (scope == .user ? ["--user"] : []) + ["--no-pager"] + words
        guard let ending = try await ProgramRun.run(all) else { throw Self.unreachable(scope) }
        guard ending.isSuccess else {
            let command = all.filter { $0 != "--no-pager" }.joined(separator: " ")
            throw CommandFailure(
                .inputOutput,
                "'\(command)' failed: \(DisplayText(sentence: ending.output, limit: 1000).text) "
                    + "See 'portolan agent logs'.")
        }
    }

    /// Returns the failure for a manager that does not answer.
    static func unreachable(_ scope: ServiceUnit.Scope) -> CommandFailure {
        let manager = scope == .user ? "No systemd user manager answers" : "No systemd answers"
        let places = scope == .user ? "as in a container, or after 'su'" : "as in a container"
        return CommandFailure(
            .unreachable,
            "\(manager) here (\(places)). Use 'portolan agent run', in a terminal or by a supervisor.")
    }

    // MARK: - Lingering

    /// True if services of this user run while the user is not logged in; nil if unknown.
    func isLingering() async throws -> Bool? {
        let user = Self.userName
        let words = ["loginctl", "show-user", user ?? "\(geteuid())", "--property=Linger"]
        if let ending = try await ProgramRun.run(words), ending.isSuccess {
            let lines = ending.output.split(separator: "\n")
            if lines.contains("Linger=yes") { return true }
            if lines.contains("Linger=no") { return false }
        }
        // loginctl fails for users who are not logged in.
        guard let user, access("/var/lib/systemd/linger", F_OK) == 0 else { return nil }
        return access("/var/lib/systemd/linger/\(user)", F_OK) == 0
    }

    private static var userName: String? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16 << 10)
        guard getpwuid_r(geteuid(), &entry, &buffer, buffer.count, &found) == 0, found != nil else { return nil }
        return String(cString: entry.pw_name)
    }
}
