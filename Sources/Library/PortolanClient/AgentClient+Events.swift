import Foundation
import NIOCore
import NIOHTTP1

extension AgentClient {
    /// A page of the journal, oldest entry first.
    ///
    /// - Throws: a ``AgentAPI/Problem`` of status 410 if entries behind the cursor are no longer kept.
    public func events(
        from position: AgentAPI.Position, limit: Int = AgentAPI.Query.most
    ) async throws -> AgentAPI.EventPage {
        try await get("events?limit=\(limit)" + position.query("&"))
    }

    /// Reads the journal from a position on, with later entries, until `body` returns false.
    ///
    /// After a broken connection, for example by an agent that rejects a slow reader, reading continues behind the last
    /// entry.
    ///
    /// - Parameters:
    ///   - patience: time for which it waits for the next agent after one that has ended.
    ///   - body: called with one entry after the other; returns true to continue. Called again with the same entry
    ///     after it has thrown ``AgentClientError`` because the agent ended.
    /// - Throws: the error of `body`; a ``AgentAPI/Problem`` of status 410 if entries behind the cursor are no longer
    ///   kept; ``AgentClientError`` where the agent is no longer there.
    public func follow(
        from position: AgentAPI.Position, patience: Duration = .zero,
        _ body: (AgentAPI.Event) async throws -> Bool
    ) async throws {
        var reading = Reading(position: position)
        // The end may be another one after a restart.
        if position == .newest { reading.position = .after(try await events(from: .newest, limit: 1).next) }
        var lost: ContinuousClock.Instant?
        while true {
            let start = reading.position
            var failure = AgentClientError.closed
            do {
                if try await follow(&reading, body) { return }
            } catch let error as AgentClientError where reading.hasBegun && error.isOfEnd {
                failure = error
            }
            // A restarted agent has an entry of its start. Without a further entry the agent is not running.
            if reading.position != start {
                lost = nil
            } else if let since = lost {
                guard ContinuousClock.now - since < patience else { throw failure }
                try await Task.sleep(for: .milliseconds(200))
            } else {
                lost = .now
            }
        }
    }

    private struct Reading {
        var position: AgentAPI.Position
        /// True after the first answer.
        var hasBegun = false
    }

    /// Follows the journal during one connection.
    ///
    /// - Returns: true if `body` returned false.
    private func follow(
        _ reading: inout Reading, _ body: (AgentAPI.Event) async throws -> Bool
    ) async throws -> Bool {
        try await exchange(.GET, "events" + reading.position.query("?"), accept: "text/event-stream") { answer in
            guard answer.head.status == .ok else { throw try await answer.problem() }
            reading.hasBegun = true
            var parser = EventStreamParser()
            while let bytes = try await answer.next() {
                for message in try parser.read(bytes) {
                    let event = try message.event()
                    guard try await body(event) else { return true }
                    reading.position = .after(event.cursor)
                }
            }
            return false
        }
    }
}

extension AgentClientError {
    /// True if the agent has ended, and another one may begin.
    fileprivate var isOfEnd: Bool {
        switch self {
        case .closed, .notRunning: true
        default: false
        }
    }
}

extension AgentAPI.Position {
    fileprivate func query(_ prefix: String) -> String {
        switch self {
        case .oldest: ""
        case .newest: "\(prefix)since=newest"
        case .after(let cursor): "\(prefix)since=\(cursor)"
        }
    }
}

extension ServerSentMessage {
    /// Returns the entry of the journal in the message.
    ///
    /// - Throws: the ``AgentAPI/Problem`` with which the agent ended the stream.
    fileprivate func event() throws -> AgentAPI.Event {
        do {
            guard name == "problem" else { return try APICoding.decode(AgentAPI.Event.self, from: Data(data.utf8)) }
            throw try APICoding.decode(AgentAPI.Problem.self, from: Data(data.utf8))
        } catch let error as DecodingError {
            throw AgentClientError.unintelligible(reason: "an event cannot be read (\(error))")
        }
    }
}
