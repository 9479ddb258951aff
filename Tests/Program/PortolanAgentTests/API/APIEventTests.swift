import Foundation
import Glibc
import NIOCore
import PortolanAgent
import PortolanClient
import Testing

@Suite("Events of the local API")
struct APIEventTests {
    @Test("A page begins behind its cursor, and says where the next one begins")
    func pageReturnsTheNextCursor() async throws {
        try await withServer(FakeAgent(events: 1...10)) { _, client, _ in
            let first = try await client.events(from: .oldest, limit: 4)
            #expect(first.events.map(\.cursor) == [1, 2, 3, 4])
            #expect(first.events[0] == FakeAgent.event(1))
            let second = try await client.events(from: .after(first.next))
            #expect(second.events.map(\.cursor) == [5, 6, 7, 8, 9, 10])
            #expect(try await client.events(from: .after(10)) == AgentAPI.EventPage(events: [], next: 10))
            #expect(try await client.events(from: .newest) == AgentAPI.EventPage(events: [], next: 10))
        }
    }

    @Test("A cursor that fell out of retention is gone, and one of another journal is unknown, for pages and streams")
    func removedAndUnknownCursorsAreRefused() async throws {
        let agent = FakeAgent(events: 1...10)
        await agent.retain(from: 5)
        try await withServer(agent) { _, client, socket in
            #expect(try await client.events(from: .after(4)).events.map(\.cursor) == [5, 6, 7, 8, 9, 10])
            for (cursor, problem) in [(3, AgentAPI.Problem.gone(oldest: 5)), (11, .unknownCursor(newest: 10))] {
                await #expect(throws: problem) { try await client.events(from: .after(Int64(cursor))) }
                await #expect(throws: problem) { try await client.follow(from: .after(Int64(cursor))) { _ in true } }
            }
            let answer = try await RawConnection.exchange(socket, stream("?since=7", "Last-Event-ID: 3"))
            #expect(answer.status == 410)
            #expect(answer.problem?.oldest == 5)
        }
    }

    @Test("A stream has the entries behind the cursor, and then new ones")
    func streamReturnsOldAndNewEntries() async throws {
        let agent = FakeAgent(events: 1...10)
        try await withServer(agent) { _, client, _ in
            var cursors: [Int64] = []
            try await client.follow(from: .after(3)) { event in
                cursors.append(event.cursor)
                if event.cursor >= 10, event.cursor < 14 { await agent.append(FakeAgent.event(event.cursor + 1)) }
                return event.cursor < 14
            }
            #expect(cursors == Array(4...14))
            // The connection is over, and so is the reading of the journal.
            try await until { await agent.followerCount == 0 }
        }
    }

    @Test("An event source that reconnects continues behind its last event")
    func lastEventID() async throws {
        try await withServer(FakeAgent(events: 1...10)) { server, _, socket in
            let text = try await RawConnection.with(socket) { connection in
                try await connection.send(stream("?since=2", "Last-Event-ID: 8"))
                return try await connection.read(until: "id: 10\n")
            }
            #expect(RawAnswer(text: text).header("Content-Type") == "text/event-stream")
            #expect(text.contains("id: 9\ndata: {\"at\":\"2027-01-15T08:00:00.250Z\",\"body\":{},\"cursor\":9,"))
            #expect(!text.contains("id: 8\n"))
            // A client that closes ends its stream.
            try await until { server.connectionCount == 0 }
        }
    }

    @Test("A stream from the end has only later entries")
    func streamFromTheEndReturnsOnlyLaterEntries() async throws {
        let agent = FakeAgent(events: 1...10)
        try await withServer(agent) { _, client, _ in
            async let first = {
                var cursor: Int64?
                try await client.follow(from: .newest) { event in
                    cursor = event.cursor
                    return false
                }
                return cursor
            }()
            try await until { await agent.followerCount == 1 }
            await agent.append(FakeAgent.event(11))
            #expect(try await first == 11)
        }
    }

    @Test("A stream that falls out of retention ends with the problem")
    func followingReportsRemovedEntries() async throws {
        let agent = FakeAgent(events: 1...3)
        try await withServer(agent) { _, client, _ in
            await #expect(throws: AgentAPI.Problem.gone(oldest: 9)) {
                try await client.follow(from: .oldest) { event in
                    if event.cursor == 3 { await agent.retain(from: 9) }
                    return true
                }
            }
        }
    }

    @Test("A stream without entries has comments")
    func heartbeat() async throws {
        var limits = APILimits()
        limits.heartbeat = .milliseconds(10)
        try await withServer(limits: limits) { _, _, socket in
            try await RawConnection.with(socket) { connection in
                try await connection.send(stream())
                let text = try await connection.read(until: ": heartbeat\n\n")
                #expect(text.hasPrefix("HTTP/1.1 200 "))
            }
        }
    }

    @Test("A reader that is too slow is dropped; from its last cursor on it misses nothing")
    func slowReader() async throws {
        var limits = APILimits()
        limits.stall = .seconds(2)
        let agent = FakeAgent()
        for cursor in 1...200 { await agent.append(FakeAgent.event(Int64(cursor), bytes: 50_000)) }
        try await withServer(agent, limits: limits) { server, client, socket in
            let text = try await RawConnection.with(socket) { connection in
                try await connection.send(stream())
                try await until { server.connectionCount == 1 }
                // Without reading, until the server has given up.
                try await until { server.connectionCount == 0 }
                return try await connection.read()
            }
            let whole = text.components(separatedBy: "\n\n").dropLast().compactMap { message in
                message.firstRange(of: "id: ").flatMap { Int64(message[$0.upperBound...].prefix { $0.isNumber }) }
            }
            let last = try #require(whole.last)
            #expect(whole == Array(1...last))
            #expect(last < 100)
            var next: Int64 = last
            try await client.follow(from: .after(last)) { event in
                #expect(event.cursor == next + 1)
                next = event.cursor
                return next < 200
            }
            #expect(await agent.followerCount <= 1)
        }
    }

    @Test("A client that sends many requests and reads no answer has one answer in memory, and is dropped")
    func pipelining() async throws {
        var limits = APILimits()
        limits.stall = .seconds(2)
        let agent = FakeAgent()
        for cursor in 1...4 { await agent.append(FakeAgent.event(Int64(cursor), bytes: 100_000)) }
        try await withServer(agent, limits: limits) { server, client, socket in
            let requests = 200
            try await RawConnection.with(socket) { connection in
                try await connection.send(
                    String(repeating: "GET /v1/events HTTP/1.1\r\n\r\n", count: requests))
                try await until { await agent.pages > 0 }
                try await until { await agent.pages == requests || server.connectionCount == 0 }
            }
            // The kernel holds some hundred kilobytes, which are less than 10 answers.
            #expect(await agent.pages < 10)
            #expect(try await client.events(from: .oldest).events.count == 4)
        }
    }

    @Test("A client whose stream is dropped reconnects by itself")
    func reconnecting() async throws {
        var limits = APILimits()
        limits.stall = .seconds(2)
        let agent = FakeAgent()
        for cursor in 1...60 { await agent.append(FakeAgent.event(Int64(cursor), bytes: 50_000)) }
        try await withServer(agent, limits: limits) { server, client, _ in
            var cursors: [Int64] = []
            try await client.follow(from: .oldest) { event in
                cursors.append(event.cursor)
                // Reads nothing until the server has given up.
                if event.cursor == 1 { try await until { server.connectionCount == 0 } }
                return event.cursor < 60
            }
            #expect(cursors == Array(1...60))
        }
    }

    @Test("Streams end when the server stops, and the client reports that the agent has ended")
    func stopping() async throws {
        let agent = FakeAgent(events: 1...1)
        try await withServer(agent) { server, client, _ in
            let error = await #expect(throws: AgentClientError.self) {
                try await client.follow(from: .oldest) { _ in
                    async let stopped: Void = server.stop()
                    try await until { await agent.followerCount == 0 }
                    await stopped
                    return true
                }
            }
            if case .notRunning = error { return }
            Issue.record("\(String(describing: error))")
        }
    }

    @Test("A patient stream continues with the agent that starts after one that ended, without a gap or a repetition")
    func outliving() async throws {
        let agent = FakeAgent(events: 1...2)
        try await withServer(agent) { server, client, socket in
            let (ends, ending) = AsyncStream.makeStream(of: Void.self)
            async let next: APIServer = {
                for await _ in ends { break }
                await server.stop()
                try await Task.sleep(for: .milliseconds(300))
                await agent.append(FakeAgent.event(3))
                return try await APIServer.start(actions: agent, socket: socket)
            }()
            var cursors: [Int64] = []
            var failures = 1
            try await client.follow(from: .oldest, patience: .seconds(600)) { event in
                if event.cursor == 2 { ending.yield() }
                // A request beside the stream fails while no agent runs.
                if event.cursor == 3, failures > 0 {
                    failures -= 1
                    throw AgentClientError.notRunning(path: socket)
                }
                cursors.append(event.cursor)
                return event.cursor < 3
            }
            #expect(cursors == [1, 2, 3])
            try await next.stop()
        }
    }

    @Test("Cursor 0 begins with the oldest entry that is kept")
    func sinceZero() async throws {
        let agent = FakeAgent(events: 1...10)
        await agent.retain(from: 5)
        try await withServer(agent) { _, client, _ in
            let events = try await client.events(from: .after(0)).events
            #expect(events.map(\.cursor) == [5, 6, 7, 8, 9, 10])
        }
    }

    @Test("A client that closes its sending half gets its answer, and none that is idle is kept")
    func halfClosed() async throws {
        try await withServer(FakeAgent(events: 1...3)) { server, _, socket in
            for (request, part) in [("GET /v1/events HTTP/1.1\r\n\r\n", "\"next\":3"), ("", "")] {
                let text = try HalfClosed.exchange(socket, request)
                #expect(part.isEmpty ? text.isEmpty : text.contains(part), "\(request): \(text)")
            }
            try await until { server.connectionCount == 0 }
        }
    }

    private func stream(_ query: String = "", _ header: String? = nil) -> String {
        "GET /v1/events\(query) HTTP/1.1\r\nAccept: text/event-stream\r\nConnection: close\r\n"
            + (header.map { $0 + "\r\n" } ?? "") + "\r\n"
    }
}

/// A client with a socket of its own, whose sending half it closes behind the request.
private enum HalfClosed {
    /// Blocks.
    static func exchange(_ path: String, _ request: String) throws -> String {
        let client = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(client) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(client, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(connected == 0)
        _ = send(client, request, request.utf8.count, Int32(MSG_NOSIGNAL))
        shutdown(client, Int32(SHUT_WR))
        var text = ""
        var bytes = [UInt8](repeating: 0, count: 4096)
        while case let count = read(client, &bytes, bytes.count), count > 0 {
            text += String(decoding: bytes[..<count], as: UTF8.self)
        }
        return text
    }
}
