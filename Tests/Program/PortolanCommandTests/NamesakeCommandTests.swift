import Foundation
import Testing

@testable import PortolanCommand

/// Devices of one name, as their users meet them: on the loopback interface only.
@Suite(.serialized) struct NamesakeCommandTests {
    let tool: Tool

    init() throws { tool = try Tool() }

    private let near = ["--discovery", "embedded", "--interface", "lo"]
    private let alone = ["--discovery", "off", "--interface", "lo"]

    private func identity(_ home: String) async throws -> (name: String, fingerprint: String) {
        let id = try #require(try await tool.run(["id", "--json"], home: home).events("id").first)
        return (try #require(id["name"] as? String), try #require(id["fingerprint"] as? String))
    }

    private func send(_ text: String = "x", to peer: String, home: String) async throws -> Tool.Outcome {
        try await tool.run(["send", "--text", text, "--to", peer], home: home)
    }

    @Test func withYesTheSecondOfANameIsDeclinedAndBothSidesLearnTheWaysOut() async throws {
        let (receiver, address) = try await tool.receive()
        for home in ["one", "two"] { _ = try await tool.run(["id", "--name", "debian"], home: home) }
        #expect(try await send(to: address, home: "one").code == 0)
        let refused = try await send(to: address, home: "two")
        #expect(refused.code == 80, "\(refused)")
        for way in ["known here with another key", "portolan id --name NAME", "without --yes", "portolan pair"] {
            #expect(refused.errors.contains(way), "\(refused)")
        }
        #expect(try await send(to: address, home: "one").code == 0)
        // The first of the ways is taken.
        #expect(try await tool.run(["id", "--name", "debian-two"], home: "two").code == 0)
        #expect(try await send(to: address, home: "two").code == 0)
        let ended = try await receiver.stop()
        let keys = (try await identity("one").fingerprint, try await identity("two").fingerprint)
        let declined = try #require(ended.events("declined").first)
        let reason = try #require(declined["reason"] as? String)
        #expect(reason.contains(keys.0) && reason.contains(keys.1) && reason.contains("peers --forget debian"))
        #expect((declined["peer"] as? [String: Any])?["namesakeOf"] as? String == keys.0)
        #expect(ended.errors.contains(keys.0) && ended.errors.contains(keys.1))
        #expect(ended.events("stored").count == 3)
    }

    @Test func withoutATerminalTheReasonIsTheName() async throws {
        let (first, place) = try await tool.receive()
        for home in ["one", "two"] { _ = try await tool.run(["id", "--name", "debian"], home: home) }
        #expect(try await send(to: place, home: "one").code == 0)
        _ = try await first.stop()
        let (second, address) = try await tool.receive([])
        let refused = try await send(to: address, home: "two")
        #expect(refused.code == 80 && refused.errors.contains("portolan id --name"), "\(refused)")
        _ = try await second.stop()
    }

    @Test func nameMeansTheKnownDeviceAndANamesakeIsNamedByItsKey() async throws {
        // The name has the default form, and no other test uses it: its receivers are in sight here, too.
        let name = "ada@namesake-\(UUID().uuidString.prefix(8).lowercased())"
        for home in ["one", "two"] { #expect(try await tool.run(["id", "--name", name], home: home).code == 0) }
        let first = try await identity("one").fingerprint
        let second = try await identity("two").fingerprint
        func receive(_ home: String) throws -> Tool.Running {
            try tool.start(["receive", "--into", "inbox-\(home)", "--yes", "--json"] + near, home: home)
        }
        let one = try receive("one")
        _ = try await one.port()
        // A record that was multicast is not multicast again for a second (RFC 6762 §6); a search or a list may end
        // before.
        func send(_ peer: String, until isDone: (Int32) -> Bool = { $0 != 69 }) async throws -> Tool.Outcome {
            var sent: Tool.Outcome
            var attempts = 0
            repeat {
                sent = try await tool.run(["send", "--text", "x", "--to", peer] + near, home: "ada")
                attempts += 1
            } while !isDone(sent.code) && attempts < 10
            return sent
        }
        var sent = try await send(name)
        #expect(sent.code == 0, "\(sent)")

        let two = try receive("two")
        _ = try await two.port()
        // The other device alone may have been found.
        sent = try await send(name) { $0 == 0 }
        #expect(sent.code == 0, "\(sent)")
        #expect(try tool.names(in: "inbox-one").count == 2)
        _ = try await one.stop()

        let refused = try await send(name)
        #expect(refused.code == 77, "\(refused)")
        let start = String(second.prefix(9))
        for part in [first, second, "--to \(start)", "“\(name) (2)”", "portolan peers --forget"] {
            #expect(refused.errors.contains(part), "\(refused)")
        }
        for other in [start, "\(name) (2)"] {
            sent = try await send(other)
            #expect(sent.code == 0, "\(sent)")
            #expect(sent.output.contains("“\(name) (2)”"))
        }
        sent = try await send(name)
        #expect(sent.code == 77, "\(sent)")
        var localNames: [String?] = []
        for _ in 0..<10 where localNames.isEmpty {
            let peers = try await tool.run(["peers", "--json"] + near, home: "ada").events("peer")
            localNames = peers.filter { $0["fingerprint"] as? String == second }.map { $0["localName"] as? String }
        }
        #expect(localNames == ["\(name) (2)"])
        let ended = try await two.stop()
        #expect(ended.events("stored").count == 2, "\(ended)")
        #expect(ended.events("offer").count == 2)
    }

    @Test func namesakesSendToATeamReceiverAndLearnTheirLocalNames() async throws {
        for home in ["ada", "one", "two"] { _ = try await tool.run(["id", "--name", "debian"], home: home) }
        #expect(try await tool.run(["team", "create", "acme"], home: "ada").code == 0)
        let invitation = try tool.start(["team", "invite", "--uses", "2", "--json"] + alone, home: "ada")
        try await invitation.waitToSay("\"awaiting\"")
        let code = try #require(invitation.output.firstMatch(of: /"code":"([^"]+)"/)?.1)
        let port = try await invitation.port()
        for (home, name) in [("one", "debian (2)"), ("two", "debian (3)")] {
            let joined = try await tool.run(
                ["team", "join", "-", "--at", "127.0.0.1:\(port)"] + alone, home: home, input: "\(code)\n")
            #expect(joined.code == 0, "\(joined)")
            #expect(joined.output.contains("The others know it as “\(name)”"), "\(joined)")
        }
        #expect(try await invitation.finish().code == 0)
        let contacts = try await tool.run(["contacts", "--json"], home: "ada").events("contact")
        #expect(contacts.map { $0["name"] as? String } == ["debian", "debian (2)"])

        // Neither is known to the other member, by this name or another.
        for accepting in [["--from", "@acme"], ["--yes"]] {
            let receiver = try tool.start(
                ["receive", "--into", "inbox", "--json"] + accepting + alone, home: "ada")
            let place = "127.0.0.1:\(try await receiver.port())"
            for home in ["one", "two"] {
                let sent = try await send(to: place, home: home)
                #expect(sent.code == 0, "\(accepting): \(sent)")
            }
            #expect(try await receiver.stop().events("stored").count == 2)
        }
    }
}
