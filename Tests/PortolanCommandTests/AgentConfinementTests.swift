import Foundation
import Glibc
import Testing

@testable import PortolanCommand

/// Confinement of the agent, with the built program.
@Suite(.serialized) struct AgentConfinementTests {
    let tool: Tool

    init() throws { tool = try Tool() }

    private func start(_ options: [String] = []) async throws -> Tool.Running {
        let agent = try tool.start(["agent", "run", "--discovery", "off", "--interface", "lo"] + options)
        try await agent.waitToSay("local API")
        return agent
    }

    /// True if the kernel can confine the agent; prints a line if it cannot.
    private func canBeConfined(_ agent: Tool.Running) -> Bool {
        guard agent.output.contains("no Landlock") else { return true }
        print("LEFT OUT: this kernel has no Landlock, so that nothing holds the agent in.")
        return false
    }

    private func isConfined() async throws -> Bool {
        let status = try await tool.run(["agent", "status", "--json"])
        return try #require(status.events.first?["confined"] as? Bool, "\(status)")
    }

    /// Port of an agent, by its number from 1 among the home's agents over time.
    private func port(ofAgent number: Int) async throws -> Int {
        let deadline = ContinuousClock.now + .seconds(120)
        while ContinuousClock.now < deadline {
            let events = try await tool.run(["events", "--json"]).events
            let listening = events.filter { $0["kind"] as? String == "node.listening" }
            if listening.count >= number {
                return try #require((listening[number - 1]["body"] as? [String: Any])?["port"] as? Int)
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        return try #require(nil, "it did not listen")
    }

    private func send(_ file: String, to port: Int) async throws -> Tool.Outcome {
        try await tool.run(["send", file, "--to", "127.0.0.1:\(port)", "--no-converters"], home: "sender")
    }

    @Test("an agent that is held in says so, stores where the policy says, and nowhere else")
    func holds() async throws {
        func policy(_ folder: String) -> String {
            "version: 1\nrules:\n  - from: anyone\n    action: accept\n    into: \(tool.path(folder))\n"
        }
        try tool.write(policy("elsewhere"), to: "home/config/policy.yaml")
        try tool.write("one", to: "one.txt")
        let agent = try await start()
        guard canBeConfined(agent) else { return }
        #expect(try await isConfined())
        let port = try await port(ofAgent: 1)
        var sent = try await send("one.txt", to: port)
        #expect(sent.code == 0, "\(sent)")
        #expect(try tool.read("elsewhere/one.txt") == "one")

        // A folder that is new in the policy is not writable, which is reported.
        try tool.write(policy("later"), to: "home/config/policy.yaml")
        kill(agent.pid, SIGHUP)
        try await agent.waitToSay(tool.path("later"), on: .errors)
        try tool.write("two", to: "two.txt")
        sent = try await send("two.txt", to: port)
        #expect(sent.code != 0, "\(sent)")
        #expect(!FileManager.default.fileExists(atPath: tool.path("later/two.txt")))
        #expect(try await agent.stop().code == 0)

        let next = try await start()
        sent = try await send("two.txt", to: try await self.port(ofAgent: 2))
        #expect(sent.code == 0, "\(sent)")
        #expect(try tool.read("later/two.txt") == "two")
        #expect(try await next.stop().code == 0)
    }

    @Test("an agent that is not to be held in says that it is not")
    func withoutConfinement() async throws {
        let agent = try await start(["--no-confine"])
        #expect(agent.output.contains("without confinement"), "\(agent.output)")
        #expect(try await !isConfined())
        #expect(try await agent.stop().code == 0)
        let home = FileManager.default
        #expect(!(try home.contentsOfDirectory(atPath: "/")).contains { $0.hasPrefix(".portolan-") })
    }
}
