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

    /// Reads the journal from a position on, and the entries that come later, until `body` returns false.
    ///
    /// Where the connection breaks off, as the agent does with a reader that is too slow, and when it is started again, it
    /// goes on behind the last entry.
    ///
    /// - Parameter body: is called with one entry after the other; returns whether to go on.
    /// - Throws: what `body` throws; a ``AgentAPI/Problem`` of status 410 if entries behind the cursor are no longer
    /// kept;
    ///   ``AgentClientError`` where the agent is no longer there.
    public func follow(
        from position: AgentAPI.Position, _ body: (AgentAPI.Event) async throws -> Bool
    ) async throws {
        var position = position
        // The end is another one after a restart.
        if position == .newest { position = .after(try await events(from: .newest, limit: 1).next) }
        var hadNothing = false
        while true {
            let start = position
            do {
                if try await follow(&position, body) { return }
            } catch AgentClientError.notRunning where hadNothing {
                throw AgentClientError.closed
            }
            // An agent that was started again has an entry of that. Without one, it has nothing to go on with.
            guard position != start || !hadNothing else { throw AgentClientError.closed }
            hadNothing = position == start
        }
    }

    /// Follows the journal as long as one connection lasts.
    ///
    /// - Returns: whether `body` returned false.
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
    /// The entry of the journal that is in it.
    ///
    /// - Throws: the ``AgentAPI/Problem`` that the agent ended the stream with.
    fileprivate func event() throws -> AgentAPI.Event {
        do {
            guard name == "problem" else { return try APICoding.decode(AgentAPI.Event.self, from: Data(data.utf8)) }
            throw try APICoding.decode(AgentAPI.Problem.self, from: Data(data.utf8))
        } catch let error as DecodingError {
            throw AgentClientError.unintelligible(reason: "an event cannot be read (\(error))")
        }
    }
}
