import Foundation
import TestSupport
import Testing

/// Folders that two devices synchronize, by the built program.
@Suite(.serialized) struct SyncCommandTests {
    let tool: Tool

    init() throws { tool = try Tool() }

    private let alone = Tool.alone

    private func sync(_ arguments: [String], home: String) async throws -> Tool.Outcome {
        try await tool.run(["sync"] + arguments, home: home)
    }

    @Test func twoDevicesSynchronizeAFolder() async throws {
        try await tool.makeTeam()
        try tool.write("first", to: "notes/a.txt")
        try tool.write("below", to: "notes/sub/b.txt")
        let large = Data(noise(300_000, seed: 1))
        try large.write(to: tool.folder.appendingPathComponent("notes/large.bin"))
        let added = try await sync(["add", "notes", "--with", "@acme"], home: "ada")
        #expect(added.code == 0, "\(added)")
        #expect(try await sync(["add", "notes/sub", "--with", "@acme"], home: "ada").code == 64)
        #expect(try await sync(["join", "acme:notes", "copy"], home: "ben").code == 0)

        var (running, address) = try await tool.staySynced()
        try await tool.visit(address)
        #expect(try tool.read("copy/a.txt") == "first")
        #expect(try tool.read("copy/sub/b.txt") == "below")
        #expect(try Data(contentsOf: tool.folder.appendingPathComponent("copy/large.bin")) == large)

        // A change, a rename and a deletion follow, in both directions.
        try tool.write("second", to: "notes/a.txt")
        try FileManager.default.moveItem(atPath: tool.path("notes/large.bin"), toPath: tool.path("notes/moved.bin"))
        try FileManager.default.removeItem(atPath: tool.path("copy/sub/b.txt"))
        try tool.write("new", to: "copy/new.txt")
        try await tool.visit(address)
        for folder in ["notes", "copy"] {
            #expect(try tool.read("\(folder)/a.txt") == "second")
            #expect(try tool.read("\(folder)/new.txt") == "new")
            #expect(try tool.names(in: "\(folder)/sub") == [])
            #expect(try tool.names(in: folder) == [".portolan-sync", "a.txt", "moved.bin", "new.txt", "sub"])
        }

        // Both are edited while apart.
        #expect(try await running.stop().code == 0)
        try tool.write("by ada", to: "notes/a.txt")
        try tool.write("by ben", to: "copy/a.txt")
        (running, address) = try await tool.staySynced()
        try await tool.visit(address)
        for (folder, home) in [("notes", "ada"), ("copy", "ben")] {
            let versions = try tool.names(in: folder).filter { $0.hasPrefix("a") }
            #expect(versions.count == 2)
            #expect(Set(try versions.map { try tool.read("\(folder)/\($0)") }) == ["by ada", "by ben"])
            let conflicts = try await sync(["conflicts", "notes", "--json"], home: home)
            #expect(conflicts.code == 0 && conflicts.events.count == 1, "\(conflicts)")
        }
        let listed = try await sync(["--json"], home: "ben")
        #expect(listed.events.first?["name"] as? String == "notes", "\(listed)")
        #expect(listed.events.first?["isJoined"] as? Bool == true, "\(listed)")
        #expect(try await running.stop().code == 0)
        for home in ["ada", "ben"] { try await tool.checkSync(home) }
        let history = try await sync(["history", "notes", "--json"], home: "ada")
        #expect(history.code == 0 && history.events.contains { $0["path"] as? String == "sub/b.txt" }, "\(history)")
        #expect(try await sync(["remove", "notes"], home: "ben").code == 0)
        // Ada still offers it.
        #expect(try await sync(["--json"], home: "ben").events.allSatisfy { $0["offered"] as? String == "notes" })
    }

    @Test("a folder that is kept alike is not taken a second time, by any path")
    func samePlace() async throws {
        try await tool.makeTeam()
        try tool.write("first", to: "all/notes/sub/a.txt")
        try FileManager.default.createSymbolicLink(
            atPath: tool.path("link"), withDestinationPath: tool.path("all/notes"))
        #expect(try await sync(["add", "all/notes", "--with", "@acme"], home: "ada").code == 0)
        for folder in ["link", "link/sub", "link/new", "all"] {
            let added = try await sync(["add", folder, "--name", "other", "--with", "@acme"], home: "ada")
            // Of a folder that is not there, 'add' says only that.
            #expect(added.code == (folder == "link/new" ? 66 : 64), "\(folder): \(added)")
            let joined = try await sync(["join", "acme:other", folder], home: "ada")
            #expect(joined.code == 64 && joined.errors.contains("“notes”"), "\(folder): \(joined)")
        }
        #expect(try await sync(["--json"], home: "ada").events.count == 1)
        #expect(try tool.names(in: "all/notes") == ["sub"])
    }

    @Test func otherDevicesDoNotLearnOfAFolder() async throws {
        try await tool.makeTeam()
        try tool.write("first", to: "notes/a.txt")
        #expect(try await sync(["add", "notes", "--with", "@acme/nobody"], home: "ada").code == 69)
        let grouped = try await tool.run(["team", "group", "add", "design", "ada"], home: "ada")
        #expect(grouped.code == 0, "\(grouped)")
        #expect(try await sync(["add", "notes", "--with", "@acme/design"], home: "ada").code == 0)
        #expect(try await sync(["join", "acme:notes", "copy"], home: "ben").code == 0)
        let (running, address) = try await tool.staySynced()
        // Ben is in the team and not in the group.
        let visited = try await sync(["run", "--once", "--at", address] + alone, home: "ben")
        #expect(visited.code == 69 && visited.errors.contains("No device in sight shares"), "\(visited)")
        #expect(try tool.names(in: "copy") == [])
        #expect(try await running.stop().code == 0)
    }

    @Test("rules of exclusion that others narrow wait for a person, who agrees by a command")
    func rulesOfOthers() async throws {
        try await tool.makeTeam()
        try tool.write("*.key\n", to: "notes/.portolanignore")
        #expect(try await sync(["add", "notes", "--with", "@acme"], home: "ada").code == 0)
        #expect(try await sync(["join", "acme:notes", "copy"], home: "ben").code == 0)
        let (running, address) = try await tool.staySynced()
        try await tool.visit(address)
        try tool.write("secret", to: "copy/id.key")
        try tool.write("# nothing\n", to: "notes/.portolanignore")
        for _ in 0..<2 { try await tool.visit(address) }
        #expect(try tool.read("copy/.portolanignore") == "# nothing\n")
        #expect(try tool.names(in: "notes") == [".portolan-sync", ".portolanignore"])
        let listed = try await sync([], home: "ben").output
        let mark = try #require(listed.firstMatch(of: /portolan sync confirm notes ([0-9a-f]{8})/)?.1, "\(listed)")
        #expect(listed.contains(".portolanignore"), "\(listed)")
        #expect(try await sync(["reject", "notes", String(mark)], home: "ben").code == 69)
        #expect(try await sync(["confirm", "notes", String(mark)], home: "ben").code == 0)
        for _ in 0..<2 { try await tool.visit(address) }
        #expect(try tool.read("notes/id.key") == "secret")
        #expect(try await sync([], home: "ben").output.contains("confirm") == false)
        #expect(try await running.stop().code == 0)
    }

    @Test func aLargeDeletionWaitsForAPerson() async throws {
        try await tool.makeTeam()
        for number in 0..<12 { try tool.write("\(number)", to: "notes/\(number).txt") }
        #expect(try await sync(["add", "notes", "--with", "@acme"], home: "ada").code == 0)
        #expect(try await sync(["join", "acme:notes", "copy"], home: "ben").code == 0)
        let (running, address) = try await tool.staySynced()
        try await tool.visit(address)
        for number in 0..<10 { try FileManager.default.removeItem(atPath: tool.path("copy/\(number).txt")) }
        try await tool.visit(address)
        #expect(try tool.names(in: "notes").count == 13)
        let listed = try await sync(["--json"], home: "ben")
        let mark = try #require(listed.events.first?["held"] as? String, "\(listed)")
        let held = try await sync(["held", "--json"], home: "ben")
        #expect(held.code == 0 && held.events.first?["id"] as? String == mark, "\(held)")
        #expect(
            held.events.first?["paths"] as? [String] == (0..<10).map { "\($0).txt" } && held.events.count == 1,
            "\(held)")
        #expect(try await sync(["held", "none"], home: "ben").code == 69)
        let text = try await sync([], home: "ben").output
        #expect(text.contains("is kept alike, with these exceptions") && text.contains("    0.txt"), "\(text)")
        #expect(text.contains("sync confirm|reject notes \(mark)"), "\(text)")
        #expect(try await sync(["reject", "notes", mark], home: "ben").code == 0)
        try await tool.visit(address)
        #expect(try tool.names(in: "copy").count == 13)
        #expect(try await sync(["confirm", "notes", mark], home: "ben").code == 69)
        #expect(try await running.stop().code == 0)
    }
}
