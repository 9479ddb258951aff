import Foundation
import Portolan
import Testing

@testable import PortolanCommand

/// Directions, pauses, conflicts and history of synchronized folders, by the built program.
@Suite(.serialized) struct SyncWayCommandTests {
    let tool: Tool

    init() throws { tool = try Tool() }

    private func sync(_ arguments: [String], home: String) async throws -> Tool.Outcome {
        try await tool.run(["sync"] + arguments, home: home)
    }

    private func share(_ ways: [String] = []) async throws {
        try await tool.makeTeam()
        try tool.write("first", to: "notes/a.txt")
        #expect(try await sync(["add", "notes", "--with", "@acme"], home: "ada").code == 0)
        let joined = try await sync(["join", "acme:notes", "copy"] + ways, home: "ben")
        #expect(joined.code == 0, "\(joined)")
    }

    @Test(
        "every command explains itself",
        arguments: [
            "list", "add", "join", "sign", "run", "pause", "resume", "remove", "conflicts", "resolve", "history",
            "restore", "undo", "held", "confirm", "reject",
        ])
    func help(command: String) async throws {
        let help = try await tool.run(["sync", command, "--help"])
        #expect(help.code == 0 && help.output.contains("OVERVIEW") && help.output.contains("--json"), "\(help)")
    }

    @Test func aConflictIsSettledAndAVersionTakenBack() async throws {
        try await share()
        var (running, address) = try await tool.staySynced()
        try await tool.visit(address)
        #expect(try await running.stop().code == 0)
        try tool.write("by ada", to: "notes/a.txt")
        try tool.write("by ben", to: "copy/a.txt")
        (running, address) = try await tool.staySynced()
        try await tool.visit(address)
        // While another process synchronizes the folder.
        let resolved = try await sync(["resolve", tool.path("notes/a.txt"), "--keep", "theirs"], home: "ada")
        #expect(resolved.code == 0, "\(resolved)")
        try await tool.visit(address)
        for (folder, home) in [("notes", "ada"), ("copy", "ben")] {
            #expect(try tool.read("\(folder)/a.txt") == "by ben")
            let left = try await sync(["conflicts"], home: home)
            #expect(left.code == 0 && left.output.contains("There is no conflict"), "\(left)")
        }
        #expect(try await sync(["resolve", "notes/a.txt", "--keep", "mine"], home: "ada").code != 0)

        let history = try await sync(["history", "notes/a.txt", "--json"], home: "ada")
        #expect(history.code == 0 && !history.events.isEmpty, "\(history)")
        try tool.write("spoiled", to: "copy/a.txt")
        try await tool.visit(address)
        #expect(try tool.read("notes/a.txt") == "spoiled")
        let undone = try await sync(["undo", "notes"], home: "ada")
        #expect(undone.code == 0, "\(undone)")
        #expect(try tool.read("notes/a.txt") == "by ben")
        try await tool.visit(address)
        #expect(try tool.read("copy/a.txt") == "by ben")

        try FileManager.default.removeItem(atPath: tool.path("copy/a.txt"))
        try await tool.visit(address)
        #expect(try tool.names(in: "notes") == [".portolan-sync"])
        let restored = try await sync(["restore", "notes/a.txt", "--at", "1h"], home: "ada")
        #expect(restored.code == 0, "\(restored)")
        let none = try await sync(["restore", "notes/none.txt"], home: "ada")
        #expect(none.code == 69, "\(none)")
        #expect(try await sync(["restore", "elsewhere/a.txt"], home: "ada").code == 69)
        #expect(try await running.stop().code == 0)
    }

    @Test func pausedFolderIsNotSynchronized() async throws {
        try await share()
        #expect(try await sync(["pause", "notes"], home: "ada").code == 0)
        let paused = try await sync(["--json"], home: "ada")
        #expect(paused.events.first?["isPaused"] as? Bool == true, "\(paused)")
        #expect(try await sync([], home: "ada").output.contains("is paused"))
        var (running, address) = try await tool.staySynced()
        let visited = try await sync(["run", "--once", "--at", address] + Tool.alone, home: "ben")
        #expect(visited.code == 69, "nobody tells of it: \(visited)")
        #expect(try tool.names(in: "copy") == [])
        #expect(try await running.stop().code == 0)
        #expect(try await sync(["resume", "notes"], home: "ada").code == 0)
        (running, address) = try await tool.staySynced()
        try await tool.visit(address)
        #expect(try tool.read("copy/a.txt") == "first")
        #expect(try await running.stop().code == 0)
        #expect(try await sync(["pause", "none"], home: "ada").code == 69)
    }

    @Test func receiveOnlyDeviceAnnouncesNoChanges() async throws {
        try await share(["--mode", "receive-only"])
        let (running, address) = try await tool.staySynced()
        try await tool.visit(address)
        try tool.write("by ben", to: "copy/a.txt")
        try tool.write("new", to: "copy/new.txt")
        try await tool.visit(address)
        #expect(try tool.read("notes/a.txt") == "first")
        #expect(try tool.names(in: "notes") == [".portolan-sync", "a.txt"])
        let listed = try await sync(["--json"], home: "ben")
        let folder = try #require(listed.events.first, "\(listed)")
        #expect(folder["mode"] as? String == "receive-only")
        #expect((folder["untold"] as? [String]).map(Set.init) == ["a.txt", "new.txt"])
        #expect(try await sync(["resolve", "copy/a.txt", "--keep", "mine"], home: "ben").code == 64)
        #expect(try await sync(["resolve", "copy/a.txt", "--keep", "theirs"], home: "ben").code == 0)
        try await tool.visit(address)
        #expect(try tool.read("copy/a.txt") == "first")
        #expect(try await running.stop().code == 0)
    }

    @Test func foldersOfferedByOthersAreListed() async throws {
        try await share()
        try tool.write("other", to: "plans/b.txt")
        #expect(try await sync(["add", "plans", "--with", "@acme"], home: "ada").code == 0)
        let (running, address) = try await tool.staySynced()
        try await tool.visit(address)
        let listed = try await sync(["--json"], home: "ben")
        let offers = listed.events.filter { $0["offered"] != nil }
        #expect(offers.map { $0["join"] as? String } == ["ada:plans"], "\(listed)")
        #expect(try await sync([], home: "ben").output.contains("is offered by “ada”"))
        let watch = try tool.start(["sync", "list", "--watch", "--json"], home: "ben")
        try await watch.waitToSay("ada:plans")
        #expect(try await sync(["join", "acme:plans", "more"], home: "ben").code == 0)
        try await watch.waitToSay("\"name\":\"plans\"")
        #expect(try await watch.stop().code == 0)
        #expect(try await running.stop().code == 0)
    }

    @Test("a time that has been is ISO 8601, or how long ago")
    func times() throws {
        let now = Date(timeIntervalSince1970: 2_000_000_000)
        #expect(try PastTime.parse("2h").seconds(before: now) == 2_000_000_000 - 7200)
        #expect(try PastTime.parse("3d").seconds(before: now) == 2_000_000_000 - 3 * 86_400)
        #expect(try PastTime.parse("2026-03-09T14:05:00Z").seconds(before: now) == 1_773_065_100)
        let local = try PastTime.parse("2026-03-09T14:05").seconds(before: now)
        #expect(try PastTime.parse("2026-03-09 14:05:00").seconds(before: now) == local)
        #expect(abs(local - 1_773_065_100) <= 14 * 3600)
        #expect(try PastTime.parse("2026-03-09").seconds(before: now) <= local)
        for text in ["", "soon", "14:05", "2026-13-40", "-2h", "\u{1B}[2J"] {
            #expect(throws: ValueError.self) { try PastTime.parse(text) }
        }
    }
}
