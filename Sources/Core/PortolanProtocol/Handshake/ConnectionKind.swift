/// Purpose of a connection, by its first bytes.
package enum ConnectionKind: Hashable, Sendable {
    /// A session: a handshake follows.
    case session
    /// Lane of an existing session.
    case lane

    /// Number of bytes that identify the kind.
    package static let length = 8

    /// Returns the kind as soon as it is determined.
    ///
    /// - Parameter bytes: bytes so far, from the first one on.
    /// - Returns: `nil` if more bytes are needed.
    /// - Throws: `ProtocolViolation` at the first byte that fits neither kind.
    package static func of(_ bytes: some Collection<UInt8>) throws(ProtocolViolation) -> ConnectionKind? {
        let bytes = bytes.prefix(length)
        if Preface.magic.starts(with: bytes) { return bytes.count == length ? .session : nil }
        if LanePreface.magic.starts(with: bytes) { return bytes.count == length ? .lane : nil }
        throw ProtocolViolation(.malformed, "What connected speaks another protocol.")
    }
}
