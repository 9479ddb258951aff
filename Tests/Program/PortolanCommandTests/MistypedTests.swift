import Foundation
import Glibc
import Testing

/// Command lines that mean something else than they say, and machines without a network, by the built program.
@Suite struct MistypedTests {
    let tool: Tool

    init() throws {
        tool = try Tool()
        try tool.write("x", to: "photo.png")
    }

    @Test("a receiver among the paths is told from a file")
    func receiverAmongPaths() async throws {
        let first = try await tool.run(["send", "h2", "photo.png"])
        #expect(first.code == 66 && first.errors.contains("If it is who is to get it, write '--to h2'."), "\(first)")
        let second = try await tool.run(["send", "photo.png", "--to", "h2", "h3"])
        #expect(second.code == 66 && second.errors.contains("another receiver, write '--to h3', too."), "\(second)")
        let file = try await tool.run(["send", "phoot.png"])
        #expect(file.code == 66 && !file.errors.contains("--to"), "\(file)")
    }

    private static let alone = ["/usr/bin/unshare", "-n"]

    @Test(
        "without a network it is said that no interface is up",
        .enabled(if: geteuid() == 0 && access("/usr/bin/unshare", X_OK) == 0, "a network namespace needs root"))
    func noInterface() async throws {
        let sentence = "no interface of this machine is up with an address"
        let peers = try await tool.run(["peers"], launcher: Self.alone)
        #expect((peers.output + peers.errors).contains(sentence), "\(peers)")
        let receiver = try tool.start(["receive", "--into", "inbox"], launcher: Self.alone)
        try await receiver.waitToSay(sentence.dropFirst(1).description, on: .errors)
        _ = try await receiver.stop()
    }

    @Test("a home whose path is too long for a socket has commands that need no agent, and is found by 'doctor'")
    func longHome() async throws {
        let home = String(repeating: "x", count: 100)
        for command in [["peers", "--no-agent", "--discovery", "off"], ["sync", "check"], ["transfers"]] {
            let ended = try await tool.run(command, home: home)
            #expect(ended.code == 0, "\(command): \(ended)")
        }
        let shared = try tool.start(["share", "photo.png", "--discovery", "off", "--interface", "lo"], home: home)
        try await shared.waitToSay("can be fetched")
        _ = try await shared.stop()
        let doctor = try await tool.run(["doctor"], home: home)
        #expect(doctor.output.contains("none can run for this home"), "\(doctor)")
        let installed = try await tool.run(["agent", "install", "--print"], home: home)
        #expect(installed.code == 64 && installed.errors.contains("103"), "\(installed)")
    }
}
