import Foundation
import TestSupport
import Testing

extension OnTwoHosts {
    /// Behaviour and messages of the program while a host on the network advertises false records.
    @Suite("Hostile network") struct HostileNetwork {
        @Test(arguments: HostLink.discoveries)
        func offLinkAddressIsNotDialledAndTheErrorExplainsIt(_ discovery: HostLink.Discovery) async throws {
            try await HostPair.with(discovery) { a, b, _ in
                let stranger = try b.makeSpeaker()
                let speaking = Task {
                    while !Task.isCancelled {
                        try stranger.say(.announcing("far", at: "8.8.8.8"))
                        try await Task.sleep(for: .milliseconds(300))
                    }
                }
                defer { speaking.cancel() }
                let frames = try await a.recordFrames()
                let sent = try await a.send(["--text", "hello"], to: "far")
                expect(sent, endsWith: ExitCode.unreachable)
                #expect(sent.errorText.contains("8.8.8.8:47217") && sent.errorText.contains("host:port"), "\(sent)")
                let listed = try await a.run(a.portolan(["peers"]))
                #expect(!listed.text.contains("8.8.8.8"), "\(listed)")
                let heard = try await frames.stop()
                // No packet is sent there, of TCP or another protocol.
                #expect(!heard.frames.contains { $0.count > 34 && $0[30..<34].elementsEqual([8, 8, 8, 8]) })
            }
        }

        @Test func aRecordWithOurOwnFingerprintIsNoReasonForANewKey() async throws {
            try await HostPair.with(.none) { a, b, _ in
                let own = try await a.fingerprint()
                let stranger = try b.makeSpeaker()
                let text = [Array("txtvers=1".utf8), Array("v=1".utf8), Array("id=".utf8) + base32(own)]
                let speaking = Task {
                    while !Task.isCancelled {
                        try stranger.say(.announcing("copy", at: "10.77.0.50", text: text))
                        try await Task.sleep(for: .milliseconds(300))
                    }
                }
                defer { speaking.cancel() }
                var said = ""
                try await eventually("the sighting is told") {
                    said = try await a.run(a.portolan(["peers"])).errorText
                    return said.contains(own)
                }
                #expect(
                    said.contains("proves nothing") && said.contains("If you copied no disk, keep your key"), "\(said)")
            }
        }

        @Test(.disabled(if: HostLink.obstacleToDaemons != nil, HostLink.commentOnDaemons))
        func peerIsReachedByNameInAFloodAndAMissingOneIsNotCalledSilent() async throws {
            try await HostPair.with(.daemon) { a, b, _ in
                let stranger = try b.makeSpeaker()
                let names = (0..<5000).map { "hostile \($0)" }
                let flooding = Task {
                    while !Task.isCancelled {
                        try await stranger.flood(names) { try await Task.sleep(for: .milliseconds(2)) }
                    }
                }
                defer { flooding.cancel() }
                var said = ""
                try await eventually("the flood is told") {
                    said = try await a.run(a.portolan(["peers"])).errorText
                    return said.contains("flooded")
                }
                let absent = try await a.send(["--text", "hello"], to: "nobody")
                expect(absent, endsWith: ExitCode.unreachable)
                #expect(absent.errorText.contains("flooded") && !absent.errorText.contains("Nobody else"), "\(absent)")

                _ = try await b.receive(into: b.files + "/inbox")
                var sent = try await a.send(["--text", "hello"], to: "ben")
                // A machine that is busy with the flood may take longer than one search.
                for _ in 0..<5 where sent.code != ExitCode.done {
                    sent = try await a.send(["--text", "hello"], to: "ben")
                }
                expect(sent, endsWith: ExitCode.done)
            }
        }
    }
}

/// The bytes of a fingerprint as people read it.
private func base32(_ text: String) -> [UInt8] {
    let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)
    var bits = 0
    var count = 0
    var bytes: [UInt8] = []
    for character in text.utf8 where character != UInt8(ascii: "-") {
        guard let value = alphabet.firstIndex(of: character) else { continue }
        bits = bits << 5 | value
        count += 5
        if count >= 8 {
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> count))
            bits &= (1 << count) - 1
        }
    }
    return bytes
}
