import Foundation
import Testing

/// Smallest valid header of each format, written by hand from the formats' specifications.
struct Sample: Sendable, CustomTestStringConvertible {
    let name: String
    let type: String
    let bytes: [UInt8]
    /// Width and height; nil for a format whose header is not read.
    var size: (width: Int, height: Int)?

    var testDescription: String { name }

    static let all: [Sample] = sized + unsized

    static let sized: [Sample] = [
        Sample(name: "PNG", type: "public.png", bytes: png(width: 640, height: 480), size: (640, 480)),
        Sample(name: "JPEG", type: "public.jpeg", bytes: jpeg(width: 640, height: 480), size: (640, 480)),
        Sample(
            name: "JPEG turned by EXIF", type: "public.jpeg", bytes: jpeg(width: 640, height: 480, orientation: 6),
            size: (480, 640)),
        Sample(
            name: "GIF", type: "com.compuserve.gif",
            bytes: ascii("GIF89a") + little16(640) + little16(480) + [0, 0, 0], size: (640, 480)),
    ]

    static let unsized: [Sample] = [
        Sample(name: "WebP", type: "org.webmproject.webp", bytes: webP("VP8L", [0x2F] + little32(639 | 479 << 14))),
        Sample(name: "HEIC", type: "public.heic", bytes: heif(brand: "heic")),
        Sample(
            name: "HEIC by a compatible brand", type: "public.heic",
            bytes: heif(brand: "mif1", compatible: ["mif1", "heic"])),
        Sample(name: "HEIC sequence", type: "public.heics", bytes: heif(brand: "hevc")),
        Sample(name: "HEIF", type: "public.heif", bytes: heif(brand: "mif1")),
        Sample(name: "AVIF", type: "public.avif", bytes: heif(brand: "avif")),
        Sample(name: "AVIF sequence", type: "public.avis", bytes: heif(brand: "avis")),
        Sample(name: "TIFF, little-endian", type: "public.tiff", bytes: [0x49, 0x49, 42, 0] + little32(8)),
        Sample(name: "TIFF, big-endian", type: "public.tiff", bytes: [0x4D, 0x4D, 0, 42] + big32(8)),
        Sample(name: "BMP", type: "com.microsoft.bmp", bytes: bmp(header: little32(40) + little32(640))),
        Sample(name: "BMP of OS/2", type: "com.microsoft.bmp", bytes: bmp(header: little32(12) + little16(640))),
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

/// The box `ftyp`, and media data.
func heif(brand: String, compatible: [String] = []) -> [UInt8] {
    box("ftyp", ascii(brand) + big32(0) + compatible.flatMap(ascii)) + box("mdat", [1, 2, 3])
}

func bmp(header: [UInt8]) -> [UInt8] { ascii("BM") + [UInt8](repeating: 0, count: 12) + header }

func box(_ type: String, _ content: [UInt8]) -> [UInt8] { big32(UInt32(8 + content.count)) + ascii(type) + content }
func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }
func big16(_ value: UInt16) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xFF)] }
func big32(_ value: UInt32) -> [UInt8] { big16(UInt16(value >> 16)) + big16(UInt16(value & 0xFFFF)) }
func little16(_ value: UInt16) -> [UInt8] { big16(value).reversed() }
func little32(_ value: UInt32) -> [UInt8] { big32(value).reversed() }
