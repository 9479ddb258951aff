import Foundation
import Glibc
import TestSupport
import Testing

@testable import PortolanCommand

/// An agent with a full disk, by the built program. The disk is a small one in memory, for the agent only.
@Suite(.serialized) struct AgentDiskTests {
    let tool: Tool

    init() throws {
        tool = try Tool()
        try tool.write("version: 1\nrules:\n  - from: anyone\n    action: accept\n", to: "home/config/policy.yaml")
    }

    /// Gives the program a small file system at `SMALL`, in its own namespace.
    private static let launcher = [
        "/usr/bin/unshare", "--mount", "--propagation", "private", "/bin/sh", "-c",
        "mount -t tmpfs -o size=8m,mode=700 none \"$SMALL\" || exit 77; exec \"$@\"", "sh",
    ]

    /// Reason why the tests are skipped; nil if they run.
    private func obstacle() async throws -> String? {
        guard geteuid() == 0 else { return "only root can mount a small disk" }
        guard access("/usr/bin/unshare", X_OK) == 0 else { return "there is no /usr/bin/unshare" }
        let tried = try await tool.run(
            ["--version"], environment: ["SMALL": tool.path("home")], launcher: Self.launcher)
        return tried.code == 0 ? nil : "no small disk can be mounted: \(tried)"
    }

    /// Starts the agent with a small disk at a folder.
    ///
    /// - Returns: the agent, and the path of that folder for this process.
    private func start(
        port: UInt16, smallDiskAt folder: String, notifying socket: NotifySocket? = nil
    ) async throws -> (agent: Tool.Running, disk: String) {
        try Files.makeFolder(tool.path(folder))
        var environment = ["SMALL": tool.path(folder)]
        environment["NOTIFY_SOCKET"] = socket?.name
        let agent = try tool.start(
            ["agent", "run", "--discovery", "off", "--interface", "lo", "--port", "\(port)", "--json"],
            environment: environment, launcher: Self.launcher)
        try await agent.waitToSay("\"socket\"")
        _ = try await tool.entry("node.listening")
        return (agent, "/proc/\(agent.pid)/root" + tool.path(folder))
    }

    /// Writes to a file until nothing more can be written.
    private func fill(_ path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        try #require(file >= 0, "\(String(cString: strerror(errno)))")
        defer { close(file) }
        let zeros = [UInt8](repeating: 0, count: 4096)
        while write(file, zeros, zeros.count) > 0 {}
        #expect(errno == ENOSPC)
    }

    private func send(_ file: String, to port: UInt16) async throws -> Tool.Outcome {
        try await tool.run(["send", file, "--to", "127.0.0.1:\(port)", "--no-converters"], home: "sender")
    }

    private func status() async throws -> [String: Any] {
        try #require(try await tool.run(["agent", "status", "--json"]).events.first)
    }

    private func stored() throws -> [String] { try tool.names(in: "home/inbox").filter { !$0.hasPrefix(".") } }

    @Test("an agent whose state has no room says so everywhere, takes nothing, and goes on when there is room again")
    func fullState() async throws {
        if let obstacle = try await obstacle() { return print("LEFT OUT: \(obstacle).") }
        let socket = try NotifySocket(at: tool.path("notify"))
        let port = try Tool.freePort()
        let (agent, disk) = try await start(port: port, smallDiskAt: "home/state", notifying: socket)
        for name in ["one", "two", "three"] { try tool.write(name, to: name) }
        var sent = try await send("one", to: port)
        #expect(sent.code == 0, "\(sent)")

        _ = socket.drain()
        try fill(disk + "/filler")
        sent = try await send("two", to: port)
        #expect(sent.code == 82 && sent.errors.contains("cannot record offers"), "\(sent)")
        let full = try await status()
        #expect(full["receiving"] as? Bool == false, "\(full)")
        #expect((full["problems"] as? [String])?.contains { $0.contains("no room") } == true, "\(full)")
        #expect(agent.errors.contains("cannot write its state"), "\(agent.errors)")
        try await hear("STATUS=The agent cannot write its state", socket)
        #expect(try stored() == ["one"])

        #expect(unlink(disk + "/filler") == 0)
        try await hear("STATUS=Receives", socket)
        let free = try await status()
        #expect(free["receiving"] as? Bool == true && (free["problems"] as? [String])?.isEmpty == true, "\(free)")
        #expect(try await tool.entries("state.writable").count == 1)
        sent = try await send("three", to: port)
        #expect(sent.code == 0, "\(sent)")
        #expect(try stored() == ["one", "three"])
        #expect(try await agent.stop().code == 0)
    }

    @Test("an agent that starts on a full disk answers and says so, and goes on when there is room")
    func fullStart() async throws {
        if let obstacle = try await obstacle() { return print("LEFT OUT: \(obstacle).") }
        try Files.makeFolder(tool.path("home/state"))
        #expect(chmod(tool.path("home/state"), 0o700) == 0)
        // The second agent has the disk of the first.
        let twice =
            Self.launcher[..<6] + [
                "mount -t tmpfs -o size=8m,mode=700 none \"$SMALL\" || exit 77; \"$@\"; "
                    + "while [ ! -e \"$GO\" ]; do sleep 0.1; done; exec \"$@\"", "sh",
            ]
        let agent = try tool.start(
            ["agent", "run", "--discovery", "off", "--interface", "lo", "--json"],
            environment: ["SMALL": tool.path("home/state"), "GO": tool.path("go")], launcher: Array(twice))
        try await agent.waitToSay("\"socket\"")
        _ = try await tool.entry("node.listening")
        let queued = try await tool.run(["send", "--text", "x", "--to", "127.0.0.1:9", "--queue", "--json"])
        let id = try #require(queued.events("parcel").first?["id"] as? String, "\(queued)")
        #expect(try await tool.run(["agent", "stop"]).code == 0)
        let filler = "/proc/\(agent.pid)/root" + tool.path("home/state/filler")
        try fill(filler)
        try tool.write("", to: "go")
        _ = try await tool.waitFor("the second agent") {
            agent.output.split(separator: "\"socket\"").count == 3 ? true : nil
        }
        let full = try await status()
        #expect(full["receiving"] as? Bool == false, "\(full)")
        #expect((full["problems"] as? [String])?.contains { $0.contains("no room") } == true, "\(full)")
        #expect(try await tool.parcel(id)["state"] as? String == "waiting")

        #expect(unlink(filler) == 0)
        _ = try await tool.waitFor("room") { try await status()["receiving"] as? Bool == true ? true : nil }
        #expect(try await tool.run(["outbox", "cancel", id]).code == 0)
        #expect(try await agent.stop().code == 0)
    }

    @Test("an agent whose inbox has no room declines larger items, and the journal has the reason")
    func fullInbox() async throws {
        if let obstacle = try await obstacle() { return print("LEFT OUT: \(obstacle).") }
        let port = try Tool.freePort()
        let (agent, disk) = try await start(port: port, smallDiskAt: "home/inbox")
        try Files.write(noise(1 << 20, seed: 1), to: tool.path("large"))
        try fill(disk + "/filler")
        var sent = try await send("large", to: port)
        #expect(sent.code == 73 && sent.errors.contains("not enough room"), "\(sent)")
        let refused = try await tool.entry("offer.refused")
        #expect(((refused["body"] as? [String: Any])?["reason"] as? String)?.contains("no room") == true, "\(refused)")
        // The state has room.
        #expect(try await status()["receiving"] as? Bool == true)
        #expect(try Files.names(in: disk) == ["filler"])

        #expect(unlink(disk + "/filler") == 0)
        sent = try await send("large", to: port)
        #expect(sent.code == 0, "\(sent)")
        #expect(try Files.read(disk + "/large") == noise(1 << 20, seed: 1))
        #expect(try await tool.entries("offer.refused").count == 1)
        #expect(try await agent.stop().code == 0)
    }

    /// Waits for a line with this beginning; others are skipped.
    private func hear(_ beginning: String, _ socket: NotifySocket) async throws {
        _ = try await tool.waitFor(beginning) {
            socket.drain().contains { $0.contains { $0.hasPrefix(beginning) } } ? true : nil
        }
    }
}
