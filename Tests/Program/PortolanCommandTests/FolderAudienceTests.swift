import Foundation
import TestSupport
import Testing

/// For whom folders are, by the built program: ada is the admin of a team, ben is in its group design, dee in none.
@Suite(.serialized) struct FolderAudienceTests {
    let tool: Tool

    init() throws { tool = try Tool() }

    private func sync(_ arguments: [String], home: String) async throws -> Tool.Outcome {
        try await tool.run(["sync"] + arguments, home: home)
    }

    private func makeTeam() async throws {
        for home in ["ada", "ben", "dee"] { #expect(try await tool.run(["id", "--name", home], home: home).code == 0) }
        #expect(try await tool.run(["team", "create", "acme"], home: "ada").code == 0)
        try await enter(["team", "invite", "--group", "design"], ["team", "join"], home: "ben")
        try await enter(["team", "invite"], ["team", "join"], home: "dee")
    }

    /// Enters the code that ada shows on another device.
    private func enter(_ waiting: [String], _ entering: [String], home: String) async throws {
        let shows = try tool.start(waiting + ["--json"] + Tool.alone, home: "ada")
        try await shows.waitToSay("\"awaiting\"")
        let code = try #require(shows.output.firstMatch(of: /"code":"([^"]+)"/)?.1)
        let port = try await shows.port()
        let entered = try await tool.run(
            entering + ["-", "--at", "127.0.0.1:\(port)"] + Tool.alone, home: home, input: "\(code)\n")
        #expect(entered.code == 0, "\(entered)")
        #expect(try await shows.finish().code == 0)
    }

    /// Lets visitors meet a device, one after the other.
    private func meet(_ home: String, _ visitors: [String]) async throws {
        let running = try tool.start(["sync", "run", "--json"] + Tool.alone, home: home)
        let address = "127.0.0.1:\(try await running.port())"
        for visitor in visitors {
            let visited = try await sync(["run", "--once", "--at", address] + Tool.alone, home: visitor)
            // The folder that dee waits for may be for others.
            #expect(visited.code == 0 || visitor == "dee" && visited.code == 69, "\(visitor): \(visited)")
        }
        #expect(try await running.stop().code == 0)
    }

    private func words(_ home: String) async throws -> [String] {
        let listed = try await sync(["--json"], home: home)
        return listed.events.first { $0["name"] as? String == "notes" }?["with"] as? [String] ?? []
    }

    @Test func aFolderForAGroupGoesToNobodyElseThroughItsMembers() async throws {
        try await makeTeam()
        try tool.write("first", to: "notes/a.txt")
        #expect(try await sync(["add", "notes", "--with", "@acme/design"], home: "ada").code == 0)
        // Ada herself is not in the group.
        #expect(try await sync(["join", "acme/design:notes", "copy"], home: "ben").code == 0)
        #expect(try await sync(["join", "acme:notes", "other"], home: "dee").code == 0)
        try await meet("ada", ["ben", "dee"])
        #expect(try tool.read("copy/a.txt") == "first")
        try await meet("ben", ["dee"])
        #expect(try tool.names(in: "other") == [])
        for home in ["ada", "ben"] { #expect(try await words(home) == ["@acme/design"]) }
        #expect(try await !sync(["--json"], home: "dee").output.contains("offered"))
        let widened = try await sync(["sign", "notes", "--with", "@acme"], home: "ben")
        #expect(widened.code == 77, "\(widened)")
    }

    @Test func aFolderForAContactStaysWithItHoweverItIsJoined() async throws {
        try await makeTeam()
        try await enter(["pair"], ["pair"], home: "ben")
        try tool.write("first", to: "notes/a.txt")
        #expect(try await sync(["add", "notes", "--with", "ben"], home: "ada").code == 0)
        for (home, folder) in [("ben", "copy"), ("dee", "other")] {
            #expect(try await sync(["join", "acme:notes", folder], home: home).code == 0)
        }
        try await meet("ada", ["ben", "dee"])
        try await meet("ben", ["dee"])
        #expect(try tool.read("copy/a.txt") == "first")
        #expect(try tool.names(in: "other") == [])
        for home in ["ada", "ben"] {
            #expect(try await words(home) == ["ben"])
            #expect(try await !sync([], home: home).output.contains("is not for this device"))
        }
        // With a new key a device is none of those, and says who can change that.
        for (home, giver) in [("ben", "its maker “ada”"), ("ada", "the machine that keeps the old key")] {
            let renewed = try await tool.run(["id", "--new-key"], home: home)
            let advice = "“notes”: \(giver) gives it to the new key with “portolan sync sign notes --with …”"
            #expect(renewed.code == 0 && renewed.output.contains(advice), "\(renewed)")
            let listed = try await sync([], home: home)
            #expect(listed.output.contains("is not for this device; its maker"), "\(listed)")
        }
    }

    @Test func aFolderIsMadeForFewerAndForMore() async throws {
        try await makeTeam()
        try tool.write("first", to: "notes/a.txt")
        #expect(try await sync(["add", "notes", "--with", "@acme"], home: "ada").code == 0)
        for (home, folder) in [("ben", "copy"), ("dee", "other")] {
            #expect(try await sync(["join", "acme:notes", folder], home: home).code == 0)
        }
        try await meet("ada", ["ben", "dee"])
        #expect(try tool.read("other/a.txt") == "first")
        let narrowed = try await sync(["sign", "notes", "--with", "@acme/design"], home: "ada")
        #expect(narrowed.code == 0, "\(narrowed)")
        try tool.write("second", to: "notes/a.txt")
        try tool.write("intruding", to: "other/b.txt")
        try await meet("ada", ["ben", "dee"])
        try await meet("ben", ["dee"])
        #expect(try tool.read("copy/a.txt") == "second")
        #expect(try tool.read("other/a.txt") == "first")
        for folder in ["notes", "copy"] { #expect(try !tool.names(in: folder).contains("b.txt")) }
        for home in ["ada", "ben"] { #expect(try await words(home) == ["@acme/design"]) }
        #expect(try await sync(["sign", "notes", "--with", "@acme"], home: "ada").code == 0)
        try await meet("ada", ["dee"])
        #expect(try tool.read("other/a.txt") == "second")
    }

    @Test func ofTwoFoldersOfOneNameAPersonChooses() async throws {
        try await makeTeam()
        try tool.write("by ada", to: "notes/a.txt")
        try tool.write("by ben", to: "forged/a.txt")
        try tool.write("own", to: "own/a.txt")
        #expect(try await sync(["add", "notes", "--with", "@acme"], home: "ada").code == 0)
        let forged = try await sync(["add", "forged", "--name", "notes", "--with", "@acme"], home: "ben")
        #expect(forged.code == 0, "\(forged)")
        #expect(try await sync(["add", "own", "--with", "@acme"], home: "dee").code == 0)
        for home in ["ada", "ben"] { try await meet(home, ["dee"]) }
        let joined = try await sync(["join", "acme:notes", "copy"], home: "dee")
        #expect(joined.code == 64 && joined.errors.contains("“ben”"), "\(joined)")
        let fingerprint = try #require(joined.errors.firstMatch(of: /of “ada” \(([^)]+)\), for @acme/)?.1)
        let chosen = try await sync(["join", "acme:notes", "copy", "--maker", "\(fingerprint)"], home: "dee")
        #expect(chosen.code == 0 && (chosen.output + chosen.errors).contains("of “ada”"), "\(chosen)")
        for home in ["ben", "ada"] { try await meet(home, ["dee"]) }
        #expect(try tool.read("copy/a.txt") == "by ada")
    }

    @Test func anAgentWithoutAFolderLearnsWhatOthersOfferAndANameOfTwoFoldersIsShownWithItsMaker() async throws {
        try await makeTeam()
        for (home, folder) in [("ada", "notes"), ("dee", "other")] {
            try tool.write("by \(home)", to: "\(folder)/a.txt")
            let added = try await sync(["add", folder, "--name", "notes", "--with", "@acme"], home: home)
            #expect(added.code == 0, "\(added)")
        }
        var agents = [try await tool.startAgent("ben")]
        let listening = try await tool.entry("node.listening", home: "ben")["body"] as? [String: Any]
        let place = "127.0.0.1:\(try #require(listening?["port"] as? Int))"
        for home in ["ada", "dee"] {
            agents.append(try tool.start(["agent", "run", "--json", "--sync-at", place] + Tool.alone, home: home))
        }
        let offers = try await tool.waitFor("both offers") { () -> [[String: Any]]? in
            let offers = try await sync(["--json"], home: "ben").events("folder-offer")
            return offers.count == 2 ? offers : nil
        }
        let maker = try #require(offers.first { $0["peer"] as? String == "dee" }?["maker"] as? String)
        let shown = try await sync([], home: "ben").output
        #expect(shown.contains("sync join 'acme:notes' --maker \(maker.prefix(9)) FOLDER"), "\(shown)")
        let unclear = try await sync(["join", "acme:notes", "copy"], home: "ben")
        #expect(unclear.code == 64 && unclear.errors.contains("--maker"), "\(unclear)")
        let joined = try await sync(["join", "acme:notes", "copy", "--maker", "\(maker.prefix(9))"], home: "ben")
        #expect(joined.code == 0 && (joined.output + joined.errors).contains("of “dee” (\(maker))"), "\(joined)")
        _ = try await tool.waitFor("dee's file") { try? tool.read("copy/a.txt") == "by dee" ? true : nil }
        for agent in agents { #expect(try await agent.stop().code == 0) }
    }

    @Test func aRemovedMembersFolderStandsStillAndSyncAgentStatusAndWaitSaySo() async throws {
        try await makeTeam()
        try tool.write("first", to: "notes/a.txt")
        #expect(try await sync(["add", "notes", "--with", "@acme"], home: "ada").code == 0)
        #expect(try await sync(["join", "acme:notes", "copy"], home: "ben").code == 0)
        let ada = try await tool.startAgent("ada")
        let listening = try await tool.entry("node.listening", home: "ada")["body"] as? [String: Any]
        let place = "127.0.0.1:\(try #require(listening?["port"] as? Int))"
        let ben = try tool.start(["agent", "run", "--json", "--sync-at", place] + Tool.alone, home: "ben")
        _ = try await tool.waitFor("the file") { try? tool.read("copy/a.txt") == "first" ? true : nil }
        // The open session tells ben.
        let removed = try await tool.run(["team", "remove", "ben"] + Tool.alone, home: "ada")
        #expect(removed.code == 0 || removed.code == 23, "\(removed)")
        let sentence = "It is for @acme, and this device is not among those any more"
        _ = try await tool.waitFor("the sentence of sync") { () -> Bool? in
            let shown = try await sync([], home: "ben").output
            return shown.contains("stands still") && shown.contains(sentence) ? true : nil
        }
        let waited = try await tool.run(["wait", "sync-idle", "--timeout", "60s"], home: "ben")
        #expect(waited.code == 74 && waited.errors.contains(sentence), "\(waited)")
        let status = try await tool.run(["agent", "status"], home: "ben")
        #expect((status.output + status.errors).contains("“notes” stands still. \(sentence)"), "\(status)")
        let told = try await tool.run(["agent", "status", "--json"], home: "ben")
        let problems = told.events.first?["problems"] as? [String]
        #expect(problems?.contains { $0.contains(sentence) } == true, "\(told)")
        for agent in [ada, ben] { #expect(try await agent.stop().code == 0) }
    }
}
