import Foundation
import Glibc
import Testing

@testable import PortolanSyncFolder

@Suite struct IgnoreTests {
    /// Rules, a path, and whether it is ignored. A folder ends with `/`.
    static let cases: [(rules: String, path: String, isIgnored: Bool)] = [
        ("a", "a", true), ("a", "x/a", true), ("a", "ab", false), ("a", "a/x", true),
        ("/a", "a", true), ("/a", "x/a", false),
        ("x/a", "x/a", true), ("x/a", "y/x/a", false),
        ("a/", "a", false), ("a/", "a/", true), ("a/", "x/a/", true), ("a/", "a/x", true),
        ("*.o", "f.o", true), ("*.o", "x/f.o", true), ("*.o", "f.c", false), ("*", ".a", true),
        ("x/*", "x/a", true), ("x/*", "x/a/b", true), ("/*", "a/b", true), ("a*b", "a/b", false),
        ("a?c", "abc", true), ("a?c", "ac", false), ("caf?", "café", false),
        ("[ab]", "a", true), ("[!ab]", "a", false), ("[^ab]", "c", true), ("[a-c]", "b", true), ("[]a]", "]", true),
        ("[a-]", "-", true), ("[[:digit:]]", "7", true), ("[[:digit:]]", "a", false), ("[a", "[a", false),
        ("**/a", "a", true), ("**/a", "x/y/a", true), ("a/**", "a/", false), ("a/**", "a/x/y", true),
        ("a/**/b", "a/b", true), ("a/**/b", "a/x/y/b", true), ("a/**/b", "ab", false), ("a**b", "axyb", true),
        ("# a", "# a", false), ("\\#a", "#a", true), ("\\!a", "!a", true), ("a ", "a", true), ("a\\ ", "a ", true),
        ("\\*", "*", true), ("\\*", "a", false), ("a\\", "a\\", false), ("\n\n", "a", false),
        ("*\n!a", "a", false), ("!a\n*", "a", true), ("x/\n!x/a", "x/a", true), ("x/*\n!x/a", "x/a", false),
        ("\u{FEFF}a", "a", true),
        ("a\r\n", "a", true), ("a \r\nb\r\n", "a", true), ("a\r", "a", true), ("a\r\r\n", "a", false),
        ("/x/\r\n*.key\r\n", "x/", true), ("\r\n*", "x", true), ("**", "x/y", true), ("a/**/", "a/b", false),
        ("a/**/", "a/b/", true), ("***/a", "x/a", true), ("a/***", "a/b", true), ("[]-a]", "]", true),
        ("[a-c-z]", "-", true), ("[\\]]", "]", true), ("[!a-z]x", "Ax", true), ("/", "a", false), ("//a", "a", false),
        ("a//b", "a/b", false), ("!", "!", false), ("a\t", "a", false), ("?", "é", false), ("a/", "x/a/y", true),
        ("/*\n!/a", "b", true), ("/*\n!/a", "a", false), ("a[/]b", "a/b", false), ("[a/b]x", "ax", true),
        ("*/b", "a/b", true), ("*/b", "b", false), ("/**/b", "b", true), ("  a", "a", false), ("a  ", "a", true),
        ("\\a", "a", true), ("a\\/b", "a/b", true), ("x/[a", "x/[a", false), ("*a/b*", "xa/bc", true),
    ]

    @Test("patterns match as those of git do", arguments: cases)
    func patterns(_ example: (rules: String, path: String, isIgnored: Bool)) {
        var rules = IgnoreRules()
        rules.add(Array(example.rules.utf8), depth: 0)
        #expect(isIgnored(example.path, rules) == example.isIgnored, "\(example)")
    }

    @Test("git takes the same patterns in the same way", .enabled(if: IgnoreTests.hasGit, "there is no git"))
    func git() throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "portolan-ignore-\(UUID())")
        defer { try? FileManager.default.removeItem(at: root) }
        for example in Self.cases {
            try? FileManager.default.removeItem(at: root)
            let isFolder = example.path.hasSuffix("/")
            let name = isFolder ? String(example.path.dropLast()) : example.path
            let path = URL(fileURLWithPath: "\(root.path)/\(name)")
            let folder = isFolder ? path : path.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            if !isFolder { try Data().write(to: path) }
            #expect(try run(["init", "--quiet"], in: root) == 0)
            try Data(example.rules.utf8).write(to: root.appending(path: ".gitignore"))
            let status = try run(["check-ignore", "--quiet", "--no-index", "--", name], in: root)
            #expect(status == (example.isIgnored ? 0 : 1), "\(example)")
        }
    }

    private static let hasGit = access("/usr/bin/git", X_OK) == 0

    private func run(_ arguments: [String], in folder: URL) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/git")
        process.arguments = arguments
        process.currentDirectoryURL = folder
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }

    @Test("the rules of a deeper folder go first")
    func nested() {
        var rules = IgnoreRules()
        rules.add(Array("*.log\n/b".utf8), depth: 0)
        rules.add(Array("!a.log\n/c".utf8), depth: 1)
        #expect(isIgnored("x/b.log", rules) && !isIgnored("x/a.log", rules))
        #expect(isIgnored("x/c", rules) && !isIgnored("x/y/c", rules) && !isIgnored("x/b", rules))
    }

    @Test("a pattern of many wildcards is soon done")
    func hostile() {
        var rules = IgnoreRules()
        rules.add(Array((String(repeating: "a*", count: 2000) + "b").utf8), depth: 0)
        rules.add(Array((String(repeating: "**/a/", count: 500) + "b").utf8), depth: 0)
        #expect(!isIgnored(String(repeating: "a", count: 255), rules))
        #expect(!rules.ignores(Array(repeating: [UInt8(ascii: "a")], count: 250), isFolder: false))
    }

    private func isIgnored(_ path: String, _ rules: IgnoreRules) -> Bool {
        let names = path.split(separator: "/").map { Array($0.utf8) }
        return (1...names.count).contains { count in
            rules.ignores(Array(names.prefix(count)), isFolder: count < names.count || path.hasSuffix("/"))
        }
    }
}
