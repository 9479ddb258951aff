import Foundation
import Glibc
import Testing

/// The parent of an agent, by the built program.
@Suite(.serialized) struct AgentParentTests {
    let tool: Tool

    init() throws { tool = try Tool() }

    /// - Returns: the agent, and the process that serves; nil where that has no parent.
    private func start(_ options: [String] = []) async throws -> (agent: Tool.Running, server: pid_t?) {
        let agent = try tool.start(["agent", "run", "--discovery", "off", "--interface", "lo", "--json"] + options)
        try await agent.waitToSay("\"socket\"")
        let status = try await tool.run(["agent", "status", "--json"])
        let server = pid_t(try #require(status.events.first?["process"] as? Int))
        if server == agent.pid { print("LEFT OUT: this kernel has no Landlock, so that the agent has no parent.") }
        return (agent, server == agent.pid ? nil : server)
    }

    /// Waits until a process has ended, whether or not its parent has reaped it.
    private func waitForEnd(of process: pid_t) async throws {
        _ = try await tool.waitFor("the end of \(process)") { () -> Bool? in
            let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
            let state = status?.split(separator: ")").last?.split(separator: " ").first
            return state == nil || state == "Z" || state == "X" ? true : nil
        }
    }

    @Test("who kills the parent has killed the agent, and the next one starts")
    func killed() async throws {
        let (agent, server) = try await start()
        guard let server else { return }
        agent.kill()
        _ = try await agent.finish()
        let next = try await start()
        try await waitForEnd(of: server)
        #expect(next.server != nil && next.server != server)
        #expect(try await next.agent.stop().code == 0)
    }

    @Test("a signal to the parent ends both in order, with 0", arguments: [SIGTERM, SIGINT])
    func stopped(signal: Int32) async throws {
        let (agent, server) = try await start()
        guard let server else { return }
        kill(agent.pid, signal)
        #expect(try await agent.finish().code == 0)
        let isGone = kill(server, 0) != 0
        #expect(isGone)
        let second = try await start()
        kill(try #require(second.server), signal)
        #expect(try await second.agent.finish().code == 0)
        // An agent must run for its journal to be read.
        let third = try await start()
        #expect(try await tool.entries("agent.stopped").count == 2)
        #expect(try await third.agent.stop().code == 0)
    }

    @Test("the parent ends as the agent does, and does not start one again that failed")
    func ends() async throws {
        let refused = try await tool.run(["agent", "run", "--no-such-option"])
        #expect(refused.code == 64, "\(refused)")
        let (agent, server) = try await start()
        guard let server else { return }
        kill(server, SIGKILL)
        #expect(try await agent.finish().code == SIGKILL)
        try tool.write("nonsense: 7\n", to: "home/config/portolan.yaml")
        let failed = try await tool.run(["agent", "run", "--discovery", "off", "--interface", "lo"])
        #expect(failed.code == 64, "\(failed)")
    }

    @Test("SIGHUP reaches the agent, which loads the policy again and stays")
    func hangup() async throws {
        let (agent, server) = try await start()
        guard server != nil else { return }
        kill(agent.pid, SIGHUP)
        _ = try await tool.entry("policy.loaded")
        #expect(try await agent.stop().code == 0)
    }

    @Test("an agent that nothing holds in has no parent")
    func unconfined() async throws {
        let agent = try tool.start(
            ["agent", "run", "--discovery", "off", "--interface", "lo", "--json", "--no-confine"])
        try await agent.waitToSay("\"socket\"")
        let status = try await tool.run(["agent", "status", "--json"])
        #expect(status.events.first?["process"] as? Int == Int(agent.pid), "\(status)")
        #expect(try await agent.stop().code == 0)
    }
}
