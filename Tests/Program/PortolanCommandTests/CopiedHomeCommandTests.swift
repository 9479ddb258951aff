import Foundation
import TestSupport
import Testing

/// A home that was copied to a second machine, by the built program.
@Suite(.serialized) struct CopiedHomeCommandTests {
    let tool: Tool

    init() throws { tool = try Tool() }

    private func visit(_ address: String, home: String) async throws -> Tool.Outcome {
        try await tool.run(["sync", "run", "--once", "--at", address] + Tool.alone, home: home)
    }

    /// Lets both machines write and visit the member by turns.
    ///
    /// - Returns: home of the one that stands still first.
    private func visitUntilStopped(_ address: String) async throws -> String {
        for number in 0..<4 {
            for (home, folder) in [("ben", "copy"), ("twin", "twin copy")] {
                try tool.write("by \(home)", to: "\(folder)/\(home) \(number)")
                let visited = try await visit(address, home: home)
                if visited.code == 0 { continue }
                #expect(visited.code == 74 && visited.errors.contains("--keep-key"), "\(visited)")
                return home
            }
        }
        Issue.record("No machine has noticed the other.")
        return "ben"
    }

    @Test("two machines with one key stand still, are named, and one of them goes on by ‘id --keep-key’")
    func copied() async throws {
        try await tool.makeTeam()
        try tool.write("first", to: "notes/a.txt")
        #expect(try await tool.run(["sync", "add", "notes", "--with", "@acme"], home: "ada").code == 0)
        #expect(try await tool.run(["sync", "join", "acme:notes", "copy"], home: "ben").code == 0)
        var (running, address) = try await tool.staySynced()
        try await tool.visit(address)
        #expect(try await tool.run(["id", "--keep-key", "--new-key"], home: "ben").code == 64)
        let none = try await tool.run(["id", "--keep-key"], home: "ben")
        #expect(none.code == 0 && none.output.contains("No folder stands still"), "\(none)")

        let manager = FileManager.default
        try manager.copyItem(atPath: tool.path("ben"), toPath: tool.path("twin"))
        try manager.copyItem(atPath: tool.path("copy"), toPath: tool.path("twin copy"))
        let list = URL(fileURLWithPath: tool.path("twin/state/sync/folders"))
        let text = String(decoding: try Data(contentsOf: list), as: UTF8.self)
        try Data(text.replacing(tool.path("copy"), with: tool.path("twin copy")).utf8).write(to: list)
        let agreed = try await tool.run(["sync", "check", "--repair", "--yes"], home: "twin")
        #expect(agreed.code == 0 && agreed.output.contains("goes on with it"), "\(agreed)")

        let first = try await visitUntilStopped(address)
        let second = first == "ben" ? "twin" : "ben"
        #expect(try await visit(address, home: second).code == 74)
        for home in ["ben", "twin"] {
            let shown = try await tool.run(["sync"], home: home)
            #expect(shown.output.contains("stands still") && !shown.output.contains("is kept alike"), "\(shown)")
            // The stop lasts, and is no matter of the folder itself.
            let checked = try await tool.run(["sync", "check"], home: home)
            #expect(checked.code == 0 && checked.output.contains("is passed over"), "\(checked)")
            #expect(try await visit(address, home: home).code == 74)
        }
        let member = try await tool.run(["sync"], home: "ada")
        #expect(member.output.contains("“ben” is two machines with one key: "), "\(member)")
        #expect(member.output.contains("127.0.0.1") && member.output.contains("with these exceptions"), "\(member)")

        let kept = try await tool.run(["id", "--keep-key"], home: "ben")
        #expect(kept.code == 0 && kept.output.contains("“notes”"), "\(kept)")
        try tool.write("later", to: "copy/later.txt")
        let goesOn = try await visit(address, home: "ben")
        #expect(goesOn.code == 0, "\(goesOn)")
        #expect(try await visit(address, home: "twin").code == 74)
        #expect(try await running.stop().code == 0)
        (running, address) = try await tool.staySynced()
        try await tool.visit(address)
        #expect(try await running.stop().code == 0)
        let names = Set(try tool.names(in: "notes"))
        #expect(names == Set(try tool.names(in: "copy")))
        #expect(names.isSuperset(of: ["a.txt", "later.txt", "ben 0"]))
        #expect(try tool.read("notes/a.txt") == "first" && tool.read("notes/later.txt") == "later")
        #expect(try tool.read("twin copy/a.txt") == "first" && tool.read("twin copy/twin 0") == "by twin")
        #expect(try !tool.names(in: "twin copy").contains("later.txt"))
        for home in ["ada", "ben"] { try await tool.checkSync(home) }
    }
}
