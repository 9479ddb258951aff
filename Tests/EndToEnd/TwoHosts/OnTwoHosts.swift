import Foundation
import TestSupport
import Testing

/// The built program on two machines that share a cable: everything that a user does, and faults of the network. Each
/// test has separate machines, and mostly waits for them.
@Suite("On two hosts", .atOnce(6), .disabled(if: HostLink.obstacle != nil, HostLink.comment))
enum OnTwoHosts {}

extension HostLink {
    static var comment: Comment { Comment(rawValue: obstacle ?? "hosts can be made here") }
    static var commentOnDaemons: Comment { Comment(rawValue: obstacleToDaemons ?? "hosts can be made here") }

    static var commentOnDistance: Comment { Comment(rawValue: obstacleToDistance ?? "hosts can be made here") }

    /// The kinds of discovery that this machine can run.
    static var discoveries: [Discovery] { obstacleToDaemons == nil ? [.daemon, .none] : [.none] }
}

extension TestHost {
    /// The port where a receiver listens unless it is told otherwise or the port is taken.
    static let defaultPort: UInt16 = 47217

    /// `portolan` with arguments, as a command for this host.
    func portolan(_ arguments: [String], input: Command.Input = .none) throws -> Command {
        Command([try BuiltProduct.path("portolan")] + arguments, input: input)
    }

    /// Starts `portolan receive` and waits until it listens.
    ///
    /// - Parameter folder: where it stores; made if it is not there.
    func receive(
        into folder: String, _ arguments: [String] = ["--yes"], port: UInt16 = defaultPort, input: Command.Input = .none
    ) async throws -> RunningCommand {
        try Files.makeFolder(folder)
        let receiver = try await start(portolan(["receive", "--into", folder] + arguments, input: input))
        let deadline = ContinuousClock.now + .seconds(120)
        while !listeningPorts.contains(port) {
            guard receiver.isRunning, .now < deadline else {
                throw HostsError("the receiver does not listen on \(port)\n\(receiver.output)\(receiver.errors)")
            }
            try await Task.sleep(for: .milliseconds(5))
        }
        return receiver
    }

    /// Returns the fingerprint that `portolan id` prints.
    func fingerprint(_ arguments: [String] = []) async throws -> String {
        let identity = try await run(portolan(["id", "--json"] + arguments))
        return try #require(jsonObjects(identity.text).first?["fingerprint"] as? String, "\(identity)")
    }

    /// Writes the configuration file of the user here.
    func configure(_ text: String) async throws {
        let identity = try await run(portolan(["id", "--json"]))
        let path = try #require(jsonObjects(identity.text).first?["configuration"] as? String, "\(identity)")
        try Files.makeFolder(URL(fileURLWithPath: path).deletingLastPathComponent().path)
        try Files.write(text, to: path)
    }

    /// Runs `portolan send` to its end.
    func send(
        _ arguments: [String], to peer: String, input: Command.Input = .none, within limit: Duration = .seconds(120)
    ) async throws -> Outcome {
        try await run(portolan(["send"] + arguments + ["--to", peer], input: input), within: limit)
    }
}

/// The JSON objects in what a command printed with `--json`, one a line.
func jsonObjects(_ text: String) -> [[String: Any]] {
    text.split(separator: "\n").compactMap { line in
        (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any]
    }
}

/// The exit codes of `portolan help exit-codes`.
enum ExitCode {
    static let done: Int32 = 0
    static let incomplete: Int32 = 23
    static let usage: Int32 = 64
    static let noInput: Int32 = 66
    static let unreachable: Int32 = 69
    static let cannotWrite: Int32 = 73
    static let io: Int32 = 74
    static let interrupted: Int32 = 75
    static let notTrusted: Int32 = 77
    static let declined: Int32 = 80
    static let nothingInCommon: Int32 = 81
}

/// Expects that a command ended with one of the documented codes, and, unless it is 0, with one line or a few that a
/// person can act on rather than a trace.
func expect(
    _ outcome: Outcome, endsWith codes: Int32..., sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(codes.contains(outcome.code), "\(outcome)", sourceLocation: sourceLocation)
    guard outcome.code != 0 else { return }
    let lines = outcome.errorText.split(separator: "\n")
    #expect((1...8).contains(lines.count), "not a message for a person\n\(outcome)", sourceLocation: sourceLocation)
    #expect(!outcome.errorText.contains("Fatal error"), "\(outcome)", sourceLocation: sourceLocation)
}

/// Waits until something holds.
func eventually(
    _ what: String, within limit: Duration = .seconds(300), sourceLocation: SourceLocation = #_sourceLocation,
    _ holds: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + limit
    while try await !holds() {
        guard .now < deadline else {
            Issue.record("\(what): not within \(limit)", sourceLocation: sourceLocation)
            return
        }
        try await Task.sleep(for: .milliseconds(20))
    }
}
