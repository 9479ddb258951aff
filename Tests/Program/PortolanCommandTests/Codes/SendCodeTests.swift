import PortolanCrypto
import Testing

@testable import PortolanCommand

/// Sending to the device that enters a code: only on the loopback interface.
@Suite(.serialized) struct SendCodeTests {
    let tool: Tool

    init() throws { tool = try Tool() }

    private let near = ["--discovery", "embedded", "--interface", "lo"]

    private func offer(_ arguments: [String]) async throws -> (sender: Tool.Running, code: String) {
        let sender = try tool.start(["send", "--json"] + arguments + near, home: "ada")
        try await sender.waitToSay("\"awaiting\"")
        let code = try #require(sender.output.firstMatch(of: /"code":"([^"]+)"/)?.1)
        return (sender, String(code))
    }

    @Test func deviceThatEntersTheCodeGetsTheFileWithoutBecomingAContact() async throws {
        try tool.write("words", to: "a.txt")
        let (sender, code) = try await offer(["a.txt"])
        let received = try await tool.run(["receive", code, "--into", "inbox", "--json"] + near, home: "ben")
        #expect(received.code == 0, "\(received)")
        let sent = try await sender.finish()
        #expect(sent.code == 0, "\(sent)")
        #expect(try tool.names(in: "inbox") == ["a.txt"] && tool.read("inbox/a.txt") == "words")
        for home in ["ada", "ben"] {
            #expect(try await tool.run(["contacts", "--quiet"], home: home).output.isEmpty)
        }
    }

    @Test func wrongCodeGetsNothingAndEndsTheCode() async throws {
        try tool.write("words", to: "a.txt")
        let (sender, code) = try await offer(["a.txt"])
        let parts = code.split(separator: "-")
        let other = parts[1] == parts[2] ? "walnut-harbor" : "\(parts[2])-\(parts[1])"
        let received = try await tool.run(
            ["receive", "\(parts[0])-\(other)", "--into", "inbox"] + near, home: "ben")
        #expect(received.code == 77, "\(received)")
        let sent = try await sender.finish()
        #expect(sent.code == 77, "\(sent)")
        #expect((try? tool.names(in: "inbox"))?.isEmpty ?? true)
    }

    @Test("a code without discovery is refused at once, since the other side could not be found")
    func withoutDiscovery() async throws {
        try tool.write("words", to: "a.txt")
        for arguments in [["receive", "7-walnut-harbor"], ["receive", "7-walnut-harbor", "--at", "127.0.0.1:9"]] {
            let off = try await tool.run(arguments + ["--discovery", "off"])
            #expect(off.code == 69 && off.errors.contains("Discovery is off"), "\(off)")
            #expect(off.errors.contains("--to HOST:PORT"), "\(off)")
            let hidden = try await tool.run(arguments + ["--discoverable", "nobody"] + near)
            #expect(hidden.code == 69 && hidden.errors.contains("--discoverable everyone"), "\(hidden)")
        }
        let sent = try await tool.run(["send", "a.txt", "--discovery", "off"])
        #expect(sent.code == 69 && sent.output.isEmpty && sent.errors.contains("portolan receive"), "\(sent)")
    }

    @Test("a code that no device shows is not looked for without end")
    func nobodyShows() async throws {
        let none = try await tool.run(["receive", "7-walnut-harbor", "--wait", "10s"] + near)
        #expect(none.code == 69 && none.output.contains("for 10s at most"), "\(none)")
        let words = none.errors.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
        #expect(words.contains("'portolan send FILE' shows a code there"), "\(none)")
        #expect(words.contains("Firewalls have to let in mDNS: UDP port 5353."), "\(none)")
    }

    @Test("a device that shows a code and offers nothing is not waited for without end")
    func endsWithoutAnOffer() async throws {
        let other = try tool.start(["pair", "--json"] + near, home: "ada")
        try await other.waitToSay("\"awaiting\"")
        let code = try #require(other.output.firstMatch(of: /"code":"([^"]+)"/)?.1)
        let received = try await tool.run(
            ["receive", String(code), "--into", "inbox", "--wait", "10s"] + near, home: "ben")
        #expect(received.code == 69 && received.errors.contains("has offered nothing for 10s"), "\(received)")
        #expect(try await other.finish().code == 0)
    }

    @Test("a device that shows a code and offers nothing is not waited for without end for standard output either")
    func outputEndsWithoutAnOffer() async throws {
        let other = try tool.start(["pair", "--json"] + near, home: "ada")
        try await other.waitToSay("\"awaiting\"")
        let code = try #require(other.output.firstMatch(of: /"code":"([^"]+)"/)?.1)
        let received = try await tool.run(
            ["receive", String(code), "--output", "-", "--wait", "10s"] + near, home: "ben")
        #expect(received.code == 69 && received.errors.contains("has offered nothing for 10s"), "\(received)")
        _ = try await other.finish()
    }

    @Test("an offer of which nothing can be taken is not the end of waiting, and the waiting has an end")
    func endsIfNothingIsAccepted() async throws {
        try tool.write("words", to: "a.txt")
        let (sender, code) = try await offer(["a.txt"])
        let received = try await tool.run(
            ["receive", code, "--accept", "public.png", "--into", "inbox", "--wait", "10s"] + near, home: "ben")
        #expect(received.code == 69 && received.errors.contains("for 10s"), "\(received)")
        #expect(try await sender.finish().code == 81)
    }

    @Test("a sender that ends while its offer is looked at is not waited for without end")
    func senderEndsAfterItsOffer() async throws {
        try tool.makeLarge("a.bin")
        let (sender, code) = try await offer(["a.bin", "--limit-rate", "1M"])
        let receiver = try tool.start(
            ["receive", code, "--into", "inbox", "--wait", "10s", "--json"] + near, home: "ben")
        try await receiver.waitToSay("\"started\"")
        _ = try await sender.stop()
        let received = try await receiver.finish()
        #expect(received.code == 69 && received.errors.contains("nothing more has come for 10s"), "\(received)")
        #expect(received.events("stored").isEmpty && received.events("offer").count == 1, "\(received)")
    }

    @Test("an option of codes is refused beside another target")
    func arguments() async throws {
        try tool.write("words", to: "a.txt")
        for arguments in [
            ["send", "a.txt", "--queue"], ["send", "a.txt", "ben"],
            ["send", "--text", "x", "ben"], ["send", "a.txt", "--to", ""],
            ["send", "a.txt", "--to", "b", "--valid", "1m"],
            ["send", "a.txt", "--qr", "--json"],
            ["receive", "--at", "127.0.0.1:9"], ["receive", "7-walnut-harbor", "--from", "ada"],
            ["receive", "7-walnut-harbor", "--share", "a.txt"], ["receive", "walnut"],
        ] {
            let outcome = try await tool.run(arguments)
            #expect(outcome.code == 64, "\(arguments): \(outcome)")
        }
    }
}
