import Foundation
import Glibc
import Testing

@testable import PortolanCommand

/// Commands for the policy, by the built program.
@Suite(.serialized) struct PolicyCommandTests {
    let tool: Tool
    private static let accepting = "version: 1\nrules:\n  - from: anyone\n    action: accept\n"
    private static let file = "home/config/policy.yaml"

    init() throws { tool = try Tool() }

    @Test("A check finds the mistakes that the agent would refuse, and warns of rules without effect")
    func check() async throws {
        try tool.write(Self.accepting, to: Self.file)
        let good = try await tool.run(["policy", "check"])
        #expect(good.code == 0 && good.output == "Nothing is wrong.\n", "\(good)")
        chmod(tool.path(Self.file), 0o666)
        for arguments in [["policy", "check"], ["policy", "check", Self.file]] {
            let open = try await tool.run(arguments)
            #expect(open.code == 64 && open.errors.contains("The policy is not used"), "\(open)")
        }
        try tool.write(Self.accepting + "  - from: ben\n    action: ask\n", to: "new.yaml")
        chmod(tool.path("new.yaml"), 0o666)
        let other = try await tool.run(["policy", "check", "new.yaml"])
        #expect(other.code == 0 && !other.output.contains("Nothing is wrong"), "\(other)")
        #expect(other.errors.contains("The agent would not take it as it is"), "\(other)")
        #expect(other.errors.contains("for “ben”, and this device knows no such contact"), "\(other)")
        #expect(other.errors.contains("Rule 2 (line 5) is never reached: Rule 1 (line 3)"), "\(other)")
    }

    @Test("An agent with a mistake in its policy runs and says so; 'policy reload' loads the mended one")
    func reload() async throws {
        try tool.write("version: 1\nrulez: []\n", to: Self.file)
        let agent = try await tool.startAgent()
        #expect(agent.errors.contains("unknown key"), "\(agent.errors)")
        let status = try await tool.run(["agent", "status"])
        #expect(status.code == 0 && status.errors.contains("unknown key"), "\(status)")
        let refused = try await tool.run(["policy", "reload"])
        #expect(refused.code == 64 && refused.errors.contains("unknown key"), "\(refused)")
        try tool.write(Self.accepting, to: Self.file)
        let loaded = try await tool.run(["policy", "reload"])
        #expect(loaded.code == 0 && loaded.output == "The policy is loaded.\n", "\(loaded)")
        #expect(try await tool.run(["agent", "status"]).errors.isEmpty)
        #expect(try await agent.stop().code == 0)
    }

    @Test("'events --follow' goes on with the agent that follows one that was killed")
    func followers() async throws {
        let first = try await tool.startAgent()
        let follower = try tool.start(["events", "--follow", "--json"])
        try await follower.waitToSay("agent.started")
        let id = try #require(
            try await tool.run(["send", "--text", "x", "--to", "127.0.0.1:9", "--queue", "--json"])
                .events.compactMap { $0["id"] as? String }.first)
        try await follower.waitToSay("outbox.queued")
        first.kill()
        _ = try await first.finish()
        let second = try await tool.startAgent()
        _ = try await tool.run(["outbox", "cancel", id])
        try await follower.waitToSay("outbox.cancelled")
        #expect(follower.output.split(separator: "agent.started").count == 3, "\(follower.output)")
        #expect(try await follower.stop().code == 0)
        #expect(try await second.stop().code == 0)
    }
}
