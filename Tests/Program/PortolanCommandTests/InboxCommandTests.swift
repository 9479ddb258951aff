import Foundation
import Testing

@testable import PortolanCommand

/// Items that wait for a decision at an agent, and the commands about them, by the built program.
@Suite(.serialized) struct InboxCommandTests {
    let tool: Tool

    init() throws { tool = try Tool() }

    /// Starts the agent of a home, which is found by its address only.
    private func startAgent(_ home: String, policy: String? = nil) async throws -> Tool.Running {
        if let policy { try tool.write("version: 1\nrules:\n\(policy)", to: "\(home)/config/policy.yaml") }
        let agent = try tool.start(
            ["agent", "run", "--discovery", "off", "--interface", "lo", "--json"], home: home)
        try await agent.waitToSay("\"socket\"")
        return agent
    }

    /// Repeats `look` until it gives something.
    private func waitFor<Value>(_ what: String, _ look: () async throws -> Value?) async throws -> Value {
        let deadline = ContinuousClock.now + .seconds(120)
        repeat {
            if let value = try await look() { return value }
            try await Task.sleep(for: .milliseconds(50))
        } while ContinuousClock.now < deadline
        return try #require(nil, "it did not come: \(what)")
    }

    /// Returns the address of a home's agent.
    private func address(of home: String) async throws -> String {
        try await waitFor("the port of \(home)") {
            let events = try await tool.run(["events", "--json"], home: home).events
            let listening = events.last { $0["kind"] as? String == "node.listening" }
            return ((listening?["body"] as? [String: Any])?["port"] as? Int).map { "127.0.0.1:\($0)" }
        }
    }

    private func inbox(of home: String) async throws -> [[String: Any]] {
        try await tool.run(["inbox", "--json"], home: home).events
    }

    private func states(of home: String) async throws -> [String] {
        try await inbox(of: home).compactMap { $0["state"] as? String }
    }

    private static let asking = "  - from: anyone\n    action: ask\n"

    @Test("a queued item waits in the inbox of the other side, and is stored once when it is accepted there")
    func acceptedLater() async throws {
        try tool.write("one", to: "one.txt")
        let receiver = try await startAgent("receiver", policy: Self.asking)
        let sender = try await startAgent("home")
        let address = try await address(of: "receiver")

        let queued = try await tool.run(["send", "one.txt", "--to", address, "--queue", "--json"])
        let parcel = try #require(queued.events.first?["id"] as? String, "\(queued)")
        let item = try await waitFor("the item") { try await inbox(of: "receiver").first }
        #expect(item["state"] as? String == "waiting" && item["title"] as? String == "one.txt", "\(item)")
        let reason = try await waitFor("the end of the attempt") {
            let shown = try await tool.run(["outbox", "show", parcel, "--json"]).events.first
            return shown?["state"] as? String == "waiting" ? shown?["reason"] as? String : nil
        }
        #expect(reason.contains("decision"), "\(reason)")

        let explained = try await tool.run(["policy", "explain", "1"], home: "receiver")
        #expect(explained.output.contains("ask, by rule 1 (line 3)"), "\(explained)")
        let shown = try await tool.run(["inbox", "show", "1"], home: "receiver")
        #expect(shown.output.contains("one.txt") && shown.output.contains("then: decline"), "\(shown)")
        let folder = "receiver/inbox/kept"
        let accepted = try await tool.run(["inbox", "accept", "1", "--into", folder], home: "receiver")
        #expect(accepted.code == 0 && accepted.output.contains("accepted"), "\(accepted)")
        #expect(try await tool.run(["inbox", "accept", "1"], home: "receiver").code == 65)

        // Status 65 means that the next attempt has already begun.
        #expect([0, 65].contains(try await tool.run(["outbox", "retry", parcel]).code))
        let delivered = try await tool.run(["wait", "outbox", parcel, "--timeout", "2m"])
        #expect(delivered.code == 0, "\(delivered)")
        let waited = try await tool.run(["wait", "item", "1", "--timeout", "2m"], home: "receiver")
        #expect(waited.code == 0 && waited.output.contains("inbox/kept/one.txt"), "\(waited)")
        #expect(try tool.read("receiver/inbox/kept/one.txt") == "one")
        #expect(try await states(of: "receiver") == ["received"])
        let settled = try await tool.run(["outbox", "show", parcel, "--json"]).events.first?["settlements"]
        #expect((settled as? [[String: Any]])?.compactMap { $0["outcome"] as? String } == ["stored"])
        #expect(try await tool.run(["wait", "outbox", "--timeout", "2m"]).code == 0)

        let nobody = try await tool.run(["wait", "peer", "nobody", "--timeout", "1s"])
        #expect(nobody.code == 75, "\(nobody)")
        #expect(nobody.errors.contains("“nobody” has not come into sight within 1s."), "\(nobody)")
        #expect(try await sender.stop().code == 0)
        #expect(try await receiver.stop().code == 0)
    }

    @Test("a sender without an agent is told that the item waits, and how to send it again")
    func sentAgain() async throws {
        try tool.write("one", to: "one.txt")
        try tool.write("two", to: "two.txt")
        let receiver = try await startAgent("receiver", policy: Self.asking)
        let address = try await address(of: "receiver")
        for name in ["one.txt", "two.txt"] {
            let sent = try await tool.run(["send", name, "--to", address])
            #expect(sent.code == 82, "\(sent)")
            #expect((sent.output + sent.errors).contains("waits for a decision"), "\(sent)")
            #expect(sent.output.contains("portolan resume"), "\(sent)")
        }
        #expect(try await tool.run(["inbox", "accept", "1"], home: "receiver").code == 0)
        let refusal = try await tool.run(["inbox", "decline", "2", "--say", "Not before Monday."], home: "receiver")
        #expect(refusal.code == 0, "\(refusal)")

        let resumed = try await tool.run(["resume"])
        #expect(resumed.code == 80, "\(resumed)")
        #expect((resumed.output + resumed.errors).contains("Not before Monday."), "\(resumed)")
        #expect(try tool.read("receiver/inbox/one.txt") == "one")
        #expect(try await states(of: "receiver") == ["received", "declined"])
        // Both are settled.
        #expect(try await tool.run(["transfers", "--json"]).events("transfer").isEmpty)
        #expect(try await receiver.stop().code == 0)
    }

    @Test("the same command sends an item that was accepted since, after any number of sendings")
    func sameCommand() async throws {
        try tool.write("one", to: "one.txt")
        let receiver = try await startAgent("receiver", policy: Self.asking)
        let address = try await address(of: "receiver")
        for _ in 1...2 { #expect(try await tool.run(["send", "one.txt", "--to", address]).code == 82) }
        #expect(try await tool.run(["inbox", "accept", "1"], home: "receiver").code == 0)
        let sent = try await tool.run(["send", "one.txt", "--to", address])
        #expect(sent.code == 0, "\(sent)")
        #expect(try tool.read("receiver/inbox/one.txt") == "one")
        #expect(try await states(of: "receiver").first == "received")
        #expect(try await tool.run(["transfers", "--json"]).events("transfer").isEmpty)

        // An acceptance permits one item.
        #expect(try await tool.run(["send", "one.txt", "--to", address]).code == 82)
        #expect(try await receiver.stop().code == 0)
    }

    @Test("a declined parcel that is tried again is sent again, and is delivered when it is stored")
    func triedAgain() async throws {
        try tool.write("one", to: "one.txt")
        let port = try Tool.freePort()
        func policy(_ action: String) throws {
            try tool.write(
                "version: 1\nrules:\n  - from: anyone\n    action: \(action)\n", to: "receiver/config/policy.yaml")
        }
        try policy("decline")
        var receiver = try await tool.startAgent("receiver", port: port)
        let sender = try await tool.startAgent()
        let queued = try await tool.run(
            ["send", "one.txt", "--to", "127.0.0.1:\(port)", "--queue", "--copy", "--json"])
        let parcel = try #require(queued.events.first?["id"] as? String, "\(queued)")
        #expect(try await tool.run(["wait", "outbox", parcel, "--timeout", "2m"]).code != 0)
        #expect(try await tool.parcel(parcel)["state"] as? String == "failed")

        // Without an offer nothing can have been delivered.
        #expect(try await tool.run(["outbox", "retry", parcel]).code == 0)
        #expect(try await tool.run(["wait", "outbox", parcel, "--timeout", "2m"]).code != 0)
        #expect(try await tool.parcel(parcel)["state"] as? String == "failed")

        _ = try await receiver.stop()
        try policy("accept")
        receiver = try await tool.startAgent("receiver", port: port)
        #expect(try await tool.run(["outbox", "retry", parcel]).code == 0)
        let delivered = try await tool.run(["wait", "outbox", parcel, "--timeout", "2m"])
        #expect(delivered.code == 0, "\(delivered)")
        #expect(try await states(of: "receiver") == ["received"])
        let path = try #require(try await inbox(of: "receiver").first?["path"] as? String)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "one")
        #expect(try await sender.stop().code == 0)
        #expect(try await receiver.stop().code == 0)
    }

    @Test("an item in quarantine is moved by accepting it, and removed by declining it")
    func quarantine() async throws {
        try tool.write("one", to: "one.txt")
        try tool.write("two", to: "two.txt")
        let receiver = try await startAgent("receiver", policy: "  - from: anyone\n    action: quarantine\n")
        let address = try await address(of: "receiver")
        for name in ["one.txt", "two.txt"] {
            let sent = try await tool.run(["send", name, "--to", address])
            #expect(sent.code == 0, "\(sent)")
        }
        let paths = try await inbox(of: "receiver").compactMap { $0["path"] as? String }
        #expect(try await states(of: "receiver") == ["quarantined", "quarantined"])
        try tool.write("there before", to: "receiver/inbox/one.txt")

        let accepted = try await tool.run(["inbox", "accept", "1", "--json"], home: "receiver")
        #expect(accepted.events.first?["state"] as? String == "received", "\(accepted)")
        #expect(try tool.read("receiver/inbox/one.txt") == "there before")
        #expect(try tool.read("receiver/inbox/one (2).txt") == "one")
        #expect(try await tool.run(["inbox", "decline", "2"], home: "receiver").code == 0)
        #expect(paths.count == 2)
        for path in paths { #expect(!FileManager.default.fileExists(atPath: path)) }
        #expect(try await states(of: "receiver") == ["received", "declined"])
        #expect(try await tool.run(["inbox", "forget", "1", "2"], home: "receiver").code == 0)
        #expect(try await inbox(of: "receiver").isEmpty)
        #expect(try await receiver.stop().code == 0)
    }

    @Test("the policy is shown, checked and tried without an agent")
    func policyWithoutAnAgent() async throws {
        let none = try await tool.run(["policy", "show"])
        #expect(none.code == 0 && none.output.contains("no such file"), "\(none)")
        try tool.write(
            "version: 1\nrules:\n  - from: laptop\n    action: accept\n    into: x\n", to: "home/config/policy.yaml")
        #expect(try await tool.run(["policy", "show"]).output.contains("from: laptop"))
        #expect(try await tool.run(["policy", "check"]).code == 0)
        try tool.write("version: 1\nrules:\n  - form: laptop\n", to: "wrong.yaml")
        let wrong = try await tool.run(["policy", "check", "wrong.yaml"])
        #expect(wrong.code == 64 && wrong.output.hasPrefix("wrong.yaml:3:5: key “rules.form”"), "\(wrong)")
        #expect(try await tool.run(["policy", "check", "missing.yaml"]).code == 66)

        let laptop = #"{"contact": "laptop", "items": [{"name": "a.png", "type": "png"}]}"#
        let accepted = try await tool.run(["policy", "test", "-"], input: laptop)
        #expect(accepted.output == "item 1: accept into “x”, by rule 1 (line 3)\n", "\(accepted)")
        let other = try await tool.run(
            ["policy", "test", "-", "--json"], input: laptop.replacing("laptop", with: "phone"))
        let verdict = (other.events.first?["verdicts"] as? [[String: Any]])?.first
        #expect(verdict?["action"] as? String == "ask", "\(other)")
        #expect((verdict?["passed"] as? [[String: Any]])?.count == 1, "\(other)")
        #expect(try await tool.run(["policy", "test", "-"], input: "items: 5").code == 65)
        for command in [["inbox"], ["policy", "explain", "1"], ["wait", "item"]] {
            #expect(try await tool.run(command).code == 69)
        }
    }
}
