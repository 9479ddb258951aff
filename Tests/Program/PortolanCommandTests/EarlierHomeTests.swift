import Foundation
import TestSupport
import Testing

/// Homes and folders of an earlier program (Tests/Fixtures), used by the built one.
@Suite(.serialized) struct EarlierHomeTests {
    let tool: Tool

    init() throws { tool = try Tool() }

    @Test func foldersOfAnEarlierProgramGoOn() async throws {
        guard try EarlierProgram.unpack(into: tool.folder.path) else { return }
        let before = try ["notes", "copy"].map { try EarlierProgram.listing(of: tool.path($0)) }
        let (running, address) = try await tool.staySynced()
        try await tool.visit(address)
        try await tool.visit(address)
        #expect(try ["notes", "copy"].map { try EarlierProgram.listing(of: tool.path($0)) } == before)
        for home in ["ada", "ben"] {
            let listed = try await tool.run(["sync", "--json"], home: home)
            let one = try #require(listed.events.first { $0["name"] as? String == "Notes" }, "\(listed)")
            #expect(one["held"] is String == false && (one["waits"] as? [Any] ?? []).isEmpty, "\(listed)")
            #expect(one["problem"] is String == false, "\(listed)")
            let conflicts = try await tool.run(["sync", "conflicts", "Notes", "--json"], home: home)
            #expect(conflicts.code == 0 && conflicts.events.count == 1, "\(conflicts)")
        }
        let history = try await tool.run(["sync", "history", "notes", "--json"], home: "ada")
        #expect(history.code == 0 && history.events.contains { $0["path"] as? String == "sub/gone.txt" }, "\(history)")
        try tool.write("by a later program", to: "notes/sub/new.txt")
        try await tool.visit(address)
        #expect(try tool.read("copy/sub/new.txt") == "by a later program")
        #expect(try await running.stop().code == 0)
        let contacts = try await tool.run(["contacts", "--json"], home: "ben")
        #expect(contacts.code == 0 && contacts.output.contains("\"ada\""), "\(contacts)")
    }

    @Test func aFolderOfALaterProgramStandsStillInWords() async throws {
        guard try EarlierProgram.unpack(into: tool.folder.path) else { return }
        let sync = tool.path("ada/state/sync")
        let index = try #require(
            try FileManager.default.contentsOfDirectory(atPath: sync).first { $0.hasSuffix(".sqlite") }.map {
                "\(sync)/\($0)"
            })
        let python = Process()
        python.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        python.arguments = [
            "python3", "-c",
            "import sqlite3, sys; sqlite3.connect(sys.argv[1], isolation_level=None).execute("
                + "\"INSERT INTO grdb_migrations VALUES ('of tomorrow')\")", index,
        ]
        try python.run()
        python.waitUntilExit()
        #expect(python.terminationStatus == 0)
        let before = try Data(contentsOf: URL(fileURLWithPath: index))
        let sentence = "A newer version of the program has changed the index of the folder."
        let (running, _) = try await tool.staySynced()
        try await running.waitToSay(sentence)
        #expect(try await running.stop().code == 0)
        #expect(try await tool.run(["sync"], home: "ada").output.contains(sentence))
        let agent = try await tool.startAgent("ada")
        _ = try await tool.waitFor("the agent's word") { () -> Bool? in
            try await tool.run(["sync"], home: "ada").output.contains(sentence) ? true : nil
        }
        #expect(try await agent.stop().code == 0)
        let history = try await tool.run(["sync", "history", "Notes"], home: "ada")
        #expect(history.code != 0 && history.errors.contains(sentence), "\(history)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: index)) == before)
    }
}
