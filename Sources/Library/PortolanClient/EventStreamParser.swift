import NIOCore

/// A message of a stream of server-sent events.
package struct ServerSentMessage: Hashable, Sendable {
    /// Name; empty for a message without one.
    package var name = ""
    package var data = ""
    package var id: String?
}

/// Parses server-sent events from bytes as they arrive. Comments and incomplete messages are skipped.
package struct EventStreamParser: Sendable {
    private var rest = ByteBuffer()
    private var message = ServerSentMessage()
    private var hasData = false

    /// Largest message, in bytes: an entry of the journal has at most 1 MiB, of which JSON can make six times as many.
    static let limit = 8 << 20

    package init() {}

    /// - Throws: ``AgentClientError/unintelligible(reason:)`` for a message that is too large.
    package mutating func read(_ bytes: ByteBuffer) throws(AgentClientError) -> [ServerSentMessage] {
        rest.writeImmutableBuffer(bytes)
        var messages: [ServerSentMessage] = []
        while let end = rest.readableBytesView.firstIndex(of: UInt8(ascii: "\n")) {
            let count = end - rest.readerIndex
            let line = rest.readString(length: count) ?? ""
            rest.moveReaderIndex(forwardBy: 1)
            if let whole = read(line: line) { messages.append(whole) }
        }
        rest.discardReadBytes()
        guard rest.readableBytes + message.data.utf8.count <= Self.limit else {
            throw .unintelligible(reason: "an event has more than \(Self.limit) bytes")
        }
        return messages
    }

    /// - Returns: the message that ends with the line.
    private mutating func read(line: String) -> ServerSentMessage? {
        guard !line.isEmpty else {
            defer { (message, hasData) = (ServerSentMessage(), false) }
            return hasData ? message : nil
        }
        let colon = line.firstIndex(of: ":") ?? line.endIndex
        let value = line[colon...].dropFirst()
        let text = String(value.first == " " ? value.dropFirst() : value)
        switch line[..<colon] {
        case "event": message.name = text
        case "id": message.id = text
        case "data":
            message.data += hasData ? "\n" + text : text
            hasData = true
        default: break
        }
        return nil
    }
}
