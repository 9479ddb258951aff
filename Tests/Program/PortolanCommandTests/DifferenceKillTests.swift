import Foundation
import Glibc
import TestSupport
import Testing

@testable import PortolanCommand

/// Receivers that are killed while a changed file is received as a difference.
@Suite(.serialized) struct DifferenceKillTests {
    let tool: Tool

    init() throws { tool = try Tool() }

    private func content() throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: tool.path("inbox/folder/large")))
    }

    @Test func killedUpdateLeavesTheOldVersionAndTheNextTransferCompletesIt() async throws {
        try tool.write("four", to: "folder/note")
        try tool.makeLarge("folder/large")
        let source = URL(fileURLWithPath: tool.path("folder/large"))
        let old = try Data(contentsOf: source)
        let (first, address) = try await tool.receive()
        let sent = try await tool.run(["send", "folder", "--to", address])
        #expect(sent.code == 0, "\(sent)")

        // Half of it is new, and some bytes are inserted before, so that parts are copied to other places.
        var new = old
        new.replaceSubrange((16 << 20)..., with: noise(16 << 20, seed: 2))
        new.insert(contentsOf: [1, 2, 3], at: 1000)
        try new.write(to: source)
        let sender = try tool.start(["send", "folder", "--to", address, "--json", "--limit-rate", "1M"])
        try await sender.waitToSay("\"progress\"")
        let deadline = ContinuousClock.now + .seconds(120)
        var isUnderWay = false
        while !isUnderWay, .now < deadline {
            try await Task.sleep(for: .milliseconds(50))
            isUnderWay = try tool.names(in: "inbox").contains { $0.hasPrefix(".") }
        }
        #expect(isUnderWay)
        first.kill()
        _ = try await first.finish()
        sender.kill()
        _ = try await sender.finish()
        #expect(try content() == old)

        let (second, other) = try await tool.receive()
        let again = try await tool.run(["send", "folder", "--to", other])
        #expect(again.code == 0, "\(again)")
        #expect(try content() == new)
        #expect(try tool.names(in: "inbox/folder") == ["large", "note"])
        _ = try await second.stop()
    }
}
