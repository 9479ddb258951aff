import Foundation
import Testing

/// Commands that leave their work to the agent, and commands that do not.
@Suite(.serialized) struct AgentUseTests {
    let tool: Tool

    init() throws { tool = try Tool() }

    @Test("a command that needs the agent is refused with --no-agent, and names the agent with -v")
    func needed() async throws {
        let agent = try await tool.startAgent()
        for command in [
            ["outbox"], ["inbox"], ["events"], ["shelf"], ["outbox", "cancel", "5f"], ["inbox", "show", "1"],
        ] {
            let refused = try await tool.run(command + ["--no-agent"])
            #expect(refused.code == 64 && refused.errors.contains("--no-agent"), "\(command): \(refused)")
        }
        let queued = try await tool.run(["send", "--text", "x", "--to", "laptop", "--queue", "--no-agent"])
        #expect(queued.code == 64, "\(queued)")
        for command in [["outbox"], ["inbox"], ["events"], ["shelf"], ["policy", "show"], ["peers"]] {
            let asked = try await tool.run(command + ["-v"])
            #expect(asked.code == 0 && asked.errors.contains("The agent at"), "\(command): \(asked)")
            let silent = try await tool.run(command)
            #expect(silent.code == 0 && !silent.errors.contains("The agent at"), "\(command): \(silent)")
        }
        #expect(try await agent.stop().code == 0)
    }

    @Test("a command that needs no agent runs with --no-agent, and with the same words")
    func beside() async throws {
        let agent = try await tool.startAgent()
        let loopback = ["--discovery", "off"]
        for command in [["policy", "show", "--quiet"], ["peers"]] {
            let own = try await tool.run(command + ["--no-agent", "-v"] + (command[0] == "peers" ? loopback : []))
            let byAgent = try await tool.run(command + ["-v"])
            #expect(own.code == byAgent.code && own.output == byAgent.output, "\(own)\n\(byAgent)")
            #expect(!own.errors.contains("The agent at") && byAgent.errors.contains("The agent at"))
        }
        #expect(try await agent.stop().code == 0)
    }

    @Test("an unknown name is queued with a warning, a known one without")
    func nobody() async throws {
        let agent = try await tool.startAgent()
        let queued = try await tool.run(["send", "--text", "x", "--to", "lpatop", "--queue", "--json"])
        #expect(queued.code == 0 && queued.events.first?["state"] as? String == "waiting", "\(queued)")
        #expect(queued.errors.contains("No device is known as “lpatop”"), "\(queued)")
        let address = try await tool.run(["send", "--text", "x", "--to", "127.0.0.1:9", "--queue"])
        #expect(address.code == 0 && !address.errors.contains("No device is known"), "\(address)")

        // A peer of an earlier exchange.
        let (receiver, place) = try await tool.receive()
        #expect(try await tool.run(["send", "--text", "hello", "--to", place]).code == 0)
        let name = try #require(
            try await tool.run(["id", "--json"], home: "receiver").events.first?["name"] as? String)
        _ = try await receiver.stop()
        let known = try await tool.run(["send", "--text", "x", "--to", name, "--queue"])
        #expect(known.code == 0 && !known.errors.contains("No device is known"), "\(known)")
        let near = try await tool.run(["send", "--text", "x", "--to", String(name.dropLast()), "--queue"])
        #expect(near.code == 0 && near.errors.contains("did you mean “\(name)”?"), "\(near)")
        #expect(try await agent.stop().code == 0)
    }

    @Test("'receive' beside an agent says that both receive, and by which rules the agent does")
    func receiveBeside() async throws {
        let command = ["receive", "--into", "inbox", "--discovery", "off", "--interface", "lo", "--json"]
        let alone = try tool.start(command)
        _ = try await alone.port()
        #expect(try await !alone.stop().errors.contains("agent"))
        try tool.write("version: 1\nrules:\n  - from: anyone\n    action: accept\n", to: "home/config/policy.yaml")
        let agent = try await tool.startAgent()
        let beside = try tool.start(command)
        _ = try await beside.port()
        let told = try await beside.stop()
        #expect(told.code == 0 && told.errors.contains("The agent of this home receives as well"), "\(told)")
        #expect(told.errors.contains("policy.yaml") && told.errors.contains("portolan inbox"), "\(told)")
        let unasked = try tool.start(command + ["--no-agent"])
        _ = try await unasked.port()
        #expect(try await !unasked.stop().errors.contains("agent"))
        #expect(try await agent.stop().code == 0)
    }
}
