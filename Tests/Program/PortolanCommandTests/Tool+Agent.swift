import Foundation
import Testing

extension Tool {
    /// Starts the agent of a home, found only by its address, and waits until its API answers.
    ///
    /// - Parameters:
    ///   - port: port for receiving; nil for any.
    ///   - program: the program to run; nil for the one that was built.
    func startAgent(
        _ home: String = "home", port: UInt16? = nil, environment: [String: String] = [:], program: String? = nil
    ) async throws -> Running {
        let arguments =
            ["agent", "run", "--discovery", "off", "--interface", "lo", "--json"]
            + (port.map { ["--port", "\($0)"] } ?? [])
        let agent = try start(arguments, home: home, environment: environment, program: program)
        try await agent.waitToSay("\"socket\"")
        return agent
    }

    /// Repeats `look` until it gives something.
    func waitFor<Value>(_ what: String, _ look: () async throws -> Value?) async throws -> Value {
        let deadline = ContinuousClock.now + Tool.patience
        repeat {
            if let value = try await look() { return value }
            try await Task.sleep(for: .milliseconds(50))
        } while ContinuousClock.now < deadline
        return try #require(nil, "it did not come: \(what)")
    }

    /// Entries of the journal of a kind.
    func entries(_ kind: String, home: String = "home") async throws -> [[String: Any]] {
        try await run(["events", "--json"], home: home).events.filter { $0["kind"] as? String == kind }
    }

    /// Waits for an entry of the journal of a kind.
    func entry(_ kind: String, home: String = "home") async throws -> [String: Any] {
        try await waitFor(kind) { try await entries(kind, home: home).first }
    }

    /// The first parcel of the outbox of this identifier.
    func parcel(_ id: String, home: String = "home") async throws -> [String: Any] {
        try await run(["outbox", "--json"], home: home).events.first { $0["id"] as? String == id } ?? [:]
    }

    /// Waits until a parcel is in a state. Back-offs of addresses without a listener are ended meanwhile.
    func wait(for id: String, toBe state: String, home: String = "home") async throws {
        _ = try await waitFor("parcel \(id) \(state)") { () -> Bool? in
            let found = try await parcel(id, home: home)["state"] as? String
            if found == state { return true }
            if found == "waiting" { _ = try await run(["outbox", "retry", id, "--quiet"], home: home) }
            return nil
        }
    }
}
