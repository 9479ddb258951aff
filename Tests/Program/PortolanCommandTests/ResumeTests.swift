import Foundation
import Glibc
import Portolan
import PortolanOutbox
import PortolanTrust
import PortolanValues
import TestSupport
import Testing

@testable import PortolanCommand

/// Transfers that are interrupted, listed, stopped and resumed, by the built program.
@Suite(.serialized) struct ResumeTests {
    let tool: Tool

    init() throws { tool = try Tool() }

    private static let slowly = ["--limit-rate", "1M"]

    private func transfers() async throws -> [[String: Any]] {
        try await tool.run(["transfers", "--json"]).events("transfer")
    }

    @Test func listIsEmptyWithoutInterruptedTransfers() async throws {
        let listed = try await tool.run(["transfers"])
        #expect(listed.code == 0, "\(listed)")
        #expect(try await tool.run(["transfers", "--json"]).output.isEmpty)
        let resumed = try await tool.run(["resume", "--json"])
        #expect(resumed.code == 0, "\(resumed)")
        for command in [["transfers", "forget"], ["transfers", "cancel"], ["resume"]] {
            let unknown = try await tool.run(command + ["k3xq7m2a", "--json"])
            #expect(unknown.code == 69, "\(unknown)")
            #expect(unknown.errors.contains("k3xq7m2a"))
        }
    }

    @Test func killedSendingCanBeResumed() async throws {
        let (receiver, address) = try await tool.receive()
        let relay = try Relay(to: UInt16(address.split(separator: ":")[1]) ?? 0, cutting: [])
        try tool.makeLarge("large")
        let sender = try tool.start(["send", "large", "--to", "127.0.0.1:\(relay.port)", "--json"] + Self.slowly)
        try await sender.waitToSay("\"progress\"")
        let deadline = ContinuousClock.now + .seconds(120)
        while try await transfers().first?["status"] as? String != "running", .now < deadline {
            try await Task.sleep(for: .milliseconds(50))
        }
        let running = try #require(try await transfers().first)
        #expect(running["status"] as? String == "running")
        let id = try #require(running["id"] as? String)
        #expect(try await tool.run(["transfers", "forget", id]).code == 74)
        #expect(try await tool.run(["resume", id]).code == 74)
        sender.kill()
        _ = try await sender.finish()
        #expect(try await transfers().first?["status"] as? String == "resumable")

        try tool.write("small by now", to: "large")
        let resumed = try await tool.run(["resume", "--json"])
        #expect(resumed.code == 0, "\(resumed)")
        #expect(resumed.events("transfer").first?["id"] as? String == id)
        #expect(try tool.names(in: "inbox").filter { !$0.hasPrefix(".") } == ["large"])
        #expect(
            try await tool.run(["transfers", "--json"]).events("transfer").allSatisfy {
                $0["direction"] as? String == "receive"
            })
        _ = try await receiver.stop()
    }

    @Test("the outbox lists the interrupted sending of a command beside the agent's parcels, until it was resumed")
    func outboxListsSendingsOfCommands() async throws {
        let (receiver, address) = try await tool.receive()
        let agent = try await tool.startAgent()
        try tool.makeLarge("large")
        try tool.write("text", to: "later")
        #expect(try await tool.run(["send", "later", "--to", "127.0.0.1:9", "--queue"]).code == 0)
        let sender = try tool.start(["send", "large", "--to", address, "--json"] + Self.slowly)
        try await sender.waitToSay("\"progress\"")
        func sendings() async throws -> [[String: Any]] {
            try await tool.run(["outbox", "--json"]).events("transfer")
        }
        _ = try await tool.waitFor("the record") { try await sendings().isEmpty ? nil : true }
        sender.kill()
        _ = try await sender.finish()
        let left = try await sendings()
        #expect(left.map { $0["status"] as? String } == ["resumable"])
        let id = try #require(left.first?["id"] as? String)
        let listed = try await tool.run(["outbox"])
        #expect(listed.code == 0 && listed.output.contains("\(id)  resumable"), "\(listed)")
        #expect(listed.output.contains("later to “127.0.0.1:9”"), "\(listed)")
        #expect(try await tool.run(["resume", id]).code == 0)
        #expect(try await sendings().isEmpty)
        _ = try await agent.stop()
        _ = try await receiver.stop()
    }

    @Test("the receiver's progress of a resumed file includes the kept bytes, as the sender's does")
    func bothShowTheSameShare() async throws {
        let (receiver, address) = try await tool.receive()
        try tool.makeLarge("large")
        func lastProgress(_ part: Int) -> (bytes: UInt64, transferred: UInt64)? {
            let parts = receiver.output.components(separatedBy: "\"event\":\"started\"")
            guard parts.count > part else { return nil }
            return parts[part].matches(of: /"bytes":([0-9]+),.*"transferred":([0-9]+)/).last.flatMap { found in
                UInt64(found.1).flatMap { bytes in UInt64(found.2).map { (bytes, $0) } }
            }
        }
        let first = try tool.start(["send", "large", "--to", address, "--json"] + Self.slowly)
        _ = try await tool.waitFor("2 MiB") { lastProgress(1).flatMap { $0.bytes > 2 << 20 ? true : nil } }
        first.kill()
        _ = try await first.finish()
        let second = try tool.start(["send", "large", "--to", address, "--json"] + Self.slowly)
        let progress = try await tool.waitFor("new content") {
            lastProgress(2).flatMap { $0.transferred > 512 << 10 ? $0 : nil }
        }
        #expect(progress.bytes > progress.transferred + 1 << 20, "\(progress)")
        second.kill()
        _ = try await second.finish()
        _ = try await receiver.stop()
    }

    @Test(
        "a sending with other options settles the interrupted one; one whose source was replaced is taken off the list")
    func changedSource() async throws {
        let (receiver, address) = try await tool.receive()
        try tool.makeLarge("large")
        func interrupt() async throws {
            let sender = try tool.start(["send", "large", "--to", address, "--json"] + Self.slowly)
            try await sender.waitToSay("\"progress\"")
            _ = try await tool.waitFor("the record") { try await transfers().isEmpty ? nil : true }
            sender.kill()
            _ = try await sender.finish()
        }
        try await interrupt()
        try tool.write("small by now", to: "large")
        #expect(try await tool.run(["send", "large", "--to", address]).code == 0)
        #expect(try await transfers().isEmpty)

        try tool.makeLarge("large")
        try await interrupt()
        #expect(unlink(tool.path("large")) == 0)
        #expect(try await tool.run(["resume"]).code == 66)
        #expect(try await transfers().count == 1, "it may come back")
        try tool.write("x", to: "large/x")
        let refused = try await tool.run(["resume"])
        #expect(refused.code == 66 && refused.errors.contains("off the list"), "\(refused)")
        #expect(try await transfers().isEmpty)
        _ = try await receiver.stop()
    }

    @Test("a device file is refused alike by 'send' and by 'offer'")
    func deviceFile() async throws {
        let (receiver, address) = try await tool.receive()
        for command in ["send", "offer"] {
            let refused = try await tool.run([command, "/dev/null", "--to", address])
            #expect(refused.code == 66 && refused.errors.contains("neither a file nor a folder"), "\(refused)")
        }
        _ = try await receiver.stop()
    }

    @Test func itemDeclinedAsTooLargeIsNotResumable() async throws {
        let (receiver, address) = try await tool.receive(["--yes", "--max-size", "1M"])
        try tool.makeLarge("large")
        let declined = try await tool.run(["send", "large", "--to", address])
        #expect(declined.code == 73, "\(declined)")
        #expect(declined.errors.contains("larger than anything that is taken there"), "\(declined)")
        #expect(!declined.output.contains("portolan resume"), "\(declined)")
        #expect(try await transfers().isEmpty)
        _ = try await receiver.stop()
    }

    /// Starts a sending of a small file and a large one, and kills it once the small one is written down as stored.
    private func killAfterTheFirstItem(to address: String) async throws {
        try tool.write("one", to: "one.txt")
        try tool.makeLarge("large")
        let sender = try tool.start(["send", "one.txt", "large", "--to", address, "--json"] + Self.slowly)
        let home = try HomeDirectory(override: tool.path("home"), environment: [:])
        let deadline = ContinuousClock.now + .seconds(120)
        var isWrittenDown = false
        while !isWrittenDown, .now < deadline {
            try await Task.sleep(for: .milliseconds(50))
            isWrittenDown = try TransferRegister(home).contents(lifetime: .seconds(3600)).transfers.contains {
                $0.parcel?.settled == [0: .stored]
            }
        }
        #expect(isWrittenDown)
        sender.kill()
        _ = try await sender.finish()
    }

    @Test func resumingWorksFromAnyFolderAndOffersOnlyUnsettledItems() async throws {
        let (receiver, address) = try await tool.receive()
        try await killAfterTheFirstItem(to: address)
        try FileManager.default.removeItem(atPath: tool.path("one.txt"))
        let elsewhere = ["/bin/sh", "-c", "cd / && exec \"$@\"", "sh"]
        let resumed = try await tool.run(["resume", "--json"], launcher: elsewhere)
        #expect(resumed.code == 0, "\(resumed)")
        #expect(resumed.events("settled").map { $0["item"] as? Int } == [1])
        #expect(resumed.events("settled").first?["title"] as? String == "large")
        let received = try await receiver.stop()
        let offers = received.events("offer").map { ($0["items"] as? [[String: Any]])?.map { $0["title"] as? String } }
        #expect(offers == [["one.txt", "large"], ["large"]])
        #expect(try await transfers().isEmpty)
        #expect(try tool.names(in: "inbox") == ["large", "one.txt"])
    }

    @Test func resumingSendsOnlyToTheSameKey() async throws {
        let (receiver, address) = try await tool.receive()
        let relay = try Relay(to: UInt16(address.split(separator: ":")[1]) ?? 0, cutting: [])
        try await killAfterTheFirstItem(to: "127.0.0.1:\(relay.port)")
        let other = try tool.start(
            [
                "receive", "--into", "other", "--yes", "--name", "other", "--discovery", "off", "--interface", "lo",
                "--json",
            ],
            home: "other")
        relay.redirect(to: try await other.port())
        let refused = try await tool.run(["resume"])
        #expect(refused.code == 77, "\(refused)")
        #expect(try await other.stop().events("offer").isEmpty)
        #expect(try await transfers().contains { $0["status"] as? String == "resumable" })
        _ = try await receiver.stop()
    }

    @Test func listShowsProgressAndTotalOfARunningFolder() async throws {
        let (receiver, address) = try await tool.receive()
        try tool.write("four", to: "folder/note")
        try tool.makeLarge("folder/large")
        let sender = try tool.start(["send", "folder", "--to", address, "--json"] + Self.slowly)
        var shown: [String: Any] = [:]
        let deadline = ContinuousClock.now + .seconds(120)
        // The total is known after the folder was walked.
        while shown["bytes"] as? Int ?? 0 == 0 || shown["total"] as? Int == nil, .now < deadline {
            try await Task.sleep(for: .milliseconds(50))
            shown = try await transfers().first ?? [:]
        }
        #expect(shown["status"] as? String == "running", "\(shown)")
        #expect(shown["bytes"] as? Int ?? 0 > 0, "\(shown)")
        #expect(shown["total"] as? Int == (32 << 20) + 4, "\(shown)")
        _ = try await sender.stop()
        _ = try await receiver.stop()
    }

    @Test func deadSessionIsReplacedByTheNextOfItsSender() async throws {
        let (receiver, address) = try await tool.receive()
        try tool.makeLarge("large")
        let frozen = try tool.start(["send", "large", "--to", address, "--json"] + Self.slowly)
        try await frozen.waitToSay("\"progress\"")
        try await Task.sleep(for: .seconds(2))
        frozen.freeze()
        try await Task.sleep(for: .seconds(2))
        let sent = try await tool.run(["send", "large", "--to", address, "--json", "--retry", "0"])
        #expect(sent.code == 0, "\(sent)")
        #expect((sent.events("settled").first?["keptBytes"] as? Int ?? 0) > 0, "\(sent)")
        frozen.kill()
        _ = try await frozen.finish()
        #expect(try tool.names(in: "inbox") == ["large"])
        _ = try await receiver.stop()
    }

    @Test func cancelledSendingStopsAndLeavesNothing() async throws {
        let (receiver, address) = try await tool.receive()
        try tool.makeLarge("large")
        let sender = try tool.start(["send", "large", "--to", address, "--json"] + Self.slowly)
        try await sender.waitToSay("\"progress\"")
        let deadline = ContinuousClock.now + .seconds(120)
        while try await transfers().isEmpty, .now < deadline { try await Task.sleep(for: .milliseconds(50)) }
        let id = try #require(try await transfers().first?["id"] as? String)
        #expect(try await tool.run(["transfers", "cancel", id]).code == 0)
        let ended = try await sender.finish()
        #expect(ended.code == 75, "\(ended)")
        #expect(ended.errors.contains("transfers cancel"))
        #expect(try await tool.run(["resume", id]).code == 69)
        _ = try await receiver.stop()
    }

    @Test func commandRetriesABrokenConnectionAndReportsThat() async throws {
        let (receiver, address) = try await tool.receive(["--yes", "--once"])
        let relay = try Relay(to: UInt16(address.split(separator: ":")[1]) ?? 0, cutting: [1 << 20])
        try Files.write(noise(4 << 20, seed: 3), to: tool.path("a.bin"))
        let sent = try await tool.run(["send", "a.bin", "--to", "127.0.0.1:\(relay.port)", "--json"])
        #expect(sent.code == 0, "\(sent)")
        #expect(sent.events("retrying").count == 1)
        #expect(sent.events("connected").count == 2)
        let received = try await receiver.finish()
        #expect(received.code == 0, "\(received)")
        #expect(received.events("stored").count == 1, "--once waits for the rest")
    }

    @Test func withRetryZeroABrokenConnectionEndsTheCommandAndCanBeResumed() async throws {
        let (receiver, address) = try await tool.receive()
        let relay = try Relay(to: UInt16(address.split(separator: ":")[1]) ?? 0, cutting: [1 << 20])
        try Files.write(noise(16 << 20, seed: 4), to: tool.path("a.bin"))
        let sent = try await tool.run(["send", "a.bin", "--to", "127.0.0.1:\(relay.port)", "--retry", "0"])
        #expect(sent.code == 75, "\(sent)")
        #expect(sent.output.contains("portolan resume "))
        #expect(try await transfers().contains { $0["status"] as? String == "resumable" })
        let again = try await tool.run(["send", "a.bin", "--to", "127.0.0.1:\(relay.port)", "--retry", "0"])
        #expect(again.code == 0, "\(again)")
        #expect(
            try await !transfers().contains { $0["direction"] as? String == "send" },
            "the same command went on with it")
        _ = try await receiver.stop()
    }

    // MARK: To standard output

    private func receiveOutput(
        _ arguments: [String] = [], launcher: [String] = []
    ) async throws -> (receiver: Tool.Running, address: String) {
        let receiver = try tool.start(
            ["receive", "--yes", "--output", "-", "--discovery", "off", "--interface", "lo", "--json"] + arguments,
            home: "receiver", launcher: launcher)
        try await receiver.waitToSay("\"port\":", on: .errors)
        let port = try #require(receiver.errors.firstMatch(of: /"port":([0-9]+)/)?.1)
        return (receiver, "127.0.0.1:\(port)")
    }

    @Test func onlyOneItemIsWrittenToStandardOutput() async throws {
        let (receiver, address) = try await receiveOutput()
        try tool.write("x", to: "folder/x")
        let declined = try await tool.run(["send", "folder", "--to", address])
        #expect(declined.code == 81, "\(declined)")
        #expect(declined.errors.contains("archive"))
        try tool.write("one", to: "one.txt")
        let sent = try await tool.run(["send", "one.txt", "--text", "two", "--to", address, "--json"])
        #expect(sent.code == 80, "\(sent)")
        #expect(sent.events("settled").map { $0["outcome"] as? String } == ["declined", "stored"])
        let received = try await receiver.finish()
        #expect(received.code == 0, "\(received)")
        #expect(received.output == "one")
        #expect(received.errors.contains("\"event\":\"stored\""))
        #expect(received.errors.contains("\"path\":\"-\""))
    }

    @Test("a sender is told that the output has no reader any more, without a word of an inbox")
    func outputWithoutAReader() async throws {
        let (receiver, address) = try await receiveOutput(
            launcher: ["/bin/sh", "-c", #""$@" | head -c 100 >/dev/null"#, "sh"])
        try tool.makeLarge("large")
        let sent = try await tool.run(["send", "large", "--to", address])
        #expect(sent.code == 74 && !sent.errors.contains("inbox"), "\(sent)")
        #expect(sent.errors.contains("Nobody reads the output any more."), "\(sent)")
        _ = try await receiver.finish()
    }

    @Test func brokenOutputIsAFailure() async throws {
        let (receiver, address) = try await receiveOutput()
        try tool.makeLarge("large")
        let sender = try tool.start(["send", "large", "--to", address, "--json", "--retry", "0"] + Self.slowly)
        try await sender.waitToSay("\"progress\"")
        sender.kill()
        _ = try await sender.finish()
        let received = try await receiver.finish()
        #expect(received.code == 74, "\(received.errors)")
    }
}
