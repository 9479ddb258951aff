import Foundation
import TestSupport
import Testing

extension OnTwoHosts {
    /// Presence and absence of peers.
    @Suite("Finding") struct Finding {
        @Test(arguments: HostLink.discoveries)
        func peersListsTheOtherHostWithItsFingerprintAndAddress(_ discovery: HostLink.Discovery)
            async throws
        {
            try await HostPair.with(discovery) { a, b, _ in
                _ = try await b.receive(into: b.files + "/inbox")
                let fingerprint = try await b.fingerprint()

                var ben: [String: Any] = [:]
                try await eventually("ben is listed") {
                    ben = try await a.peers().first { $0["name"] as? String == "ben" } ?? [:]
                    return !ben.isEmpty
                }
                #expect(ben["fingerprint"] as? String == fingerprint)
                #expect("\(ben)".contains(b.address))

                try await eventually("people are told, too") {
                    let peers = try await a.run(a.portolan(["peers", "-v"]))
                    return peers.text.contains("ben") && peers.text.contains(b.address)
                }
            }
        }

        @Test(arguments: HostLink.discoveries)
        func leavingPeerDisappearsFromTheWatch(_ discovery: HostLink.Discovery) async throws {
            try await HostPair.with(discovery) { a, b, _ in
                let watcher = try await a.start(a.portolan(["peers", "--watch", "--json"]))
                let receiver = try await b.receive(into: b.files + "/inbox")
                try await watcher.waitToSay("ben appearing") { events(of: "ben", in: $0).count > 0 }
                try await receiver.stop()
                try await watcher.waitToSay("ben leaving") { said in
                    events(of: "ben", in: said).contains { leaving.contains($0) }
                }
                try await watcher.stop(SIGINT)
            }
        }

        @Test(.disabled(if: HostLink.obstacleToDaemons != nil, HostLink.commentOnDaemons), arguments: [true, false])
        func aReceiverIsFoundAgainAfterItsMDNSDaemonRestarted(politely: Bool) async throws {
            try await HostPair.with(.daemon) { a, b, _ in
                let receiver = try await b.receive(into: b.files + "/inbox")
                expect(try await a.send(["--text", "before"], to: "ben"), endsWith: ExitCode.done)
                try await b.stopDaemon(politely: politely)
                try await Task.sleep(for: .milliseconds(300))
                try await b.startDaemon()
                // A browser that saw none of these changes: only a new announcement can help it.
                try await a.stopDaemon()
                try await a.startDaemon()
                expect(try await a.send(["--text", "after"], to: "ben"), endsWith: ExitCode.done)
                #expect(receiver.isRunning)
            }
        }

        @Test(.disabled(if: HostLink.obstacleToDaemons != nil, HostLink.commentOnDaemons))
        func bothSidesLiveThroughARestartOfTheBus() async throws {
            try await HostPair.with(.daemon) { a, b, _ in
                let receiver = try await b.receive(into: b.files + "/inbox")
                let watcher = try await a.start(a.portolan(["peers", "--watch", "--json"]))
                try await watcher.waitToSay("ben appearing") { events(of: "ben", in: $0).count > 0 }
                for host in [a, b] {
                    try await host.stopBus()
                    try await host.stopDaemon()
                    try await host.startDaemon()
                }
                expect(try await a.send(["--text", "after"], to: "ben"), endsWith: ExitCode.done)
                #expect(receiver.isRunning && watcher.isRunning)
                // The watcher still sees changes, too.
                try await receiver.stop()
                try await watcher.waitToSay("ben leaving") { said in
                    events(of: "ben", in: said).last.map { leaving.contains($0) } ?? false
                }
            }
        }

        @Test func anAmbiguousNameIsRefusedWithTheCandidates() async throws {
            try await HostPair.with(.none) { a, b, _ in
                // On one network a second "ben" would be renamed; this one is on another, the loopback.
                _ = try await b.receive(into: b.files + "/inbox")
                _ = try await a.receive(
                    into: a.files + "/inbox",
                    ["--yes", "--name", "ben", "--home", a.directory + "/other", "--interface", "lo"])
                // A record that was multicast a moment ago is not multicast again for a second (RFC 6762 §6), and a
                // responder that starts announces itself several times.
                try await Task.sleep(for: .seconds(5))
                let everywhere = ["--interface", "lo", "--interface", TestHost.interface]
                let fingerprints = [
                    try await b.fingerprint(), try await a.fingerprint(["--home", a.directory + "/other"]),
                ]
                var sending = try await a.send(["--text", "to whom?"] + everywhere, to: "ben")
                // The test does not wait long for a second record; on a busy machine it may arrive too late.
                for _ in 0..<5 where sending.code == ExitCode.done {
                    expect(try await a.run(a.portolan(["peers", "--forget", "ben"])), endsWith: ExitCode.done)
                    for inbox in [a.files + "/inbox", b.files + "/inbox"] {
                        for name in try Files.visibleNames(in: inbox) { try Files.remove("\(inbox)/\(name)") }
                    }
                    sending = try await a.send(["--text", "to whom?"] + everywhere, to: "ben")
                }
                expect(sending, endsWith: ExitCode.usage, ExitCode.unreachable)
                for fingerprint in fingerprints { #expect(sending.errorText.contains(fingerprint), "\(sending)") }

                let exact = try await a.send(["--text", "to you"] + everywhere, to: String(fingerprints[0].prefix(14)))
                expect(exact, endsWith: ExitCode.done)
                #expect(try Files.visibleNames(in: a.files + "/inbox").isEmpty)
                #expect(try Files.visibleNames(in: b.files + "/inbox").count == 1)
            }
        }

        @Test(arguments: HostLink.discoveries)
        func theSecondOfANameIsRenamedAndBothCanBeReachedByTheirKeys(_ discovery: HostLink.Discovery) async throws {
            try await HostPair.with(discovery) { a, b, _ in
                let homes = ["one", "two"].map { "\(b.directory)/\($0)" }
                _ = try await b.receive(into: b.files + "/one", ["--yes", "--name", "ben", "--home", homes[0]])
                _ = try await b.receive(
                    into: b.files + "/two", ["--yes", "--name", "ben", "--home", homes[1], "--port", "47300"],
                    port: 47300)
                let fingerprints = [
                    try await b.fingerprint(["--home", homes[0]]), try await b.fingerprint(["--home", homes[1]]),
                ]
                var names: [String] = []
                try await eventually("ada sees both") {
                    let peers = jsonObjects(try await a.run(a.portolan(["peers", "--json"])).text)
                    names = fingerprints.compactMap { fingerprint in
                        peers.first { $0["fingerprint"] as? String == fingerprint }?["name"] as? String
                    }
                    return names.count == 2
                }
                // On a busy machine both may ask for the name at once, and both be renamed.
                #expect(Set(names).count == 2 && names.allSatisfy { $0.hasPrefix("ben") }, "\(names)")
                for fingerprint in fingerprints {
                    expect(try await a.send(["--text", "by key"], to: fingerprint), endsWith: ExitCode.done)
                }
                #expect(try Files.visibleNames(in: b.files + "/one").count == 1)
                #expect(try Files.visibleNames(in: b.files + "/two").count == 1)
            }
        }
    }
}

/// Returns the events of `peers --watch --json` about a peer, in order.
private func events(of name: String, in text: String) -> [String] {
    jsonObjects(text).filter { "\($0)".contains(name) }.compactMap { $0["event"] as? String }
}

private let leaving: Set = ["peer-gone"]
