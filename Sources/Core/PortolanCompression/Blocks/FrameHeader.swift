/// Header of a zstd frame (RFC 8878, section 3.1.1.1): the fields for memory and dictionary.
///
/// Checked before zstd reads the frame, so that a frame beyond the limits is rejected first.
struct FrameHeader: Hashable {
    /// Window size in bytes: the largest distance of back references.
    let windowSize: UInt64
    /// Length of the content; nil if the header does not state it.
    let contentSize: UInt64?

    private static let magic: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]

    init(of frame: UnsafeRawBufferPointer) throws(ExpandError) {
        guard frame.count >= 5 else { throw .truncated }
        guard frame[0..<4].elementsEqual(Self.magic) else { throw .notAFrame }
        let descriptor = frame[4]
        let isSingleSegment = descriptor & 0x20 != 0
        guard descriptor & 0x08 == 0 else { throw .notAFrame }
        guard descriptor & 0x03 == 0 else { throw .dictionary }

        var at = 5
        func number(_ count: Int) throws(ExpandError) -> UInt64 {
            guard frame.count - at >= count else { throw .truncated }
            defer { at += count }
            return frame[at..<at + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        let windowByte = isSingleSegment ? nil : try number(1)
        contentSize =
            switch descriptor >> 6 {
            case 0: isSingleSegment ? try number(1) : nil
            case 1: try number(2) + 256
            case 2: try number(4)
            default: try number(8)
            }
        if let windowByte {
            let base = UInt64(1) << (10 + windowByte >> 3)
            windowSize = base + base / 8 * (windowByte & 7)
        } else {
            windowSize = contentSize ?? 0
        }
    }
}
