import Foundation
import HeadlessGraphics
import TestSupport
import Testing

@Suite("Headers written to do harm", .aside)
struct HostileImageTests {
    @Test("An image cut off at any byte is refused, or has the same size", arguments: Sample.all)
    func truncation(_ sample: Sample) throws {
        for length in 0..<sample.bytes.count {
            do {
                let size = try Image(data: Data(sample.bytes.prefix(length))).pixelSize
                #expect(size.width == sample.width && size.height == sample.height, "cut to \(length) bytes")
            } catch {
                #expect(error.kind == .malformed || error.kind == .unrecognized, "cut to \(length) bytes")
            }
        }
    }

    @Test("A size of nothing is malformed")
    func zeroSizes() {
        let images: [[UInt8]] = [
            png(width: 0, height: 1), png(width: 1, height: 0), jpeg(width: 5, height: 0), jpeg(width: 0, height: 5),
            ascii("GIF87a") + little16(0) + little16(9), bmp(header: little32(40) + little32(0) + little32(1)),
            bmp(header: little32(40) + little32(0 &- 1) + little32(1)),
            webP("VP8 ", [0x10, 0, 0, 0x9D, 0x01, 0x2A] + little16(0x4000) + little16(480)),
        ]
        for bytes in images {
            let error = #expect(throws: ImageError.self) { try Image(data: Data(bytes)) }
            #expect(error?.kind == .malformed, "\(bytes)")
        }
    }

    @Test("The largest sizes that fields hold are taken or refused, and no arithmetic overflows")
    func hugeSizes() throws {
        let greatest = UInt32.max
        #expect(throws: ImageError.self) { try Image(data: Data(png(width: greatest, height: 1))) }
        let widest = try Image(data: Data(png(width: 0x7FFF_FFFF, height: 0x7FFF_FFFF)))
        #expect(widest.pixelSize.width == 0x7FFF_FFFF && !widest.isConvertibleToPNG == (widest.contentType != .png))
        let tiff =
            [0x49, 0x49, 42, 0] + little32(8) + little16(2)
            + [UInt16(256), 257].flatMap { little16($0) + little16(4) + little32(1) + little32(greatest) }
        let image = try Image(data: Data(tiff))
        #expect(image.pixelSize.width == Int(greatest) && image.pixelSize.height == Int(greatest))
        #expect(!image.isConvertibleToPNG)
        let lowest = try Image(data: Data(bmp(header: little32(40) + little32(1) + little32(0x8000_0000))))
        #expect(lowest.pixelSize.height == 0x8000_0000)
    }

    @Test("Offsets and lengths beyond the data are refused")
    func offsetsBeyondTheDataAreRefused() {
        let start = box("ftyp", ascii("heic") + big32(0))
        let images: [[UInt8]] = [
            [0x49, 0x49, 42, 0] + little32(.max), [0x4D, 0x4D, 0, 42] + big32(8) + big16(.max),
            // A directory that lies in its own header.
            [0x49, 0x49, 42, 0] + little32(0), [0x49, 0x49, 42, 0] + little32(4),
            start + big32(.max) + ascii("meta"), start + big32(7) + ascii("meta") + [0, 0, 0, 0],
            start + big32(1) + ascii("meta") + big32(.max) + big32(.max),
            start + big32(1) + ascii("meta") + big32(0) + big32(15),
            start + box("meta", big32(0) + box("pitm", big32(0) + big16(2)) + box("iprp", box("ipco", []))),
            [0xFF, 0xD8, 0xFF, 0xE1, 0xFF, 0xFF], [0xFF, 0xD8, 0xFF, 0xE0, 0, 1], [0xFF, 0xD8, 0xFF, 0xE0, 0, 0],
        ]
        for bytes in images {
            let error = #expect(throws: ImageError.self) { try Image(data: Data(bytes)) }
            #expect(error?.kind == .malformed, "\(bytes)")
        }
    }

    @Test("An association list that claims four thousand million entries ends with its bytes")
    func manyEntries() {
        let associations = [0, 0, 0, 0] + big32(.max) + big16(1) + [0] + big16(3) + [255]
        let bytes =
            box("ftyp", ascii("avif") + big32(0))
            + box(
                "meta",
                big32(0) + box("pitm", big32(0) + big16(2))
                    + box("iprp", box("ipco", box("ispe", big32(0) + big32(1) + big32(1))) + box("ipma", associations)))
        #expect(throws: ImageError.self) { try Image(data: Data(bytes)) }
    }

    @Test("A megabyte of empty boxes, empty segments and fill bytes are given up on")
    func endlessHeaders() {
        let count = 1 << 20
        let fill = Data([0xFF, 0xD8]) + Data(repeating: 0xFF, count: count)
        #expect(throws: ImageError.self) { try Image(data: fill) }
        let segments = Data([0xFF, 0xD8]) + Data((0..<count / 4).flatMap { _ in [0xFF, 0xE0, 0, 2] as [UInt8] })
        #expect(throws: ImageError.self) { try Image(data: segments) }
        let boxes = Data(box("ftyp", ascii("heic") + big32(0))) + Data((0..<count / 8).flatMap { _ in box("free", []) })
        #expect(throws: ImageError.self) { try Image(data: boxes) }
    }

    @Test("A randomly changed image is refused or has a size", arguments: Sample.all)
    func fuzz(_ sample: Sample) {
        var random = SeededGenerator(seed: 0x1_3A6E)
        for round in 0..<1000 {
            var bytes = sample.bytes
            for _ in 0...Int.random(in: 0..<4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<5, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random)!
                case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
                case 3 where bytes.count > 1: bytes.remove(at: place)
                default: bytes.append(contentsOf: bytes[place...].prefix(16))
                }
            }
            do {
                let size = try Image(data: Data(bytes)).pixelSize
                #expect(size.width > 0 && size.height > 0, "seed 0x13A6E, round \(round)")
            } catch {
                #expect([.malformed, .unrecognized].contains(error.kind), "seed 0x13A6E, round \(round)")
            }
        }
    }
}
