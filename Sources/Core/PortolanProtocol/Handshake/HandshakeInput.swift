/// Unread input of a handshake: only the beginning of the expected piece.
struct HandshakeInput: Sendable {
    private(set) var partial: [UInt8] = []
    /// Length of the expected frame, after it was received and accepted; nil before, and for pieces without a length.
    var frameLength: Int?

    /// True if no byte of the expected piece has come, not even its length.
    var isEmpty: Bool { frameLength == nil && partial.isEmpty }

    /// Returns the next `count` bytes after all of them have come.
    mutating func take(_ count: Int, from input: inout ArraySlice<UInt8>) -> [UInt8]? {
        let missing = input.prefix(count - partial.count)
        partial += missing
        input = input.dropFirst(missing.count)
        guard partial.count == count else { return nil }
        return exchange(&partial, with: [])
    }

    /// Puts back bytes that belong to following data.
    mutating func putBack(_ bytes: [UInt8]) {
        partial = bytes
    }
}
