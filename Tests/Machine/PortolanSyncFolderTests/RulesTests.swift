import Foundation
import Glibc
import PortolanSyncPlan
import PortolanValues
import Synchronization
import Testing

@testable import PortolanSyncFolder

/// Rules of exclusion belong to each device.
@Suite struct RulesTests {
    private let rules = IgnoreRules.fileName

    /// Two devices with rules, and the first with what they exclude.
    private func withRules() async throws -> SyncFolders {
        let folders = try await SyncFolders(2)
        try folders.stopClock()
        try folders.write(0, rules, "/private\n*.key\n")
        try folders.makeFolder(0, "private")
        try folders.write(0, "private/diary", "secret")
        try folders.write(0, "id.key", "secret")
        try folders.write(0, "open", "text")
        try await folders.settle()
        #expect(try folders.listing(1) == ["\(rules)=/private\n*.key\n", "open=text"])
        return folders
    }

    /// Names that device 1 has, without the ignore file.
    private func names(_ folders: SyncFolders) throws -> [String] {
        try folders.listing(1).map { $0.components(separatedBy: "=")[0] }.filter { $0 != rules }
    }

    @Test(
        "lines that others take away, and negated ones that they add, wait for a person",
        arguments: ["# nothing\n", "/private\n*.key\n!id.key\n!/private\n", "", nil])
    func takenAway(text: String?) async throws {
        let folders = try await withRules()
        if let text { try folders.write(1, rules, text) } else { try folders.remove(1, rules) }
        try await folders.settle()
        #expect(folders.text(0, rules) == text)
        // An own edit does not agree to it, and neither do time and a restart.
        if let text { try folders.write(0, rules, text + "# mine\n") }
        folders.pass(10)
        try await folders.restart(0)
        try await folders.settle()
        #expect(try names(folders) == ["open"])
        #expect(try await folders.replicas[0].check().findings.isEmpty)
        let held = try await folders.synchronize(0).heldRules
        #expect(held.map(\.path) == [rules])
        folders.replicas[0].confirmRules(Set(held.map(\.mark)))
        try await folders.settle()
        #expect(try names(folders) == ["id.key", "open", "private/", "private/diary"])
        #expect(try await folders.synchronize(0).heldRules.isEmpty)
    }

    @Test("a new ignore file of others in a folder does not include files that the rules above it exclude")
    func below() async throws {
        let folders = try await withRules()
        try folders.makeFolder(0, "x")
        try folders.write(0, "x/id.key", "secret")
        try await folders.settle()
        try folders.write(1, "x/\(rules)", "!id.key\n")
        try await folders.settle()
        #expect(try names(folders) == ["open", "x/", "x/\(rules)"])
        #expect(try await folders.synchronize(0).heldRules.map(\.path) == ["x/\(rules)"])
    }

    @Test("lines that others add count at once")
    func added() async throws {
        let folders = try await withRules()
        try folders.write(1, rules, "# more\n/private\n*.tmp\n*.key\n")
        try await folders.settle()
        try folders.write(0, "a.tmp", "1")
        try folders.write(0, "b", "1")
        let reports = try await folders.settle()
        #expect(try names(folders) == ["b", "open"])
        #expect(reports.allSatisfy { $0.heldRules.isEmpty })
    }

    @Test("a line that a person takes away here counts when it has stayed away, and not while an editor saves")
    func own() async throws {
        let folders = try await withRules()
        try folders.remove(0, rules)
        try folders.write(0, "later", "1")
        let report = try await folders.synchronize(0)
        #expect(report.nextLook?.changes == .whole && report.heldRules.isEmpty)
        try await folders.pull(1, from: 0)
        try await folders.synchronize(1)
        #expect(try names(folders) == ["open"])
        try folders.write(0, rules, "/private\n*.key\n")
        folders.pass(5)
        try await folders.settle()
        #expect(try names(folders) == ["later", "open"])
        try folders.write(0, rules, "*.key\n")
        try await folders.settle()
        #expect(try names(folders) == ["later", "open"])
        folders.pass(5)
        try await folders.settle()
        #expect(try names(folders) == ["later", "open", "private/", "private/diary"])
    }

    @Test(
        "a file that an anchored rule excludes stays excluded when a folder above it gets another name",
        arguments: [0, 1])
    func renamed(device: Int) async throws {
        let folders = try await SyncFolders(2)
        try folders.stopClock()
        try folders.makeFolder(0, "a/b/in")
        try folders.write(0, rules, "/a/b/secret\n/a/b/in/\n")
        try folders.makeFolder(0, "c")
        try folders.write(0, "c/\(rules)", "key\n")
        for name in ["a/b/secret", "a/b/in/x", "a/b/open", "c/key", "c/open"] { try folders.write(0, name, name) }
        try await folders.settle()
        #expect(try names(folders) == ["a/", "a/b/", "a/b/open", "c/", "c/\(rules)", "c/open"])
        folders.move(device, "a/b", to: "a/z")
        folders.move(device, "c/open", to: "open")
        try await folders.settle()
        // An editor replaces a file.
        try Data("more".utf8).write(to: URL(fileURLWithPath: folders(0, "a/z/secret")), options: .atomic)
        try await folders.restart(0)
        try await folders.settle()
        #expect(try names(folders) == ["a/", "a/z/", "a/z/open", "c/", "c/\(rules)", "open"])
        #expect(try await folders.replicas[0].check().findings.isEmpty)
        try folders.write(0, rules, "/a/b/in/\n")
        try await folders.settle()
        folders.pass(5)
        try await folders.settle()
        #expect(folders.text(1, "a/z/secret") == "more" && folders.text(1, "a/z/in/x") == nil)
    }

    @Test("a folder that was synchronized before it was excluded takes nothing new, also under another name")
    func earlierFolder() async throws {
        let folders = try await SyncFolders(2)
        try folders.stopClock()
        try folders.makeFolder(0, "private")
        try folders.write(0, "private/old", "1")
        try await folders.settle()
        try folders.write(0, rules, "private/\n")
        try folders.write(0, "private/new", "1")
        try await folders.settle()
        folders.move(1, "private", to: "public")
        try await folders.settle()
        try folders.write(0, "public/newer", "1")
        try await folders.settle()
        #expect(try names(folders) == ["public/", "public/old"])
    }

    @Test("a file of rules that cannot be read or understood stops new entries of its folder, with a report")
    func unusable() async throws {
        let folders = try await SyncFolders(2)
        try folders.stopClock()
        let many = (0...IgnoreRules.maximumPatterns).map { "\($0)\n" }.joined()
        let large = "#" + String(repeating: "x", count: IgnoreRules.maximumBytes)
        let ways: [(String) throws -> Void] = [
            { try Data(many.utf8).write(to: URL(fileURLWithPath: $0)) },
            { try Data(large.utf8).write(to: URL(fileURLWithPath: $0)) },
            { #expect(mkdir($0, 0o755) == 0) },
            { #expect(symlink("nowhere", $0) == 0) },
            { #expect(symlink("/dev/null", $0) == 0) },
            {
                try Data("x\n".utf8).write(to: URL(fileURLWithPath: $0))
                #expect(chmod($0, geteuid() == 0 ? 0o644 : 0) == 0)
            },
        ]
        for (number, make) in ways.enumerated() where number < 5 || geteuid() != 0 {
            try folders.makeFolder(0, "\(number)")
            try folders.write(0, "\(number)/old", "1")
            try await folders.settle()
            try make(folders(0, "\(number)/\(rules)"))
            try folders.makeFolder(0, "\(number)/below")
            for name in ["new", "below/new"] { try folders.write(0, "\(number)/\(name)", "1") }
            let reports = try await folders.settle()
            #expect(try folders.listing(1, below: "\(number)") == ["\(number)/old=1"], "\(number)")
            let named = reports.contains { report in
                report.skipped.contains { skipped in
                    guard case .rules = skipped.reason else { return false }
                    return skipped.path.text == "\(number)/\(rules)"
                }
            }
            #expect(named, "\(number)")
            #expect(try await folders.replicas[0].check().findings.isEmpty, "\(number)")
            try folders.remove(0, "\(number)/\(rules)")
            folders.pass(5)
            try await folders.settle()
            folders.pass(5)
            try await folders.settle()
            #expect(folders.text(1, "\(number)/below/new") == "1", "\(number)")
        }
    }

    @Test("a link to a file of this user has its rules")
    func link() async throws {
        let folders = try await SyncFolders(2)
        try folders.stopClock()
        let outside = "\(folders.path)/outside"
        try Data("x\r\n".utf8).write(to: URL(fileURLWithPath: outside))
        #expect(symlink("../outside", folders(0, rules)) == 0)
        for name in ["x", "y"] { try folders.write(0, name, "1") }
        try await folders.settle()
        #expect(try names(folders) == ["y"])
    }

    @Test("the accepted rules outlive the index, and a damaged file of them is an error")
    func stored() async throws {
        let folders = try await withRules()
        try folders.write(1, rules, "")
        try await folders.settle()
        try await folders.restart(0) {
            for ending in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: "\(folders.path)/0.sqlite\(ending)")
            }
        }
        try await folders.settle()
        #expect(try names(folders) == ["open"])
        try folders.write(0, "\(ControlFolder.name)/rules", "damaged")
        try await folders.restart(0)
        await #expect(throws: SyncError.self) { try await folders.synchronize(0) }
        try folders.remove(0, "\(ControlFolder.name)/rules")
        try await folders.settle()
        #expect(try names(folders) == ["id.key", "open", "private/", "private/diary"])
    }
}
