import Foundation
import Glibc
import TestSupport
import Testing

@testable import PortolanCommand

/// Faults of agents in the middle of a transfer: each item is nevertheless stored once.
@Suite(.serialized) struct AgentFaultTests {
    let tool: Tool

    init() throws { tool = try Tool() }

    private static let accepting = "version: 1\nrules:\n  - from: anyone\n    action: accept\n"

    /// Queues 32 MiB that take some seconds, and waits until some of them have come.
    ///
    /// - Parameter rate: bytes for each second.
    /// - Returns: the parcel.
    private func begin(to port: UInt16, rate: String = "4M") async throws -> String {
        try tool.makeLarge("large")
        let queued = try await tool.run(
            ["send", "large", "--to", "127.0.0.1:\(port)", "--queue", "--limit-rate", rate, "--json"])
        let id = try #require(queued.events.first?["id"] as? String, "\(queued)")
        _ = try await tool.waitFor("a part of it") { try await part() }
        return id
    }

    private func partials() async throws -> [[String: Any]] {
        try await tool.run(["transfers", "--json"], home: "receiver").events("transfer")
            .filter { $0["direction"] as? String == "receive" }
    }

    /// The received partial content, once there is any.
    private func part() async throws -> [String: Any]? {
        try await partials().first { $0["bytes"] as? Int ?? 0 > 0 }
    }

    /// Expects that the receiver has stored the 32 MiB, and only once.
    private func checkStoredOnce() async throws {
        #expect(try await tool.entries("inbox.received", home: "receiver").count == 1)
        let names = try tool.names(in: "receiver/inbox").filter { !$0.hasPrefix(".") }
        #expect(names == ["large"])
        #expect(try Files.read(tool.path("receiver/inbox/large")) == noise(32 << 20, seed: 1))
        #expect(try await partials().isEmpty)
    }

    @Test("a receiver that is suspended in the middle is given up; when it goes on, so does the transfer")
    func suspended() async throws {
        try tool.write(Self.accepting, to: "receiver/config/policy.yaml")
        try tool.write("timeouts:\n  silence: 2\n  stall: 3\n  retry: 0\n", to: "home/config/portolan.yaml")
        let port = try Tool.freePort()
        let receiver = try await tool.startAgent("receiver", port: port)
        let sender = try await tool.startAgent()
        let id = try await begin(to: port)
        receiver.freeze()
        let waiting = try await tool.waitFor("the end of the attempt") {
            let parcel = try await tool.parcel(id)
            return parcel["state"] as? String == "waiting" ? parcel : nil
        }
        #expect((waiting["reason"] as? String)?.isEmpty == false, "\(waiting)")
        receiver.thaw()
        try await tool.wait(for: id, toBe: "delivered")
        try await checkStoredOnce()
        #expect(try await sender.stop().code == 0)
        #expect(try await receiver.stop().code == 0)
    }

    @Test(
        "a sender that is suspended in the middle is given up, its partial is kept, and it goes on when it is resumed"
    )
    func suspendedSender() async throws {
        try tool.write(Self.accepting, to: "receiver/config/policy.yaml")
        try tool.write("timeouts:\n  silence: 2\n  stall: 3\n", to: "receiver/config/portolan.yaml")
        let port = try Tool.freePort()
        let receiver = try await tool.startAgent("receiver", port: port)
        let sender = try await tool.startAgent()
        let id = try await begin(to: port)
        sender.freeze()
        let kept = try await tool.waitFor("the end of the session") {
            try await partials().first { $0["status"] as? String == "resumable" }
        }
        #expect(kept["bytes"] as? Int ?? 0 < 32 << 20, "\(kept)")
        #expect(try await tool.entries("inbox.received", home: "receiver").isEmpty)
        sender.thaw()
        try await tool.wait(for: id, toBe: "delivered")
        try await checkStoredOnce()
        #expect(try await sender.stop().code == 0)
        #expect(try await receiver.stop().code == 0)
    }

    /// Copies the program in a separate process: processes that other tests start would inherit a file that is open for
    /// writing here, and such a file cannot be executed.
    private static func copyProgram(to path: String) throws {
        let copying = Process()
        copying.executableURL = URL(fileURLWithPath: "/bin/cp")
        copying.arguments = [try Tool.programPath(), path]
        try copying.run()
        copying.waitUntilExit()
        try #require(copying.terminationStatus == 0)
    }

    @Test(
        "an agent whose program is replaced, and that is started again in the middle, goes on",
        arguments: [true, false])
    func upgraded(isReceiver: Bool) async throws {
        try tool.write(Self.accepting, to: "receiver/config/policy.yaml")
        let port = try Tool.freePort()
        let program = tool.path("portolan")
        try Self.copyProgram(to: program)
        var receiver = try await tool.startAgent("receiver", port: port, program: isReceiver ? program : nil)
        var sender = try await tool.startAgent(program: isReceiver ? nil : program)
        // The copy takes longer than the transfer on a busy machine.
        try Self.copyProgram(to: program + ".new")
        let id = try await begin(to: port, rate: "2M")

        #expect(rename(program + ".new", program) == 0)
        let stopped = try await (isReceiver ? receiver : sender).stop()
        #expect(stopped.code == 0, "\(stopped)")
        // The partial content is kept.
        #expect(try await partials().count == 1)
        if isReceiver {
            receiver = try await tool.startAgent("receiver", port: port, program: program)
        } else {
            sender = try await tool.startAgent(program: program)
        }
        try await tool.wait(for: id, toBe: "delivered")
        try await checkStoredOnce()
        #expect(try await sender.stop().code == 0)
        #expect(try await receiver.stop().code == 0)
    }

    @Test("an item that is declined when a part of it has come is not gone on with, and its sender learns of it")
    func declinedInTheMiddle() async throws {
        try tool.write("version: 1\nrules:\n  - from: anyone\n    action: ask\n", to: "receiver/config/policy.yaml")
        let port = try Tool.freePort()
        let receiver = try await tool.startAgent("receiver", port: port)
        var sender = try await tool.startAgent()
        try tool.makeLarge("large")
        let queued = try await tool.run(
            ["send", "large", "--to", "127.0.0.1:\(port)", "--queue", "--limit-rate", "1M", "--json"])
        let id = try #require(queued.events.first?["id"] as? String, "\(queued)")
        _ = try await tool.waitFor("the question") {
            try await tool.run(["inbox", "--json"], home: "receiver").events.first
        }
        #expect(try await tool.run(["inbox", "accept", "1"], home: "receiver").code == 0)
        _ = try await tool.waitFor("a part of it") {
            if try await tool.parcel(id)["state"] as? String == "waiting" {
                _ = try await tool.run(["outbox", "retry", id, "--quiet"])
            }
            return try await part()
        }
        sender.kill()
        _ = try await sender.finish()
        let declined = try await tool.run(["inbox", "decline", "1", "--say", "Not any more."], home: "receiver")
        #expect(declined.code == 0, "\(declined)")
        _ = try await tool.waitFor("the end of the part") { try await partials().isEmpty ? true : nil }

        sender = try await tool.startAgent()
        _ = try await tool.waitFor("the answer") {
            let state = try await tool.parcel(id)["state"] as? String
            if state == "waiting" { _ = try await tool.run(["outbox", "retry", id, "--quiet"]) }
            return state == "failed" ? true : nil
        }
        let shown = try await tool.run(["outbox", "show", id])
        #expect(shown.output.contains("Not any more."), "\(shown)")
        #expect(try await tool.entries("inbox.received", home: "receiver").isEmpty)
        #expect(try await tool.entries("transfer.started", home: "receiver").count == 1)
        #expect(try await sender.stop().code == 0)
        #expect(try await receiver.stop().code == 0)
    }

    @Test(
        "an item queued with --copy arrives as it was, though the file is gone, and the copy goes when it has arrived")
    func copied() async throws {
        try tool.write("as it was", to: "one.txt")
        try tool.write("inner", to: "tree/inner.txt")
        let port = try Tool.freePort()
        let sender = try await tool.startAgent()
        let queued = try await tool.run(
            ["send", "one.txt", "tree", "--to", "127.0.0.1:\(port)", "--queue", "--copy", "--json"])
        let id = try #require(queued.events.first?["id"] as? String, "\(queued)")
        try FileManager.default.removeItem(atPath: tool.path("one.txt"))
        try tool.write("changed", to: "tree/inner.txt")
        try tool.write(Self.accepting, to: "receiver/config/policy.yaml")
        let receiver = try await tool.startAgent("receiver", port: port)
        try await tool.wait(for: id, toBe: "delivered")
        #expect(try tool.read("receiver/inbox/one.txt") == "as it was")
        #expect(try tool.read("receiver/inbox/tree/inner.txt") == "inner")
        _ = try await tool.waitFor("the end of the copy") {
            try tool.names(in: "home/state/agent/copies").isEmpty ? true : nil
        }
        #expect(try await tool.run(["send", "one.txt", "--to", "x", "--copy"]).code == 64)
        #expect(try await sender.stop().code == 0)
        #expect(try await receiver.stop().code == 0)
    }

    @Test(
        "a queued folder arrives without its pipe and its socket, and the outbox names them, with a copy as without one",
        arguments: [true, false])
    func specialFiles(isCopied: Bool) async throws {
        try tool.write("whole", to: "tree/file")
        for (name, kind) in [("pipe", S_IFIFO), ("socket", S_IFSOCK)] {
            try #require(mknod(tool.path("tree/\(name)"), kind | 0o600, 0) == 0)
        }
        try tool.write(Self.accepting, to: "receiver/config/policy.yaml")
        let port = try Tool.freePort()
        let receiver = try await tool.startAgent("receiver", port: port)
        let sender = try await tool.startAgent()
        let queued = try await tool.run(
            ["send", "tree", "--to", "127.0.0.1:\(port)", "--queue", "--json"] + (isCopied ? ["--copy"] : []))
        let id = try #require(queued.events.first?["id"] as? String, "\(queued)")
        try await tool.wait(for: id, toBe: "delivered")
        #expect(try tool.names(in: "receiver/inbox/tree") == ["file"])
        let shown = try await tool.run(["outbox", "show", id, "--json"])
        let settlement = (shown.events.first?["settlements"] as? [[String: Any]])?.first
        #expect(settlement?["outcome"] as? String == "incomplete", "\(shown)")
        #expect(settlement?["reason"] as? String == "It lacks “pipe”, “socket”.", "\(shown)")
        #expect(try await sender.stop().code == 0)
        #expect(try await receiver.stop().code == 0)
    }
}
