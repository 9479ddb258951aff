/// Why a packed block is refused.
package enum ExpandError: Error, Hashable, Sendable {
    /// It does not begin with a zstd frame of the one form there is.
    case notAFrame
    /// It ends before its frame does.
    case truncated
    /// Something follows its frame.
    case trailing
    /// Its frame was made with a dictionary.
    case dictionary
    /// Its frame, or the length that was declared for it, asks for more than a block may have.
    case tooLarge
    /// Its frame gives another number of bytes than was declared.
    case wrongLength
    /// Its frame is damaged; in zstd's words.
    case damaged(String)
    /// There is no memory for zstd to work in.
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
