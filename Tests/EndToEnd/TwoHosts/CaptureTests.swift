import Foundation
import TestSupport
import Testing

extension OnTwoHosts {
    /// Recordings by a stranger on the link. They show that the recorder works: without them, an empty recording would
    /// prove nothing.
    @Suite("Recording") struct Recording {
        @Test(arguments: HostLink.discoveries)
        func anOpenReceiverIsRecordedByAStrangerWithItsNameHostNameAndFingerprint(
            _ discovery: HostLink.Discovery
        ) async throws {
            try await HostLink.with(discovery, names: ["ada", "ben-under-the-stairs", "stranger"]) { hosts, _ in
                let (ada, ben, stranger) = (hosts[0], hosts[1], hosts[2])
                let recording = try await stranger.recordFrames()
                _ = try await ben.receive(into: ben.files + "/inbox", ["--yes", "--name", "Ben's big machine"])
                expect(try await ada.send(["--text", "hello"], to: "Ben's big machine"), endsWith: ExitCode.done)
                let seen = try await recording.stop()

                let traces = try await ben.traces(named: "Ben's big machine")
                #expect(!seen.holding(traces.deviceName).isEmpty)
                #expect(!seen.holding(traces.fingerprint).isEmpty)
                // Without a daemon the program uses a random host name.
                #expect(seen.holding(traces.hostName).isEmpty == (discovery == .none))
                #expect(!traces.found(in: seen).isEmpty)
                // Only proved inside the handshake, which is encrypted.
                #expect(seen.holding(traces.key).isEmpty)
                // Unicast traffic between two other hosts does not reach the stranger.
                #expect(seen.streams.allSatisfy { $0.isEmpty })
            }
        }

        @Test func trafficIsRecordedOnlyAtItsHosts() async throws {
            try await HostLink.with(.none, names: ["ada", "ben", "cleo"]) { hosts, _ in
                // The switch has learned the port of each host.
                for host in hosts { try await expect(host, reaches: hosts) }
                var recordings: [FrameCapture] = []
                for host in hosts { recordings.append(try await host.recordFrames()) }
                let saying = "echo Walnut-Harbor-SAID >/dev/udp/\(hosts[1].address)/4711"
                try await hosts[0].require(["bash", "-c", saying])
                var seen: [CapturedFrames] = []
                for recording in recordings { seen.append(try await recording.stop()) }
                #expect(seen.map { !$0.holding("walnut-HARBOR-said").isEmpty } == [true, true, false])
                #expect(!seen[0].holding(Array("Walnut-Harbor-SAID".utf8)).isEmpty)
                #expect(seen[0].holding(Array("walnut-harbor-said".utf8)).isEmpty, "bytes are compared as they are")
            }
        }

        @Test func recordedStreamIsCompleteAcrossFrames() async throws {
            guard HostLink.missing(["python3"]) == nil else { return print("skipped: there is no python3") }
            try await HostPair.with(.none) { a, b, _ in
                try Files.write(noise(300_000, seed: 1), to: a.files + "/one")
                let recording = try await a.recordFrames()
                let listener = """
                    import socket, sys
                    with socket.create_server(("", 4711)) as server:
                        print("listening", flush=True)
                        connection, _ = server.accept()
                        connection.sendall(b"welcome")
                        while connection.recv(65536): pass
                    """
                let listening = try await b.start(["python3", "-c", listener])
                try await listening.waitToSay("listening")
                // The stranger reads the welcome: closing a socket with unread data discards what it has not sent.
                let saying =
                    "exec 3<>/dev/tcp/\(b.address)/4711; head -c 7 <&3 >/dev/null; cat '\(a.files)/one' >&3; exec 3>&-"
                try await a.require(["bash", "-c", saying])
                _ = try await listening.finish()
                let seen = try await recording.stop()
                #expect(seen.frames.count > 4)
                #expect(seen.streams.filter { !$0.isEmpty }.count == 2)
                #expect(seen.streams.contains(try Files.read(a.files + "/one")))
                #expect(seen.streams.contains(Array("welcome".utf8)))
            }
        }

        @Test func incompleteRecordingFails() async throws {
            try await HostPair.with(.none) { a, b, _ in
                let recording = try await a.recordFrames(limit: 200)
                let saying =
                    "for i in {1..10}; do echo something that makes some bytes >/dev/udp/\(b.address)/4711; done"
                _ = try await a.run(["bash", "-c", saying])
                await #expect(throws: HostsError.self) { try await recording.stop() }
            }
        }
    }
}
