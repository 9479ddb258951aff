import Foundation
import Testing

/// Files that are kept alike here no more, by the built program.
@Suite(.serialized) struct SyncForgetCommandTests {
    let tool: Tool

    init() throws { tool = try Tool() }

    private func forget(_ path: String, _ options: [String] = []) async throws -> Tool.Outcome {
        try await tool.run(["sync", "forget", path, "--json"] + options, home: "ada")
    }

    @Test("a forgotten file stays on this device and goes on the other one, and mistakes have their exit statuses")
    func file() async throws {
        try await tool.makeTeam()
        for name in ["a.txt", "sub/b.txt", "outside"] {
            try tool.write(name, to: name == "outside" ? name : "notes/\(name)")
        }
        #expect(try await tool.run(["sync", "add", "notes", "--with", "@acme"], home: "ada").code == 0)
        #expect(try await tool.run(["sync", "join", "acme:notes", "copy"], home: "ben").code == 0)
        let first = try await tool.staySynced()
        try await tool.visit(first.address)
        #expect(try tool.read("copy/sub/b.txt") == "sub/b.txt")
        // The folder is in use by a process that is no agent.
        let beside = try await forget("notes/a.txt")
        #expect(beside.code == 74 && beside.errors.contains("Another process keeps this folder alike."), "\(beside)")
        #expect(try await first.running.stop().code == 0)

        let statuses: [(String, Int32)] = [
            ("notes", 64), ("notes/none", 66), ("notes/none/b", 66), ("outside", 69), ("none", 69),
            ("notes/.portolan-sync", 74),
        ]
        for (path, status) in statuses {
            let refused = try await forget(path)
            #expect(refused.code == status, "\(path): \(refused)")
        }
        let forgotten = try await forget("notes/sub")
        #expect(forgotten.code == 0 && forgotten.events.first?["path"] as? String == "sub", "\(forgotten)")
        let second = try await tool.staySynced()
        try await tool.visit(second.address)
        #expect((try? tool.names(in: "copy/sub"))?.isEmpty ?? true)
        #expect(try tool.read("copy/a.txt") == "a.txt")
        #expect(try tool.read("notes/sub/b.txt") == "sub/b.txt")
        let listed = try await tool.run(["sync"], home: "ada")
        #expect(listed.output.contains("“sub”: It is not kept alike here since"), "\(listed)")
        #expect(try await second.running.stop().code == 0)
        for home in ["ada", "ben"] { try await tool.checkSync(home) }
    }
}
