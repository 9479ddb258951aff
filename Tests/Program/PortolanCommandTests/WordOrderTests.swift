import ArgumentParser
import Testing

@testable import PortolanCommand

/// Options of every command may stand before the command.
@Suite struct WordOrderTests {
    @Test(
        "shared options before a command move behind it",
        arguments: [
            ("--json peers", "peers --json"), ("-q -v id", "id -q -v"), ("-qv id", "id -qv"),
            ("--home /h --json send f --to b", "send --home /h --json f --to b"),
            ("--home=/h id", "id --home=/h"), ("--config c id --name n", "id --config c --name n"),
            ("--config=c --quiet --verbose id", "id --config=c --quiet --verbose"),
            ("--home send send f", "send --home send f"), ("--home - id", "id --home -"),
            ("--json team list", "team list --json"), ("team --json list", "team list --json"),
            ("--json team --home h group -q add a b", "team group add --json --home h -q a b"),
            ("-q transfers", "transfers -q"), ("--json agent run --port 9", "agent run --json --port 9"),
            ("--json send -- --json -q", "send --json -- --json -q"),
            ("--json id --help", "id --json --help"), ("--home --json id", "id --home --json"),
        ])
    func moved(words: String, ordered: String) {
        #expect(Self.ordered(words) == ordered)
    }

    @Test(
        "other command lines stay as they are",
        arguments: [
            "", "id", "id --json", "send f --to b --json -q", "send -- --json peers", "send --text --json",
            "--version", "--help", "-h", "--json --version", "--json --help", "--json", "--json snd", "snd --json",
            "-- --json id", "--nosuch id", "-x id", "-qx id", "--home id", "---completion send", "--jsonn id",
            "help send", "send peers --json", "transfers --nosuch --json list",
        ])
    func kept(words: String) {
        #expect(Self.ordered(words) == words)
    }

    @Test func helpIsAboutCommands() throws {
        #expect(Self.ordered("--json -q help send") == "help send")
    }

    @Test(
        "each command reads a shared option that was moved", arguments: ["id", "team list", "transfers", "agent run"])
    func isRead(command: String) throws {
        let words = WordOrder.ordered(
            "--home /h --config /c --json -qv \(command)".split(separator: " ").map(String.init), below: Root.self)
        let read = try #require(try Root.parseAsRoot(words) as? any Subcommand)
        #expect(read.shared.home == "/h" && read.shared.config == "/c")
        #expect(read.shared.json && read.shared.quiet && read.shared.verbose)
    }

    private static func ordered(_ words: String) -> String {
        WordOrder.ordered(words.split(separator: " ").map(String.init), below: Root.self).joined(separator: " ")
    }
}

/// Shared options of the built program.
@Suite struct SharedOptionTests {
    let tool: Tool

    init() throws { tool = try Tool() }

    @Test func theHomeAndTheFormAreNamedBeforeTheCommand() async throws {
        let behind = try await tool.run(["id", "--json", "--home", tool.path("other")])
        let before = try await tool.run(["--json", "--home", tool.path("other"), "id"])
        #expect(before.code == 0 && before.output == behind.output, "\(before)")
        #expect((before.events("id").first?["data"] as? String)?.hasPrefix(tool.path("other")) == true)
        let nested = try await tool.run(["--json", "team", "list"])
        #expect(nested.code == 0 && nested.errors.isEmpty, "\(nested)")
    }

    @Test("versions and help are told all the same", arguments: [["--version"], ["--json", "--version"]])
    func version(words: [String]) async throws {
        let outcome = try await tool.run(words)
        #expect(outcome.code == 0 && outcome.output.hasPrefix(Root.version), "\(outcome)")
    }

    @Test(arguments: [
        ["--json", "-q", "peers", "--help"], ["--json", "help", "peers"], ["peers", "--help", "--json"],
    ])
    func helpOfTheCommand(words: [String]) async throws {
        let outcome = try await tool.run(words)
        #expect(outcome.code == 0 && outcome.output.contains("--watch"), "\(outcome)")
    }

    @Test func aFileOfSettingsIsChosen() async throws {
        try tool.write("name: Chosen\n", to: "settings/mine.yaml")
        try tool.write("name: Usual\n", to: "home/config/portolan.yaml")
        #expect(try await tool.run(["id", "--json"]).events("id").first?["name"] as? String == "Usual")
        for words in [
            ["--config", "settings/mine.yaml", "id", "--json"], ["id", "--json", "--config=settings/mine.yaml"],
        ] {
            let id = try #require(try await tool.run(words).events("id").first)
            #expect(id["name"] as? String == "Chosen")
            #expect(id["configuration"] as? String == tool.path("settings/mine.yaml"))
        }
    }

    @Test func missingChosenFileIsReported() async throws {
        let outcome = try await tool.run(["--config", "settings/nosuch.yaml", "id"])
        #expect(outcome.code == 66 && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.errors.contains(tool.path("settings/nosuch.yaml")))
    }
}
