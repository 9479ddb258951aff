import Foundation
import Testing

@testable import PortolanCommand

/// Files that were received for a team, and all later uses of them by the program.
@Suite(.serialized) struct RestrictedFileTests {
    let tool: Tool

    init() throws { tool = try Tool() }

    private let alone = ["--discovery", "off", "--interface", "lo"]

    private func run(_ arguments: [String], home: String = "ada") async throws -> Tool.Outcome {
        try await tool.run(arguments, home: home)
    }

    /// Ada and ben are in a team, and ben receives for it.
    private func receiveForTeam() async throws -> (receiver: Tool.Running, address: String) {
        for home in ["ada", "ben"] { #expect(try await run(["id", "--name", home], home: home).code == 0) }
        #expect(try await run(["team", "create", "acme"]).code == 0)
        let shows = try tool.start(["team", "invite", "--json"] + alone, home: "ada")
        try await shows.waitToSay("\"awaiting\"")
        let code = try #require(shows.output.firstMatch(of: /"code":"([^"]+)"/)?.1)
        let invitingPort = try await shows.port()
        let entered = try await tool.run(
            ["team", "join", "-", "--at", "127.0.0.1:\(invitingPort)"] + alone, home: "ben", input: "\(code)\n")
        #expect(entered.code == 0, "\(entered)")
        #expect(try await shows.finish().code == 0)
        let receiver = try tool.start(["receive", "--into", "inbox", "--yes", "--json"] + alone, home: "ben")
        let port = try await receiver.port()
        return (receiver, "127.0.0.1:\(port)")
    }

    @Test func aFileForATeamStaysSoAndACopyWithoutItsMarkIsWarnedOf() async throws {
        let (receiver, ben) = try await receiveForTeam()
        try tool.write("for the team", to: "n.html")
        // The smallest picture that every program takes.
        let picture = try #require(
            Data(
                base64Encoded:
                    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="))
        try picture.write(to: URL(fileURLWithPath: tool.path("p.png")))
        for form in ["html@team=n.html", "png@team=p.png"] {
            let sent = try await run(["send", "--as", form, "--to", ben, "--no-converters"] + alone)
            #expect(sent.code == 0, "\(sent)")
        }
        let stored = receiver.output.split(separator: "\n").filter { $0.contains("\"event\":\"stored\"") }
        #expect(stored.count == 2 && stored.allSatisfy { $0.contains("\"audience\":{") }, "\(receiver.output)")

        // Every way to offer it shows its audience.
        let offered = try await run(["offer", "inbox/n.html", "--no-converters"], home: "ben")
        #expect(offered.output.contains("team acme: hidden"), "\(offered)")
        let pictured = try await run(
            ["offer", "--text", "x", "--image", "inbox/p.png", "--no-converters"], home: "ben")
        #expect(pictured.output.contains("image: left out"), "\(pictured)")

        // A copy without extended attributes.
        let store = tool.path("ben/state/restricted/received-1")
        let deadline = ContinuousClock.now + .seconds(120)
        while FileManager.default.contents(atPath: store).map({ $0.count < 2 * 70 }) ?? true {
            try #require(.now < deadline, "what was received for the team is not remembered")
            try await Task.sleep(for: .milliseconds(20))
        }
        try tool.write("for the team", to: "copies/copy.html")
        try tool.write("of same size", to: "copies/other.html")
        let (stranger, address) = try await tool.receive()
        let sent = try await run(["send", "copies/copy.html", "--to", address] + alone, home: "ben")
        #expect(sent.code == 0, "\(sent)")
        #expect(sent.errors.contains("copy.html") && sent.errors.contains("received only for team acme"), "\(sent)")
        let folder = try await run(["send", "copies", "--to", address] + alone, home: "ben")
        #expect(folder.code == 0 && folder.errors.contains("copy.html"), "\(folder)")
        #expect(!folder.errors.contains("other.html"), "\(folder)")
        let other = try await run(["send", "copies/other.html", "--to", address] + alone, home: "ben")
        #expect(other.code == 0 && !other.errors.contains("received only"), "\(other)")
        // The audience may get the copy; the file itself goes nowhere else.
        let offeredAgain = try await run(
            ["send", "--as", "html@team=copies/copy.html", "--to", address] + alone, home: "ben")
        #expect(offeredAgain.code == 77 && !offeredAgain.errors.contains("received only"), "\(offeredAgain)")
        #expect(try await run(["send", "inbox/n.html", "--to", address] + alone, home: "ben").code == 77)
        _ = try await stranger.stop()
        _ = try await receiver.stop()
    }

    @Test func offerToAnAddressShowsTheResultOfSend() async throws {
        let (receiver, ben) = try await receiveForTeam()
        let (stranger, address) = try await tool.receive()
        try tool.write("for the team", to: "n.html")
        try tool.write("for all", to: "n.txt")
        let forms = ["--as", "html@team=n.html", "--as", "txt=n.txt", "--no-converters"] + alone
        let toBen = try await run(["offer", "--json", "--to", ben] + forms)
        #expect(toBen.code == 0, "\(toBen)")
        #expect(toBen.events("representation").map { $0["shown"] as? Bool } == [true, true], "\(toBen)")
        let toStranger = try await run(["offer", "--json", "--to", address] + forms)
        #expect(toStranger.events("representation").map { $0["shown"] as? Bool } == [false, true], "\(toStranger)")
        #expect(toStranger.events("representation").last?["position"] as? Int == 0)
        let words = try await run(["offer", "--to", ben] + forms)
        #expect(words.output.contains("member of acme") && words.output.contains("ben"), "\(words)")
        // Neither was offered anything until now. The sent items match the preview.
        for (peer, place, count) in [(receiver, ben, 2), (stranger, address, 1)] {
            let sent = try await run(["send", "--to", place] + forms)
            #expect(sent.code == 0, "\(sent)")
            let ended = try await peer.stop()
            #expect(ended.events("offer").count == 1 && ended.events("stored").count == 1, "\(ended)")
            let offered = ended.events("offer").first?["items"] as? [[String: Any]]
            #expect(offered?.first?["representations"] as? Int == count, "\(ended)")
        }
        // Port 1 is unused; the receiver's former port may belong to another process by now.
        let unreachable = try await run(["offer", "--json", "--to", "127.0.0.1:1"] + forms)
        #expect(unreachable.code == 69 && unreachable.events("representation").isEmpty, "\(unreachable)")
    }

    @Test func aTitleNeverRevealsAHiddenFilesName() async throws {
        try tool.write("x", to: "plan to close the office.html")
        try tool.write("x", to: "notes.txt")
        let offered = try await run([
            "offer", "--as", "html@own-process=plan to close the office.html", "--as", "txt=notes.txt", "--json",
            "--no-converters",
        ])
        let titles = offered.events("representation").map { $0["title"] as? String }
        #expect(titles == ["notes.txt", "notes.txt"], "\(offered)")
    }
}
