import Foundation
import Portolan
import PortolanClient
import PortolanTrust
import TestSupport

/// An agent and its local API, over the loopback interface and a socket: answers, events, and memory.
struct AgentBenchmark {
    let portolan: String
    let options: Options

    private let clock = ContinuousClock()
    /// Number of rounds before the first measured one.
    private static let warmUp = 20

    func run() async throws -> [Verdict] {
        let rounds = options.isQuick ? 300 : 2000
        say("\nthe agent and its local API; \(rounds) rounds")
        let root = FileManager.default.temporaryDirectory.appending(path: "portolan-agent-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        let home = root.appending(path: "home")
        let configuration = home.appending(path: "config")
        try FileManager.default.createDirectory(at: configuration, withIntermediateDirectories: true)
        try Data("version: 1\nrules:\n  - from: anyone\n    action: accept\n".utf8)
            .write(to: configuration.appending(path: "policy.yaml"))
        let agent = try start(home)
        defer {
            agent.terminate()
            agent.waitUntilExit()
        }
        let client = try AgentClient(socket: home.path + "/run/api.sock")
        let port = try await port(of: client)
        // The memory of the start has been released by now.
        try await Task.sleep(for: .seconds(options.isQuick ? 5 : 60))
        let processes = Set([agent.processIdentifier, try await client.status().process])
        let alone = processes.reduce(0) { $0 + ProcessTree.memory(of: $1) }

        var answers: [Double] = []
        for round in 0..<(Self.warmUp + rounds) {
            let time = try await clock.measure { _ = try await client.status() }
            if round >= Self.warmUp { answers.append(time / .milliseconds(1)) }
        }
        let sender = root.appending(path: "sender")
        let events = try await delays(of: client, port: port, rounds: rounds / 4, sender: sender)
        let later = processes.reduce(0) { $0 + ProcessTree.memory(of: $1) }
        var table = Table(rows: [["", "p50 ms", "p99 ms", "max"]])
        for (name, times) in [("status over the socket", answers), ("an item is durable, to its event", events)] {
            table.rows.append(
                [name] + [times.quantile(0.5), times.quantile(0.99), times.max() ?? 0].map { number($0, 2) })
        }
        say(table)
        say("memory: \(number(alone, 1)) MiB at rest, \(number(later, 1)) MiB behind these rounds")
        return [
            Verdict("agent: status, p99", value: answers.quantile(0.99), .atMost(2), digits: 2, unit: " ms"),
            Verdict("agent: durable to event, p99", value: events.quantile(0.99), .atMost(10), digits: 2, unit: " ms"),
            Verdict("agent: memory at rest, alone", value: alone, .atMost(30), digits: 1, unit: " MiB"),
        ]
    }

    private func start(_ home: URL) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: portolan)
        process.arguments = ["agent", "run", "--home", home.path, "--interface", "lo", "--discovery", "off"]
        process.environment = ["HOME": home.path, "PATH": "/usr/bin:/bin"]
        process.standardOutput = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// Waits until the agent listens.
    private func port(of client: AgentClient) async throws -> Int {
        let deadline = ContinuousClock.now + .seconds(20)
        while .now < deadline {
            let page = try? await client.events(from: .oldest, limit: 100)
            for event in page?.events ?? [] where event.kind == "node.listening" {
                if case .object(let fields) = event.body, case .integer(let port)? = fields["port"] { return Int(port) }
            }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw HostsError("the agent does not listen")
    }

    /// Sends 1 KiB repeatedly, and follows the journal.
    ///
    /// - Returns: milliseconds from the time of each entry about a stored item, which is that of its transaction before
    ///   its commit, until the follower has it.
    private func delays(of client: AgentClient, port: Int, rounds: Int, sender: URL) async throws -> [Double] {
        let total = Self.warmUp + rounds
        let position = AgentAPI.Position.after(try await client.status().journal.newest)
        async let followed = Self.follow(client, from: position, until: total)
        var configuration = Node.Configuration(home: try HomeDirectory(override: sender.path, environment: [:]))
        configuration.discovery = .off
        configuration.interfaces = ["lo"]
        configuration.idleTime = .seconds(60)
        let node = try Node(blocking: configuration)
        let peer = try await node.find("127.0.0.1:\(port)")
        for round in 0..<total {
            let text = "\(round) " + String(repeating: "x", count: 1018)
            guard try await node.send([.text(text)], to: peer).allSatisfy(\.isStored) else {
                throw HostsError("1 KiB was not stored")
            }
        }
        await node.close()
        return Array(try await followed.dropFirst(Self.warmUp))
    }

    private static func follow(
        _ client: AgentClient, from position: AgentAPI.Position, until total: Int
    ) async throws -> [Double] {
        var delays: [Double] = []
        try await client.follow(from: position) { event in
            if event.kind == "inbox.received" { delays.append(Date().timeIntervalSince(event.at) * 1000) }
            return delays.count < total
        }
        return delays
    }
}

extension [Double] {
    /// Quantile of the values. 0 for an empty list.
    fileprivate func quantile(_ part: Double) -> Double {
        guard !isEmpty else { return 0 }
        return sorted()[Swift.min(count - 1, Int((Double(count) * part).rounded(.down)))]
    }
}
