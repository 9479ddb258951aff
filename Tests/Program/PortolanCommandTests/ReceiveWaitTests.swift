import Foundation
import Testing

/// `receive --wait` without a code. On the loopback interface only.
@Suite struct ReceiveWaitTests {
    let tool: Tool

    init() throws { tool = try Tool() }

    private func send(_ text: String, to place: String) async throws -> Int32 {
        try await tool.run(["send", "--text", text, "--to", place]).code
    }

    @Test("a wait without an offer ends with a sentence", arguments: [[], ["--once"], ["--output", "-"]])
    func nobody(arguments: [String]) async throws {
        let into = arguments.contains("--output") ? [] : ["--into", "inbox"]
        let ended = try await tool.run(
            ["receive", "--yes", "--wait", "10s", "--discovery", "off", "--interface", "lo"] + into + arguments)
        #expect(ended.code == 69, "\(ended)")
        #expect(ended.errors.contains("No device has offered an item for 10s."), "\(ended)")
    }

    @Test(
        "a declined offer makes the time no longer, and the sentence another",
        arguments: [[], ["--yes", "--accept", "public.image"]])
    func declined(arguments: [String]) async throws {
        let (receiver, place) = try await tool.receive(["--wait", "10s"] + arguments)
        #expect(try await send("x", to: place) == (arguments.isEmpty ? 80 : 81))
        let ended = try await receiver.finish()
        #expect(ended.code == 69 && ended.errors.contains("No offered item was received"), "\(ended)")
    }

    @Test("after something was received, it ends when nothing more comes, and all is well")
    func received() async throws {
        let (receiver, place) = try await tool.receive(["--yes", "--wait", "10s"])
        for text in ["one", "two"] { #expect(try await send(text, to: place) == 0) }
        let ended = try await receiver.finish()
        #expect(ended.code == 0 && ended.events("stored").count == 2, "\(ended)")
    }

    @Test("a wait with --once ends with the first item")
    func once() async throws {
        let (receiver, place) = try await tool.receive(["--yes", "--once", "--wait", "1h"])
        #expect(try await send("x", to: place) == 0)
        #expect(try await receiver.finish().code == 0)
    }

    @Test("a time that is none is refused, and so are a place without a code and something on offer")
    func arguments() async throws {
        let wrong = [
            ["--wait", "soon"], ["--wait", "0"], ["--wait", "1m", "--at", "127.0.0.1:9"],
            ["--wait", "1m", "--share", "x"],
        ]
        for arguments in wrong {
            let refused = try await tool.run(["receive"] + arguments)
            #expect(refused.code == 64, "\(refused)")
        }
    }
}
