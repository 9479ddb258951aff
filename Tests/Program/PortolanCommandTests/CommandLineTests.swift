import Foundation
import Glibc
import Portolan
import PortolanSettings
import PortolanValues
import Testing

@testable import PortolanCommand

/// Command line without a second device: the program's words, files and exit codes.
@Suite(.serialized) struct CommandLineTests {
    let tool: Tool

    init() throws { tool = try Tool() }

    @Test func thisDeviceKeepsItsKeyAndItsName() async throws {
        let first = try await tool.run(["id", "--json"])
        #expect(first.code == 0, "\(first)")
        #expect(try await tool.run(["id", "--json"]).output == first.output)
        let identity = try #require(first.events("id").first)
        #expect((identity["fingerprint"] as? String)?.count == 39)
        #expect((identity["data"] as? String)?.hasPrefix(tool.folder.path) == true)

        let renamed = try await tool.run(["id", "--name", "Ada’s laptop", "--json"])
        let other = try #require(renamed.events("id").first)
        #expect(other["name"] as? String == "Ada’s laptop")
        #expect(other["key"] as? String == identity["key"] as? String)
        #expect(try await tool.run(["id"]).output.contains("Ada’s laptop"))
    }

    @Test func theReferencePagesAreComplete() async throws {
        for arguments in [["help", "exit-codes"], ["exit-codes"], ["help", "send"], ["manual", "send"]] {
            for locale in ["C", "C.UTF-8"] {
                let full = try await tool.run(
                    arguments, environment: ["LC_ALL": locale],
                    launcher: ["/bin/sh", "-c", "exec \"$0\" \"$@\" > /dev/full"])
                #expect(full.code == 74, "\(arguments): \(full)")
            }
        }
        let codes = try await tool.run(["help", "exit-codes"])
        #expect(codes.code == 0)
        for status in ExitStatus.allCases { #expect(codes.output.contains("\(status.rawValue)  \(status.word)")) }
        let json = try await tool.run(["help", "json-output"])
        for kind in NodeEvent.kinds.keys + ObjectKind.allCases.map(\.word) {
            #expect(json.output.contains("  \(kind)  ("))
        }
    }

    @Test("Lost output is a failure of every command, for people and for programs.")
    func lostOutput() async throws {
        let commands = [
            "id", "id --json", "config path", "config show", "contacts list", "team list", "transfers list",
            "types list", "types show public.png", "policy show", "policy check", "sync list", "--version",
            "--generate-completion-script zsh", "--generate-completion-script bash",
        ]
        for command in commands {
            let full = try await tool.run(
                command.split(separator: " ").map(String.init),
                launcher: ["/bin/sh", "-c", "exec \"$0\" \"$@\" > /dev/full"])
            #expect(full.code == 74, "\(command): \(full)")
            #expect(full.errors.contains("portolan: The output cannot be written: No space left"), "\(full)")
        }
        // A reader that has seen enough is no failure.
        let closed = try await tool.run(
            ["types", "list"], launcher: ["/bin/bash", "-c", "set -o pipefail; \"$0\" \"$@\" | true"])
        #expect(closed.code == 0, "\(closed)")
    }

    @Test(
        "Without /proc, the command line is missing, and nothing is done.",
        .enabled(if: geteuid() == 0, "only root can hide /proc"))
    func lostCommandLine() async throws {
        let launcher = [
            "/usr/bin/unshare", "--mount", "--propagation", "private", "/bin/sh", "-c",
            "mount -t tmpfs none /proc || exit 77; exec \"$@\"", "sh",
        ]
        let lost = try await tool.run(["id"], launcher: launcher)
        // Some containers forbid mounting.
        guard lost.code != 77 else { return }
        #expect(lost.code == 74, "\(lost)")
        #expect(lost.output.isEmpty)
        #expect(lost.errors.contains("The command line cannot be read"))
    }

    @Test(
        "every command explains itself",
        arguments: [
            "demo", "receive", "peers", "send", "offer", "transfers list", "transfers cancel", "transfers forget",
            "resume",
            "share", "shelf", "unshare", "id", "doctor", "pair", "contacts list", "contacts rename",
            "contacts forget",
            "team create", "team invite", "team join", "team list", "team show", "team remove", "team group add",
            "team group remove", "team promote", "team renew", "team use", "team leave",
        ])
    func help(command: String) async throws {
        let help = try await tool.run(command.split(separator: " ").map(String.init) + ["--help"])
        #expect(help.code == 0)
        #expect(help.output.contains("OVERVIEW"))
        #expect(help.output.contains("--home"))
        #expect(help.output.contains("--json"))
    }

    @Test(
        "a wrong command line is a usage error and says so on standard error alone",
        arguments: [
            ["nosuch"], ["send"], ["send", "--to", "b"], ["send", "a.txt", "--queue"], ["send", "-", "-", "--to", "b"],
            ["send", "a", "b", "--type", "txt", "--to", "b"], ["send", "a", "b", "--title", "t", "--to", "b"],
            ["send", "--as", "png", "--to", "b"], ["receive", "--port", "0"], ["receive", "--accept", "nosuch"],
            ["peers", "--discovery", "telepathy"], ["id", "--name", "a\u{1B}[2J"], ["id", "--home", ""], ["offer"],
            ["send", "a.txt", "--to", "@"], ["send", "a.txt", "--to", "@acme/a b"],
            ["send", "a.txt", "--to", "b", "--to", "@acme"], ["send", "a.txt", "--to", "@acme", "--to", "@other"],
            ["send", "a.txt", "--to", "b", "--stall-timeout", "never"], ["get", "b:a.txt", "--stall-timeout", "1x"],
            ["offer", "a.txt", "--to", "@acme"], ["send", "a.txt", "--unmarked", "--to", "b"],
            ["send", "a.txt", "--unmarked"],
            ["send", "a.txt", "--to", "b", "--team", "a/b"], ["send", "a.txt", "--to", "b", "--group", "a,b"],
            ["receive", "--from", "@a b"], ["receive", "--from", "@acme", "--yes"],
            ["receive", "--discoverable", "friends"],
            ["send", "a.txt", "--to", "b", "--limit-rate", "fast"],
            ["send", "a.txt", "--to", "b", "--limit-rate", "1K"],
            ["send", "a.txt", "--to", "b", "--compress", "gzip"], ["send", "a.txt", "--to", "b", "--require", "owner"],
            ["send", "a.txt", "--to", "b", "--require", ""], ["send", "a.txt", "--to", "b", "--retry", "forever"],
            ["receive", "--output", "a.txt"], ["receive", "--output", "-", "--into", "d"],
            ["receive", "--output", "-", "--reserve", "1G"], ["receive", "--reserve", "much"],
            ["receive", "--max-size", "huge"],
            ["receive", "--limit-rate", "0"], ["transfers", "cancel"], ["transfers", "forget", "../x"],
            ["resume", "A/B"],
            ["pair", "7-wallnut-harbor"], ["pair", "walnut-harbor"], ["pair", ""],
            ["pair", "7-walnut-harbor", "--valid", "1m"],
            ["pair", "7-walnut-harbor", "--enter"], ["pair", "7-walnut-harbor", "--code-fd", "0"],
            ["pair", "--wait", "1m"],
            ["pair", "--valid", "5s"], ["pair", "--qr", "--code-fd", "0"], ["pair", "--at", "127.0.0.1:9"],
            ["pair", "--enter"],
            ["pair", "--code-fd", "-1"], ["pair", "--code-fd", "987654"], ["team", "join"],
            ["team", "join", "7-walnut"],
            ["team", "join", "7-walnut-harbor", "--name", " "], ["team", "create"], ["team", "create", "a b"],
            ["team", "invite", "--uses", "0"], ["team", "invite", "--uses", "101"],
            ["team", "invite", "--group", "@x"],
            ["team", "remove"], ["team", "group", "add", "design"], ["team", "use"], ["contacts", "rename", "ben"],
            ["contacts", "forget"],
        ])
    func usage(arguments: [String]) async throws {
        let outcome = try await tool.run(arguments)
        #expect(outcome.code == 64, "\(outcome)")
        #expect(outcome.output.isEmpty)
        #expect(!outcome.errors.isEmpty)
        #expect(!outcome.errors.contains("\u{1B}"))
    }

    @Test func missingFilesCannotBeSent() async throws {
        let outcome = try await tool.run(["send", "nosuch.txt", "--to", "127.0.0.1:9", "--json"])
        #expect(outcome.code == 66, "\(outcome)")
        #expect(outcome.errors.contains("nosuch.txt"))
        #expect(outcome.events("error").first?["code"] as? Int == 66)
        #expect(outcome.events("error").first?["kind"] as? String == "no-input")
    }

    @Test("a peer that is not there is unreachable", arguments: ["127.0.0.1:9", "[::1]:9", "nobody"])
    func unreachable(target: String) async throws {
        let outcome = try await tool.run(["send", "--text", "x", "--to", target, "--discovery", "off"])
        #expect(outcome.code == 69, "\(outcome)")
        #expect(outcome.errors.split(separator: "\n").count <= 3)
    }

    @Test func aMistypedSettingIsAnErrorWithItsLine() async throws {
        try tool.write("name: ada\nprot: 47300\n", to: "home/config/portolan.yaml")
        let outcome = try await tool.run(["id"])
        #expect(outcome.code == 64, "\(outcome)")
        #expect(outcome.errors.contains("line 2, key “prot”"))
    }

    @Test func theSettingsHold() async throws {
        try tool.write("name: configured\n", to: "home/config/portolan.yaml")
        #expect(try await tool.run(["id"]).output.contains("configured"))
    }

    @Test func theExampleOfAConfigurationFileIsValid() throws {
        let example = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../Config/portolan.example.yaml")
        let file = try ConfigurationFile.parse(String(contentsOf: example.standardizedFileURL, encoding: .utf8))
        #expect(file.port == 47217)
        #expect(file.accept?.count == 3)
        #expect(file.timeouts.find == .seconds(5))
        #expect(file.timeouts.retry == .seconds(600))
        #expect(file.timeouts.stall == .seconds(60))
        #expect(file.reserve == 2 << 30)
        #expect(file.maximumSize == 50 << 30)
        #expect(file.partials == .seconds(7 * 86400))
        #expect(file.limitRate == 100 << 20)
        #expect(file.discoverable == .everyone)
        #expect(file.team?.text == "acme")
    }

    @Test func aDamagedKeyIsNeverReplaced() async throws {
        _ = try await tool.run(["id"])
        let key = tool.path("home/data/device.key")
        try FileHandle(forWritingTo: URL(fileURLWithPath: key)).truncate(atOffset: 60)
        let damaged = try await tool.run(["id"])
        #expect(damaged.code == 65, "\(damaged)")
        #expect(try tool.read("home/data/device.key").utf8.count == 60)
        chmod(key, 0o644)
        let open = try await tool.run(["id"])
        #expect(open.code == 77, "\(open)")
        #expect(open.errors.contains("chmod 0600"))
    }

    @Test func offerShowsOrderAndVisibility() async throws {
        for name in ["n.html", "n.md", "n.txt"] { try tool.write(name, to: name) }
        let forms = ["--as", "public.html@team=n.html", "--as", "md=n.md", "--as", "text/plain@own-process=n.txt"]
        let outcome = try await tool.run(["offer", "--json", "--no-converters"] + forms)
        #expect(outcome.code == 0, "\(outcome)")
        let events = outcome.events("representation")
        #expect(
            events.map { $0["type"] as? String } == [
                "public.html", "net.daringfireball.markdown", "public.plain-text",
            ])
        #expect(events.map { $0["shown"] as? Bool } == [false, true, false])
        #expect(events[1]["position"] as? Int == 0)
        #expect(events[0]["position"] is NSNull)
        let text = try await tool.run(["offer"] + forms)
        #expect(text.output.contains("1. net.daringfireball.markdown"), "\(text)")
        #expect(text.output.contains("team: hidden, it is for a team, but this device is in none"))
    }

    @Test func theDemoCarriesAnItem() async throws {
        let demo = try await tool.run(["demo", "--json"])
        #expect(demo.code == 0, "\(demo)")
        #expect(demo.output.contains("net.daringfireball.markdown"))
        #expect(demo.events.last?["event"] as? String == "result")
        #expect(!FileManager.default.fileExists(atPath: tool.path("home")), "the demo touched the user's own state")
    }
}
