import ArgumentParser
import PortolanClient
import Testing

@testable import PortolanCommand

/// Waits and installations that last longer than one agent.
@Suite struct AgentRestartTests {
    @Test("'wait' goes on with the agent that follows one that was killed")
    func waiters() async throws {
        let tool = try Tool()
        let first = try await tool.startAgent()
        let socket = try #require(first.output.firstMatch(of: /"socket":"([^"]+)"/)).1
        let client = try AgentClient(socket: String(socket))
        let (looks, seen) = AsyncStream.makeStream(of: String?.self)
        let waiting = Task {
            try await WaitOptions.parse([]).wait(at: client, after: ["outbox."], else: "It did not come") { event in
                seen.yield(event?.kind)
                return event?.kind == "outbox.cancelled" ? true : nil
            }
        }
        var look = looks.makeAsyncIterator()
        #expect(await look.next() == .some(nil))
        let queued = try await tool.run(["send", "--text", "x", "--to", "127.0.0.1:9", "--queue", "--json"])
        let id = try #require(queued.events("parcel").first?["id"] as? String)
        // The entry comes over the stream that the kill cuts.
        #expect(await look.next() == "outbox.queued")
        first.kill()
        _ = try await first.finish()
        let second = try await tool.startAgent()
        _ = try await tool.run(["outbox", "cancel", id])
        #expect(try await waiting.value)
        #expect(try await second.stop().code == 0)
    }

    @Test("an installation says that the agent of another version runs, and how it is restarted")
    func upgrade() {
        let sentence = AgentInstallCommand.sentence(running: "0.2.9", scope: .user)
        #expect(sentence?.contains("0.2.9") == true && sentence?.contains("systemctl --user restart") == true)
        #expect(AgentInstallCommand.sentence(running: "0.2.9", scope: .machine)?.contains("systemctl restart") == true)
        #expect(AgentInstallCommand.sentence(running: ProgramVersion.full, scope: .user) == nil)
    }
}
