import Foundation
import Glibc
import TestSupport
import Testing

@testable import PortolanCommand

/// The agent as a service, by the built program: its calls of systemd, which a script records in place of it, and its
/// notifications of a service manager.
@Suite(.serialized) struct AgentServiceTests {
    let tool: Tool

    init() throws { tool = try Tool() }

    /// Puts programs of systemd before the system's own.
    private func makeSystemd() throws {
        let programs = [
            "systemctl": """
            echo "$*" >> "$RECORD"
            case "$*" in
            *property=Version*) echo 'Version=252.1' ;;
            *property=ActiveState*) echo 'ActiveState=inactive' ;;
            esac
            """,
            "loginctl": "echo 'Linger=no'",
            "journalctl": "echo \"journalctl $*\"",
        ]
        for (name, script) in programs {
            try tool.write("#!/bin/sh\n\(script)\n", to: "bin/\(name)")
            try #require(chmod(tool.path("bin/\(name)"), 0o755) == 0)
        }
        chmod(tool.path("bin"), 0o755)
    }

    /// Runs the tool as a user without privileges.
    private func run(_ arguments: [String]) async throws -> Tool.Outcome {
        try await tool.run(
            arguments,
            environment: [
                "PATH": tool.path("bin") + ":/usr/bin:/bin", "RECORD": tool.path("record"), "PORTOLAN_HOME": "",
                "XDG_RUNTIME_DIR": tool.path("run"),
            ], launcher: tool.launcherWithoutPrivileges())
    }

    /// Commands that systemctl got since the last call, without queries.
    private func asked() throws -> [String] {
        let lines = (try? tool.read("record"))?.split(separator: "\n").map(String.init) ?? []
        try? FileManager.default.removeItem(atPath: tool.path("record"))
        return lines.filter { !$0.contains(" show ") }.map {
            $0.replacingOccurrences(of: "--user --no-pager ", with: "")
        }
    }

    private let unit = "user/.config/systemd/user/portolan-agent.service"

    @Test("the service is installed, updated where something changed, shown and removed")
    func installs() async throws {
        try makeSystemd()
        var ended = try await run(["agent", "install", "--port", "47300", "--discovery", "off"])
        #expect(ended.code == 0, "\(ended)")
        #expect(ended.output.contains("loginctl enable-linger"), "\(ended)")
        #expect(try asked() == ["daemon-reload", "enable --now portolan-agent.service"])
        let text = try tool.read(unit)
        let program = try Tool.programPath()
        #expect(text.contains("ExecStart=\(program) agent run --port 47300 --discovery off\n"), "\(text)")
        #expect(try tool.names(in: "user/.config/systemd/user") == ["portolan-agent.service"])

        ended = try await run(["agent", "install", "--port", "47300", "--discovery", "off", "--json"])
        #expect(ended.events.first?["result"] as? String == "unchanged", "\(ended)")
        #expect(try asked() == ["enable --now portolan-agent.service"])

        ended = try await run(["agent", "install", "--json"])
        #expect(ended.events.first?["result"] as? String == "updated", "\(ended)")
        let service = "portolan-agent.service"
        #expect(try asked() == ["daemon-reload", "try-restart \(service)", "enable --now \(service)"])
        #expect(try tool.read(unit).contains("ExecStart=\(program) agent run\n"))

        ended = try await run(["agent", "start"])
        #expect(ended.code == 0, "\(ended)")
        #expect(try asked() == ["start \(service)"])
        ended = try await run(["agent", "logs", "--follow", "--lines", "7"])
        #expect(ended.output == "journalctl --no-pager --lines=7 --user-unit=\(service) --follow\n", "\(ended)")

        ended = try await run(["agent", "uninstall"])
        #expect(ended.code == 0 && ended.output.contains(tool.path("user/Portolan")), "\(ended)")
        #expect(try asked() == ["disable --now \(service)", "daemon-reload", "reset-failed \(service)"])
        #expect(!FileManager.default.fileExists(atPath: tool.path(unit)))
    }

    @Test("a unit that came with the program is started and stopped as one that was installed, and stays")
    func findsThePackagedUnit() async throws {
        try makeSystemd()
        let (service, folders) = ("portolan-agent.service", ["user", ".local", "share", "systemd", "user"])
        try tool.write("[Service]\n", to: folders.joined(separator: "/") + "/\(service)")
        for count in 1...folders.count { chmod(tool.path(folders.prefix(count).joined(separator: "/")), 0o755) }

        var ended = try await run(["agent", "start"])
        #expect(ended.code == 0, "\(ended)")
        #expect(try asked() == ["start \(service)"])
        ended = try await run(["agent", "logs"])
        #expect(ended.output.contains("--user-unit=\(service)"), "\(ended)")
        ended = try await run(["agent", "uninstall", "--json"])
        #expect(ended.events.first?["result"] as? String == "disabled", "\(ended)")
        #expect(try asked() == ["disable --now \(service)"])
        #expect(try tool.names(in: folders.joined(separator: "/")) == [service])
    }

    @Test("a unit can be looked at without anything being done")
    func prints() async throws {
        try makeSystemd()
        let ended = try await run(["agent", "install", "--print", "--name", "100% Ada"])
        #expect(ended.code == 0, "\(ended)")
        #expect(ended.output.contains("agent run --name \"100%% Ada\"\n"), "\(ended)")
        #expect(!FileManager.default.fileExists(atPath: tool.path("user")))
        #expect(try asked().isEmpty)
    }

    @Test("the unit is not written without a manager, and the error names the next step")
    func withoutSystemd() async throws {
        try tool.write("#!/bin/sh\necho 'Failed to connect to bus'\nexit 1\n", to: "bin/systemctl")
        try #require(chmod(tool.path("bin/systemctl"), 0o755) == 0)
        let ended = try await run(["agent", "install"])
        #expect(ended.code == 69 && ended.errors.contains("portolan agent run"), "\(ended)")
        #expect(!FileManager.default.fileExists(atPath: tool.path(unit)))
        for command in ["start", "logs"] {
            let ended = try await run(["agent", command])
            #expect(ended.code == 69 && ended.errors.contains("not installed"), "\(ended)")
        }
    }

    @Test("an agent that runs by itself is stopped by its API")
    func stops() async throws {
        var ended = try await tool.run(["agent", "stop"])
        #expect(ended.code == 69, "\(ended)")
        let agent = try tool.start(["agent", "run", "--discovery", "off", "--interface", "lo", "--json"])
        try await agent.waitToSay("\"socket\"")
        ended = try await tool.run(["agent", "stop"])
        #expect(ended.code == 0, "\(ended)")
        #expect(try await agent.finish().code == 0)
    }

    @Test("a service manager hears when the agent is ready, loads the policy again, lives, and stops")
    func notifies() async throws {
        let socket = try NotifySocket(at: tool.path("notify"))
        let agent = try tool.start(
            ["agent", "run", "--discovery", "off", "--interface", "lo", "--json"],
            environment: ["NOTIFY_SOCKET": socket.name, "WATCHDOG_USEC": "1000000"])
        try await hear("READY=1", socket)
        #expect(try await tool.run(["agent", "status"]).code == 0)
        try await hear("WATCHDOG=1", socket)
        kill(agent.pid, SIGHUP)
        try await hear("RELOADING=1", socket)
        try await hear("READY=1", socket)
        let ended = Task { try await agent.stop() }
        try await hear("STOPPING=1", socket)
        #expect(try await ended.value.code == 0)
    }

    /// Waits for a message with this beginning; others are skipped.
    private func hear(_ line: String, _ socket: NotifySocket) async throws {
        let deadline = ContinuousClock.now + .seconds(120)
        while ContinuousClock.now < deadline {
            while let lines = socket.next() {
                if lines.first == line { return }
            }
            try await Task.sleep(for: .milliseconds(10))
        }
        Issue.record("it did not say \(line)")
    }
}
