import Foundation
import PortolanValues
import Testing

@testable import PortolanCommand

/// Two devices on this machine, by address and on the loopback interface only.
@Suite(.serialized) struct LoopbackTests {
    let tool: Tool

    init() throws { tool = try Tool() }

    private func send(_ arguments: [String], to address: String, input: String? = nil) async throws -> Tool.Outcome {
        try await tool.run(["send", "--to", address] + arguments, input: input)
    }

    @Test func firstVisibleImportableFormIsTakenAndHiddenOnesAreNotRevealed() async throws {
        let (receiver, address) = try await tool.receive(["--yes", "--once", "--accept", "public.text"])
        for name in ["n.html", "n.md", "n.txt"] { try tool.write(name, to: name) }
        let forms = ["--as", "public.html@team=n.html", "--as", "md=n.md", "--as", "txt=n.txt", "--no-converters"]
        let sent = try await send(forms + ["--json"], to: address)
        #expect(sent.code == 0, "\(sent)")
        #expect(sent.events("settled").first?["representation"] as? Int == 1)
        #expect(sent.events.last?["event"] as? String == "result")
        let received = try await receiver.finish()
        #expect(received.code == 0, "\(received)")
        let stored = try #require(received.events("stored").first)
        #expect(stored["type"] as? String == "net.daringfireball.markdown")
        #expect(try tool.read("inbox/n.md") == "n.md")
        #expect(!received.output.contains("html"), "a form for the team was told to a stranger")
        let offered = (received.events("offer").first?["items"] as? [[String: Any]])?.first
        #expect(offered?["representations"] as? Int == 2)
    }

    @Test func fileNamedTwiceIsSentOnce() async throws {
        let (receiver, address) = try await tool.receive(["--yes", "--once"])
        for name in ["a.txt", "b.txt"] { try tool.write(name, to: name) }
        let sent = try await send(["a.txt", "b.txt", "a.txt", "--json"], to: address)
        #expect(sent.code == 0 && sent.events("settled").count == 2, "\(sent)")
        #expect(try await receiver.finish().events("stored").count == 2)
    }

    @Test func aPreviewIsShownBeforeAnythingIsSent() async throws {
        let (receiver, address) = try await tool.receive(["--yes", "--once"])
        try tool.write("icon", to: "icon.png")
        let sent = try await send(
            ["--text", "hello", "--message", "from \u{1B}[2Jme", "--icon", "icon.png"], to: address)
        #expect(sent.code == 0, "\(sent)")
        let received = try await receiver.finish()
        let offered = try #require((received.events("offer").first?["items"] as? [[String: Any]])?.first)
        #expect(offered["message"] as? String == "from \\u{1B}[2Jme")
        let icon = try #require(offered["icon"] as? [String: Any])
        #expect(icon["type"] as? String == "public.png")
        #expect(icon["data"] as? String == Data("icon".utf8).base64EncodedString())
        #expect(offered["image"] is NSNull)
    }

    @Test func invalidPreviewIsReportedBeforeConnecting() async throws {
        try tool.write(String(repeating: "x", count: 32_769), to: "large.png")
        try tool.write("x", to: "words.txt")
        let address = "127.0.0.1:9"
        for (arguments, code) in [
            (["--image", "large.png"], Int32(65)), (["--image", "words.txt"], 65), (["--icon", "absent.png"], 66),
            (["--message", String(repeating: "m", count: 1025)], 65),
        ] {
            let sent = try await send(["--text", "hello"] + arguments, to: address)
            #expect(sent.code == code, "\(sent)")
        }
    }

    @Test func filesTextAndStandardInputArrive() async throws {
        let (receiver, address) = try await tool.receive()
        try tool.write("one", to: "one.txt")
        try tool.write("two", to: "folder/two.txt")
        #expect(try await send(["one.txt", "folder", "--text", "three"], to: address).code == 0)
        #expect(try await send(["-", "--type", "md", "-q"], to: address, input: "four").output.isEmpty)
        #expect(try tool.names(in: "inbox") == ["folder", "input.md", "one.txt", "three.txt"])
        #expect(try tool.read("inbox/folder/two.txt") == "two")
        #expect(try tool.read("inbox/input.md") == "four")
        let ended = try await receiver.stop()
        #expect(ended.code == 0, "\(ended)")
        #expect(ended.events("stored").count == 4)
    }

    @Test func textIsShownAndAFileIsStored() async throws {
        let port = try Tool.freePort()
        let receiver = try tool.start(
            ["receive", "--into", "inbox", "--discovery", "off", "--interface", "lo", "--yes", "--port", "\(port)"],
            home: "receiver")
        try await receiver.waitToSay("on port \(port)")
        let address = "127.0.0.1:\(port)"
        #expect(try await send(["--text", "see you at 5"], to: address).code == 0)
        #expect(try await send(["--text", "-"], to: address, input: "one\n\u{1B}[2Jtwo\n").code == 0)
        #expect(try await send(["--text", "three", "--name", "note.md"], to: address).code == 0)
        #expect(try await send(["-", "--name", "four.txt"], to: address, input: "four").code == 0)
        let ended = try await receiver.stop()
        for said in [
            "Text from “", "”, stored as “see you at 5.txt”:\n  see you at 5\n",
            "”, stored as “one.txt”:\n  one\n  \\u{1B}[2Jtwo\n", "“note.md” (Markdown text, 5 B)",
            "“four.txt” (plain text, 4 B)",
        ] {
            #expect(ended.output.contains(said), "\(ended)")
        }
        #expect(!ended.output.contains("  three") && !ended.output.contains("  four"))
        #expect(try tool.names(in: "inbox") == ["four.txt", "note.md", "one.txt", "see you at 5.txt"])
        #expect(try tool.read("inbox/one.txt") == "one\n\u{1B}[2Jtwo\n")
    }

    @Test func manyFilesAreReportedInOneLineOnBothSides() async throws {
        let port = try Tool.freePort()
        let receiver = try tool.start(
            ["receive", "--into", "inbox", "--discovery", "off", "--interface", "lo", "--yes", "--port", "\(port)"],
            home: "receiver")
        try await receiver.waitToSay("on port \(port)")
        let names = (0..<12).map { "file-\($0).txt" }
        for name in names { try tool.write("words", to: name) }
        let address = "127.0.0.1:\(port)"
        let sent = try await send(names, to: address)
        #expect(sent.code == 0 && sent.output.contains("12 items are stored at “"), "\(sent)")
        #expect(!sent.output.contains("file-"), "\(sent)")
        let verbose = try await send(names + ["-v"], to: address)
        #expect(names.allSatisfy { verbose.output.contains("“\($0)” is ") }, "\(verbose)")
        try await receiver.waitToSay("12 items, 60 B")
        let ended = try await receiver.stop()
        #expect(ended.output.count { $0 == "\n" } == 5 && !ended.output.contains("file-"), "\(ended)")
        #expect(try tool.names(in: "inbox").count >= 12)
    }

    @Test func binaryStandardInputIsNotSentAsText() async throws {
        for (arguments, input, code) in [
            (["--text", "-"], "", Int32(65)), (["--text", "-"], String(repeating: "a", count: (1 << 20) + 1), 65),
            (["--text", "-", "-"], "", 64), (["--text", "-", "--text", "-"], "", 64),
            (["--text", "a", "--name", "a/b"], "", 64),
            (["--text", "a", "--text", "b", "--name", "c"], "", 64), (["one.txt", "--name", "c"], "", 64),
        ] {
            // More than a pipe holds is written by a shell.
            try tool.write(input, to: "input")
            let sent = try await tool.run(
                ["send", "--to", "127.0.0.1:9"] + arguments, launcher: ["/bin/sh", "-c", #"exec "$0" "$@" <input"#])
            #expect(sent.code == code, "\(arguments): \(sent)")
        }
    }

    @Test func onlyNamedSourcesMaySend() async throws {
        #expect(try await tool.run(["receive", "--from", "ada"], home: "receiver").code == 69)
        for (home, name) in [("one", "ada"), ("two", "ada")] {
            #expect(try await tool.run(["id", "--name", name], home: home).code == 0)
        }
        func send(_ home: String, to address: String) async throws -> Int32 {
            try await tool.run(["send", "--text", "hello", "--to", address], home: home).code
        }
        let (first, place) = try await tool.receive()
        #expect(try await send("one", to: place) == 0)
        _ = try await first.stop()
        for source in [
            "ada",
            try #require(
                try await tool.run(["id", "--json"], home: "one").events("id").first?["fingerprint"] as? String),
        ] {
            let (receiver, address) = try await tool.receive(["--from", source])
            #expect(try await send("one", to: address) == 0)
            // The name alone grants no right.
            #expect(try await send("two", to: address) == 77)
            #expect(try await receiver.stop().events("stored").count == 1)
        }
        let (contacts, address) = try await tool.receive(["--from", "@contacts"])
        #expect(try await send("one", to: address) == 77)
        #expect(try await contacts.stop().events("stored").isEmpty)
    }

    @Test func withoutATerminalOffersAreDeclined() async throws {
        let (receiver, address) = try await tool.receive([])
        let sent = try await send(["--text", "hello", "--json"], to: address)
        #expect(sent.code == 80, "\(sent)")
        #expect(sent.events("settled").first?["outcome"] as? String == "declined")
        let ended = try await receiver.stop()
        #expect(ended.code == 0)
        #expect(ended.errors.contains("--yes"))
        #expect(try tool.names(in: "inbox").isEmpty)
    }

    @Test func noCommonRepresentationHasItsOwnStatus() async throws {
        let (receiver, address) = try await tool.receive(["--yes", "--accept", "image/png"])
        #expect(try await send(["--text", "hello"], to: address).code == 81)
        try tool.write("x", to: "n.html")
        let hidden = try await send(["--as", "html@team=n.html"], to: address)
        #expect(hidden.code == 77, "\(hidden)")
        #expect(hidden.errors.contains("portolan offer"))
        #expect(try await receiver.stop().events("offer").isEmpty)
    }

    @Test func closedOutputDoesNotBreakTheTransfer() async throws {
        let (receiver, address) = try await tool.receive(["--yes", "--once"])
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = [
            "-c", "{ \"$0\" send --text hello --to \(address) --json; echo $? > code; } | true", try Tool.programPath(),
        ]
        shell.currentDirectoryURL = tool.folder
        shell.environment = ["PORTOLAN_HOME": tool.path("home")]
        try shell.run()
        shell.waitUntilExit()
        #expect(try await receiver.finish().code == 0)
        let deadline = ContinuousClock.now + .seconds(120)
        while (try? tool.read("code"))?.isEmpty ?? true, .now < deadline {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(try tool.read("code") == "0\n")
    }

    @Test func aHostileFileNameReachesNoTerminal() async throws {
        let (receiver, address) = try await tool.receive()
        let name = "a\u{1B}[2J\u{202E}b\nc.txt"
        try tool.write("x", to: name)
        let sent = try await send([name], to: address)
        let ended = try await receiver.stop()
        for text in [sent.output, sent.errors, ended.output, ended.errors] {
            for line in text.split(separator: "\n") { #expect(DisplayText.isHarmless(line), "\(line)") }
        }
        for stored in try tool.names(in: "inbox") { #expect(DisplayText.isHarmless(stored)) }
    }

    @Test func differentKeyUnderAKnownNameIsRefusedUntilTheNameIsForgotten() async throws {
        let (first, address) = try await tool.receive(["--yes", "--name", "ben"])
        #expect(try await send(["--text", "x"], to: address).code == 0)
        _ = try await first.stop()
        try FileManager.default.removeItem(atPath: tool.path("receiver"))
        let (second, newAddress) = try await tool.receive(["--yes", "--name", "ben"])
        let refused = try await send(["--text", "x"], to: newAddress)
        #expect(refused.code == 77, "\(refused)")
        #expect(refused.errors.contains("portolan peers --forget ben"))
        #expect(try await tool.run(["peers", "--forget", "ben"]).code == 0)
        #expect(try await tool.run(["peers", "--forget", "ben"]).code == 69)
        #expect(try await send(["--text", "x"], to: newAddress).code == 0)
        _ = try await second.stop()
    }

    @Test func stoppingInTheMiddleIsAnInterruption() async throws {
        let (receiver, address) = try await tool.receive()
        try tool.makeLarge("large")
        let sender = try tool.start(["send", "large", "--to", address, "--limit-rate", "1M", "--json"])
        try await sender.waitToSay("\"progress\"")
        let sent = try await sender.stop()
        #expect(sent.code == 75, "\(sent)")
        #expect(sent.events.last?["kind"] as? String == "interrupted")
        // After it knows that nothing is running, stopping it interrupts nothing.
        try await receiver.waitToSay("\"disconnected\"")
        let ended = try await receiver.stop()
        #expect(ended.code == 0, "\(ended)")
        #expect(try tool.names(in: "inbox").allSatisfy { $0.hasPrefix(".") })
    }
}
