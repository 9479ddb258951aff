import ArgumentParser
import Foundation
import Portolan
import TestSupport
import Testing

@testable import PortolanCommand

/// Command lines that are read without ArgumentParser have the same meaning, and those that it refuses are left to it.
@Suite struct PlainCommandLineTests {
    @Test(
        "plain command lines are read, and as ArgumentParser reads them",
        arguments: [
            ["id"], ["id", "--json"], ["id", "--home", "/h", "-q"], ["id", "--quiet", "--json", "--home", "h"],
            ["send", "f", "--to", "b"], ["send", "--to", "host:1", "a", "b", "help", "send", "-"],
            ["send", "--text", "see you", "--text", "at 5", "--to", "k3xq-7m2a", "--json"],
            ["send", "--text", "see you at 5", "--title", "t", "--to", "b"],
            ["send", "--text", "x", "--to", "@acme/design"], ["send", "f", "--to", "b", "--to", "c", "--to", "b"],
            ["send", "x", "--to", "b", "--type", "png", "--no-converters"],
            ["send", "x", "--to", "b", "--interface", "lo", "--interface", "eth0", "--discovery", "off", "-q"],
            ["send", "x", "--to", "b", "--queue"], ["send", "x", "--to", "b", "--no-agent"],
            ["receive"], ["receive", "--into", "d", "--yes", "--once", "--port", "47300"],
            ["receive", "-y", "-q", "--json", "--home", "/h", "--discovery", "embedded", "--interface", "lo"],
            ["receive", "--accept", "public.image", "--accept", "text/plain", "--once"],
            ["receive", "--yes", "--no-agent"],
        ])
    func plain(words: [String]) throws {
        let plain = try #require(PlainCommandLine.command(words[...]), "\(words)")
        #expect(try Self.picture(plain) == Self.picture(Root.parseAsRoot(words)), "\(words)")
    }

    @Test(
        "everything else is left to ArgumentParser",
        arguments: [
            [], ["--help"], ["help", "send"], ["--version"], ["sned"], ["peers"], ["types", "show", "png"],
            ["--json", "id"], ["id", "--help"], ["id", "-h"], ["id", "--version"], ["id", "x"], ["id", "--jsonn"],
            ["id", "--home"], ["id", "--home", "--json"], ["id", "--home=/h"], ["id", "--json", "--json"],
            ["id", "-q", "--quiet"],
            ["id", "--name", "x"], ["id", "--home", ""], ["id", "--home", "/h", "--home", "/i"], ["id", "--"],
            ["id", "--generate-completion-script", "bash"], ["id", "--experimental-dump-help"],
            ["send"], ["send", "--to", "b"], ["send", "f"], ["send", "f", "--to"], ["send", "f", "--to", ""],
            ["send", "f", "--to", "-b"], ["send", "f", "--to", "b", "--to", "@acme"],
            ["send", "f", "--to", "b", "--", "-g"],
            ["send", "f", "--to", "@"], ["send", "-", "-", "--to", "b"], ["send", "", "--to", "b"],
            ["send", "-f", "--to", "b"], ["send", "a", "b", "--title", "t", "--to", "c"],
            ["send", "a", "b", "--type", "png", "--to", "c"],
            ["send", "a", "--type", "public.nosuch", "--to", "c"], ["send", "a", "--as", "png=x", "--to", "c"],
            ["send", "a", "--to", "c", "--retry", "10m"], ["send", "a", "--to", "c", "--wait", "10m"],
            ["send", "a", "--to", "c", "--stall-timeout", "5m"],
            ["send", "a", "--to", "c", "--discovery", "magic"],
            ["send", "a", "--to", "c", "--queue", "--expires", "3d"],
            ["send", "--text", "-5", "--to", "c"], ["send", "--text", "--to", "c"], ["send", "a", "--to", "c", "-qy"],
            ["receive", "d"], ["receive", "--port", "0"], ["receive", "--port", "x"], ["receive", "--output", "-"],
            ["receive", "--yes", "-y"], ["receive", "-yq"], ["receive", "--accept", "nosuch"], ["---completion"],
        ])
    func notPlain(words: [String]) {
        #expect(PlainCommandLine.command(words[...]) == nil, "\(words)")
    }

    @Test("no help and no mistake of any command is read without ArgumentParser")
    func everyCommand() throws {
        for path in Self.paths(below: Root.self) {
            let mistakes = [
                ["--help"], ["-h"], ["--help-hidden"], ["--version"], ["--nosuch"], ["x", "--nosuch=1"], ["---"],
            ]
            for mistake in mistakes {
                let words = path + mistake
                #expect(PlainCommandLine.command(words[...]) == nil, "\(words)")
                #expect(throws: (any Error).self) {
                    // Help is a separate command, which throws when it runs.
                    var command = try Root.parseAsRoot(words)
                    try command.run()
                }
            }
        }
    }

    @Test("random words mean the same, or are left to ArgumentParser")
    func random() throws {
        let words = [
            "--to", "b", "--text", "x", "--json", "-q", "--quiet", "--home", "/h", "f", "-", "--type", "png", "--title",
            "--once", "--yes", "-y", "--into", "--port", "47300", "--accept", "--interface", "lo", "--discovery", "off",
            "--", "", "-qy", "--no-converters", "--json=1", "help", "send", "id", "é", "-é", "--home=/h", "@acme",
            "--name", "--xattrs",
        ]
        var random = SeededGenerator(seed: 11)
        var plain = 0
        for _ in 0..<6000 {
            var line = [["send", "receive", "id"].randomElement(using: &random) ?? "id"]
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                line.append(words.randomElement(using: &random) ?? "")
            }
            guard let command = PlainCommandLine.command(line[...]) else { continue }
            plain += 1
            #expect(try Self.picture(command) == Self.picture(Root.parseAsRoot(line)), "\(line)")
        }
        #expect(plain > 100)
    }

    private static func paths(below command: any ParsableCommand.Type) -> [[String]] {
        command.configuration.subcommands.flatMap { child in
            let name = [child.configuration.commandName ?? ""]
            return [name] + paths(below: child).map { name + $0 }
        }
    }

    /// All that a command holds, in words.
    private static func picture(_ command: any ParsableCommand) -> String {
        var picture = ""
        dump(command, to: &picture)
        return picture
    }
}
