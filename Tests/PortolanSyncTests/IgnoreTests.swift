import Testing

@testable import PortolanSync

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
    ]

    @Test("patterns match as those of git do", arguments: cases)
    func patterns(_ example: (rules: String, path: String, isIgnored: Bool)) {
        var rules = IgnoreRules()
        rules.add(Array(example.rules.utf8), depth: 0)
        #expect(isIgnored(example.path, rules) == example.isIgnored, "\(example)")
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
