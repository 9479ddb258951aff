/// Reason why encoded bytes of a peer are refused.
package enum DeltaError: Error, Hashable, Sendable {
    /// Encoding of this target.
    package enum Encoding: String, Sendable {
        case chunkList = "chunk list"
        case chunkGroups = "list of groups of chunks"
        case signature
    }

    /// The bytes end too early.
    case truncated(Encoding)
    /// Bytes follow the end.
    case trailing(Encoding)
    /// A number is longer than 64 bits or not in its shortest form.
    case malformedNumber(Encoding)
    /// The list has more chunks than are acceptable.
    case tooManyChunks(UInt64)
    /// A chunk is shorter or longer than the chunker makes them.
    case badChunkLength(Int)
    /// The chunks do not match the digests of their groups, or the size of the file.
    case contradiction
    /// A request for a signature has a range outside the base, or a block size or length of sums that no request has.
    case badRequest
}

extension DeltaError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .truncated(let encoding): "A \(encoding.rawValue) is refused: it ends too early."
        case .trailing(let encoding): "A \(encoding.rawValue) is refused: bytes follow its end."
        case .malformedNumber(let encoding): "A \(encoding.rawValue) is refused: a number in it is malformed."
        case .tooManyChunks(let count): "A chunk list is refused: \(count) chunks are too many."
        case .badChunkLength(let length): "A chunk list is refused: no chunk has \(length) bytes there."
        case .contradiction: "A chunk list is refused: it contradicts the groups or the size that were told."
        case .badRequest: "A request for a signature is refused: its range or its parameters are not acceptable."
        }
    }
}
