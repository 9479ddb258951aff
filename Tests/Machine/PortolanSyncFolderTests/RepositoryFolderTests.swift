import Foundation
import PortolanSyncPlan
import Testing

@testable import PortolanSyncFolder

/// Repositories in a folder that is kept alike: what goes along, and what members cannot bring into one.
@Suite(.serialized) struct RepositoryFolderTests {
    private static let environment = [
        "PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "a",
        "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b",
    ]

    @discardableResult
    private func git(_ folders: SyncFolders, _ number: Int, _ words: String...) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["git", "-C", folders(number, "project")] + words
        process.environment = Self.environment
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(words): \(text)")
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func commit(_ folders: SyncFolders, _ number: Int, _ text: String) throws {
        try folders.write(number, "project/file", text)
        try git(folders, number, "add", "-A")
        try git(folders, number, "commit", "-q", "-m", text)
    }

    private func withRepository(_ count: Int) async throws -> SyncFolders {
        let folders = try await SyncFolders(count)
        try folders.makeFolder(0, "project")
        try git(folders, 0, "init", "-q", "-b", "main")
        try commit(folders, 0, "one")
        try await folders.settle()
        return folders
    }

    /// Names in a folder of a repository that devices do not write for each other.
    private func names(_ folders: SyncFolders, _ number: Int, _ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folders(number, folder)).sorted()
    }

    @Test("A repository comes to all members, and commits of each go to the others")
    func members() async throws {
        let folders = try await withRepository(3)
        for number in 0..<3 {
            try commit(folders, number, "by \(number)")
            try await folders.settle()
            for other in 0..<3 {
                #expect(try git(folders, other, "log", "-1", "--format=%s") == "by \(number)")
                #expect(try git(folders, other, "status", "--porcelain").isEmpty)
                #expect(try git(folders, other, "fsck", "--full", "--strict", "--no-progress").isEmpty)
            }
        }
        try await folders.checkAll()
    }

    @Test("Hooks, settings and locks of a repository stay on their device")
    func own() async throws {
        let folders = try await withRepository(2)
        try folders.makeFolder(0, "project/.git/hooks")
        try folders.write(0, "project/.git/hooks/post-commit", "#!/bin/sh\ntouch /tmp/never\n")
        try git(folders, 0, "config", "alias.st", "!touch /tmp/never")
        try folders.write(0, "project/.git/config.lock", "")
        try await folders.settle()
        #expect(folders.text(1, "project/.git/hooks/post-commit") == nil)
        #expect(folders.text(1, "project/.git/config")?.contains("alias") == false)
        #expect(folders.text(1, "project/.git/config.lock") == nil)
    }

    /// Lets the second device hear of the first one's files under other names, as a hostile member tells them.
    private func hear(_ folders: SyncFolders, as names: [String: String]) async throws -> SyncReport {
        try await folders.synchronize(0)
        let cursor = try await folders.replicas[1].heard(of: SyncFolders.device(0))
        var told = try await folders.replicas[0].announcement(since: cursor, by: SyncFolders.device(1))
        for number in told.records.indices {
            for place in told.records[number].places.indices {
                guard let name = names[told.records[number].places[place].value.name.text] else { continue }
                told.records[number].places[place].value.name = SyncName(name)
            }
        }
        _ = try await folders.replicas[1].receive(told)
        return try await folders.synchronize(1)
    }

    @Test("A member brings no hook, no setting and no link into a repository", arguments: [".git", ".GIT"])
    func hooks(name: String) async throws {
        let folders = try await SyncFolders(2)
        try folders.makeFolder(0, "project/git/hooks")
        try folders.write(0, "project/git/hooks/post-commit", "#!/bin/sh\n")
        try folders.write(0, "project/git/config", "[core]\n\tfsmonitor = touch /tmp/never\n")
        #expect(symlink("config", folders(0, "project/git/HEAD")) == 0)
        #expect(symlink("hooks", folders(0, "project/git/portolan")) == 0)
        let report = try await hear(folders, as: ["git": name])
        #expect(try names(folders, 1, "project/\(name)").filter { $0 != "portolan-local" }.isEmpty)
        #expect(report.waiting.contains(.name(SyncName("config"))), "\(report.waiting)")
    }

    @Test("A member makes no repository of a folder by another name, and no folder of a repository")
    func renamed() async throws {
        let folders = try await withRepository(2)
        try folders.makeFolder(0, "other/git")
        try folders.write(0, "other/git/config", "[core]\n\tfsmonitor = touch /tmp/never\n")
        try await folders.settle()
        folders.move(0, "other/git", to: "other/moved")
        _ = try await hear(folders, as: ["moved": ".git"])
        #expect(try names(folders, 1, "other") == ["git"])
        folders.move(0, "project/.git", to: "project/visible")
        _ = try await hear(folders, as: [:])
        #expect(folders.text(1, "project/.git/config") != nil)
        #expect(folders.text(1, "project/visible/config") == nil)
    }

    @Test("A step changes no file that a move has brought into a repository")
    func known() async throws {
        let folders = try await SyncFolders(2)
        try folders.makeFolder(0, "git/hooks")
        for name in ["git/config", "git/hooks/post-commit"] { try folders.write(0, name, "old") }
        try await folders.settle()
        folders.move(1, "git", to: ".git")
        try await folders.settle()
        try folders.write(0, "git/config", "new")
        try folders.write(0, "git/hooks/pre-commit", "new")
        try folders.remove(0, "git/hooks/post-commit")
        try await folders.synchronize(0)
        try await folders.pull(1, from: 0)
        try await folders.synchronize(1)
        #expect(folders.text(1, ".git/config") == "old")
        #expect(folders.text(1, ".git/hooks/post-commit") == "old")
        #expect(folders.text(1, ".git/hooks/pre-commit") == nil)
    }

    @Test("A file or link in the place of a repository stays on its device, and the work tree is kept alike")
    func file() async throws {
        let folders = try await SyncFolders(2)
        try folders.makeFolder(0, "module")
        try folders.write(0, "module/.git", "gitdir: ../elsewhere\n")
        try folders.write(0, "module/source", "1")
        let report = try await folders.synchronize(0)
        #expect(report.skipped.map(\.reason) == [.repository])
        try await folders.settle()
        #expect(try folders.listing(1) == ["module/", "module/source=1"])
    }

    @Test("A folder with a repository that is renamed, or deleted, is so on the other devices; git's own stays")
    func moved() async throws {
        let folders = try await withRepository(2)
        folders.move(0, "project", to: "renamed")
        try await folders.settle()
        #expect(folders.text(1, "renamed/.git/HEAD") == "ref: refs/heads/main\n")
        #expect(folders.text(1, "project/file") == nil)
        folders.move(0, "renamed", to: "project")
        try await folders.settle()
        try folders.remove(0, "project")
        try await folders.settle()
        #expect(folders.text(1, "project/file") == nil)
        #expect(folders.text(1, "project/.git/HEAD") == "ref: refs/heads/main\n")
        #expect(!FileManager.default.fileExists(atPath: folders(0, "project")))
    }

    @Test("The history keeps no versions of files that devices write for each other")
    func history() async throws {
        let folders = try await withRepository(2)
        for turn in 0..<3 {
            try commit(folders, 0, "turn \(turn)")
            try await folders.settle()
        }
        let kept = try folders.replicas[1].index.read { $0.history(of: nil).map(\.path) }
        #expect(Set(kept) == ["project/file"])
    }
}
