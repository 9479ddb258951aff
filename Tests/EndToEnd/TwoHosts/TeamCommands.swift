import TestSupport
import Testing

extension TestHost {
    /// Starts a command that makes a code, and waits until it prints the code.
    func showCode(_ arguments: [String]) async throws -> (code: String, command: RunningCommand) {
        let command = try await start(portolan(arguments + ["--json"]))
        var code: String?
        try await command.waitToSay("a code") { said in
            code = events("code", in: said).first?["code"] as? String
            return code != nil
        }
        return (try #require(code), command)
    }

    /// Runs a command that takes a code, from standard input.
    func enter(_ code: String, _ arguments: [String], within limit: Duration = .seconds(120)) async throws -> Outcome {
        let input = Command.Input.bytes(Array("\(code)\n".utf8))
        return try await run(portolan(arguments + ["-", "--json"], input: input), within: limit)
    }

    /// Becomes a contact of another host's device, which shows the code.
    func pair(with other: TestHost) async throws {
        let (code, waiting) = try await other.showCode(["pair"])
        expect(try await enter(code, ["pair"]), endsWith: ExitCode.done)
        expect(try await waiting.finish(), endsWith: ExitCode.done)
    }

    /// Adds others to the default team.
    func invite(_ others: [TestHost], to groups: [String] = []) async throws {
        let options = groups.flatMap { ["--group", $0] } + ["--uses", "\(others.count)"]
        let (code, waiting) = try await showCode(["team", "invite"] + options)
        for other in others { expect(try await other.enter(code, ["team", "join"]), endsWith: ExitCode.done) }
        expect(try await waiting.finish(), endsWith: ExitCode.done)
    }

    /// Runs a command about teams that must succeed.
    @discardableResult
    func team(_ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation) async throws -> Outcome {
        let outcome = try await run(portolan(["team"] + arguments + ["--json"]))
        expect(outcome, endsWith: ExitCode.done, sourceLocation: sourceLocation)
        return outcome
    }

    /// The default team as this host knows it.
    func shownTeam() async throws -> ShownTeam {
        let showing = try await team("show")
        return try ShownTeam(#require(events("team", in: showing.text).first, "\(showing)"))
    }

    /// Returns all peers of `peers`.
    func peers(_ arguments: [String] = []) async throws -> [[String: Any]] {
        let showing = try await run(portolan(["peers", "--json"] + arguments))
        expect(showing, endsWith: ExitCode.done)
        return events("peer", in: showing.text)
    }

    /// Returns all contacts of `contacts`: names and fingerprints.
    func contacts() async throws -> [String: String] {
        let showing = try await run(portolan(["contacts", "--json"]))
        expect(showing, endsWith: ExitCode.done)
        return Dictionary(
            events("contact", in: showing.text).map {
                ($0["name"] as? String ?? "", $0["fingerprint"] as? String ?? "")
            },
            uniquingKeysWith: { first, second in "\(first) and \(second)" })
    }
}

/// A team as `team show` prints it.
struct ShownTeam {
    let epoch: Int
    /// True if this device was removed from it.
    let isRemoved: Bool
    /// The members' groups.
    let groups: [String: [String]]
    let admins: Set<String>

    var members: Set<String> { Set(groups.keys) }

    init(_ event: [String: Any]) throws {
        let members = try #require(event["members"] as? [[String: Any]], "\(event)")
        epoch = try #require(event["epoch"] as? Int, "\(event)")
        isRemoved = event["removed"] as? Bool == true
        groups = Dictionary(
            members.map { ($0["name"] as? String ?? "", $0["groups"] as? [String] ?? []) },
            uniquingKeysWith: { $0 + $1 })
        admins = Set(members.filter { $0["admin"] as? Bool == true }.compactMap { $0["name"] as? String })
    }
}

/// The lines of one kind in what a command printed with `--json`.
func events(_ kind: String, in text: String) -> [[String: Any]] {
    jsonObjects(text).filter { $0["event"] as? String == kind }
}

/// Returns the text for people in the output of a command with `--json`: its notes, and lines that are no JSON.
func remarks(in text: String) -> [String] {
    let notes = events("note", in: text).compactMap { $0["message"] as? String }
    return notes + text.split(separator: "\n").filter { !$0.hasPrefix("{") }.map(String.init)
}
