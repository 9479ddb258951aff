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
    /// - Parameter body: called with one entry after the other; returns true to continue.
    /// - Throws: the error of `body`; a ``AgentAPI/Problem`` of status 410 if entries behind the cursor are no longer
    ///   kept; ``AgentClientError`` where the agent is no longer there.
    public func follow(
        from position: AgentAPI.Position, _ body: (AgentAPI.Event) async throws -> Bool
    ) async throws {
        var position = position
        // The end may be another one after a restart.
        if position == .newest { position = .after(try await events(from: .newest, limit: 1).next) }
        var hadNothing = false
        while true {
            let start = position
            do {
                if try await follow(&position, body) { return }
            } catch AgentClientError.notRunning where hadNothing {
                throw AgentClientError.closed
            }
            // A restarted agent has an entry of its start. Without a further entry the agent is not running.
            guard position != start || !hadNothing else { throw AgentClientError.closed }
            hadNothing = position == start
        }
    }

    /// Follows the journal during one connection.
    ///
    /// - Returns: true if `body` returned false.
    private func follow(
        _ position: inout AgentAPI.Position, _ body: (AgentAPI.Event) async throws -> Bool
    ) async throws -> Bool {
        try await exchange(.GET, "events" + position.query("?"), accept: "text/event-stream") { answer in
            guard answer.head.status == .ok else { throw try await answer.problem() }
            var parser = EventStreamParser()
            while let bytes = try await answer.next() {
                for message in try parser.read(bytes) {
                    let event = try message.event()
                    position = .after(event.cursor)
                    guard try await body(event) else { return true }
                }
            }
            return false
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
