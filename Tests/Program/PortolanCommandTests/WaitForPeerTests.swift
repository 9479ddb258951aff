import Foundation
import Glibc
import Testing

/// `--wait`: a peer that is not there yet. On the loopback interface only.
@Suite struct WaitForPeerTests {
    let tool: Tool

    init() throws { tool = try Tool() }

    private let apart = ["--discovery", "off", "--interface", "lo"]

    /// Starts a receiver or sharer on a port, after `waiting` has reported that the peer is absent.
    private func come(
        _ waiting: Tool.Running, _ arguments: [String], port: UInt16
    ) async throws -> Tool.Running {
        try await waiting.waitToSay("Waiting for “127.0.0.1:\(port)”, for 10m at most", on: .errors)
        return try tool.start(arguments + ["--port", "\(port)", "--json"] + apart, home: "other")
    }

    @Test("a receiver that comes later is sent to")
    func sends() async throws {
        try tool.write("words", to: "a.txt")
        let port = try Tool.freePort()
        let arguments = ["send", "a.txt", "--to", "127.0.0.1:\(port)", "--wait", "10m", "--json"]
        let sender = try tool.start(arguments + apart)
        let receiver = try await come(sender, ["receive", "--yes", "--once", "--into", "inbox"], port: port)
        let sent = try await sender.finish()
        #expect(sent.code == 0, "\(sent)")
        #expect(sent.events("retrying").count == 1 && sent.events("error").isEmpty, "\(sent)")
        #expect(try await receiver.finish().code == 0)
        #expect(try tool.read("inbox/a.txt") == "words")
    }

    @Test("an item that a peer shares later is fetched")
    func gets() async throws {
        try tool.write("words", to: "plan.txt")
        let port = try Tool.freePort()
        let arguments = ["get", "127.0.0.1:\(port):plan", "--into", "got", "--wait", "10m", "--json"]
        let getter = try tool.start(arguments + apart)
        let sharer = try await come(getter, ["share", "plan.txt"], port: port)
        let got = try await getter.finish()
        #expect(got.code == 0, "\(got)")
        #expect(got.events("retrying").count == 1, "\(got)")
        #expect(try tool.read("got/plan.txt") == "words")
        _ = try await sharer.stop()
    }

    @Test("a wait for an absent peer ends with the reason, and at once where it is not to wait")
    func ends() async throws {
        let port = try Tool.freePort()
        for command in [["send", "--text", "x", "--to", "127.0.0.1:\(port)"], ["get", "127.0.0.1:\(port):x"]] {
            let late = try await tool.run(command + ["--wait", "1s", "--json"] + apart)
            #expect(late.code == 69 && late.errors.contains("After waiting for 1s: "), "\(late)")
            #expect(late.events("error").first?["fault"] as? String == "connection-refused", "\(late)")
            for arguments in [[], ["--wait", "0"]] {
                let none = try await tool.run(command + arguments + apart)
                #expect(none.code == 69 && !none.errors.contains("aiting for"), "\(none)")
            }
        }
        // Without discovery no name can appear.
        let name = try await tool.run(["send", "--text", "x", "--to", "laptop", "--wait", "10m"] + apart)
        #expect(name.code == 69 && name.errors.contains("Discovery is off"), "\(name)")
    }

    @Test("of several receivers, one is waited for while the other is sent to")
    func several() async throws {
        let port = try Tool.freePort()
        let (first, address) = try await tool.receive(["--yes", "--once"])
        let sender = try tool.start(
            ["send", "--text", "x", "--to", "127.0.0.1:\(port)", "--to", address, "--wait", "10m"] + apart)
        #expect(try await first.finish().code == 0)
        let second = try await come(
            sender, ["receive", "--yes", "--once", "--into", "inbox2", "--name", "second"], port: port)
        let sent = try await sender.finish()
        #expect(sent.code == 0, "\(sent)")
        #expect(try await second.finish().code == 0)
    }

    @Test(
        "a time that cannot be waited for is refused with a sentence",
        arguments: [
            (["--to", "b", "--wait", "soon"], "“soon” is no length of time; write 90s, 10m or 1h"),
            (["--to", "b", "--wait", "3d"], "3d is too long"), (["--to", "b", "--wait", "-5s"], "--wait=-5s"),
            (["--wait", "5m"], "A code waits as long as --valid says"),
            (["--to", "b", "--queue", "--wait", "5m"], "With --queue, the agent waits"),
            (["--to", "@acme", "--wait", "5m"], "--wait is for a peer by itself"),
        ])
    func refused(arguments: [String], sentence: String) async throws {
        let outcome = try await tool.run(["send", "--text", "x"] + arguments)
        #expect(outcome.code == 64 && outcome.errors.contains(sentence), "\(outcome)")
    }
}
