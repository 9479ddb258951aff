/// JPEG (ITU-T T.81): marker segments up to the frame header (SOF), with the orientation of an EXIF segment before it.
enum JPEGHeader {
    static let signature: [UInt8] = [0xFF, 0xD8, 0xFF]

    private static let application1: UInt8 = 0xE1
    private static let startOfScan: UInt8 = 0xDA
    private static let endOfImage: UInt8 = 0xD9

    /// Largest number of segments and fill bytes; real headers have fewer.
    private static let segmentLimit = 1 << 16

    static func read(_ bytes: ByteView) throws(ImageError) -> ImageFrame {
        var orientation = Orientation.upright
        var position = 2
        for _ in 0..<segmentLimit {
            guard let lead = bytes.byte(at: position), let marker = bytes.byte(at: position + 1) else { break }
            guard lead == 0xFF else {
                throw .malformed(.jpeg, "something other than a segment stands before its frame")
            }
            switch marker {
            case 0xFF:
                position += 1
            case 0x01, 0xD0...0xD7:
                position += 2
            case startOfScan, endOfImage, 0x00, 0xD8:
                throw .malformed(.jpeg, "it has no frame header before its pixels")
            default:
                guard let length = bytes.integer(UInt16.self, at: position + 2), length >= 2,
                    let segment = bytes.view(at: position + 4, count: Int(length) - 2)
                else { throw .malformed(.jpeg, "a segment is cut short") }
                if isFrame(marker) { return try frame(segment, orientation) }
                if marker == application1, orientation == .upright, segment.has("Exif\0\0"),
                    let directory = segment.view(from: 6)
                {
                    orientation = Orientation(ofEXIF: directory)
                }
                position += 2 + Int(length)
            }
        }
        throw .malformed(.jpeg, "it has no frame header where one must be")
    }

    private static func frame(_ segment: ByteView, _ orientation: Orientation) throws(ImageError) -> ImageFrame {
        guard let height = segment.integer(UInt16.self, at: 1), let width = segment.integer(UInt16.self, at: 3) else {
            throw .malformed(.jpeg, "its frame header is cut short")
        }
        return try ImageFrame(.jpeg, width: width, height: height, orientation: orientation)
    }

    /// True for SOF0 to SOF15, except the three markers among them for tables and extensions.
    private static func isFrame(_ marker: UInt8) -> Bool {
        switch marker {
        case 0xC4, 0xC8, 0xCC: false
        case 0xC0...0xCF: true
        default: false
        }
    }
}
