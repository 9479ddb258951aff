import Foundation
import Glibc
import Testing

@testable import PortolanCommand

/// Items that the agent shares, and the commands about them, by the built program.
@Suite(.serialized) struct ShelfCommandTests {
    let tool: Tool
    let port: UInt16

    init() throws {
        tool = try Tool()
        port = try Tool.freePort()
    }

    private static let loopback = ["--discovery", "off", "--interface", "lo"]

    /// Starts the agent of the home `home`, which is found by its address only.
    private func startAgent() async throws -> Tool.Running {
        let agent = try tool.start(["agent", "run", "--port", "\(port)", "--json"] + Self.loopback)
        try await agent.waitToSay("\"socket\"")
        return agent
    }

    private func expectEnd(of outcome: Tool.Outcome, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(outcome.code == 0, "\(outcome)", sourceLocation: sourceLocation)
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

    /// Entries of the journal of one kind, once there are so many.
    private func journal(_ kind: String, count: Int = 1) async throws -> [[String: Any]] {
        try await waitFor("\(count) entries \(kind)") {
            let entries = try await tool.run(["events", "--json"]).events.filter { $0["kind"] as? String == kind }
            return entries.count >= count ? entries : nil
        }
    }

    private func shelf() async throws -> [[String: Any]] { try await tool.run(["shelf", "--json"]).events }

    /// Has the agent share, and returns the identifiers.
    private func share(_ arguments: [String]) async throws -> [String] {
        let shared = try await tool.run(["share", "--json"] + arguments)
        #expect(shared.code == 0, "\(shared)")
        return shared.events("shared").compactMap { $0["id"] as? String }
    }

    private func get(_ item: String, into folder: String) async throws -> Tool.Outcome {
        try await tool.run(
            ["get", "127.0.0.1:\(port):\(item)", "--into", folder] + Self.loopback, home: "receiver")
    }

    /// Fetches an item as soon as the agent shares it.
    private func fetch(_ item: String, into folder: String) async throws {
        _ = try await waitFor("the item \(item)") { try await get(item, into: folder).code == 0 ? true : nil }
    }

    @Test("a shared item is given to the agent, and can be fetched from the next one, until it is taken back")
    func outlivesARestart() async throws {
        try tool.write("one", to: "plan.txt")
        var agent = try await startAgent()
        let shared = try await tool.run(["share", "plan.txt", "-v"])
        #expect(shared.code == 0 && shared.errors.contains("agent"), "\(shared)")
        let item = try #require(try await shelf().first)
        let id = try #require(item["id"] as? String)
        #expect(item["title"] as? String == "plan.txt" && item["fetches"] as? Int == 0, "\(item)")
        #expect(shared.output.contains("kept on offer by the agent. 'portolan unshare \(id)"), "\(shared)")
        try await fetch("plan.txt", into: "first")
        #expect(try tool.read("first/plan.txt") == "one")
        _ = try await journal("shelf.fetched")
        expectEnd(of: try await agent.stop())

        try tool.write("two", to: "plan.txt")
        agent = try await startAgent()
        try await fetch(id, into: "second")
        #expect(try tool.read("second/plan.txt") == "two")
        let fetched = try await journal("shelf.fetched", count: 2)
        #expect(fetched.allSatisfy { $0["transfer"] as? String == id && $0["peer"] is String }, "\(fetched)")
        #expect(fetched.allSatisfy { ($0["body"] as? [String: Any])?["outcome"] as? String == "stored" })
        #expect(try await tool.run(["shelf"]).output.contains("fetched 2 times"))

        let unshared = try await tool.run(["unshare", String(id.prefix(8))])
        #expect(unshared.code == 0 && unshared.output.contains("plan.txt"), "\(unshared)")
        #expect(try await shelf().isEmpty)
        #expect(try await get("plan.txt", into: "third").code == 66)
        #expect(try await tool.run(["unshare", id]).code == 69)
        #expect(try await tool.run(["unshare", "--all"]).code == 0)
        expectEnd(of: try await agent.stop())
    }

    @Test("an item is fetched to standard output, and nothing else is written there")
    func output() async throws {
        try tool.write("one", to: "plan.txt")
        try tool.write("leaf", to: "tree/leaf.txt")
        let agent = try await startAgent()
        _ = try await share(["plan.txt", "tree"])
        func get(_ item: String, _ more: [String] = []) async throws -> Tool.Outcome {
            try await tool.run(
                ["get", "127.0.0.1:\(port):\(item)", "--output", "-"] + more + Self.loopback, home: "receiver")
        }
        let got = try await get("plan.txt")
        #expect(got.code == 0 && got.output == "one", "\(got)")
        let told = try await get("plan.txt", ["--json"])
        #expect(told.output == "one" && told.errors.contains("\"path\":\"-\""), "\(told)")
        #expect(try await get("tree").code == 81)
        #expect(try await get("plan.txt", ["--into", "x"]).code == 64)
        expectEnd(of: try await agent.stop())
    }

    @Test("a path that became something else is withdrawn, whether the agent ran meanwhile or not")
    func replacedPaths() async throws {
        try tool.write("public", to: "note.txt")
        try tool.write("secret", to: "secret.txt")
        try tool.write("leaf", to: "tree/leaf.txt")
        var agent = try await startAgent()
        let ids = try await share(["note.txt", "tree"])
        #expect(ids.count == 2)
        expectEnd(of: try await agent.stop())
        #expect(unlink(tool.path("note.txt")) == 0)
        #expect(symlink(tool.path("secret.txt"), tool.path("note.txt")) == 0)

        agent = try await startAgent()
        let first = try await journal("shelf.withdrawn")
        #expect(first.map { $0["transfer"] as? String } == [ids[0]], "\(first)")
        let reason = (first.first?["body"] as? [String: Any])?["reason"] as? String
        #expect(reason?.contains("something else") == true, "\(first)")
        #expect(try await shelf().compactMap { $0["id"] as? String } == [ids[1]])
        try await fetch("tree", into: "got")
        #expect(try await get("note.txt", into: "got").code == 66)

        #expect(rename(tool.path("tree"), tool.path("away")) == 0)
        try tool.write("other", to: "tree/leaf.txt")
        #expect(try await get("tree", into: "got").code == 66)
        let second = try await journal("shelf.withdrawn", count: 2)
        #expect(second.map { $0["transfer"] as? String } == ids, "\(second)")
        #expect(try await shelf().isEmpty)
        #expect(try tool.names(in: "got").filter { !$0.hasPrefix(".") } == ["tree"])
        expectEnd(of: try await agent.stop())
    }

    @Test("an item shared for a time is taken off when that is over, also where no agent ran then")
    func expiry() async throws {
        try tool.write("note", to: "note.txt")
        var agent = try await startAgent()
        var ids = try await share(["note.txt", "--for", "5s"])
        _ = try await journal("shelf.expired")
        #expect(try await shelf().isEmpty)
        ids += try await share(["note.txt", "--for", "5s"])
        expectEnd(of: try await agent.stop())
        try await Task.sleep(for: .seconds(5))
        agent = try await startAgent()
        let expired = try await journal("shelf.expired", count: 2)
        #expect(expired.map { $0["transfer"] as? String } == ids, "\(expired)")
        expectEnd(of: try await agent.stop())
    }

    @Test("an item for a team is not there for others, and stays for that team when the default one changes")
    func audience() async throws {
        try tool.write("plan", to: "plan.html")
        try tool.write("note", to: "note.txt")
        for team in ["acme", "other"] { #expect(try await tool.run(["team", "create", team]).code == 0) }
        #expect(try await tool.run(["team", "use", "acme"]).code == 0)
        var agent = try await startAgent()
        _ = try await share(["plan.html", "--to", "@acme"])
        _ = try await share(["--as", "html@team=plan.html", "--title", "second"])
        _ = try await share(["note.txt"])
        expectEnd(of: try await agent.stop())
        #expect(try await tool.run(["team", "use", "other"]).code == 0)
        agent = try await startAgent()
        #expect(try await shelf().map { $0["audience"] as? String } == ["team acme", "team acme", nil])
        try await fetch("note.txt", into: "got")
        for hidden in ["plan.html", "second"] { #expect(try await get(hidden, into: "got").code == 66) }
        expectEnd(of: try await agent.stop())
    }

    @Test("without an agent, and where the agent is not to do it, the command shares by itself")
    func withoutTheAgent() async throws {
        try tool.write("note", to: "note.txt")
        for command in [["shelf"], ["unshare", "--all"], ["unshare", "5f"]] {
            let outcome = try await tool.run(command)
            #expect(outcome.code == 69 && outcome.errors.contains("agent run"), "\(outcome)")
        }
        for command in [["unshare"], ["unshare", "5f", "--all"], ["share", "note.txt", "--for", "0s"]] {
            #expect(try await tool.run(command).code == 64, "\(command)")
        }
        let over = try await tool.run(["share", "note.txt", "--for", "1s"] + Self.loopback)
        #expect(over.code == 0, "\(over)")

        let agent = try await startAgent()
        for options in [["--no-agent"], [], ["--no-converters"]] {
            let sharing = try tool.start(["share", "note.txt", "--json"] + Self.loopback + options)
            try await sharing.waitToSay("\"shared\"")
            #expect(try await shelf().isEmpty)
            let outcome = try await sharing.stop()
            #expect(outcome.code == 0, "\(outcome)")
            #expect(outcome.errors.contains("not the agent's") == (options != ["--no-agent"]), "\(outcome)")
        }
        expectEnd(of: try await agent.stop())
    }

    @Test("an item that the agent cannot keep is shared by the command, which tells so")
    func reportsItemsThatCannotBeKeptOnTheShelf() async throws {
        try tool.write("discovery: off\ninterfaces: [lo]\n", to: "home/config/portolan.yaml")
        let agent = try await startAgent()
        // A file whose path is not valid text.
        let folder = Array(tool.path("raw").utf8CString.dropLast()) + [CChar(bitPattern: 0xff), 0]
        let file = folder.dropLast() + Array("/note.txt".utf8CString)
        #expect(mkdir(folder, 0o755) == 0)
        close(open(Array(file), O_CREAT | O_WRONLY, 0o644))
        #expect(symlink(Array(file), tool.path("note.txt")) == 0)
        defer {
            unlink(Array(file))
            rmdir(folder)
        }
        let sharing = try tool.start(["share", "note.txt", "--json"])
        try await sharing.waitToSay("\"shared\"")
        #expect(try await shelf().isEmpty)
        let outcome = try await sharing.stop()
        #expect(outcome.code == 0 && outcome.errors.contains("cannot keep it"), "\(outcome)")
        expectEnd(of: try await agent.stop())
    }
}
