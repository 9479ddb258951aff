import Foundation
import Glibc
import TestSupport
import Testing

/// Folders that the agents of two devices synchronize, by the built program.
@Suite(.serialized) struct SyncAgentTests {
    let tool: Tool

    init() throws { tool = try Tool() }

    private func sync(_ arguments: [String], home: String) async throws -> Tool.Outcome {
        try await tool.run(["sync"] + arguments, home: home)
    }

    private func port(of home: String) async throws -> Int {
        try #require((try await tool.entry("node.listening", home: home)["body"] as? [String: Any])?["port"] as? Int)
    }

    /// Starts the agents of ada and of ben, who connects to ada.
    private func startAgents() async throws -> [Tool.Running] {
        let command = ["agent", "run", "--json"] + Tool.alone
        // Another test may take the usual port between two runs of ada's agent.
        let port = try Tool.freePort()
        let ada = try tool.start(command + ["--port", "\(port)"], home: "ada")
        try await ada.waitToSay("\"socket\"")
        let ben = try tool.start(command + ["--sync-at", "127.0.0.1:\(port)"], home: "ben")
        try await ben.waitToSay("\"socket\"")
        return [ada, ben]
    }

    private func waitIdle(_ home: String) async throws -> Tool.Outcome {
        try await tool.run(["wait", "sync-idle", "notes", "--json", "--timeout", "900s"], home: home)
    }

    private func waitToRead(_ text: String?, _ file: String) async throws {
        _ = try await tool.waitFor("\(text ?? "nothing") in \(file)") { () -> Bool? in
            let found = try? tool.read(file)
            return found == text ? true : nil
        }
    }

    @Test("a folder that is added while the agents run is kept alike: a file, an edit, a deletion, in both directions")
    func keep() async throws {
        try await tool.makeTeam()
        try tool.write("first", to: "notes/a.txt")
        try FileManager.default.createDirectory(atPath: tool.path("copy"), withIntermediateDirectories: true)
        // Ben meets ada before she synchronizes any folder.
        let agents = try await startAgents()
        let joined = try await sync(["join", "acme:notes", "copy"], home: "ben")
        #expect(joined.code == 0 && joined.output.contains("when the agent meets"), "\(joined)")
        #expect(try await tool.run(["wait", "sync-idle", "notes"], home: "ada").code == 69)
        let added = try await sync(["add", "notes", "--with", "@acme"], home: "ada")
        #expect(added.code == 0 && added.output.contains("is kept alike by the agent"), "\(added)")
        let idle = try await waitIdle("ada")
        #expect(idle.code == 0 && idle.events.first?["state"] as? String == "kept", "\(idle)")
        #expect(try tool.names(in: "notes").contains(".portolan-sync"))
        #expect(try await waitIdle("ben").code == 0)
        try await waitToRead("first", "copy/a.txt")
        _ = try await tool.entry("folder.joined", home: "ben")
        _ = try await tool.entry("folder.changed", home: "ben")

        try tool.write("second", to: "copy/a.txt")
        try tool.write("new", to: "copy/b.txt")
        #expect(try await waitIdle("ben").code == 0)
        try await waitToRead("second", "notes/a.txt")
        try await waitToRead("new", "notes/b.txt")
        try FileManager.default.removeItem(atPath: tool.path("notes/b.txt"))
        #expect(try await waitIdle("ada").code == 0)
        try await waitToRead(nil, "copy/b.txt")

        // A pipe cannot be kept alike, and is listed.
        #expect(mkfifo(tool.path("copy/pipe"), 0o600) == 0)
        let partly = try await waitIdle("ben")
        #expect(partly.code == 23 && partly.events.first?["isIdle"] as? Bool == true, "\(partly)")
        let skipped = partly.events.first?["skipped"] as? [[String: Any]]
        #expect(skipped?.map { $0["path"] as? String } == ["pipe"], "\(partly)")
        let entry = try await tool.entry("folder.skipped", home: "ben")
        #expect((entry["body"] as? [String: Any])?["path"] as? String == "pipe", "\(entry)")
        #expect(try await sync([], home: "ben").output.contains("“pipe”: A pipe, a socket or a device"))
        try FileManager.default.removeItem(atPath: tool.path("copy/pipe"))
        #expect(try await waitIdle("ben").code == 0)

        // A link that leads out is not taken by the other device, and its owner is told.
        #expect(symlink("/etc", tool.path("copy/out")) == 0)
        let untaken = try await waitIdle("ben")
        let others = untaken.events.first?["others"] as? [[String: Any]]
        #expect(untaken.code == 23 && others?.map { $0["kind"] as? String } == ["link"], "\(untaken)")
        #expect(others?.map { $0["paths"] as? [String] } == [["out"]], "\(untaken)")
        let told = try await tool.entry("folder.lacking", home: "ben")
        #expect((told["body"] as? [String: Any])?["path"] as? String == "out", "\(told)")
        let shown = try await sync([], home: "ben")
        #expect(shown.output.contains("does not take a link that leads out") && shown.output.contains("    out"))
        #expect(shown.output.contains("with these exceptions"), "\(shown)")
        try FileManager.default.removeItem(atPath: tool.path("copy/out"))
        #expect(try await waitIdle("ben").code == 0)

        // The agents compare the folders themselves.
        for home in ["ada", "ben"] {
            try await tool.checkSync(home)
            let checked = try await sync(["check", "notes", "--no-agent"], home: home)
            #expect(checked.code == 74 && checked.errors.contains("Another process"), "\(checked)")
        }

        // A pause holds at once, and 'sync run' leaves the folders to the agent.
        #expect(try await sync(["pause", "notes"], home: "ben").code == 0)
        #expect(try await tool.run(["wait", "sync-idle", "notes"], home: "ben").code == 74)
        #expect(try await sync(["resume", "notes"], home: "ben").code == 0)
        let once = try await sync(["run", "--once"], home: "ben")
        #expect(once.code == 0 && once.output.contains("The agent keeps the folders alike"), "\(once)")
        let beside = try await sync(["run"], home: "ben")
        #expect(beside.code == 74 && beside.errors.contains("The agent keeps the folders alike"), "\(beside)")
        #expect(try await sync(["remove", "notes"], home: "ben").code == 0)
        try tool.write("third", to: "notes/a.txt")
        #expect(try await waitIdle("ada").code == 0)
        #expect(try tool.read("copy/a.txt") == "second")
        for agent in agents { #expect(try await agent.stop().code == 0) }
    }

    @Test(
        "an agent that is to end while it deletes a tree of many files ends at once, and goes on when it starts again")
    func ended() async throws {
        try await tool.makeTeam()
        // Fewer deletions than need a person.
        for number in 0..<900 { try tool.write("\(number)", to: "notes/old/\(number)") }
        for number in 0..<3200 { try tool.write("\(number)", to: "notes/rest/\(number)") }
        try FileManager.default.createDirectory(atPath: tool.path("copy"), withIntermediateDirectories: true)
        let agents = try await startAgents()
        let port = try await port(of: "ada")
        #expect(try await sync(["add", "notes", "--with", "@acme"], home: "ada").code == 0)
        #expect(try await sync(["join", "acme:notes", "copy"], home: "ben").code == 0)
        for home in ["ada", "ben"] { #expect(try await waitIdle(home).code == 0) }
        _ = try await tool.waitFor("all files") { () -> Bool? in
            try? tool.names(in: "copy/rest").count == 3200 && tool.names(in: "copy/old").count == 900 ? true : nil
        }
        #expect(try await waitIdle("ada").code == 0)

        try FileManager.default.moveItem(atPath: tool.path("copy/old"), toPath: tool.path("away"))
        let deadline = ContinuousClock.now + Tool.patience
        while (try? tool.names(in: "notes/old").count) == 900 {
            try #require(.now < deadline, "nothing was deleted")
            try await Task.sleep(for: .milliseconds(1))
        }
        agents[0].freeze()
        let left = (try? tool.names(in: "notes/old").count) ?? 0
        #expect(Glibc.kill(agents[0].pid, SIGTERM) == 0)
        agents[0].thaw()
        #expect(try await agents[0].finish().code == 0)
        #expect(try left == 0 || !tool.names(in: "notes/old").isEmpty, "it did all of the work first")

        let command = ["agent", "run", "--json", "--port", "\(port)"] + Tool.alone
        let again = try tool.start(command, home: "ada")
        try await again.waitToSay("\"socket\"")
        _ = try await tool.waitFor("the deletion") { () -> Bool? in
            FileManager.default.fileExists(atPath: tool.path("notes/old")) ? nil : true
        }
        for home in ["ada", "ben"] { #expect(try await waitIdle(home).code == 0) }
        #expect(try tool.names(in: "notes/rest").count == 3200 && tool.names(in: "copy/rest").count == 3200)
        for agent in [again, agents[1]] { #expect(try await agent.stop().code == 0) }
        for home in ["ada", "ben"] { try await tool.checkSync(home) }
    }

    @Test("a folder that is added or joined beside a transfer interrupts nothing, and is kept alike at once")
    func besideATransfer() async throws {
        try await tool.makeTeam()
        try tool.write("first", to: "notes/a.txt")
        try tool.write("version: 1\nrules:\n  - from: anyone\n    action: accept\n", to: "ada/config/policy.yaml")
        // No side gives the other one up while the test is at work.
        for home in ["ada", "sender"] { try tool.write("timeouts:\n  stall: 0\n", to: "\(home)/config/portolan.yaml") }
        let agents = try await startAgents()
        // A pipe of unknown length is under way until its writer ends.
        let pipe = Pipe()
        let sender = try tool.start(
            ["send", "-", "--name", "long.txt", "--to", "127.0.0.1:\(try await port(of: "ada"))"] + Tool.alone,
            home: "sender", keyboard: pipe)
        let part = String(repeating: "0123456789abcdef", count: 1 << 16)
        try pipe.fileHandleForWriting.write(contentsOf: Data(part.utf8))
        _ = try await tool.waitFor("the first part") { () -> Bool? in
            let files = FileManager.default.enumerator(atPath: tool.path("ada/inbox"))?.allObjects as? [String] ?? []
            let sizes = files.map { file in
                (try? FileManager.default.attributesOfItem(atPath: tool.path("ada/inbox/\(file)"))[.size]) as? Int ?? 0
            }
            return sizes.contains { $0 >= 1 << 16 } ? true : nil
        }

        let added = try await sync(["add", "notes", "--with", "@acme"], home: "ada")
        #expect(added.code == 0 && added.errors.isEmpty, "\(added)")
        let joined = try await sync(["join", "acme:notes", "copy"], home: "ben")
        #expect(joined.code == 0 && joined.errors.isEmpty, "\(joined)")
        for home in ["ada", "ben"] { #expect(try await waitIdle(home).code == 0) }
        try await waitToRead("first", "copy/a.txt")

        try pipe.fileHandleForWriting.write(contentsOf: Data("end".utf8))
        try pipe.fileHandleForWriting.close()
        let sent = try await sender.finish()
        #expect(sent.code == 0, "\(sent)")
        #expect(try tool.read("ada/inbox/long.txt") == part + "end")
        for home in ["ada", "ben"] { #expect(try await tool.entries("agent.started", home: home).count == 1) }
        for agent in agents { #expect(try await agent.stop().code == 0) }
    }

    @Test("without an agent nothing is waited for")
    func withoutAgent() async throws {
        let waited = try await tool.run(["wait", "sync-idle"])
        #expect(waited.code == 69 && waited.errors.contains("portolan agent run"), "\(waited)")
    }
}
