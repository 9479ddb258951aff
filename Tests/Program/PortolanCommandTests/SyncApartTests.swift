import Foundation
import TestSupport
import Testing

/// Concurrent changes of two disconnected devices, which the program must resolve.
@Suite(.serialized) struct SyncApartTests {
    let tool: Tool

    init() throws { tool = try Tool() }

    private let alone = ["--discovery", "off", "--interface", "lo"]

    /// Devices of one team, by the names of their homes.
    private func makeTeam(named name: String? = nil) async throws {
        for home in ["ada", "ben"] {
            #expect(try await tool.run(["id", "--name", name ?? home], home: home).code == 0)
        }
        #expect(try await tool.run(["team", "create", "acme"], home: "ada").code == 0)
        let shows = try tool.start(["team", "invite", "--json"] + alone, home: "ada")
        try await shows.waitToSay("\"awaiting\"")
        let code = try #require(shows.output.firstMatch(of: /"code":"([^"]+)"/)?.1)
        let entered = try await tool.run(
            ["team", "join", "-", "--at", "127.0.0.1:\(try await shows.port())"] + alone, home: "ben",
            input: "\(code)\n")
        #expect(entered.code == 0, "\(entered)")
        #expect(try await shows.finish().code == 0)
        #expect(try await tool.run(["sync", "add", "notes", "--with", "@acme"], home: "ada").code == 0)
        #expect(try await tool.run(["sync", "join", "acme:notes", "copy"], home: "ben").code == 0)
    }

    private func visit(_ address: String) async throws -> Tool.Outcome {
        try await tool.run(["sync", "run", "--once", "--at", address] + alone, home: "ben")
    }

    @Test func contentWithoutAHolderIsGivenUp() async throws {
        try tool.write("first", to: "notes/a.txt")
        try await makeTeam()
        var running = try tool.start(["sync", "run", "--json"] + alone, home: "ada")
        let visited = try await visit("127.0.0.1:\(try await running.port())")
        #expect(visited.code == 0, "\(visited)")
        #expect(try await running.stop().code == 0)
        // Ben writes and deletes it, and each is written down, while ada moves it.
        try tool.write("second", to: "copy/a.txt")
        #expect(try await visit("127.0.0.1:9").code == 69)
        try FileManager.default.removeItem(atPath: tool.path("copy/a.txt"))
        #expect(try await visit("127.0.0.1:9").code == 69)
        try FileManager.default.moveItem(atPath: tool.path("notes/a.txt"), toPath: tool.path("notes/b.txt"))
        running = try tool.start(["sync", "run", "--json"] + alone, home: "ada")
        let address = "127.0.0.1:\(try await running.port())"
        let other = try tool.start(["sync", "run", "--json", "--at", address] + alone, home: "ben")
        let copy = tool.path("copy/b.txt")
        _ = try await tool.waitFor("the file") { FileManager.default.fileExists(atPath: copy) ? true : nil }
        #expect(try tool.read("copy/b.txt") == "first")
        #expect(try tool.read("notes/b.txt") == "first")
        for process in [running, other] { #expect(try await process.stop().code == 0) }
        for home in ["ada", "ben"] { try await tool.checkSync(home) }
    }

    @Test func namesakesSynchronizeAFolder() async throws {
        try tool.write("first", to: "notes/a.txt")
        try await makeTeam(named: "root@host")
        let running = try tool.start(["sync", "run", "--json"] + alone, home: "ada")
        let visited = try await visit("127.0.0.1:\(try await running.port())")
        #expect(visited.code == 0, "\(visited)")
        #expect(try tool.read("copy/a.txt") == "first")
        #expect(try await running.stop().code == 0)
    }
}
