import Foundation
import Testing

@testable import PortolanCommand

/// `send` to several peers at once.
@Suite(.serialized) struct SeveralTargetsTests {
    let tool: Tool
    private let alone = ["--discovery", "off", "--interface", "lo"]

    init() throws { tool = try Tool() }

    /// Receives in a home of this name, into a folder of this name.
    private func receive(_ home: String, _ arguments: [String] = ["--yes"]) async throws -> (Tool.Running, String) {
        let receiver = try tool.start(
            ["receive", "--into", "inbox-\(home)", "--json"] + alone + arguments, home: home)
        return (receiver, "127.0.0.1:\(try await receiver.port())")
    }

    private func outcomes(_ outcome: Tool.Outcome) -> [[String]] {
        outcome.events("member").map { [$0["member"] as? String ?? "", $0["outcome"] as? String ?? ""] }
    }

    @Test func eachTargetIsSentToOnceAndHasItsOutcome() async throws {
        let (ben, first) = try await receive("ben")
        let (cleo, second) = try await receive("cleo")
        try tool.write("for both", to: "n.txt")
        let sent = try await tool.run(
            ["send", "n.txt", "--to", first, "--to", second, "--to", first, "--json"] + alone, home: "ada")
        #expect(sent.code == 0, "\(sent)")
        #expect(outcomes(sent) == [[first, "delivered"], [second, "delivered"]])
        #expect(Set(sent.events("settled").compactMap { $0["member"] as? String }) == [first, second])
        for (receiver, home) in [(ben, "ben"), (cleo, "cleo")] {
            #expect(try tool.read("inbox-\(home)/n.txt") == "for both")
            let ended = try await receiver.stop()
            #expect(ended.events("stored").count == 1, "\(ended)")
        }
    }

    @Test func theExitStatusIsTheWorst() async throws {
        let (ben, first) = try await receive("ben")
        let (cleo, second) = try await receive("cleo", ["--yes", "--accept", "public.image"])
        let nobody = "127.0.0.1:9"
        let sent = try await tool.run(
            ["send", "--text", "hello", "--to", first, "--to", second, "--to", nobody, "--json"] + alone, home: "ada")
        #expect(sent.code == 81, "\(sent)")
        #expect(
            outcomes(sent) == [[first, "delivered"], [second, "nothing-in-common"], [nobody, "unreachable"]])
        #expect(sent.events("result").last?["code"] as? Int == 81)
        let told = try await tool.run(["send", "--text", "hello", "--to", first, "--to", nobody] + alone, home: "ada")
        #expect(told.code == 69, "\(told)")
        #expect(told.output.contains("Delivered to 1 of 2 peers"))
        #expect(told.errors.contains("“\(nobody)”"))
        _ = try await ben.stop()
        _ = try await cleo.stop()
    }

    @Test func standardInputReachesAllTargets() async throws {
        let (ben, first) = try await receive("ben")
        let (cleo, second) = try await receive("cleo")
        let sent = try await tool.run(
            ["send", "-", "--to", first, "--to", second] + alone, home: "ada", input: "once")
        #expect(sent.code == 0, "\(sent)")
        for home in ["ben", "cleo"] { #expect(try tool.read("inbox-\(home)/input") == "once") }
        _ = try await ben.stop()
        _ = try await cleo.stop()
    }
}
