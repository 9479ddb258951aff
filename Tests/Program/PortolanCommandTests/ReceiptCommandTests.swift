import Foundation
import PortolanCrypto
import PortolanProtocol
import Testing

@testable import PortolanCommand

/// Receipts that one agent signs for the other, and the commands that show and check it, by the built program.
@Suite(.serialized) struct ReceiptCommandTests {
    let tool: Tool

    init() throws { tool = try Tool() }

    private func startAgent(_ home: String) async throws -> Tool.Running {
        try tool.write("version: 1\nrules:\n  - from: anyone\n    action: accept\n", to: "\(home)/config/policy.yaml")
        let agent = try tool.start(["agent", "run", "--discovery", "off", "--interface", "lo", "--json"], home: home)
        try await agent.waitToSay("\"socket\"")
        return agent
    }

    private func port(of home: String) async throws -> Int {
        let deadline = ContinuousClock.now + .seconds(120)
        repeat {
            let events = try await tool.run(["events", "--json"], home: home).events
            let listening = events.last { $0["kind"] as? String == "node.listening" }
            if let port = (listening?["body"] as? [String: Any])?["port"] as? Int { return port }
            try await Task.sleep(for: .milliseconds(50))
        } while ContinuousClock.now < deadline
        return try #require(nil, "the agent does not listen")
    }

    @Test("a delivery to an agent is signed for there, shown in the outbox, and can be checked without an agent")
    func delivered() async throws {
        try tool.write(String(repeating: "a", count: 3000), to: "one.txt")
        let receiver = try await startAgent("receiver")
        let sender = try await startAgent("home")
        let address = "127.0.0.1:\(try await port(of: "receiver"))"
        let queued = try await tool.run(["send", "one.txt", "--to", address, "--queue", "--json"])
        let parcel = try #require(queued.events.first?["id"] as? String, "\(queued)")
        let waited = try await tool.run(["wait", "outbox", parcel, "--timeout", "2m"])
        #expect(waited.code == 0, "\(waited)")

        let shown = try await tool.run(["outbox", "show", parcel])
        #expect(shown.output.contains("receipt of “\(address)”, 20"), "\(shown)")
        #expect(shown.output.contains("3,000 bytes: valid"), "\(shown)")
        let settlements = try await tool.run(["outbox", "show", parcel, "--json"]).events.first?["settlements"]
        let settlement = try #require((settlements as? [[String: Any]])?.first)
        #expect(settlement["receiptIsValid"] as? Bool == true, "\(settlement)")
        #expect(try await sender.stop().code == 0)
        #expect(try await receiver.stop().code == 0)

        let receipt = try #require(settlement["receipt"] as? String)
        try tool.write(receipt + "\n", to: "receipt.txt")
        let checked = try await tool.run(["receipt", "check", "receipt.txt", "--json"])
        #expect(checked.code == 0, "\(checked)")
        let facts = try #require(checked.events.first)
        #expect(facts["parcel"] as? String == parcel && facts["isValid"] as? Bool == true, "\(facts)")
        #expect(facts["bytes"] as? Int == 3000 && facts["digest"] == nil, "\(facts)")
        for (home, role) in [("receiver", "receiver"), ("home", "sender")] {
            let id = try await tool.run(["id"], home: home)
            #expect(id.output.contains(try #require(facts[role] as? String)), "\(id) \(facts)")
        }

        var bytes = try #require(Data(base64Encoded: receipt))
        // The lowest byte of the number of bytes.
        bytes[96] ^= 1
        try bytes.write(to: URL(filePath: tool.path("changed")))
        let changed = try await tool.run(["receipt", "check", "changed"])
        #expect(changed.code == 65 && changed.output.contains("not valid"), "\(changed)")
        try tool.write("none", to: "none.txt")
        #expect(try await tool.run(["receipt", "check", "none.txt"]).code == 65)
        #expect(try await tool.run(["receipt", "check", "missing.txt"]).code == 66)
    }

    @Test("a receipt is valid only if both its signature and the agent say so, and a name in it is no text of its own")
    func lines() throws {
        let (ada, ben) = (DeviceKey.generate(), DeviceKey.generate())
        let statement = try ReceiptStatement(
            receiver: ben.publicKey, sender: ada.publicKey, parcel: 1, item: 1, bytes: 3000, entries: 4,
            seconds: ReceiptStatement.latestSecond)
        let bytes = DeliveryReceipt(signing: statement, by: ben).encoded
        let line = ReceiptLine.text(bytes, of: "ben\u{1B}[2J", isValid: true)
        #expect(line.hasSuffix("3,000 bytes, 4 entries: valid") && !line.contains("\u{1B}"), "\(line)")
        #expect(ReceiptLine.text(bytes, of: "ben", isValid: false).hasSuffix(": not valid"))
        let forged = bytes.dropLast() + [0x55]
        #expect(ReceiptLine.text(forged, of: "ben", isValid: true).hasSuffix(": not valid"))
        #expect(ReceiptLine.text([1, 2], of: "ben", isValid: true).hasSuffix(": not valid"))
    }
}
