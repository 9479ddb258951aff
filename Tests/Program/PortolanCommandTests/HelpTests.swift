import ArgumentParser
import Foundation
import Testing

@testable import PortolanCommand

/// Help of the commands, and its parts in the manual.
@Suite struct HelpTests {
    private struct Page {
        let path: [String]
        let type: any ParsableCommand.Type

        /// Examples of the command, one a line, as the help shows them.
        var examples: [String] {
            type.configuration.discussion.split(separator: "\n").map(String.init).filter { $0.hasPrefix("  ") }
        }
    }

    /// All commands except those that only explain.
    private static let pages: [Page] = pages(of: Root.self, ["portolan"])

    private static func pages(of type: any ParsableCommand.Type, _ path: [String]) -> [Page] {
        let parts = type.configuration.subcommands.filter {
            $0.configuration.shouldDisplay && $0 != ExitCodesPage.self && $0 != JSONOutputPage.self
        }
        return [Page(path: path, type: type)] + parts.flatMap { pages(of: $0, path + [$0._commandName]) }
    }

    @Test("the manual names files where the packages put them")
    func files() throws {
        let project = URL(fileURLWithPath: #filePath).appending(path: "../../../..").standardizedFileURL
        let package = try String(contentsOf: project.appending(path: "Config/package"), encoding: .utf8)
        var texts = Self.pages.map { $0.type.configuration.discussion }
        texts += [ExitCodesPage.configuration.discussion, JSONOutputPage.configuration.discussion]
        for text in texts {
            #expect(!text.contains("Config/") && !text.contains("Protocol/"), "\(text)")
            for match in text.matches(of: /share\/doc\/portolan\/([^']*)'/) {
                let name = match.1.split(separator: "/").last.map(String.init) ?? ""
                let isExample = name.hasSuffix(".example.yaml") && package.contains("/{policy,portolan}.example.yaml")
                #expect(isExample || package.contains(name), "\(match.1)")
            }
        }
    }

    @Test("the help of each command begins with examples and usage, and its options soon follow")
    func beginning() {
        #expect(Self.pages.count > 70)
        for page in Self.pages {
            let name = page.path.joined(separator: " ")
            let lines = Root.helpMessage(for: page.type, columns: 80).split(
                separator: "\n", omittingEmptySubsequences: false)
            let beginning = lines.prefix(25)
            #expect(beginning.contains { $0.hasPrefix("USAGE: \(name)") }, "\(name)")
            // A subcommand may have only one way to be used.
            #expect(page.examples.count >= (page.path.count > 2 ? 1 : 3), "\(name)")
            for example in page.examples {
                #expect(beginning.contains { $0 == example }, "\(name): “\(example)” is not there, or in two lines")
            }
            let options = lines.firstIndex { ["ARGUMENTS:", "OPTIONS:", "SUBCOMMANDS:"].contains($0) }
            #expect(options.map { $0 < 30 } == true, "\(name)")
        }
    }

    @Test("each example can be pasted: the program understands it")
    func examples() throws {
        for page in Self.pages {
            for example in page.examples {
                let line = example.split(separator: "#")[0].trimmingCharacters(in: .whitespaces)
                for command in line.components(separatedBy: " | ") where command.hasPrefix("portolan ") {
                    let words = Self.words(command).dropFirst().filter { !$0.hasPrefix("<") }
                    #expect(throws: Never.self, "\(page.path): \(command)") { _ = try Root.parseAsRoot(Array(words)) }
                }
            }
        }
    }

    /// Words of a command line that has no quotation marks but ".
    private static func words(_ line: String) -> [String] {
        line.split(separator: "\"", omittingEmptySubsequences: false).enumerated().flatMap { index, part in
            index.isMultiple(of: 2) ? part.split(separator: " ").map(String.init) : [String(part)]
        }
    }

    @Test("no line of help is wider than a terminal, usage breaks between options, and each names its own manual")
    func fitted() {
        for page in Self.pages {
            let text = HelpPage.fitted(Root.helpMessage(for: page.type, columns: 80))
            for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(page.path): \(line)") }
            guard page.path.count > 1, text.contains(HelpText.more(of: "")) else { continue }
            #expect(
                text.contains(HelpText.more(of: page.path.dropFirst().joined(separator: " ") + "\n")), "\(page.path)")
        }
        let usage = HelpPage.fitted(
            "USAGE: portolan x <y> [<z> ...] [--long-option <with-value>] [--another <value>] [--flag]")
        #expect(
            usage
                == "USAGE: portolan x <y> [<z> ...] [--long-option <with-value>] [--another <value>]\n        [--flag]")
    }

    @Test("the manual has the text that help leaves out, and the examples behind it")
    func manual() async throws {
        let text = HelpText.discussion("portolan x", "All there is.", isForManual: true)
        #expect(text == "All there is.\n\nExamples:\n\n  portolan x")
        #expect(HelpText.discussion("portolan x", "", isForManual: true) == "Examples:\n\n  portolan x")
        #expect(!HelpText.discussion("portolan x", "All there is.", isForManual: false).contains("All there is."))

        let tool = try Tool()
        let short = try await tool.run(["help", "sync"])
        let long = try await tool.run(["manual", "sync"])
        #expect(short.code == 0 && !short.output.contains("It is no backup."), "\(short)")
        #expect(short.output.contains("portolan manual"), "\(short)")
        #expect(long.code == 0 && long.output.contains("It is no backup."), "\(long)")
        #expect(long.output.contains("USAGE: portolan sync") && long.output.contains("Examples:"), "\(long)")
        let part = try await tool.run(["manual", "team", "invite"])
        #expect(part.code == 0 && part.output.contains("USAGE: portolan team invite"), "\(part)")
        #expect(try await tool.run(["manual"]).output.contains("SUBCOMMANDS:"))
        let none = try await tool.run(["manual", "snd"])
        #expect(none.code == 64 && none.errors.contains("“snd”"), "\(none)")
    }

    @Test("items of lists stay items in a page of any width", arguments: [60, 80])
    func lists(columns: Int) async throws {
        for text in [SyncPage.text, IdentityPage.text] {
            let wrapped = ManualList.wrapped(text, columns: columns)
            #expect(wrapped.split { $0 == " " || $0 == "\n" } == text.split { $0 == " " || $0 == "\n" })
            func items(_ text: String) -> [Substring] { text.split(separator: "\n").filter { $0.hasPrefix("  * ") } }
            #expect(items(wrapped).count == items(text).count)
            for line in wrapped.split(separator: "\n") where line.hasPrefix("  ") {
                #expect(line.count < columns && (line.hasPrefix("  * ") || line.hasPrefix("    ")), "\(line)")
            }
        }
        let text = "Before:\n\n  - one two\n    three\n  * four\n\nBehind it."
        #expect(
            ManualList.wrapped(text, columns: 11)
                == "Before:\n\n  - one\n    two\n    three\n  * four\n\nBehind it.")

        let page = try await Tool().run(["manual", "sync"], environment: ["COLUMNS": "\(columns)"])
        let promises = page.output.components(separatedBy: "Promises:\n\n").last ?? ""
        for line in promises.components(separatedBy: "\n\n")[0].split(separator: "\n") {
            #expect(line.count < columns && (line.hasPrefix("  * ") || line.hasPrefix("    ")), "\(line)")
        }
    }
}
