import Foundation
import HeadlessGraphics
import TestSupport
import Testing
import UniformTypeIdentifiers

@Suite("Headers written to do harm", .aside)
struct HostileImageTests {
    @Test("An image cut off at any byte is refused, or has the same size", arguments: Sample.all)
    func truncation(_ sample: Sample) throws {
        for length in 0..<sample.bytes.count {
            do {
                let size = try Image(data: Data(sample.bytes.prefix(length))).pixelSize
                #expect(
                    size?.width == sample.size?.width && size?.height == sample.size?.height, "cut to \(length) bytes")
            } catch {
                #expect(error.kind == .malformed || error.kind == .unrecognized, "cut to \(length) bytes")
            }
        }
    }

    @Test("A size of nothing is malformed")
    func zeroSizes() {
        let images: [[UInt8]] = [
            png(width: 0, height: 1), png(width: 1, height: 0), jpeg(width: 5, height: 0), jpeg(width: 0, height: 5),
            ascii("GIF87a") + little16(0) + little16(9),
        ]
        for bytes in images {
            let error = #expect(throws: ImageError.self) { try Image(data: Data(bytes)) }
            #expect(error?.kind == .malformed, "\(bytes)")
        }
    }

    @Test("The largest sizes that fields hold are taken or refused, and no arithmetic overflows")
    func hugeSizes() throws {
        #expect(throws: ImageError.self) { try Image(data: Data(png(width: .max, height: 1))) }
        let widest = try Image(data: Data(png(width: 0x7FFF_FFFF, height: 0x7FFF_FFFF)))
        #expect(widest.pixelSize?.width == 0x7FFF_FFFF)
    }

    @Test("Lengths beyond the data are refused")
    func beyond() {
        let images: [[UInt8]] = [
            [0xFF, 0xD8, 0xFF, 0xE1, 0xFF, 0xFF], [0xFF, 0xD8, 0xFF, 0xE0, 0, 1], [0xFF, 0xD8, 0xFF, 0xE0, 0, 0],
        ]
        for bytes in images {
            let error = #expect(throws: ImageError.self) { try Image(data: Data(bytes)) }
            #expect(error?.kind == .malformed, "\(bytes)")
        }
    }

    @Test("An EXIF directory that lies beyond its segment, or in its own header, turns nothing")
    func hostileEXIF() throws {
        let orders: [([UInt8], (UInt32) -> [UInt8], (UInt16) -> [UInt8])] = [
            ([0x49, 0x49, 42, 0], little32, little16), ([0x4D, 0x4D, 0, 42], big32, big16),
        ]
        for (start, long, short) in orders {
            let directories = [
                start, start + long(.max), start + long(0), start + long(4), start + long(8) + short(.max),
                start + long(8) + short(1) + short(274) + short(3) + long(.max) + short(6),
            ]
            for directory in directories {
                let segment = [0xFF, 0xE1] + big16(UInt16(8 + directory.count)) + ascii("Exif\0\0") + directory
                let image = try Image(data: Data([0xFF, 0xD8] + segment + jpeg(width: 30, height: 20).dropFirst(2)))
                #expect(image.pixelSize?.width == 30, "\(directory)")
            }
        }
    }

    @Test("Brands are looked at within their box, at most 64 of them")
    func brands() throws {
        for (count, type) in [(63, UTType.heic), (64, .heif)] {
            let brands = Array(repeating: "none", count: count) + ["heic"]
            #expect(try Image(data: Data(heif(brand: "mif1", compatible: brands))).contentType == type)
        }
        for length in [UInt32(0), 1, 16] {
            let image = try Image(data: Data(big32(length) + ascii("ftypmif1") + big32(0) + ascii("heic")))
            #expect(image.contentType == .heif, "a box of \(length) bytes")
        }
        let long = try Image(data: Data(big32(.max) + ascii("ftypmif1") + big32(0) + ascii("heic")))
        #expect(long.contentType == .heic)
    }

    @Test("A megabyte of empty segments and of fill bytes is given up on")
    func endlessHeaders() {
        let count = 1 << 20
        let fill = Data([0xFF, 0xD8]) + Data(repeating: 0xFF, count: count)
        #expect(throws: ImageError.self) { try Image(data: fill) }
        let segments = Data([0xFF, 0xD8]) + Data((0..<count / 4).flatMap { _ in [0xFF, 0xE0, 0, 2] as [UInt8] })
        #expect(throws: ImageError.self) { try Image(data: segments) }
    }

    @Test("Changed at random it is refused, has a size, or is of a format that is not read", arguments: Sample.all)
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
                let image = try Image(data: Data(bytes))
                if let size = image.pixelSize {
                    #expect(size.width > 0 && size.height > 0, "seed 0x13A6E, round \(round)")
                } else {
                    #expect(Sample.unsized.contains { $0.type == image.contentType.identifier })
                }
            } catch {
                #expect([.malformed, .unrecognized].contains(error.kind), "seed 0x13A6E, round \(round)")
            }
        }
    }
}
