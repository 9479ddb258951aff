import Foundation
import Testing

/// Smallest valid header of each format, written by hand from the formats' specifications.
struct Sample: Sendable, CustomTestStringConvertible {
    let name: String
    let type: String
    let bytes: [UInt8]
    let width: Int
    let height: Int

    var testDescription: String { name }

    static let all: [Sample] = [
        Sample(name: "PNG", type: "public.png", bytes: png(width: 640, height: 480), width: 640, height: 480),
        Sample(name: "JPEG", type: "public.jpeg", bytes: jpeg(width: 640, height: 480), width: 640, height: 480),
        Sample(
            name: "JPEG turned by EXIF", type: "public.jpeg", bytes: jpeg(width: 640, height: 480, orientation: 6),
            width: 480, height: 640),
        Sample(
            name: "GIF", type: "com.compuserve.gif",
            bytes: ascii("GIF89a") + little16(640) + little16(480) + [0, 0, 0], width: 640, height: 480),
        Sample(
            name: "WebP, lossy", type: "org.webmproject.webp",
            bytes: webP("VP8 ", [0x10, 0, 0, 0x9D, 0x01, 0x2A] + little16(640 | 0x4000) + little16(480)), width: 640,
            height: 480),
        Sample(
            name: "WebP, lossless", type: "org.webmproject.webp",
            bytes: webP("VP8L", [0x2F] + little32(639 | 479 << 14 | 1 << 28)), width: 640, height: 480),
        Sample(
            name: "WebP, extended", type: "org.webmproject.webp",
            bytes: webP("VP8X", [0x10, 0, 0, 0xFF] + little32(639).prefix(3) + little32(479).prefix(3)), width: 640,
            height: 480),
        Sample(name: "HEIC", type: "public.heic", bytes: heif(brand: "heic"), width: 640, height: 480),
        Sample(
            name: "HEIC turned", type: "public.heic", bytes: heif(brand: "heic", turns: 1), width: 480, height: 640),
        Sample(
            name: "HEIC by a compatible brand", type: "public.heic",
            bytes: heif(brand: "mif1", compatible: ["mif1", "heic"]), width: 640, height: 480),
        Sample(name: "HEIC sequence", type: "public.heics", bytes: heif(brand: "hevc"), width: 640, height: 480),
        Sample(name: "HEIF", type: "public.heif", bytes: heif(brand: "mif1"), width: 640, height: 480),
        Sample(name: "AVIF", type: "public.avif", bytes: heif(brand: "avif"), width: 640, height: 480),
        Sample(name: "AVIF sequence", type: "public.avis", bytes: heif(brand: "avis"), width: 640, height: 480),
        Sample(
            name: "TIFF, little-endian", type: "public.tiff",
            bytes: [0x49, 0x49, 42, 0] + little32(8) + little16(2) + little16(256) + little16(3) + little32(1)
                + little16(640) + little16(0) + little16(257) + little16(4) + little32(1) + little32(480) + little32(0),
            width: 640, height: 480),
        Sample(
            name: "TIFF, big-endian, turned", type: "public.tiff",
            bytes: [0x4D, 0x4D, 0, 42] + big32(8) + big16(3) + big16(256) + big16(4) + big32(1) + big32(640)
                + big16(257) + big16(3) + big32(1) + big16(480) + big16(0) + big16(274) + big16(3) + big32(1)
                + big16(8) + big16(0) + big32(0), width: 480, height: 640),
        Sample(
            name: "BMP", type: "com.microsoft.bmp", bytes: bmp(header: little32(40) + little32(640) + little32(480)),
            width: 640, height: 480),
        Sample(
            name: "BMP from top to bottom", type: "com.microsoft.bmp",
            bytes: bmp(header: little32(124) + little32(640) + little32(0 &- 480)), width: 640, height: 480),
        Sample(
            name: "BMP of OS/2", type: "com.microsoft.bmp",
            bytes: bmp(header: little32(12) + little16(640) + little16(480)), width: 640, height: 480),
    ]
}

func png(width: UInt32, height: UInt32) -> [UInt8] {
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + big32(13) + ascii("IHDR") + big32(width) + big32(height)
}

/// A table segment, EXIF if an orientation is given, a fill byte and a frame.
func jpeg(width: UInt16, height: UInt16, orientation: UInt16? = nil) -> [UInt8] {
    [0xFF, 0xD8, 0xFF, 0xDB] + big16(4) + [0, 0] + (orientation.map(exif) ?? []) + [0xFF, 0xFF, 0xC2] + big16(11) + [8]
        + big16(height) + big16(width) + [1, 1, 0x11, 0]
}

/// The segment APP1 with one directory that has one entry.
func exif(orientation: UInt16) -> [UInt8] {
    let directory =
        [0x4D, 0x4D, 0, 42] + big32(8) + big16(1) + big16(274) + big16(3) + big32(1) + big16(orientation) + big16(0)
        + big32(0)
    return [0xFF, 0xE1] + big16(UInt16(2 + 6 + directory.count)) + ascii("Exif\0\0") + directory
}

func webP(_ chunk: String, _ content: [UInt8]) -> [UInt8] {
    ascii("RIFF") + little32(UInt32(12 + content.count)) + ascii("WEBP") + ascii(chunk)
        + little32(UInt32(content.count)) + content
}

/// A thumbnail is item 1, the primary image item 2. The media data comes first, as it may.
func heif(brand: String, compatible: [String] = [], turns: UInt8? = nil, mirrorAxis: UInt8? = nil) -> [UInt8] {
    var properties = box("ispe", big32(0) + big32(160) + big32(120)) + box("ispe", big32(0) + big32(640) + big32(480))
    var indices: [UInt8] = [2]
    if let turns {
        properties += box("irot", [turns])
        indices.append(0x80 | UInt8(indices.count + 2))
    }
    if let mirrorAxis {
        properties += box("imir", [mirrorAxis])
        indices.append(0x80 | UInt8(indices.count + 2))
    }
    let associations =
        big32(0) + big32(2) + big16(1) + [1, 1] + big16(2) + [UInt8(indices.count)] + indices
    return box("ftyp", ascii(brand) + big32(0) + compatible.flatMap(ascii)) + box("mdat", [1, 2, 3])
        + box(
            "meta",
            big32(0) + box("hdlr", big32(0)) + box("pitm", big32(0) + big16(2))
                + box("iprp", box("ipco", properties) + box("ipma", associations)))
}

/// A whole TIFF image: 8 bits each of red, green and blue, in one strip without compression.
func tiff(width: UInt16, height: UInt16, orientation: UInt16, color: (Int32, Int32) -> Int32) -> [UInt8] {
    let pixels = (0..<Int32(height)).flatMap { y in
        (0..<Int32(width)).flatMap { x in big32(UInt32(bitPattern: color(x, y))).dropFirst() }
    }
    let short: UInt16 = 3
    let long: UInt16 = 4
    let entries: [(tag: UInt16, type: UInt16, count: UInt32, value: [UInt8])] = [
        (256, short, 1, big16(width) + big16(0)), (257, short, 1, big16(height) + big16(0)),
        (258, short, 3, big32(8)), (259, short, 1, big16(1) + big16(0)), (262, short, 1, big16(2) + big16(0)),
        (273, long, 1, big32(14)), (274, short, 1, big16(orientation) + big16(0)),
        (277, short, 1, big16(3) + big16(0)), (278, short, 1, big16(height) + big16(0)),
        (279, long, 1, big32(UInt32(pixels.count))),
    ]
    // The bits per sample, which do not fit into their entry, stand after the header; the pixels after them.
    return [0x4D, 0x4D, 0, 42] + big32(UInt32(14 + pixels.count)) + big16(8) + big16(8) + big16(8) + pixels
        + big16(UInt16(entries.count))
        + entries.flatMap { big16($0.tag) + big16($0.type) + big32($0.count) + $0.value } + big32(0)
}

func bmp(header: [UInt8]) -> [UInt8] { ascii("BM") + [UInt8](repeating: 0, count: 12) + header }

func box(_ type: String, _ content: [UInt8]) -> [UInt8] { big32(UInt32(8 + content.count)) + ascii(type) + content }
func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }
func big16(_ value: UInt16) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xFF)] }
func big32(_ value: UInt32) -> [UInt8] { big16(UInt16(value >> 16)) + big16(UInt16(value & 0xFFFF)) }
func little16(_ value: UInt16) -> [UInt8] { big16(value).reversed() }
func little32(_ value: UInt32) -> [UInt8] { big32(value).reversed() }
