import Foundation
import Glibc
import PortolanClient
import PortolanValues
import Testing

@testable import PortolanCommand

/// Lines for people on terminals that can show only ASCII.
@Suite struct PlainTextTests {
    @Test func environmentDeterminesTheCharacterSet() {
        func isPlain(_ environment: [String: String]) -> Bool { PlainText.isWanted { environment[$0] } }
        #expect(isPlain([:]))
        for locale in ["C", "POSIX", "de_DE", "de_DE.ISO-8859-1"] { #expect(isPlain(["LANG": locale])) }
        for locale in ["C.UTF-8", "de_DE.utf8", "en_GB.UTF-8@euro"] { #expect(!isPlain(["LANG": locale])) }
        #expect(isPlain(["LANG": "C.UTF-8", "LC_ALL": "C"]))
        #expect(isPlain(["LANG": "C.UTF-8", "LC_CTYPE": "C"]))
        #expect(!isPlain(["LANG": "C", "LC_CTYPE": "C", "LC_ALL": "C.UTF-8"]))
        // An empty variable counts as unset.
        #expect(!isPlain(["LANG": "C.UTF-8", "LC_ALL": ""]))
        #expect(isPlain(["LANG": "C.UTF-8", "TERM": "dumb"]))
        #expect(!isPlain(["LANG": "C.UTF-8", "TERM": "xterm"]))
    }

    @Test("Reasons in lists keep the quotation marks of their sentences.")
    func reasonsKeepTheirQuotationMarks() {
        let reason = "“a.txt” is not there."
        let parcel = AgentAPI.Parcel(
            id: AgentAPI.ID(1), target: "b", titles: ["a"], state: .failed, reason: reason, created: .distantPast,
            changed: .distantPast)
        #expect(ParcelLine.text(parcel).contains("(\(reason))"))
        let item = AgentAPI.InboxItem(
            id: AgentAPI.ID(7), state: .failed, reason: reason, at: .distantPast, changed: .distantPast,
            peer: String(repeating: "0f", count: 32), sender: "b", title: "a")
        #expect(InboxLine.text(item).contains("(\(reason))"))
    }

    @Test func quotationMarksHaveALikenessAndLettersANumber() {
        #expect(PlainText.ascii("“a” …\n\u{1B}[K") == "\"a\" ...\n\u{1B}[K")
        #expect(PlainText.ascii("é, 字, 👍") == "\\u{E9}, \\u{5B57}, \\u{1F44D}")
        #expect(PlainText.ascii("plain") == "plain")
        #expect(Terminal(descriptor: 1, isPlain: true).shown("“a”") == "\"a\"")
        #expect(Terminal(descriptor: 1).shown("“a”") == "“a”")
    }

    @Test("quotation marks of peers do not end ours")
    func quotations() {
        #expect(PlainText.ascii("“a\" is trusted. „b”") == #""a\u{22} is trusted. \u{201E}b""#)
        #expect(PlainText.ascii("say \"hi\"") == "say \"hi\"")
        #expect(PlainText.ascii("“a”: say \"hi\"", isOwn: true) == "\"a\": say \"hi\"")
    }

    @Test("a word for a shell stays one word: marks like its quotation marks do not become one")
    func shellWords() {
        for mark in ["‘", "’", "‚", "‛"] {
            let shown = PlainText.ascii(DisplayText.shellWord("\(mark);id;\(mark)@laptop"))
            #expect(shown.hasPrefix("'\\u{") && shown.filter { $0 == "'" }.count == 2, "\(shown)")
        }
    }
}

/// ASCII output of the built program.
@Suite(.serialized) struct PlainOutputTests {
    let tool: Tool

    init() throws { tool = try Tool() }

    private func isASCII(_ text: String) -> Bool { text.utf8.allSatisfy { $0 < 0x80 } }

    @Test(
        "lines for people are ASCII, and those for programs are as ever",
        arguments: [["LC_ALL": "C"], ["LC_ALL": "POSIX"], ["LC_ALL": ""], ["TERM": "dumb"]])
    func linesAreASCII(environment: [String: String]) async throws {
        let named = try await tool.run(["id", "--name", "Adé’s laptop"], environment: environment)
        #expect(named.code == 0 && named.output.contains("Ad\\u{E9}\\u{2019}s laptop"), "\(named)")
        let json = try await tool.run(["id", "--json"], environment: environment)
        #expect(json.events("id").first?["name"] as? String == "Adé’s laptop", "\(json)")
        let absent = try await tool.run(["send", "--text", "x", "--to", "nosuch.invalid:9"], environment: environment)
        #expect(absent.code == 69 && absent.errors.contains("\"nosuch.invalid\""), "\(absent)")
        var all = [named, absent]
        for arguments in [
            ["demo"], ["snd"], ["send"], ["send", "--too", "x"], ["help"], ["help", "send"], ["manual", "receive"],
            ["manual"], ["help", "json-output"], ["json-output"], ["exit-codes"], ["doctor", "--discovery", "off"],
            ["team", "create", "größe"], ["contacts"], ["transfers"], ["sync"],
        ] {
            all.append(try await tool.run(arguments, environment: environment))
        }
        for outcome in all { #expect(isASCII(outcome.output) && isASCII(outcome.errors), "\(outcome)") }
    }

    @Test(
        "pages of help keep the quotation marks of their examples", arguments: [["help", "send"], ["manual", "send"]])
    func pages(arguments: [String]) async throws {
        let page = try await tool.run(arguments, environment: ["LC_ALL": "C"])
        #expect(page.output.contains("--text \"see you at 5\""), "\(page)")
    }

    @Test("text that programs take is as it is")
    func exactText() async throws {
        try tool.write("# “René”\nversion: 1\n", to: "rené/config/policy.yaml")
        func run(_ arguments: [String]) async throws -> Tool.Outcome {
            try await tool.run(arguments, home: "rené", environment: ["LC_ALL": "C"])
        }
        let folder = tool.path("rené/config")
        let paths = try await run(["config", "path", "--quiet"])
        #expect(paths.output == "\(folder)/portolan.yaml\n\(folder)/policy.yaml\n", "\(paths)")
        let policy = try await run(["policy", "show"])
        #expect(policy.output.contains("# “René”\nversion: 1\n"), "\(policy)")
        let unit = try await run(["agent", "install", "--print", "--name", "René"])
        #expect(unit.output.contains("René"), "\(unit)")
    }

    @Test func otherLocalesShowLettersUnchanged() async throws {
        let named = try await tool.run(["id", "--name", "Adé"])
        #expect(named.output.contains("Adé"), "\(named)")
    }

    @Test(.enabled(if: access("/usr/bin/script", X_OK) == 0, "there is no script(1)"), arguments: ["dumb", "xterm"])
    func watchClearsACapableTerminal(terminal: String) async throws {
        let watch = try tool.start(
            [], environment: ["TERM": terminal],
            launcher: ["/bin/sh", "-c", "exec /usr/bin/script -qec \"'$0' sync --watch\" /dev/null"], keyboard: Pipe())
        try await watch.waitToSay("kept alike")
        let outcome = try await watch.stop()
        #expect(outcome.output.contains("\u{1B}[2J") == (terminal == "xterm"), "\(outcome)")
        if terminal == "dumb" { #expect(!outcome.output.contains("\u{1B}"), "\(outcome)") }
    }

    @Test(.enabled(if: QRCodeTests.hasLibrary, "there is no libqrencode"))
    func aCodeIsDrawnWithASCII() async throws {
        let waiting = try tool.start(
            ["pair", "--qr", "--discovery", "off", "--interface", "lo"], environment: ["LC_ALL": "C"])
        try await waiting.waitToSay("Good for")
        let shown = try await waiting.stop()
        #expect(isASCII(shown.output) && shown.output.contains("########"), "\(shown)")
    }
}
