import Foundation
import Glibc
import Testing

@testable import PortolanCommand

/// The agent and the commands that use it, by the built program.
@Suite(.serialized) struct AgentCommandTests {
    let tool: Tool

    init() throws { tool = try Tool() }

    /// Starts the agent of the home `home`, which is found by its address only, and waits until its API can be used.
    private func startAgent() async throws -> Tool.Running {
        let agent = try tool.start(["agent", "run", "--discovery", "off", "--interface", "lo", "--json"])
        try await agent.waitToSay("\"socket\"")
        return agent
    }

    private func receive(at port: UInt16) async throws -> Tool.Running {
        let receiver = try tool.start(
            [
                "receive", "--into", "inbox", "--discovery", "off", "--interface", "lo", "--port", "\(port)", "--yes",
                "--json",
            ],
            home: "receiver")
        #expect(try await receiver.port() == port)
        return receiver
    }

    private func outbox() async throws -> [[String: Any]] { try await tool.run(["outbox", "--json"]).events }

    /// Waits until `isWanted` returns true for a parcel of the outbox.
    private func wait(for id: String, _ isWanted: ([String: Any]) -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(120)
        var parcel: [String: Any] = [:]
        repeat {
            parcel = try await outbox().first { $0["id"] as? String == id } ?? [:]
            if isWanted(parcel) { return }
            try await Task.sleep(for: .milliseconds(50))
        } while ContinuousClock.now < deadline
        Issue.record("the parcel did not get so far: \(parcel)")
    }

    /// Waits for an entry of the journal.
    private func event(_ kind: String) async throws -> [String: Any] {
        let deadline = ContinuousClock.now + .seconds(120)
        repeat {
            let events = try await tool.run(["events", "--json"]).events
            if let event = events.first(where: { $0["kind"] as? String == kind }) { return event }
            try await Task.sleep(for: .milliseconds(50))
        } while ContinuousClock.now < deadline
        return try #require(nil, "nothing happened that is \(kind)")
    }

    @Test("without an agent the commands that need one end with 69 and say how to start it")
    func withoutAnAgent() async throws {
        try tool.write("one", to: "one.txt")
        for command in [
            ["send", "one.txt", "--to", "127.0.0.1:9", "--queue"], ["outbox"], ["outbox", "show", "5f"], ["events"],
            ["agent", "status"],
        ] {
            let ended = try await tool.run(command)
            #expect(ended.code == 69, "\(command): \(ended)")
            #expect(ended.errors.contains("portolan agent run"), "\(ended)")
        }
    }

    @Test("an item queued for a peer that is off arrives once when it is there, and not again after a restart")
    func aQueuedFileIsDeliveredOnce() async throws {
        try tool.write("one", to: "one.txt")
        let port = try Tool.freePort()
        var agent = try await startAgent()

        let queued = try await tool.run(["send", "one.txt", "--to", "127.0.0.1:\(port)", "--queue", "--json"])
        #expect(queued.code == 0, "\(queued)")
        let id = try #require(queued.events.first?["id"] as? String)
        // The first attempt has failed.
        try await wait(for: id) { $0["state"] as? String == "waiting" && $0["attempts"] as? Int ?? 0 > 0 }

        let receiver = try await receive(at: port)
        // Status 65 means that the next attempt has already begun.
        #expect([0, 65].contains(try await tool.run(["outbox", "retry", String(id.prefix(8))]).code))
        try await wait(for: id) { $0["state"] as? String == "delivered" }
        #expect(try tool.read("inbox/one.txt") == "one")
        let shown = try await tool.run(["outbox", "show", id, "--json"])
        let settlements = shown.events.first?["settlements"] as? [[String: Any]]
        #expect(settlements?.compactMap { $0["outcome"] as? String } == ["stored"], "\(shown)")
        let events = try await tool.run(["events", "--json"]).events
        let kinds = events.filter { $0["transfer"] as? String == id }.compactMap { $0["kind"] as? String }
        #expect(kinds.first == "outbox.queued" && kinds.last == "outbox.delivered", "\(kinds)")

        let stopped = try await agent.stop()
        #expect(stopped.code == 0, "\(stopped)")
        agent = try await startAgent()
        // A parcel that is queued later is delivered later: by then a duplicate of the first one would have arrived.
        let next = try await tool.run(["send", "--text", "two", "--to", "127.0.0.1:\(port)", "--queue", "--json"])
        let second = try #require(next.events.first?["id"] as? String, "\(next)")
        try await wait(for: second) { $0["state"] as? String == "delivered" }
        #expect(try await outbox().compactMap { $0["state"] as? String } == ["delivered", "delivered"])
        #expect(try await agent.stop().code == 0)
        let received = try await receiver.stop()
        #expect(received.events("stored").count == 2, "\(received)")
        #expect(try tool.names(in: "inbox").filter { !$0.hasPrefix(".") } == ["one.txt", "two.txt"])
    }

    @Test("the agent takes the items that its policy accepts, declines the rest, and names the rule in the journal")
    func thePolicyDecides() async throws {
        try tool.write(
            """
            version: 1
            rules:
              - from: anyone
                type: public.plain-text
                action: accept

            """, to: "home/config/policy.yaml")
        try tool.write("png", to: "one.png")
        let agent = try await startAgent()
        let listening = try await event("node.listening")
        let port = try #require((listening["body"] as? [String: Any])?["port"] as? Int)

        let text = try await tool.run(
            ["send", "--text", "hello", "--to", "127.0.0.1:\(port)", "--no-converters"], home: "sender")
        #expect(text.code == 0, "\(text)")
        let picture = try await tool.run(["send", "one.png", "--to", "127.0.0.1:\(port)"], home: "sender")
        #expect(picture.code == 80, "\(picture)")
        #expect(try tool.read("home/inbox/hello.txt") == "hello")

        let events = try await tool.run(["events", "--json"]).events
        let decided = events.filter { $0["kind"] as? String == "offer.decided" }.compactMap {
            (($0["body"] as? [String: Any])?["items"] as? [[String: Any]])?.first
        }
        #expect(decided.compactMap { $0["action"] as? String } == ["accept", "decline"], "\(events)")
        #expect(decided.first?["rule"] as? Int == 1)
        #expect(events.contains { $0["kind"] as? String == "inbox.received" })
        #expect(try await agent.stop().code == 0)
    }

    @Test("a second agent of the same home does not start")
    func onlyOneAgentRunsPerHome() async throws {
        let agent = try await startAgent()
        let second = try await tool.run(["agent", "run", "--discovery", "off", "--interface", "lo"])
        #expect(second.code == 74, "\(second)")
        let status = try await tool.run(["agent", "status", "--json"])
        let process = try #require(status.events.first?["process"] as? Int)
        #expect(second.errors.contains("\(process)"), "\(second)")
        #expect(try await agent.stop().code == 0)
    }
}
