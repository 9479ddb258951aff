import Foundation
import TestSupport
import Testing

/// More items than one offer has, by the built program.
@Suite(.serialized) struct ManyItemsTests {
    let tool: Tool
    private let names = (1...1030).map { "\(10_000 + $0).bin" }

    init() throws {
        tool = try Tool()
        for (number, name) in names.enumerated() {
            try Files.write(noise(300, seed: UInt64(number)), to: tool.path(name))
        }
    }

    private func received() throws -> [String] { try tool.names(in: "inbox").filter { !$0.hasPrefix(".") } }

    @Test("more items than one offer has go by several, with one summary, and count as one offer for '--once'")
    func severalOffers() async throws {
        let (receiver, address) = try await tool.receive(["--yes", "--once"])
        let sent = try await tool.run(["send"] + names + ["--to", address])
        #expect(sent.code == 0, "\(sent)")
        let summaries = sent.output.split(separator: "\n").filter { $0.contains("stored at") }
        #expect(summaries.count == 1 && summaries[0].contains("1,030 items are stored"), "\(sent)")
        #expect(try await receiver.finish().code == 0)
        #expect(try received() == names)
    }

    @Test("an interrupted sending of many items goes on with 'resume', and no item comes twice")
    func resumed() async throws {
        let (receiver, address) = try await tool.receive()
        let relay = try Relay(to: UInt16(address.split(separator: ":")[1]) ?? 0, cutting: [250_000])
        let sent = try await tool.run(["send"] + names + ["--to", "127.0.0.1:\(relay.port)", "--retry", "0"])
        #expect(sent.code == 74 || sent.code == 75, "\(sent)")
        #expect(try received().count < names.count)
        let resumed = try await tool.run(["resume"])
        #expect(resumed.code == 0, "\(resumed)")
        #expect(try received() == names)
        _ = try await receiver.stop()
    }
}
