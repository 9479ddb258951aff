import Foundation
import PortolanCrypto
import Testing

@testable import PortolanCommand

/// Codes on one device while the other one is absent.
@Suite(.serialized) struct PairCommandTests {
    let tool: Tool

    init() throws { tool = try Tool() }

    private let alone = ["--discovery", "off", "--interface", "lo"]

    @Test func codeIsTheFirstLineAndWithQuietTheOnlyLine() async throws {
        let waiting = try tool.start(["pair", "--quiet"] + alone)
        try await waiting.waitToSay("\n")
        let code = try PairingCode(waiting.output)
        let ended = try await waiting.stop()
        #expect(ended.code == 75, "\(ended)")
        #expect(ended.output == code.text + "\n")

        let talking = try tool.start(["pair"] + alone)
        try await talking.waitToSay("portolan pair ")
        let first = try #require(talking.output.split(separator: "\n").first)
        #expect(throws: Never.self) { try PairingCode(String(first)) }
        #expect(try await talking.stop().code == 75)
    }

    @Test func eventsHaveTheCodeAndThePort() async throws {
        let waiting = try tool.start(["pair", "--json", "--valid", "90s"] + alone)
        try await waiting.waitToSay("\"awaiting\"")
        let ended = try await waiting.stop()
        #expect(ended.code == 75, "\(ended)")
        #expect(ended.events.first?["event"] as? String == "code")
        let code = try #require(ended.events("code").first)
        #expect(throws: Never.self) { try PairingCode(try #require(code["code"] as? String)) }
        #expect(code["seconds"] as? Int == 90)
        #expect(code["team"] is NSNull)
        #expect(ended.events("awaiting").first?["port"] as? Int != 0)
        #expect(ended.events.last?["kind"] as? String == "interrupted")
    }

    @Test(.enabled(if: QRCodeTests.hasLibrary, "libqrencode is not here"))
    func theDrawingFollowsTheCode() async throws {
        let waiting = try tool.start(["pair", "--quiet", "--qr"] + alone)
        try await waiting.waitToSay("▀▀▀▀▀\n")
        let lines = try await waiting.stop().output.split(separator: "\n").map(String.init)
        #expect(lines.dropFirst().elementsEqual(try QRCode(lines[0]).lines(colored: false)))
    }

    @Test("a wrong text on standard input is bad data", arguments: ["", "7-walnut\n", "hello\n"])
    func badInput(text: String) async throws {
        for command in [["pair", "-"], ["pair", "--code-fd", "0"], ["team", "join", "-"]] {
            let outcome = try await tool.run(command + alone, input: text)
            #expect(outcome.code == 65, "\(outcome)")
            #expect(outcome.output.isEmpty)
            #expect(outcome.errors.contains("7-walnut-harbor"))
        }
    }

    @Test func missingContactsAndTeamsAreReported() async throws {
        for list in [["contacts"], ["team"], ["team", "list"]] {
            let outcome = try await tool.run(list + ["--json"])
            #expect(outcome.code == 0, "\(outcome)")
            #expect(outcome.output.isEmpty)
        }
        try tool.write("x", to: "a.txt")
        for command in [
            ["contacts", "forget", "ben"], ["contacts", "rename", "ben", "benjamin"], ["team", "show"],
            ["team", "show", "acme"], ["team", "invite"], ["team", "remove", "ben"],
            ["team", "group", "add", "design", "ben"],
            ["team", "group", "remove", "design", "ben"], ["team", "promote", "ben"], ["team", "demote", "ben"],
            ["team", "leave"],
            ["team", "use", "acme"], ["team", "renew"], ["send", "a.txt", "--to", "@acme"],
            ["send", "--as", "txt@team=a.txt", "--team", "acme", "--to", "127.0.0.1:9"],
            ["offer", "--as", "txt@team=a.txt", "--team", "acme"], ["receive", "--from", "@acme"],
        ] {
            let outcome = try await tool.run(command)
            #expect(outcome.code == 69, "\(command): \(outcome)")
            #expect(outcome.output.isEmpty)
        }
    }
}
