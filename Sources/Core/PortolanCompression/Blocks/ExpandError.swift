/// Reason why a packed block is rejected.
package enum ExpandError: Error, Hashable, Sendable {
    /// The block does not begin with a standard zstd frame.
    case notAFrame
    /// The block ends before its frame does.
    case truncated
    /// Bytes follow the frame.
    case trailing
    /// The frame was made with a dictionary.
    case dictionary
    /// The frame, or the declared length, exceeds the limits for a block.
    case tooLarge
    /// The frame expands to another length than declared.
    case wrongLength
    /// The frame is damaged; with zstd's message.
    case damaged(String)
    /// zstd has no working memory.
    case noMemory
}

extension ExpandError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notAFrame: "A packed block is refused: it is not a zstd frame."
        case .truncated: "A packed block is refused: its zstd frame is cut short."
        case .trailing: "A packed block is refused: there is more in it than one zstd frame."
        case .dictionary: "A packed block is refused: its zstd frame needs a dictionary."
        case .tooLarge: "A packed block is refused: it asks for more than \(BlockLimits.content) bytes of memory."
        case .wrongLength: "A packed block is refused: it does not give as many bytes as were announced."
        case .damaged(let detail): "A packed block is refused: its zstd frame is damaged (\(detail))."
        case .noMemory: "A packed block cannot be expanded: there is no memory for it."
        }
    }
}
