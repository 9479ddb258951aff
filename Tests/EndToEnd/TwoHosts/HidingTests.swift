import Foundation
import TestSupport
import Testing

extension OnTwoHosts {
    /// A machine that its team finds, while a stranger on the same link learns only that there is a device.
    @Suite("Hiding") struct Hiding {
        /// The names are long enough not to occur by chance in a recording.
        private func withTeam(
            _ discovery: HostLink.Discovery,
            _ body: (_ member: TestHost, _ hidden: TestHost, _ stranger: TestHost) async throws -> Void
        ) async throws {
            let names = ["ada-lovelace", "ben-under-the-stairs", "stranger-at-the-door"]
            try await HostLink.with(discovery, names: names) { hosts, _ in
                try await hosts[0].team("create", "acme-instruments")
                try await hosts[0].invite([hosts[1]])
                // A member of another team is a stranger, too.
                try await hosts[2].team("create", "acme-instruments")
                try await body(hosts[0], hosts[1], hosts[2])
            }
        }

        @Test(arguments: HostLink.discoveries)
        func memberReachesAHiddenMachineAndTheLinkRevealsNothing(
            _ discovery: HostLink.Discovery
        ) async throws {
            try await withTeam(discovery) { member, hidden, stranger in
                let traces = try await hidden.traces(named: hidden.name)
                let others = try await member.traces(named: member.name)
                if discovery == .daemon {
                    // A daemon announces its host unasked for some seconds.
                    for host in [member, hidden] { try await silence(about: host.name, at: hidden) }
                }
                let recording = try await hidden.recordFrames()
                let receiver = try await hidden.receive(
                    into: hidden.files + "/inbox", ["--yes", "--discoverable", "team"])
                try await eventually("the member sees it") {
                    try await member.peers().contains { $0["fingerprint"] as? String == traces.fingerprintText }
                }
                #expect(try await stranger.peers().isEmpty)
                expect(try await member.send(["--text", "hello"], to: hidden.name), endsWith: ExitCode.done)
                #expect(try Files.visibleNames(in: hidden.files + "/inbox").count == 1)
                let unknown = try await stranger.send(["--text", "hello"], to: hidden.name)
                expect(unknown, endsWith: ExitCode.unreachable)
                try await receiver.stop()
                let seen = try await recording.stop()

                // The recording has traffic: the service, and a session.
                #expect(!seen.holding("_portolan").isEmpty)
                #expect(!seen.holding("PORTOLAN\u{1}\u{2}").isEmpty)
                #expect(traces.found(in: seen).isEmpty)
                #expect(others.found(in: seen).isEmpty)
                #expect(seen.holding("acme-instruments").isEmpty)
            }
        }

        @Test func strangerOrReplayGetsNoByteFromAHiddenMachine() async throws {
            try await withTeam(.none) { member, hidden, stranger in
                let recording = try await hidden.recordFrames()
                let receiver = try await hidden.receive(
                    into: hidden.files + "/inbox", ["--yes", "--discoverable", "team"])
                expect(try await member.send(["--text", "hello"], to: hidden.name), endsWith: ExitCode.done)
                let seen = try await recording.stop()
                let opening = Array("PORTOLAN".utf8) + [1, 2, 0, 17]
                let said = try #require(
                    seen.streams.first { $0.starts(with: opening) }, "no session of a team was recorded")
                // Preface, purpose and nonce, and the frame of 32 bytes of a key and a tag.
                let replay = Array(said.prefix(12 + 17 + 2 + 48))
                try #require(replay.count == 79)
                let nonce = Array(replay[13..<29])

                let key = noise(32, seed: 5)
                let openings: [(what: String, bytes: [UInt8])] = [
                    ("nothing at all", []), ("no Portolan", noise(500, seed: 6)),
                    ("another version", Array("PORTOLAN".utf8) + [9, 1, 0, 0]),
                    ("an open handshake", Array("PORTOLAN".utf8) + [1, 1, 0, 0, 0, 32] + key),
                    ("another team's", opening + [1] + noise(16, seed: 7) + [0, 48] + key + noise(16, seed: 8)),
                    ("a guess with its nonce", opening + [1] + nonce + [0, 48] + key + noise(16, seed: 9)),
                    ("a member's first message again", replay),
                ]
                for (what, bytes) in openings {
                    #expect(try await stranger.answer(of: hidden, to: bytes) == [], "\(what)")
                }
                #expect(receiver.isRunning)
                expect(try await member.send(["--text", "still there?"], to: hidden.name), endsWith: ExitCode.done)
                try await receiver.stop()

                // An open receiver does answer such a question, so the missing answer proves something.
                _ = try await hidden.receive(into: hidden.files + "/inbox", ["--yes"])
                #expect(try await !stranger.answer(of: hidden, to: openings[3].bytes).isEmpty)
            }
        }

        @Test(arguments: HostLink.discoveries)
        func undiscoverableMachineIsNotFound(_ discovery: HostLink.Discovery) async throws {
            try await withTeam(discovery) { member, hidden, stranger in
                let recording = try await hidden.recordFrames()
                _ = try await hidden.receive(into: hidden.files + "/inbox", ["--yes", "--discoverable", "nobody"])
                #expect(try await member.peers().isEmpty)
                #expect(try await stranger.peers().isEmpty)
                let traces = try await hidden.traces(named: hidden.name)
                let seen = try await recording.stop()
                #expect(seen.holding(traces.fingerprint).isEmpty && seen.holding(traces.key).isEmpty)
                // Other hosts ask for the service, and no host answers.
                #expect(seen.holding("txtvers=1").isEmpty)
            }
        }

        @Test func discoverabilityComesFromTheCommandLineElseTheFile() async throws {
            try await withTeam(.none) { member, hidden, stranger in
                try await hidden.configure("discoverable: team\ntimeouts: { offer: 100 }\n")
                let first = try await hidden.receive(into: hidden.files + "/inbox")
                try await eventually("the member sees it") { try await !member.peers().isEmpty }
                #expect(try await stranger.peers().isEmpty)
                try await first.stop()
                _ = try await hidden.receive(into: hidden.files + "/inbox", ["--yes", "--discoverable", "everyone"])
                try await eventually("the stranger sees it") { try await !stranger.peers().isEmpty }
            }
        }
    }
}

/// Waits until a host receives no more packets that contain a name.
private func silence(about name: String, at host: TestHost) async throws {
    try await eventually("silence about \(name)") {
        let recording = try await host.recordFrames()
        try await Task.sleep(for: .seconds(5))
        return try await recording.stop().holding(name).isEmpty
    }
}

extension TestHost {
    /// Returns the bytes that a receiver sends to a client that connects, sends `bytes` and waits for the end.
    fileprivate func answer(of other: TestHost, to bytes: [UInt8]) async throws -> [UInt8] {
        // The receiver may hang up before all bytes are sent.
        let talk =
            "exec 3<>/dev/tcp/\(other.address)/\(TestHost.defaultPort) || exit 1; cat >&3; timeout 30 cat <&3; exit 0"
        let talking = try await run(Command(["bash", "-c", talk], input: .bytes(bytes)), within: .seconds(120))
        #expect(talking.code == 0, "\(talking)")
        return talking.output
    }
}
