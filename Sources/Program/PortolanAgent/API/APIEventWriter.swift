import Foundation
import NIOCore
import NIOHTTP1
import PortolanClient

/// Writes entries of the journal as server-sent events.
///
/// Entries are requested only after the previous ones have been sent, so that at most ``APILimits/events`` bytes are
/// held. A reader that does not take them within ``APILimits/stall`` is dropped. It resumes from the `id` of its last
/// event: the cursor.
struct APIEventWriter: Sendable {
    let channel: any Channel
    let limits: APILimits

    /// Writes the answer and closes the connection: at the end of the feed, when the task is cancelled, or when the
    /// reader has disconnected.
    func write(_ feed: any AsyncSequence<[AgentAPI.Event], any Error> & Sendable) async {
        let head = HTTPResponseHead(
            version: .http1_1, status: .ok,
            headers: ["Content-Type": "text/event-stream", "Cache-Control": "no-store", "Connection": "close"])
        channel.writeAndFlush(HTTPServerResponsePart.head(head), promise: nil)
        let heartbeat = channel.eventLoop.scheduleRepeatedTask(
            initialDelay: limits.heartbeat, delay: limits.heartbeat
        ) { [channel] _ in
            guard channel.isWritable else { return }
            let comment = HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: ": heartbeat\n\n")))
            channel.writeAndFlush(comment, promise: nil)
        }
        do {
            try await writeAll(feed)
        } catch let problem as AgentAPI.Problem {
            let data = (try? APICoding.encode(problem)) ?? Data("{}".utf8)
            try? await write(ByteBuffer(string: "event: problem\ndata: \(String(decoding: data, as: UTF8.self))\n\n"))
        } catch {
            // The reader has disconnected, and may resume from its cursor.
        }
        // The end is written on the event loop, so that no comment follows it.
        try? await stalling {
            channel.eventLoop.flatSubmit { [channel] in
                heartbeat.cancel()
                return channel.writeAndFlush(HTTPServerResponsePart.end(nil))
            }
        }
        channel.close(promise: nil)
    }

    private func writeAll(_ feed: any AsyncSequence<[AgentAPI.Event], any Error> & Sendable) async throws {
        for try await batch in feed {
            var bytes = ByteBuffer()
            for event in batch {
                bytes.writeString("id: \(event.cursor)\ndata: ")
                bytes.writeBytes(try APICoding.encode(event))
                bytes.writeString("\n\n")
                if bytes.readableBytes >= limits.events {
                    try await write(bytes)
                    bytes = ByteBuffer()
                }
            }
            if bytes.readableBytes > 0 { try await write(bytes) }
        }
    }

    private func write(_ bytes: ByteBuffer) async throws {
        try await stalling { channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(bytes))) }
    }

    /// Waits until the system has taken the written bytes, and closes the connection if that takes too long.
    private func stalling(_ write: () -> EventLoopFuture<Void>) async throws {
        let timer = channel.eventLoop.scheduleTask(in: limits.stall) { [channel] in channel.close(promise: nil) }
        defer { timer.cancel() }
        try await write().get()
    }
}
