import Foundation
import Glibc
import Testing

@testable import PortolanCommand

/// Memory of an agent at rest, by the built program.
@Suite struct AgentMemoryTests {
    let tool: Tool

    init() throws { tool = try Tool() }

    /// Pages of files that a process has mapped, in KiB.
    private func mapped(_ process: pid_t) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        return try #require(status.firstMatch(of: /RssFile:\s+([0-9]+) kB/).flatMap { Int($0.1) }, "\(status)")
    }

    @Test("an agent that has come to rest gives back the code of its start, and answers as before")
    func rest() async throws {
        let agent = try await tool.startAgent()
        _ = try await tool.entry("node.listening")
        let start = try mapped(agent.pid)
        _ = try await tool.waitFor("rest") { try mapped(agent.pid) < start / 2 ? true : nil }
        #expect(try await tool.run(["agent", "status", "--json"]).events.first?["receiving"] as? Bool == true)
        #expect(try await agent.stop().code == 0)
    }
}
