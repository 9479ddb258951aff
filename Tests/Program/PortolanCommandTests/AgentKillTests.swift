import Foundation
import TestSupport
import Testing

@testable import PortolanCommand

/// Two agents that are killed at random moments during queued transfers.
///
/// `PORTOLAN_PARCELS` and `PORTOLAN_KILLS` set their numbers for longer runs; `PORTOLAN_SEED=…` sets the seed.
@Suite(.serialized) struct AgentKillTests {
    let tool: Tool

    init() throws { tool = try Tool() }

    private static func count(_ variable: String, otherwise count: Int) -> Int {
        ProcessInfo.processInfo.environment[variable].flatMap { Int($0) } ?? count
    }

    private func start(_ home: String, port: UInt16) async throws -> Tool.Running {
        let agent = try tool.start(
            ["agent", "run", "--discovery", "off", "--interface", "lo", "--port", "\(port)", "--json"], home: home)
        try await agent.waitToSay("\"socket\"")
        return agent
    }

    private func waiting() async throws -> [String] {
        let parcels = try await tool.run(["outbox", "--json"]).events
        return parcels.filter { $0["state"] as? String != "delivered" }.compactMap { $0["id"] as? String }
    }

    @Test("each parcel is stored exactly once, whenever either agent is killed")
    func exactlyOnce() async throws {
        let parcels = Self.count("PORTOLAN_PARCELS", otherwise: 25)
        var kills = Self.count("PORTOLAN_KILLS", otherwise: 5)
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        try tool.write("version: 1\nrules:\n  - from: anyone\n    action: accept\n", to: "receiver/config/policy.yaml")
        let ports = (sender: try Tool.freePort(), receiver: try Tool.freePort())
        var sender = try await start("home", port: ports.sender)
        for number in 0..<parcels {
            // Some are sent by the file channel, others with their offer.
            let text = String(repeating: "content \(number)\n", count: number % 3 == 0 ? 20_000 : 1)
            try tool.write(text, to: "\(number).txt")
            let queued = try await tool.run(
                ["send", "\(number).txt", "--to", "127.0.0.1:\(ports.receiver)", "--queue", "--quiet"])
            try #require(queued.code == 0, "\(queued)\nof the agent: \(sender.errors)")
        }
        var receiver = try await start("receiver", port: ports.receiver)
        let deadline = ContinuousClock.now + .seconds(3600)
        var rest = try await waiting()
        while !rest.isEmpty || kills > 0, .now < deadline {
            // Ends the back-off of the address without a listener.
            if let id = rest.first { _ = try await tool.run(["outbox", "retry", id]) }
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...300, using: &random)))
            if kills > 0 {
                kills -= 1
                if Bool.random(using: &random) {
                    sender.kill()
                    _ = try await sender.finish()
                    sender = try await start("home", port: ports.sender)
                } else {
                    receiver.kill()
                    _ = try await receiver.finish()
                    receiver = try await start("receiver", port: ports.receiver)
                }
            }
            rest = try await waiting()
        }
        #expect(rest.isEmpty, "seed \(seed)")
        let stored = try tool.names(in: "receiver/inbox").filter { !$0.hasPrefix(".") }
        #expect(stored.sorted() == (0..<parcels).map { "\($0).txt" }.sorted(), "seed \(seed)")
        for number in 0..<parcels {
            let isSame = try tool.read("receiver/inbox/\(number).txt") == tool.read("\(number).txt")
            #expect(isSame, "seed \(seed): \(number)")
        }
        let inbox = try await tool.run(["inbox", "--json"], home: "receiver").events
        #expect(inbox.count == parcels, "seed \(seed)")
        #expect(try await sender.stop().code == 0)
        #expect(try await receiver.stop().code == 0)
    }
}
