import Glibc
import PortolanValues
import TestSupport
import Testing

@testable import Portolan
@testable import PortolanCommand

/// Text for a person when a connection failed: the attempt, the observation and the remedy.
@Suite struct FaultTextTests {
    private func lines(_ error: NodeError) -> [String] {
        let failure = CommandFailure(error)
        let text = "portolan: " + Paragraph.wrapped(failure.description, after: Console.prefix.count)
        return text.split(separator: "\n").map(String.init)
    }

    @Test func eachFaultFitsFourLinesOf78Columns() {
        let seen: [NodeError.Fault.Code: String] = [
            .connectionRefused: "[fe80::1234:5678:9abc:def0%enp0s31f6]:47217 refused it.",
            .connectionTimedOut:
                "nothing came back from [fe80::1234:5678:9abc:def0%enp0s31f6]:47217 and 3 more within 10 s.",
            .hostUnreachable:
                "nobody was reached at [fe80::1234:5678:9abc:def0%enp0s31f6]:47217 and 3 more (No route to host).",
            .networkUnreachable:
                "there is no way to [2001:db8:1234:5678:9abc:def0:1234:5678]:47217 and 3 more (Network is unreachable).",
        ]
        for code in NodeError.Fault.Code.allCases {
            for peer in ["ben", "ada lovelace@the long machine!"] {
                let what = seen[code] ?? "No peer called “\(peer)” answered within 5 s."
                let error = NodeError(
                    .unreachable, "No connection to “\(peer)”: \(what)", fault: .init(code, peer: peer, port: 47217))
                let lines = lines(error)
                #expect((1...4).contains(lines.count), "\(lines)")
                #expect(lines.allSatisfy { CellWidth.of($0) <= 78 }, "\(lines)")
            }
        }
    }

    @Test func refusalNamesTheProgramToStartAndTheDoctor() {
        let refused = NodeError(
            .unreachable, "No connection to “ben”: 192.0.2.7:47217 refused it.",
            fault: .init(.connectionRefused, peer: "ben", port: 47217))
        #expect(
            CommandFailure(refused).description
                == "No connection to “ben”: 192.0.2.7:47217 refused it. The machine is on, and no program listens there on TCP "
                + "port 47217: start 'portolan receive' or the agent there. portolan doctor ben says more.")
        #expect(CommandFailure(refused).fault == .connectionRefused)
        #expect(refused.shortSentence == refused.description)
        let silent = NodeError(.unreachable, "x", fault: .init(.connectionTimedOut, peer: "my laptop", port: 5))
        let text = CommandFailure(silent).description
        #expect(text.contains("TCP port 5,") && text.contains("UDP port 5353"))
        #expect(text.hasSuffix("portolan doctor 'my laptop' says more."))
    }

    @Test func doctorIsNotNamedWhereItCannotHelp() {
        for code in [NodeError.Fault.Code.hostUnknown, .nameUnknown, .nameAmbiguous, .discoveryOff] {
            #expect(NodeError.Fault(code, peer: "ben").examination == nil)
        }
        #expect(NodeError.Fault(.discoveryFailed, peer: "ben").examination == "'portolan doctor' says more.")
        #expect(NodeError.Fault(.nobodyAnswered).examination == "'portolan doctor' says more.")
    }

    @Test func listAfterTheSentenceIsNotWrapped() {
        let word = String(repeating: "x", count: 90)
        let text = Paragraph.wrapped("\(word) y\n  \(word) z", after: 10)
        #expect(text == "\(word)\ny\n  \(word) z")
    }

    @Test("a quoted name of a command is never broken, and other quotation marks do not keep a line whole")
    func quotedNames() {
        for name in ["ada lovelace at home", "it's ada lovelace here", "' ' ada's own laptop"] {
            let command = DisplayText.shellWord(name)
            for length in 1...70 {
                let filler = String(repeating: "x", count: length)
                let text = Paragraph.wrapped("\(filler) “ada's 'own” portolan doctor \(command) says more.", after: 10)
                #expect(text.contains(command), "\(text)")
            }
        }
        let prose = "this device's name, and that of the other's, is longer than both "
        let lines = Paragraph.wrapped(String(repeating: prose, count: 3), after: 10).split(separator: "\n")
        #expect(lines.count == 3 && lines.allSatisfy { $0.count <= 78 }, "\(lines)")
    }

    @Test func fullLineIsBroken() {
        #expect(Paragraph.wrapped("a b", after: 75) == "a b")
        #expect(Paragraph.wrapped("a b", after: 76) == "a\nb")
    }
}

/// Connection faults of the built program, over the loopback interface and in its own networks.
@Suite(.serialized) struct ConnectionFaultTests {
    let tool: Tool

    init() throws { tool = try Tool() }

    private func send(to target: String, _ options: [String] = [], launcher: [String] = []) async throws -> Tool.Outcome
    {
        try await tool.run(["send", "--text", "x", "--to", target, "--json"] + options, launcher: launcher)
    }

    private func expect(_ outcome: Tool.Outcome, _ code: String, says parts: [String]) {
        #expect(outcome.code == 69, "\(outcome)")
        #expect(outcome.events("error").first?["fault"] as? String == code, "\(outcome)")
        let words = outcome.errors.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
        for part in parts { #expect(words.contains(part), "\(outcome)") }
        let lines = outcome.errors.split(separator: "\n")
        #expect(lines.count <= 4 && lines.allSatisfy { $0.count <= 78 }, "\(outcome)")
    }

    @Test func nothingListens() async throws {
        let place = "127.0.0.1:\(try Tool.freePort())"
        let told = ["No connection: \(place) refused it", "'portolan receive'", "portolan doctor '\(place)' says more"]
        expect(try await send(to: place), "connection-refused", says: told)
        let fetched = try await tool.run(["get", "\(place):x", "--json"])
        expect(fetched, "connection-refused", says: told)
        let entered = try await tool.run(["pair", "-", "--at", place, "--json"], input: "7-walnut-harbor\n")
        #expect(entered.events("error").first?["fault"] as? String == "connection-refused", "\(entered)")
    }

    @Test func silentAddressIsExplained() async throws {
        try tool.write("timeouts: { offer: 1 }\n", to: "home/config/portolan.yaml")
        let full = try FullListener()
        let place = "127.0.0.1:\(full.port)"
        expect(
            try await send(to: place), "connection-timed-out",
            says: ["nothing came back from \(place) within 1 s", "UDP port 5353", "TCP port \(full.port)"])
        withExtendedLifetime(full) {}
    }

    @Test func aNameWithoutAnAddress() async throws {
        expect(
            try await send(to: "nosuch.invalid:9"), "host-unknown",
            says: ["“nosuch.invalid” was not found", "'portolan peers'"])
    }

    @Test func nameWithDiscoveryOffIsExplained() async throws {
        expect(try await send(to: "ben", ["--discovery", "off"]), "discovery-off", says: ["Discovery is off"])
    }

    @Test func faultIsReportedForEachOfSeveralTargets() async throws {
        let place = "127.0.0.1:\(try Tool.freePort())"
        let outcome = try await send(to: place, ["--to", "nosuch.invalid:9"])
        #expect(
            outcome.events("member").map { $0["fault"] as? String } == ["connection-refused", "host-unknown"],
            "\(outcome)")
    }

    // MARK: In a network of its own

    /// - Parameter set: commands that set the network up.
    private func launcher(_ set: String) -> [String] {
        ["/usr/bin/unshare", "--net", "/bin/sh", "-c", "\(set) && exec \"$@\"", "sh"]
    }

    private static let own = "ip link set lo up && ip address add 10.9.9.1/24 dev lo"

    /// Reason why it is skipped here; nil if it is not.
    private func obstacle() async throws -> String? {
        guard geteuid() == 0 else { return "only root can make a network" }
        guard access("/usr/bin/unshare", X_OK) == 0 else { return "there is no /usr/bin/unshare" }
        let tried = try await tool.run(["--version"], launcher: launcher(Self.own))
        return tried.code == 0 ? nil : "no network can be made: \(tried)"
    }

    @Test func missingRouteIsExplained() async throws {
        if let obstacle = try await obstacle() {
            print("LEFT OUT: \(obstacle).")
            return
        }
        let place = "192.0.2.7:47217"
        expect(
            try await send(to: place, launcher: launcher("true")), "no-interface",
            says: ["there is no way to \(place) (Network is unreachable)", "'portolan doctor' says more"])
        expect(
            try await send(to: place, launcher: launcher(Self.own)), "network-unreachable",
            says: ["there is no way to \(place) (Network is unreachable)", "'ip route'", "portolan doctor"])
        expect(
            try await send(
                to: place, launcher: launcher(Self.own + " && ip route add unreachable 192.0.2.0/24")),
            "host-unreachable", says: ["nobody was reached at \(place) (No route to host)", "let in TCP port 47217"])
    }
}
