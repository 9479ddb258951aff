import Foundation
import Portolan
import PortolanClient
import PortolanProtocol
import PortolanSettings
import PortolanSyncPeers
import PortolanTrust
import TestSupport
import Testing

@testable import PortolanAgent

/// Synchronized folders, as far as one agent is concerned. Two agents are tested with the built program.
@Suite("Folders that the agent keeps alike")
struct FolderSynchronizerTests {
    private func entry(_ name: String, at path: String) -> SyncFolderEntry {
        SyncFolderEntry(name: name, path: path, audiences: [], id: SyncFolderID(), wanted: nil)
    }

    @Test("without folders none is kept alike, and a refresh finds a new one")
    func refreshFindsANewFolder() async throws {
        let test = try await AgentUnderTest()
        let client = try AgentClient(socket: test.socket)
        #expect(try await client.sync() == AgentAPI.SyncFolders(folders: []))
        #expect(try await client.refreshSync() == AgentAPI.SyncFolders(folders: []))
        let path = test.folder.path + "/notes"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try Data("x".utf8).write(to: URL(fileURLWithPath: path + "/x.txt"))
        let list = SyncFolderList(home: test.agent.settings.home)
        let notes = entry("notes", at: path)
        try list.change { $0.append(notes) }
        var folders = try await client.refreshSync().folders
        while folders.first?.isIdle != true {
            try await Task.sleep(for: .milliseconds(5))
            folders = try await client.sync().folders
        }
        #expect(folders.map(\.id) == [notes.local])
        #expect(folders.first?.state == .kept)
        #expect(try list.status(of: notes) != nil)

        let check = try await client.checkSync(notes.local)
        #expect(check.found.isEmpty && check.left.isEmpty && check.compared == 1 && !check.beganAnew)
        await #expect(throws: AgentAPI.Problem.self) { try await client.checkSync("0123456789abcdef") }
        await #expect(throws: AgentAPI.Problem.self) { try await client.forgetSync("x.txt", in: "0123456789abcdef") }
        await #expect(throws: AgentAPI.Problem.self) { try await client.forgetSync("none", in: notes.local) }
        let forgotten = try await client.forgetSync("x.txt", in: notes.local).folders.first
        #expect(forgotten?.skipped.map(\.path) == ["x.txt"] && forgotten?.skipped.first?.needsPerson == false)
        #expect(try await client.checkSync(notes.local).compared == 0)
        try FileManager.default.moveItem(atPath: path, toPath: path + " away")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let problem = try await #require(throws: AgentAPI.Problem.self) {
            try await client.checkSync(notes.local, AgentAPI.SyncCheckOrder(repair: true))
        }
        #expect(problem.isHalted, "\(problem)")
        let repair = try await client.checkSync(
            notes.local, AgentAPI.SyncCheckOrder(repair: true, startsOver: true))
        #expect(repair.beganAnew && repair.left.isEmpty)

        try list.change { entries in entries[0].isPaused = true }
        #expect(try await client.refreshSync().folders.first?.state == .paused)
        try await test.stop()
    }

    @Test("an unreadable list of folders is reported, and does not end the agent")
    func unreadableListIsReported() async throws {
        let test = try await AgentUnderTest()
        let client = try AgentClient(socket: test.socket)
        let list = SyncFolderList(home: test.agent.settings.home)
        try list.change { $0.append(entry("notes", at: "/missing-folder")) }
        let file = test.agent.settings.home.state + "/sync/folders"
        try Data("nothing".utf8).write(to: URL(fileURLWithPath: file))
        await #expect(throws: AgentAPI.Problem.self) { try await client.refreshSync() }
        // The service that ran without folders ends first.
        while !test.warnings.all.contains(where: { $0.hasPrefix("No folder is kept alike") }) {
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(try await client.status().problems.contains { $0.hasPrefix("No folder is kept alike") })
        try await test.stop()
    }
}
