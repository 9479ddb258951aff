/// Unread input of a handshake: the beginning of the awaited piece, and no more.
struct HandshakeInput: Sendable {
    private(set) var partial: [UInt8] = []
    /// Length of the awaited frame, once that has come and was found good; nil before, and of pieces without a length.
    var frameLength: Int?

    /// True if nothing of the awaited piece has come, not even its length.
    var isEmpty: Bool { frameLength == nil && partial.isEmpty }

    /// Takes the next `count` bytes, once they have all come.
    mutating func take(_ count: Int, from input: inout ArraySlice<UInt8>) -> [UInt8]? {
        let missing = input.prefix(count - partial.count)
        partial += missing
        input = input.dropFirst(missing.count)
        guard partial.count == count else { return nil }
        defer { partial = [] }
        return partial
    }

    /// Puts back bytes that turned out to be the beginning of other data.
    mutating func putBack(_ bytes: [UInt8]) {
        partial = bytes
    }
}
