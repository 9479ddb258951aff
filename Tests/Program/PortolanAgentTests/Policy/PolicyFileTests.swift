import Foundation
import Portolan
import PortolanSettings
import PortolanTrust
import PortolanValues
import Testing

@testable import PortolanAgent

/// Reading of a policy file, and the policy that is in force.
@Suite struct PolicyFileTests {
    @Test(
        "a mistake names its line and its key",
        arguments: [
            ("", 1, "version"), ("rules: []", 1, ""), ("version: 2", 1, "version"), ("version: [1]", 1, "version"),
            ("version: 1\nrule: []", 2, "rule"), ("version: 1\nrules: 5", 2, "rules"),
            ("version: 1\nrules:\n  - 5", 3, "rules"),
            ("version: 1\nversion: 1", 1, "version"),
            ("version: 1\nrules:\n  - from: a\n    from: b\n    action: ask", 3, "from"),
            ("version: 1\ntests:\n  - name: a", 3, "tests"),
            ("version: 1\ntests:\n  - { expect: ask, offer: {} }", 3, "tests.offer"),
            ("version: 1\ntests:\n  - { expect: ask, offer: { items: [] } }", 3, "tests.offer"),
            ("version: 1\ntests:\n  - { expect: maybe, offer: { items: [{}] } }", 3, "tests.expect"),
            ("version: 1\ntests:\n  - { expect: [ask, ask], offer: { items: [{}] } }", 3, "tests"),
            ("version: 1\ntests:\n  - { expect: ask, offer: { items: [{ sise: 1 }] } }", 3, "tests.offer.items.sise"),
            ("version: 1\ntests:\n  - { expect: ask, offer: { contact: a, name: b, items: [{}] } }", 3, "tests.offer"),
            (
                "version: 1\ntests:\n  - { expect: ask, offer: { contact: a, doubtful: true, items: [{}] } }", 3,
                "tests.offer"
            ),
            ("version: 1\ntests:\n  - { expect: ask, offer: { time: noon, items: [{}] } }", 3, "tests.offer.time"),
            (
                "version: 1\ntests:\n  - { expect: ask, offer: { time: 2026-02-30 10:00, items: [{}] } }", 3,
                "tests.offer.time"
            ),
            ("version: 1\nrules: &a []", 2, ""), ("version: 1\nrules: [*a]", 2, ""),
        ])
    func mistakes(text: String, line: Int, key: String) throws {
        let defect = try #require(throws: ConfigurationDefect.self) { try PolicyFile.parse(text) }
        #expect(defect.line == line, "\(defect)")
        #expect(defect.key == key, "\(defect)")
    }

    @Test func allMistakesAreToldInTheOrderOfTheFile() {
        let text = """
            rulez: []
            version: 1
            rules:
              - { from: anyone, action: allow, typ: png }
              - { from: anyone, action: ask }
              - { from: ['@a b', laptop, '@c d'], max-size: lots, action: ask }
              - { action: ask }
            tests:
              - { offer: { time: noon, items: [{ sise: 1 }, { size: x }] }, expect: [maybe, ask] }
            """
        let defects = PolicyFile.mistakes(in: text, userHome: "/home/ada")
        #expect(
            defects.map { "\($0.line):\($0.column ?? 0) \($0.key)" } == [
                "1:1 rulez", "4:29 rules.action", "4:36 rules.typ", "6:14 rules.from", "6:30 rules.from",
                "6:49 rules.max-size", "7:5 rules", "9:22 tests.offer.time", "9:38 tests.offer.items.sise",
                "9:57 tests.offer.items.size", "9:74 tests.expect",
            ])
    }

    @Test func aFileOfAnotherVersionHasOneMistake() {
        let defects = PolicyFile.mistakes(in: "rulez: []\nversion: 2\nrules: 5\n", userHome: "/home/ada")
        #expect(defects.map(\.line) == [2])
    }

    @Test(
        "a mistake in a rule names its key",
        arguments: [
            ("from: anyone", ""), ("action: accept", ""), ("from: [], action: ask", "from"),
            ("from: contact, action: ask", "from"), ("from: '@a b', action: ask", "from"),
            ("from: {}, action: ask", "from"),
            ("from: a, action: allow", "action"), ("from: a, action: ask, typ: png", "typ"),
            ("from: a, action: ask, type: nosuch", "type"), ("from: a, action: ask, max-size: lots", "max-size"),
            ("from: a, action: ask, min-size: 2, max-size: 1", ""),
            ("from: a, action: ask, max-items: -1", "max-items"),
            ("from: a, action: ask, min-free: 1.5G", "min-free"), ("from: a, action: ask, hours: 9-17", "hours"),
            ("from: a, action: ask, hours: '25:00-26:00'", "hours"),
            ("from: a, action: ask, hours: '09:00-09:00'", "hours"),
            ("from: a, action: ask, days: monday", "days"), ("from: a, action: ask, days: mon-", "days"),
            ("from: a, action: ask, wait: 1s", "wait"), ("from: a, action: ask, wait: 31d", "wait"),
            ("from: a, action: ask, then: ask", "then"), ("from: a, action: accept, wait: 10m", "wait"),
            ("from: a, action: accept, then: decline", "then"), ("from: a, action: accept, say: no", "say"),
            ("from: a, action: decline, into: x", "into"), ("from: a, action: accept, into: ../x", "into"),
            ("from: a, action: accept, into: '{who}'", "into"), ("from: a, action: decline, say: \"a\\eb\"", "say"),
        ])
    func ruleMistakes(rule: String, key: String) throws {
        let defect = try #require(throws: ConfigurationDefect.self) { try policy("\n  - { \(rule) }") }
        #expect(defect.line == 4, "\(defect)")
        #expect(defect.key == (key.isEmpty ? "rules" : "rules." + key), "\(defect)")
        #expect(DisplayText.isHarmless(defect.description))
    }

    @Test func aTeamWithoutQuotationMarksIsExplained() throws {
        let defect = try #require(throws: ConfigurationDefect.self) { try policy("  - from: @acme\n    action: ask") }
        #expect(defect.description.contains("quotation marks"), "\(defect)")
        #expect(defect.line == 3)
    }

    @Test func ampersandInsideAWordIsNoAnchor() throws {
        #expect(try policy("  - { from: R&D, action: ask } # this & that\n").rules.count == 1)
        #expect(throws: ConfigurationDefect.self) { try policy("  - { from: &R D, action: ask }\n") }
    }

    @Test func aliasesDoNotExpand() {
        var text = "version: 1\na0: &a0 [x, x]\n"
        for level in 1...60 { text += "a\(level): &a\(level) [*a\(level - 1), *a\(level - 1)]\n" }
        text += "? *a60\n: 1\n"
        #expect(throws: ConfigurationDefect.self) { try PolicyFile.parse(text) }
    }

    @Test("nesting, numbers and sizes are bounded", arguments: ["[", "{a: ", "- ", "? "])
    func deepNesting(piece: String) {
        #expect(throws: ConfigurationDefect.self) {
            try PolicyFile.parse("version: 1\nrules:\n  " + String(repeating: piece, count: 100_000))
        }
    }

    @Test func thereAreBounds() throws {
        let rule = "  - { from: a, action: ask }\n"
        #expect(try policy(String(repeating: rule, count: PolicyFile.ruleLimit)).rules.count == PolicyFile.ruleLimit)
        let many = try #require(throws: ConfigurationDefect.self) {
            try policy(String(repeating: rule, count: PolicyFile.ruleLimit + 1))
        }
        #expect(many.line == PolicyFile.ruleLimit + 3, "\(many)")
        let comment = "#" + String(repeating: "x", count: PolicyFile.sizeLimit)
        #expect(throws: ConfigurationDefect.self) { try PolicyFile.parse("version: 1\n" + comment) }
    }

    @Test func failedTestReportsItsResult() throws {
        let file = try PolicyFile.parse(
            """
            version: 1
            rules:
              - { from: laptop, type: png, action: accept }
            tests:
              - { offer: { contact: laptop, items: [{ type: png }] }, expect: accept }
              - { name: all come in, offer: { contact: laptop, items: [{ type: png }, { type: pdf }] }, expect: accept }
              - { offer: { name: x, items: [{ type: png }] }, expect: accept }
              - { offer: { contact: laptop, items: [{ type: png }] }, expect: ask }
            """)
        #expect(
            file.failures.map(\.description) == [
                "line 6: the test “all come in” expected accept for item 2 and got ask, by the default.",
                "line 7: the test expected accept and got decline, by the default.",
                "line 8: the test expected ask and got accept, by rule 1 (line 3).",
            ])
    }

    @Test func theExampleIsValidAndPassesItsTests() throws {
        let example = URL(filePath: #filePath).appending(path: "../../../../../Config/policy.example.yaml")
            .standardizedFileURL
        let text = try String(contentsOf: example, encoding: .utf8)
        try withHome { home, write in
            try write(Array(text.utf8))
            let policy = try OfferPolicy.load(from: home)
            #expect(policy.rules.count == 5)
            #expect(policy.teams.map(\.text) == ["acme"])
        }
        #expect(try PolicyFile.parse(text).tests.count == 6)
        for key in [
            "from", "type", "max-size", "min-size", "max-items", "min-items", "max-free", "min-free", "hours", "days",
            "most", "action",
            "into", "wait", "then", "say", "name", "offer", "expect",
        ] {
            let places = ["# \(key):", "# \(key),", ", \(key):"]
            #expect(places.contains { text.contains($0) }, "\(key) is not explained")
        }
    }

    @Test("a folder among the program's own files is a mistake, except the quarantine for items that are set apart")
    func ownFolders() throws {
        try withHome { home, write in
            for folder in [home.data, home.state] {
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            }
            for (folder, action, isMistake) in [
                (home.data, "accept", true), (home.state + "/new/{sender}", "accept", true),
                (home.configuration, "ask", true), (home.data + "/quarantine", "accept", true),
                (home.data + "/quarantine/x", "quarantine", false), (home.state, "quarantine", true),
                ((home.root ?? "") + "/inbox/x", "accept", false),
            ] {
                try write(
                    Array("version: 1\nrules:\n  - { from: contacts, action: \(action), into: '\(folder)' }\n".utf8))
                let problems: [String]
                do throws(PolicyError) {
                    _ = try OfferPolicy.load(from: home)
                    problems = []
                } catch {
                    problems = error.problems
                }
                #expect(problems.contains { $0.contains("among the program's own files") } == isMistake, "\(folder)")
            }
        }
    }

    @Test func anOfferMayBeJSON() throws {
        let offer = try PolicyOffer.parse(
            #"{"contact": "laptop", "items": [{"type": "png", "size": "3M", "name": "a & b"}]}"#)
        #expect(offer.peer.isContact && offer.items.first?.size == 3 << 20 && offer.count == 1)
        #expect(throws: ConfigurationDefect.self) { try PolicyOffer.parse("") }
        #expect(throws: ConfigurationDefect.self) { try PolicyOffer.parse("[]") }
    }

    /// A home, and how to write its policy.
    private func withHome(_ body: (HomeDirectory, ([UInt8]) throws -> Void) throws -> Void) throws {
        let root = FileManager.default.temporaryDirectory.path + "/portolan-policy-\(UUID())"
        let home = try HomeDirectory(override: root, environment: [:])
        for folder in [root, home.configuration] {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        defer { try? FileManager.default.removeItem(atPath: root) }
        try body(home) { bytes in
            try Data(bytes).write(to: URL(fileURLWithPath: home.policyFile))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: home.policyFile)
        }
    }

    @Test func refusedFileLeavesTheOldPolicy() throws {
        try withHome { home, write in
            let rules = "version: 1\nrules:\n  - { from: anyone, action: decline }\n"
            try write(Array(rules.utf8))
            let store = try PolicyStore(home: home)
            let first = store.current
            #expect(first.rules.count == 1)

            try write(Array("version: 1\nrulez: []\n".utf8))
            let refusal = try #require(throws: PolicyError.self) { try store.reload() }
            #expect(refusal.description.contains("policy.yaml, line 2, key “rulez”: unknown key"), "\(refusal)")
            #expect(store.current == first)

            try write(Array((rules + "tests:\n  - { offer: { items: [{}] }, expect: accept }\n").utf8))
            let failed = try #require(throws: PolicyError.self) { try store.reload() }
            #expect(
                failed.problems == [
                    "\(home.policyFile), line 5: the test expected accept and got decline, by rule 1 (line 3)."
                ],
                "\(failed)")
            #expect(store.current == first)

            try write(Array((rules + "  - { from: laptop, action: accept }\n").utf8))
            try store.reload()
            #expect(store.current.rules.count == 2)

            // Without the file the defaults apply, which accept nothing.
            try FileManager.default.removeItem(atPath: home.policyFile)
            try store.reload()
            #expect(store.current == OfferPolicy())
        }
    }

    @Test func aRefusedFileIsAnErrorAtTheStart() throws {
        try withHome { home, write in
            #expect(try PolicyStore(home: home).current == OfferPolicy())
            try write(Array("version: 1\nrules: 5".utf8))
            #expect(throws: PolicyError.self) { try PolicyStore(home: home) }
            try write([0xFF])
            #expect(throws: PolicyError.self) { try PolicyStore(home: home) }
            try write(Array("version: 1\n#".utf8) + Array(repeating: UInt8(ascii: "x"), count: PolicyFile.sizeLimit))
            #expect(throws: PolicyError.self) { try PolicyStore(home: home) }
            try write(Array("version: 1".utf8))
            #expect(try PolicyStore(home: home).current == OfferPolicy())
            try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: home.policyFile)
            let refusal = try #require(throws: PolicyError.self) { try PolicyStore(home: home) }
            #expect(refusal.isUntrusted)
        }
    }
}
