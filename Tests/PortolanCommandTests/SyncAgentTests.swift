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
    private func startAgents(_ options: [String] = []) async throws -> [Tool.Running] {
        let command = ["agent", "run", "--json"] + Tool.alone + options
        // An agent that restarts listens at the same port again.
        let port = try Tool.freePort()
        let ada = try tool.start(command + ["--port", "\(port)"], home: "ada")
        try await ada.waitToSay("\"socket\"")
        let address = "127.0.0.1:\(port)"
        let ben = try tool.start(command + ["--sync-at", address], home: "ben")
        try await ben.waitToSay("\"socket\"")
        return [ada, ben]
    }

    private func waitIdle(_ home: String) async throws -> Tool.Outcome {
        try await tool.run(["wait", "sync-idle", "notes", "--json", "--timeout", "120s"], home: home)
    }

    private func waitToRead(_ text: String?, _ file: String) async throws {
        _ = try await tool.waitFor("\(text ?? "nothing") in \(file)") { () -> Bool? in
            let found = try? tool.read(file)
            return found == text ? true : nil
        }
    }

    @Test("what is added while the agents run is kept alike: a file, an edit, a deletion, in both directions")
    func keep() async throws {
        try await tool.makeTeam()
        try tool.write("first", to: "notes/a.txt")
        try FileManager.default.createDirectory(atPath: tool.path("copy"), withIntermediateDirectories: true)
        // The agents run without confinement: the test is about folders that are added while they run. Ben meets ada
        // before she synchronizes any folder.
        let agents = try await startAgents(["--no-confine"])
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
        #expect(shown.output.contains("but for what follows"), "\(shown)")
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
        let agents = try await startAgents(["--no-confine"])
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
        #expect(left > 0, "the work was over before the agent was told to end")
        #expect(Glibc.kill(agents[0].pid, SIGTERM) == 0)
        agents[0].thaw()
        #expect(try await agents[0].finish().code == 0)
        #expect(try left == 0 || !tool.names(in: "notes/old").isEmpty, "it did all of the work first")

        let command = ["agent", "run", "--json", "--no-confine", "--port", "\(port)"] + Tool.alone
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

    /// The process of the agent of a home, and whether it is held in.
    private func status(_ home: String) async throws -> (process: Int, isConfined: Bool) {
        let status = try #require(try await tool.run(["agent", "status", "--json"], home: home).events.first)
        return (try #require(status["process"] as? Int), try #require(status["confined"] as? Bool))
    }

    @Test("agents that are held in take up a folder that comes, by themselves, and commands wait for them")
    func confined() async throws {
        try await tool.makeTeam()
        try tool.write("first", to: "notes/a.txt")
        let agents = try await startAgents()
        let before = (ada: try await status("ada"), ben: try await status("ben"))
        guard before.ada.isConfined else {
            for agent in agents { #expect(try await agent.stop().code == 0) }
            return print("LEFT OUT: nothing holds the agent in on this kernel.")
        }
        // A follower of the journal continues with the next agent.
        let follower = try tool.start(["events", "--follow", "--json"], home: "ada")
        try await follower.waitToSay("agent.started")

        let added = try await sync(["add", "notes", "--with", "@acme"], home: "ada")
        #expect(added.code == 0 && added.errors.isEmpty, "\(added)")
        let idle = try await waitIdle("ada")
        #expect(idle.code == 0 && idle.events.first?["state"] as? String == "kept", "\(idle)")
        let listed = try await sync(["list", "--json"], home: "ada")
        #expect(listed.events.first?["waitsForRestart"] as? Bool == false, "\(listed)")
        let joined = try await sync(["join", "acme:notes", "copy"], home: "ben")
        #expect(joined.code == 0 && joined.errors.isEmpty, "\(joined)")
        #expect(try await waitIdle("ben").code == 0)
        try await waitToRead("first", "copy/a.txt")
        let after = (ada: try await status("ada"), ben: try await status("ben"))
        #expect(after.ada.process != before.ada.process && after.ada.isConfined)
        #expect(after.ben.process != before.ben.process && after.ben.isConfined)
        try tool.write("second", to: "copy/a.txt")
        try await waitToRead("second", "notes/a.txt")
        #expect(try await tool.entries("agent.started", home: "ada").count == 2)
        _ = try await tool.waitFor("the journal") { () -> Bool? in
            follower.output.split(separator: "agent.started").count > 2 ? true : nil
        }
        #expect(try await follower.stop().code == 0)
        for agent in agents { #expect(try await agent.stop().code == 0) }
    }

    @Test("folders that come together have one restart, and a wait lasts through it")
    func together() async throws {
        try await tool.makeTeam()
        let agent = try tool.start(["agent", "run", "--json"] + Tool.alone, home: "ada")
        try await agent.waitToSay("\"socket\"")
        guard try await status("ada").isConfined else { return print("LEFT OUT: nothing holds the agent in.") }
        let names = ["one", "two", "three"]
        for name in names { try tool.write(name, to: "\(name)/x.txt") }
        // The agent finds the folders in the list, without a notification.
        for name in names {
            let added = try await sync(["add", name, "--with", "@acme", "--no-agent"], home: "ada")
            #expect(added.code == 0, "\(added)")
        }
        let waited = try await tool.run(["wait", "sync-idle", "--json", "--timeout", "120s"], home: "ada")
        #expect(waited.code == 0, "\(waited)")
        #expect(waited.events.compactMap { $0["state"] as? String } == ["kept", "kept", "kept"], "\(waited)")
        #expect(try await tool.entries("agent.started", home: "ada").count == 2)
        #expect(try await tool.entries("folder.halted", home: "ada").isEmpty)

        // A different folder at the same path is not one that the agent may write.
        #expect(try await sync(["remove", "one"], home: "ada").code == 0)
        try FileManager.default.removeItem(atPath: tool.path("one"))
        try tool.write("x", to: "elsewhere/x.txt")
        try FileManager.default.moveItem(atPath: tool.path("elsewhere"), toPath: tool.path("one"))
        let again = try await sync(["add", "one", "--with", "@acme"], home: "ada")
        #expect(again.code == 0 && again.errors.isEmpty, "\(again)")
        let idle = try await tool.run(["wait", "sync-idle", "one", "--timeout", "120s"], home: "ada")
        #expect(idle.code == 0, "\(idle)")
        #expect(try await agent.stop().code == 0)
    }

    @Test("an agent that nobody would start again says that it has to be")
    func alone() async throws {
        try await tool.makeTeam()
        let socket = try NotifySocket(at: tool.path("notify"))
        let agent = try tool.start(
            ["agent", "run", "--json"] + Tool.alone, home: "ada", environment: ["NOTIFY_SOCKET": socket.name])
        try await agent.waitToSay("\"socket\"")
        guard try await status("ada").isConfined else { return print("LEFT OUT: nothing holds the agent in.") }
        try tool.write("x", to: "later/x.txt")
        let added = try await sync(["add", "later", "--with", "@acme"], home: "ada")
        #expect(added.code == 0 && added.errors.contains("has to be started again"), "\(added)")
        let listed = try await sync(["list"], home: "ada")
        #expect(listed.output.contains("stands still"), "\(listed)")
        #expect(try await tool.run(["wait", "sync-idle", "later"], home: "ada").code == 74)
        #expect(try tool.names(in: "later") == ["x.txt"])
        #expect(try await agent.stop().code == 0)
    }

    @Test("without an agent nothing is waited for")
    func withoutAgent() async throws {
        let waited = try await tool.run(["wait", "sync-idle"])
        #expect(waited.code == 69 && waited.errors.contains("portolan agent run"), "\(waited)")
    }
}
