extension Orientation {
    /// Tag of the orientation in the first directory of EXIF.
    private static let tag: UInt16 = 274

    /// Type of a value of 16 bits.
    private static let short: UInt16 = 3

    /// Orientation that an EXIF segment of a JPEG states, in the bytes after `Exif\0\0`; upright without a valid one.
    ///
    /// Only the first directory is read, of at most 65,535 entries of 12 bytes; nothing that an entry refers to is
    /// followed.
    init(ofEXIF bytes: ByteView) {
        self = Self.stated(in: bytes) ?? .upright
    }

    private static func stated(in bytes: ByteView) -> Orientation? {
        let order: ByteView.Order
        if bytes.has([0x49, 0x49, 42, 0]) {
            order = .littleEndian
        } else if bytes.has([0x4D, 0x4D, 0, 42]) {
            order = .bigEndian
        } else {
            return nil
        }
        guard let start = bytes.integer(UInt32.self, at: 4, order).map(Int.init),
            let count = bytes.integer(UInt16.self, at: start, order).map(Int.init)
        else { return nil }
        let entries = (0..<count).lazy.map { start + 2 + 12 * $0 }
        guard let entry = entries.first(where: { bytes.integer(UInt16.self, at: $0, order) == tag }),
            bytes.integer(UInt16.self, at: entry + 2, order) == short,
            bytes.integer(UInt32.self, at: entry + 4, order) == 1
        else { return nil }
        return bytes.integer(UInt16.self, at: entry + 8, order).flatMap { Orientation(rawValue: Int($0)) }
    }
}
