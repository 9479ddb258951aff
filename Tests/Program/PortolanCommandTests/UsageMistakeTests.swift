import ArgumentParser
import PortolanValues
import TestSupport
import Testing

@testable import PortolanCommand

/// Sentences on command lines that cannot be parsed.
@Suite struct UsageMistakeTests {
    private static func sentence(_ words: [String]) -> String? {
        UsageMistake(WordOrder.ordered(words, below: Root.self), below: Root.self).sentence
    }

    @Test(
        "a word that is nearly another one is asked about",
        arguments: [
            (["snd"], "did you mean 'send'?"), (["sned", "f", "--to", "b"], "did you mean 'send'?"),
            (["recieve"], "did you mean 'receive'?"), (["SEND"], "did you mean 'send'?"),
            (["contac"], "did you mean 'contacts'?"), (["--json", "peer"], "did you mean 'peers'?"),
            (["team", "creat", "acme"], "did you mean 'create'?"), (["agent", "strat"], "did you mean 'start'?"),
            (["transfers", "forgt", "x"], "did you mean 'forget'?"),
            (["send", "f", "--too", "B"], "did you mean '--to'?"),
            (["send", "f", "--too=B", "--to", "b"], "did you mean '--to'?"),
            (["peers", "-json"], "did you mean '--json'?"), (["id", "--jsno"], "did you mean '--json'?"),
            (["--jsonn", "id"], "did you mean '--json'?"), (["receive", "--ito", "d"], "did you mean '--into'?"),
            (["send", "f", "B"], "did you mean '--to B'?"), (["send", "--text", "x", "B"], "did you mean '--to B'?"),
            (["send", "f", "ada's"], #"did you mean --to 'ada'\''s'?"#),
            (["receive", "d"], "did you mean '--into d'?"),
            (["help", "snd"], "did you mean 'send'?"), (["help", "team", "invit"], "did you mean 'invite'?"),
            (["conifg", "show"], "did you mean 'config'?"),
        ])
    func near(words: [String], question: String) throws {
        let sentence = try #require(Self.sentence(words), "\(words)")
        #expect(sentence.hasSuffix(question), "\(sentence)")
    }

    @Test(
        "a mistake without a word that is near is explained, with a next step",
        arguments: [
            (["status"], "'portolan agent status' the agent's work."),
            (["sync", "status"], "“sync status”. 'portolan sync' alone shows what there is."),
            (["receive", "87", "target", "icicle"], "A code is one word: 'portolan receive 87-target-icicle'."),
            (["zzzzzz"], "There is no command “zzzzzz”. 'portolan --help' lists those there are."),
            (["help", "send", "zzzzzz"], "There is no command “send zzzzzz”."),
            (["--json"], "No command is named behind 'portolan'."), (["--home", "id"], "No command is named"),
            (["agent", "--json"], "No command is named behind 'portolan agent'."),
            (["peers", "--qqqqqq"], "There is no option “--qqqqqq” of 'portolan peers'."),
            (["send", "f", "--queue"], "No receiver is named. Add '--to PEER'"),
            (["send", "f", "--queue", "--json"], "No receiver is named. Add '--to PEER'"),
            (["send", "f", "--to"], "'--to' needs a value behind it."),
            (["send", "--text", "-5", "--to", "b"], "One that begins with '-' is written '--text=-5'."),
            (["send", "-dash.txt", "--to", "B"], "is written './-dash.txt', or after '--'."),
            (["send", "--", "-dash", "--to", "B"], "It must stand before '--'."),
            (["send", "f", "--", "--to=B"], "'--to' stands behind '--'"),
            (["peers", "x"], "“x” is too much: 'portolan peers' takes options only."),
            (["team", "list", "x"], "“x” is too much"),
        ])
    func far(words: [String], part: String) throws {
        let sentence = try #require(Self.sentence(words), "\(words)")
        #expect(sentence.contains(part), "\(sentence)")
    }

    @Test(
        "a correct command line has no mistake",
        arguments: [
            ["id"], ["id", "-qv"], ["send", "f", "--to", "b"], ["send", "-", "--to", "b"], ["team", "list"], ["team"],
            ["send", "--to=b", "--text=-x"], ["send", "--to", "b", "--", "-f"], ["receive", "-y", "--into", "d"],
            ["transfers", "--json"], [], ["sync", "list"],
        ])
    func right(words: [String]) {
        #expect(Self.sentence(words) == nil)
    }

    @Test(
        "help is asked for in so many words",
        arguments: [
            (["--help"], true), (["send", "-h"], true), (["send", "-qh"], true), (["help", "send"], true),
            (["--json", "--version"], true), (["id", "--generate-completion-script=bash"], true), (["-help"], true),
            (["send", "-dash.txt", "--to", "b"], false), (["send", "--text", "-oh", "--to", "b"], false),
            (["send", "--to", "b", "--", "-h"], false), ([], false),
        ])
    func help(words: [String], isAsked: Bool) {
        #expect(UsageMistake(words, below: Root.self).asksForHelp == isAsked)
    }

    @Test func typedTextIsShownSafely() throws {
        for words in [["\u{1B}[2J"], ["id", "--\u{1B}[2J"], ["send", "f", "\u{202E}B"], ["peers", "\u{7}"]] {
            let sentence = try #require(Self.sentence(words))
            #expect(DisplayText.isHarmless(sentence), "\(sentence)")
        }
    }

    @Test("every command and option is found in ArgumentParser's description of it")
    func shapes() {
        let send = CommandShape(SendCommand.self)
        #expect(send.takesPaths && send.optionsWithValue.isSuperset(of: ["--to", "--home", "--text"]))
        #expect(send.options.contains("--json") && !send.optionsWithValue.contains("--json"))
        #expect(send.letters.isSuperset(of: ["q", "v", "h"]))
        #expect(CommandShape(PeersCommand.self).positionals.isEmpty)
    }

    @Test("random words are looked at without an end that is none")
    func random() {
        let words = ["send", "id", "team", "--to", "-", "--", "", "-x", "--home", "é", "--=", "=", "-q", "help", "\0"]
        var random = SeededGenerator(seed: 37)
        for _ in 0..<300 {
            let line = (0..<Int.random(in: 0...6, using: &random)).compactMap { _ in words.randomElement(using: &random)
            }
            let mistake = UsageMistake(WordOrder.ordered(line, below: Root.self), below: Root.self)
            #expect(mistake.sentence?.isEmpty != true, "\(line)")
        }
    }
}

/// Usage mistakes of the built program: status 64, all output on standard error, in the form of every failure.
@Suite struct UsageFailureTests {
    let tool: Tool

    init() throws { tool = try Tool() }

    @Test(arguments: [
        (["snd"], "did you mean 'send'?"), (["send", "f", "--too", "B"], "did you mean '--to'?"),
        (["send", "f", "B"], "did you mean '--to B'?"), (["send", "-dash.txt", "--to", "B"], "'./-dash.txt'"),
        (["send", "--", "-dash", "--to", "B"], "before '--'"),
        (["send", "--text", "-oh", "--to", "b"], "'--text=-oh'"),
        (["receive", "--port", "x"], "A port is a number from 1 to 65535."), (["get"], "<peer:item>"),
        (["send", "--to", "b"], "Say what to offer"), (["help", "snd"], "did you mean 'send'?"),
        (["help", "send", "zzzzzz"], "“send zzzzzz”"),
    ])
    func usage(words: [String], part: String) async throws {
        let outcome = try await tool.run(words)
        #expect(outcome.code == 64 && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.errors.hasPrefix("portolan: ") && outcome.errors.contains(part), "\(outcome)")
        #expect(outcome.errors.contains("--help' for more information."))
        #expect(!outcome.errors.contains("Error:") && !outcome.errors.contains("OVERVIEW"))
    }

    @Test func fileNameWithADashIsAcceptedAfterTheDashes() async throws {
        try tool.write("x", to: "-dash")
        for words in [["offer", "--", "-dash"], ["offer", "./-dash"]] {
            #expect(try await tool.run(words).code == 0)
        }
        #expect(try await tool.run(["offer", "-dash"]).code == 64)
    }

    @Test("help and nothing at all end with 0", arguments: [[], ["--help"], ["send", "-h"], ["agent"]])
    func help(words: [String]) async throws {
        let outcome = try await tool.run(words)
        #expect(outcome.code == 0 && outcome.output.contains("USAGE"), "\(outcome)")
    }
}
