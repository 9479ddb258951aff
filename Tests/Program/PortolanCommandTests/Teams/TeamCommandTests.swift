import Foundation
import PortolanCrypto
import Testing

@testable import PortolanCommand

/// Contacts and teams of two devices on this machine, by address and on the loopback interface only.
@Suite(.serialized) struct TeamCommandTests {
    let tool: Tool

    init() throws { tool = try Tool() }

    private let alone = ["--discovery", "off", "--interface", "lo"]

    /// Starts the side that shows a code, and enters the code on the other.
    private func meet(
        _ waiting: [String], _ entering: [String], home: String = "ben"
    ) async throws -> (waiting: Tool.Outcome, entering: Tool.Outcome) {
        let shows = try tool.start(waiting + ["--json"] + alone, home: "ada")
        try await shows.waitToSay("\"awaiting\"")
        let code = try #require(shows.output.firstMatch(of: /"code":"([^"]+)"/)?.1)
        let port = try await shows.port()
        let entered = try await tool.run(
            entering + ["-", "--at", "127.0.0.1:\(port)", "--json"] + alone, home: home, input: "\(code)\n")
        return (try await shows.finish(), entered)
    }

    private func run(_ arguments: [String], home: String = "ada") async throws -> Tool.Outcome {
        let outcome = try await tool.run(arguments + ["--json"], home: home)
        #expect(outcome.code == 0, "\(arguments): \(outcome)")
        return outcome
    }

    private func name(_ home: String) async throws { _ = try await run(["id", "--name", home], home: home) }

    @Test func pairingMakesBothContacts() async throws {
        for home in ["ada", "ben"] { try await name(home) }
        let (shows, entered) = try await meet(["pair"], ["pair"])
        #expect(shows.code == 0, "\(shows)")
        #expect(entered.code == 0, "\(entered)")
        #expect(shows.events("paired").first?["name"] as? String == "ben")
        #expect(entered.events("paired").first?["name"] as? String == "ada")
        let fingerprint = try await run(["id"], home: "ben").events("id").first?["fingerprint"] as? String
        let contact = try #require(try await run(["contacts"]).events("contact").first)
        #expect(contact["fingerprint"] as? String == fingerprint)

        _ = try await run(["contacts", "rename", "ben", "Ben’s box"])
        let renamed = try #require(try await run(["contacts", "list"]).events("contact").first)
        #expect(renamed["name"] as? String == "Ben’s box")
        #expect(renamed["announcedName"] as? String == "ben")
        let forgotten = try await run(["contacts", "forget", "Ben’s box"])
        #expect(forgotten.events("contact-forgotten").first?["fingerprint"] as? String == fingerprint)
        #expect(try await run(["contacts"]).output.isEmpty)
    }

    @Test func wrongCodeEndsTheCodeOnBothSides() async throws {
        let shows = try tool.start(["pair", "--json"] + alone, home: "ada")
        try await shows.waitToSay("\"awaiting\"")
        let code = try PairingCode(String(try #require(shows.output.firstMatch(of: /"code":"([^"]+)"/)?.1)))
        let port = try await shows.port()
        let wrong = code.text.hasSuffix("acorn") ? "\(code.number)-zebra-zebra" : "\(code.number)-acorn-acorn"
        let entered = try await tool.run(
            ["pair", wrong, "--at", "127.0.0.1:\(port)"] + alone, home: "ben")
        #expect(entered.code == 77, "\(entered)")
        let ended = try await shows.finish()
        #expect(ended.code == 77, "\(ended)")
        #expect(try await run(["contacts"]).output.isEmpty)
        #expect(try await run(["contacts"], home: "ben").output.isEmpty)
    }

    @Test func aTeamIsMadeJoinedChangedAndLeft() async throws {
        for home in ["ada", "ben"] { try await name(home) }
        let made = try await run(["team", "create", "acme"])
        #expect(made.events("team").first?["admin"] as? Bool == true)
        let (shows, entered) = try await meet(
            ["team", "invite", "--group", "design"], ["team", "join", "--name", "Ben’s box"])
        #expect(shows.code == 0, "\(shows)")
        #expect(entered.code == 0, "\(entered)")
        #expect(shows.events("code").first?["team"] as? String == "acme")
        #expect((shows.events("joined").first?["member"] as? [String: Any])?["name"] as? String == "Ben’s box")
        #expect(entered.events("team").first?["groups"] as? [String] == ["design"])

        let shown = try #require(try await run(["team", "show"]).events("team").first)
        let members = try #require(shown["members"] as? [[String: Any]])
        #expect(members.map { $0["name"] as? String } == ["ada", "Ben’s box"])
        #expect(members.map { $0["own"] as? Bool } == [true, false])

        // An admin's device alone may change it.
        for change in [
            ["team", "remove", "ada"], ["team", "promote", "Ben’s box"], ["team", "invite"], ["team", "renew"],
        ] {
            let refused = try await tool.run(change + alone, home: "ben")
            #expect(refused.code == 77, "\(change): \(refused)")
            #expect(refused.output.isEmpty)
        }
        #expect(try await tool.run(["team", "remove", "nobody"] + alone, home: "ada").code == 69)

        let moved = try await run(["team", "group", "remove", "design", "Ben’s box"] + alone)
        #expect(moved.events("team-changed").first?["notReached"] as? [String] == ["Ben’s box"])
        let removed = try await run(["team", "remove", "Ben’s box"] + alone)
        #expect(removed.events("team-changed").first?["change"] as? String == "remove")
        #expect(removed.events("team-changed").first?["epoch"] as? Int == 4)
        // No member could be told: the device is out nevertheless, and an admin has to remove it.
        let left = try await tool.run(["team", "leave", "--json"] + alone, home: "ben")
        #expect(left.code == 69, "\(left)")
        #expect(left.events("team-left").first?["notReached"] as? [String] == ["ada"])
        #expect(try await run(["team"], home: "ben").output.isEmpty)
    }

    @Test func aMemberThatLeavesTellsOneAndTheOthersHearItFromThatOne() async throws {
        let near = ["--discovery", "embedded", "--interface", "lo"]
        for home in ["ada", "ben", "cleo"] { try await name(home) }
        _ = try await run(["team", "create", "acme"])
        for home in ["ben", "cleo"] {
            let (shows, entered) = try await meet(["team", "invite"], ["team", "join"], home: home)
            #expect(shows.code == 0, "\(shows)")
            #expect(entered.code == 0, "\(entered)")
        }
        func members(_ home: String) async throws -> [String] {
            let shown = try #require(try await run(["team", "show"], home: home).events("team").first)
            return try #require(shown["members"] as? [[String: Any]]).compactMap { $0["name"] as? String }
        }
        let receiver = try tool.start(
            ["receive", "--into", "inbox", "--yes", "--json"] + near, home: "ben")
        _ = try await receiver.port()
        // ben, who joined before cleo, hears of her leaving, and tells the admin, whose device signs it.
        let left = try await tool.run(["team", "leave", "--json"] + near, home: "cleo")
        let event = try #require(left.events("team-left").first)
        #expect(left.code == 0, "\(left)")
        #expect(event["told"] as? [String] == ["ben"])
        #expect(event["notReached"] as? [String] == ["ada"])
        #expect(try await run(["team"], home: "cleo").output.isEmpty)
        #expect(try await members("ben") == ["ada", "ben"])
        #expect(try await members("ada") == ["ada", "ben", "cleo"])
        // A device is not always found at the first search beside many others.
        for _ in 0..<5 where try await members("ada").count == 3 {
            _ = try await tool.run(["team", "renew"] + near, home: "ada")
        }
        #expect(try await members("ada") == ["ada", "ben"])
        _ = try await receiver.stop()
    }

    @Test func aTeamIsSentToByItsNameAndTakesFromItsMembersAlone() async throws {
        let near = ["--discovery", "embedded", "--interface", "lo"]
        for home in ["ada", "ben", "cleo"] { try await name(home) }
        _ = try await run(["team", "create", "acme"])
        for home in ["ben", "cleo"] {
            let (shows, entered) = try await meet(["team", "invite"], ["team", "join"], home: home)
            #expect(shows.code == 0, "\(shows)")
            #expect(entered.code == 0, "\(entered)")
        }
        let receiver = try tool.start(
            ["receive", "--into", "inbox", "--from", "@acme", "--discoverable", "team", "--json"] + near, home: "ben")
        let port = try await receiver.port()

        // Ben receives and cleo does not; each reached member has all items.
        try tool.write("for the team", to: "n.html")
        func send(_ words: [String]) async throws -> Tool.Outcome {
            let sending = ["send"] + words + ["--to", "@acme", "--retry", "0", "--json"] + near
            var sent = try await tool.run(sending, home: "ada")
            // On a busy machine the search may end before ben was found.
            let deadline = ContinuousClock.now + .seconds(300)
            while sent.code == 69, .now < deadline { sent = try await tool.run(sending, home: "ada") }
            return sent
        }
        let sent = try await send(["n.html"])
        let ends = sent.events("member")
        #expect(ends.map { $0["member"] as? String } == ["ben", "cleo"])
        #expect(ends.map { $0["outcome"] as? String } == ["delivered", "unreachable"], "\(sent)")
        #expect(sent.code == 0, "\(sent)")
        #expect(sent.events("settled").first?["member"] as? String == "ben")
        #expect(try tool.read("inbox/n.html") == "for the team")

        // Items for the team are passed on to nobody else, but for those that were sent without its mark.
        try tool.write("for anybody", to: "o.html")
        #expect(try await send(["o.html", "--unmarked"]).code == 0)
        let (outside, address) = try await tool.receive()
        for (name, code) in [("n.html", 77), ("o.html", 0)] as [(String, Int32)] {
            let passed = try await tool.run(["send", "inbox/\(name)", "--to", address] + alone, home: "ben")
            #expect(passed.code == code, "\(name): \(passed)")
        }
        _ = try await outside.stop()

        // A stranger who knows the address.
        let stranger = try await tool.run(
            ["send", "--text", "x", "--to", "127.0.0.1:\(port)"] + alone, home: "stranger")
        #expect(stranger.code != 0, "\(stranger)")
        let ended = try await receiver.stop()
        #expect(ended.code == 0, "\(ended)")
        let visibilities = ended.events("stored").compactMap { $0["visibility"] as? String }
        #expect(visibilities == ["team", "all"], "\(ended)")
        #expect(ended.events("offer").count == 2)

        let nobody = try await tool.run(["send", "n.html", "--to", "@acme", "--json"] + alone, home: "ada")
        #expect(nobody.code == 69, "\(nobody)")
        #expect(nobody.events("member").map { $0["outcome"] as? String } == ["unreachable", "unreachable"])
        let group = try await tool.run(["send", "n.html", "--to", "@acme/design"] + alone, home: "ada")
        #expect(group.code == 69, "\(group)")
    }

    @Test func aMemberWhoIsNotInTheGroupLearnsItsNameAndAStrangerDoesNot() async throws {
        for home in ["ada", "ben", "cleo"] { try await name(home) }
        _ = try await run(["team", "create", "acme"])
        for (home, group) in [("ben", []), ("cleo", ["--group", "design"])] {
            let entered = try await meet(["team", "invite"] + group, ["team", "join"], home: home).entering
            #expect(entered.code == 0, "\(entered)")
        }
        let receiver = try tool.start(
            ["receive", "--into", "inbox", "--from", "@acme/design", "--json"] + alone, home: "ada")
        let port = try await receiver.port()
        for home in ["ben", "stranger", "cleo"] {
            let sent = try await tool.run(
                ["send", "--text", "x", "--to", "127.0.0.1:\(port)"] + alone, home: home)
            #expect((sent.code == 0) == (home == "cleo"), "\(home): \(sent)")
            #expect((sent.output + sent.errors).contains("design") == (home == "ben"), "\(home): \(sent)")
        }
        _ = try await receiver.stop()
    }

    @Test func interruptedInvitationAddsNoMember() async throws {
        _ = try await run(["team", "create", "acme"])
        let shows = try tool.start(["team", "invite", "--quiet", "--uses", "3"] + alone, home: "ada")
        try await shows.waitToSay("\n")
        let ended = try await shows.stop()
        #expect(ended.code == 75, "\(ended)")
        #expect(throws: Never.self) { try PairingCode(ended.output) }
        #expect((try await run(["team", "show"]).events("team").first?["members"] as? [Any])?.count == 1)
    }
}
