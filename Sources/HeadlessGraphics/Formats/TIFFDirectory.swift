import Foundation

/// First image directory of a TIFF file, or of the TIFF structure inside EXIF.
struct TIFFDirectory {
    private static let imageWidth: UInt16 = 256
    private static let imageLength: UInt16 = 257
    private static let orientationTag: UInt16 = 274

    private let bytes: ByteView
    private let order: ByteView.Order

    /// Nil if the bytes do not begin as TIFF.
    init?(_ bytes: ByteView) {
        if bytes.has([0x49, 0x49, 42, 0]) {
            order = .littleEndian
        } else if bytes.has([0x4D, 0x4D, 0, 42]) {
            order = .bigEndian
        } else {
            return nil
        }
        self.bytes = bytes
    }

    func header() throws(ImageError) -> ImageHeader {
        guard isWhole, let width = value(of: Self.imageWidth), let height = value(of: Self.imageLength) else {
            throw .malformed(.tiff, "its first directory states no size or is cut short")
        }
        return try ImageHeader(.tiff, width: width, height: height, orientation: orientation)
    }

    /// Orientation; upright if the directory has no valid one.
    var orientation: Orientation {
        value(of: Self.orientationTag).flatMap { Orientation(rawValue: Int($0)) } ?? .upright
    }

    private var start: Int? { bytes.integer(UInt32.self, at: 4, order).map(Int.init) }

    private func entryCount(at start: Int) -> Int? { bytes.integer(UInt16.self, at: start, order).map(Int.init) }

    private var isWhole: Bool {
        guard let start, let count = entryCount(at: start) else { return false }
        return bytes.view(at: start + 2, count: 12 * count) != nil
    }

    /// Returns the offset of the entry with a tag. A directory has at most 65,535 entries of 12 bytes.
    private func entry(of tag: UInt16) -> Int? {
        guard let start, let count = entryCount(at: start) else { return nil }
        return (0..<count).lazy.map { start + 2 + 12 * $0 }.first { bytes.integer(UInt16.self, at: $0, order) == tag }
    }

    /// Returns the single number in the entry with a tag.
    private func value(of tag: UInt16) -> UInt32? {
        guard let entry = entry(of: tag), bytes.integer(UInt32.self, at: entry + 4, order) == 1 else { return nil }
        return switch bytes.integer(UInt16.self, at: entry + 2, order) {
        case 3: bytes.integer(UInt16.self, at: entry + 8, order).map(UInt32.init)
        case 4: bytes.integer(UInt32.self, at: entry + 8, order)
        default: nil
        }
    }

    /// Returns the file with the orientation tag of its first image replaced by a meaningless tag.
    ///
    /// The TIFF library obeys the tag for some kinds of images, half for others and not for the rest.
    static func withoutOrientation(_ data: Data) -> Data {
        guard let entry = TIFFDirectory(ByteView(data))?.entry(of: orientationTag) else { return data }
        var data = data
        let tag = data.startIndex + entry
        data.replaceSubrange(tag..<tag + 2, with: [0xFF, 0xFF])
        return data
    }
}
