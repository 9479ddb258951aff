import Foundation
import Portolan
import PortolanSettings
import PortolanTrust
import Synchronization
import TestSupport

@testable import PortolanAgent

/// An agent in this process, in its own home, found only by its address.
struct AgentUnderTest: Sendable {
    let folder = TemporaryFolder()
    let agent: Agent
    let warnings = Warnings()
    private let running: Task<Void, any Error>

    final class Warnings: Sendable {
        private let sentences = Mutex<[String]>([])
        var all: [String] { sentences.withLock(\.self) }
        func add(_ sentence: String) { sentences.withLock { $0.append(sentence) } }
    }

    var socket: String { folder.path + "/api.sock" }

    /// Starts it, and waits until its API can be used.
    ///
    /// - Parameters:
    ///   - clock: wall clock of its state.
    ///   - policy: text of its policy file; nil for none.
    init(manager: ServiceManager? = nil, clock: SetClock? = nil, policy: String? = nil) async throws {
        let settings = try Settings(home: HomeDirectory(override: folder.path + "/home", environment: [:]))
        if let policy { try Self.write(policy, to: settings.home) }
        var overrides = Settings.Overrides()
        overrides.interfaces = ["lo"]
        overrides.discovery = .off
        overrides.port = 0
        let warnings = warnings
        let now: @Sendable () -> Date = if let clock { { clock.now } } else { { Date() } }
        let agent = try await Agent(
            settings: settings, node: settings.node(overrides), version: "1.0", manager: manager,
            clock: now
        ) { warnings.add($0) }
        self.agent = agent
        let socket = folder.path + "/api.sock"
        let (readiness, ready) = AsyncStream.makeStream(of: Void.self)
        running = Task {
            defer { ready.finish() }
            try await agent.run(socket: socket) { ready.yield() }
        }
        for await _ in readiness { return }
        try await running.value
    }

    private static func write(_ policy: String, to home: HomeDirectory) throws {
        _ = try PrivateDirectory(path: home.configuration)
        try policy.write(toFile: home.policyFile, atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: home.policyFile)
    }

    /// Replaces its policy file, and has it loaded.
    func reload(policy: String) async throws -> PolicyReload {
        try Self.write(policy, to: agent.settings.home)
        return await agent.reload()
    }

    /// Sends it a text, as a stranger does.
    func send(_ text: String, events: @escaping @Sendable (SendEvent) -> Void = { _ in }) async throws -> [Delivery] {
        var configuration = Node.Configuration(
            home: try HomeDirectory(override: folder.path + "/stranger", environment: [:]))
        configuration.discovery = .off
        configuration.interfaces = ["lo"]
        let node = try await Node(configuration)
        let sent = await Result {
            try await node.send([.text(text)], to: node.find("127.0.0.1:\(port())"), events: events)
        }
        await node.close()
        return try sent.get()
    }

    /// The port that it listens on.
    func port() async throws -> Int {
        for try await entries in agent.database.entries(after: nil) {
            for entry in entries where entry.kind == .nodeListening {
                if let port = entry.body.firstMatch(of: /"port":([0-9]+)/).flatMap({ Int($0.1) }) { return port }
            }
        }
        throw CancellationError()
    }

    func stop() async throws {
        agent.stop()
        try await running.value
    }
}
