import Foundation
import Testing

/// Comparison of folders with their indexes, by the built program.
@Suite(.serialized) struct SyncCheckCommandTests {
    let tool: Tool

    init() throws { tool = try Tool() }

    private func check(_ arguments: [String] = [], home: String) async throws -> Tool.Outcome {
        try await tool.run(["sync", "check", "--json"] + arguments, home: home)
    }

    @Test("a folder that is kept alike has no findings, and one that was emptied begins anew if that is said")
    func folders() async throws {
        #expect(try await check(["notes"], home: "ada").code == 69)
        try await tool.makeTeam()
        try tool.write("first", to: "notes/a.txt")
        try tool.write("below", to: "notes/sub/b.txt")
        #expect(try await tool.run(["sync", "add", "notes", "--with", "@acme"], home: "ada").code == 0)
        #expect(try await tool.run(["sync", "join", "acme:notes", "copy"], home: "ben").code == 0)
        let joining = try await check(home: "ben")
        #expect(joining.code == 0 && joining.events.isEmpty, "\(joining)")
        let (running, address) = try await tool.staySynced()
        try await tool.visit(address)
        let beside = try await check(home: "ada")
        #expect(beside.code == 74 && beside.errors.contains("Another process keeps this folder alike."), "\(beside)")
        let checked = try await check(home: "ben")
        #expect(checked.code == 0 && checked.events.count == 1, "\(checked)")
        #expect(checked.events.first?["compared"] as? Int == 3, "\(checked)")
        #expect(checked.events.first?["found"] as? Int == 0, "\(checked)")

        try FileManager.default.removeItem(atPath: tool.path("copy"))
        try FileManager.default.createDirectory(atPath: tool.path("copy"), withIntermediateDirectories: true)
        let halted = try await check(["notes"], home: "ben")
        #expect(halted.code == 74 && halted.errors.contains("sync check --repair"), "\(halted)")
        #expect(try await check(["notes", "--yes"], home: "ben").code == 64)
        let repaired = try await check(["notes", "--repair", "--yes"], home: "ben")
        #expect(repaired.code == 0 && repaired.events.last?["beganAnew"] as? Bool == true, "\(repaired)")
        try await tool.visit(address)
        #expect(try tool.read("copy/a.txt") == "first")
        #expect(try tool.read("copy/sub/b.txt") == "below")
        #expect(try tool.read("notes/a.txt") == "first")
        #expect(try await check(home: "ben").code == 0)
        #expect(try await running.stop().code == 0)
        #expect(try await check(home: "ada").code == 0)
    }
}
