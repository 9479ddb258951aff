/// Iterates over the boxes of an ISO base media file (ISO/IEC 14496-12, section 4.2), forward only, with a limit on
/// their number.
struct BoxReader: Sequence, IteratorProtocol {
    struct Box {
        let type: UInt32
        let content: ByteView

        func isType(_ name: StaticString) -> Bool { type == fourCharacterCode(name) }
    }

    private let bytes: ByteView
    private var position = 0
    private var remaining = 1 << 16

    init(_ bytes: ByteView) {
        self.bytes = bytes
    }

    /// Reads the next box; nil at the end and at a box that is longer than its container or shorter than its header.
    mutating func next() -> Box? {
        guard remaining > 0, let size = bytes.integer(UInt32.self, at: position),
            let type = bytes.integer(UInt32.self, at: position + 4)
        else { return nil }
        let header: Int
        let length: Int
        switch size {
        case 0:
            header = 8
            length = bytes.count - position
        case 1:
            guard let long = bytes.integer(UInt64.self, at: position + 8).flatMap(Int.init(exactly:)) else {
                return nil
            }
            header = 16
            length = long
        default:
            header = 8
            length = Int(size)
        }
        guard length >= header, let content = bytes.view(at: position + header, count: length - header) else {
            return nil
        }
        position += length
        remaining -= 1
        return Box(type: type, content: content)
    }

    /// Returns the content of the first box of a type.
    static func first(_ name: StaticString, in bytes: ByteView) -> ByteView? {
        BoxReader(bytes).first { $0.isType(name) }?.content
    }
}

/// Returns a box type or brand of four ASCII letters as a number.
func fourCharacterCode(_ name: StaticString) -> UInt32 {
    name.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
}
