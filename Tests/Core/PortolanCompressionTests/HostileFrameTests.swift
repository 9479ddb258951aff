import TestSupport
import Testing

@testable import PortolanCompression

/// Frames of hostile peers. Frames that are made by hand follow RFC 8878, section 3.1.1.
@Suite struct HostileFrameTests {
    private static let magic: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]

    private enum Kind: UInt32 {
        case raw = 0
        case run = 1
        case compressed = 2
        case reserved = 3
    }

    /// The header of a block within a frame.
    private func blockHeader(_ kind: Kind, size: Int, isLast: Bool) -> [UInt8] {
        let value = UInt32(size) << 3 | kind.rawValue << 1 | (isLast ? 1 : 0)
        return [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8), UInt8(value >> 16)]
    }

    /// A frame whose content is one byte, `count` times, as runs of at most 128 KiB.
    private func runs(_ count: Int, header: [UInt8]) -> [UInt8] {
        var frame = Self.magic + header
        var left = count
        repeat {
            let size = min(left, 128 << 10)
            left -= size
            frame += blockHeader(.run, size: size, isLast: left == 0) + [0x41]
        } while left > 0
        return frame
    }

    /// A header with the length of the content, in `bytes` bytes (4 or 8).
    private func sized(_ size: UInt64, bytes: Int = 4, flags: UInt8 = 0x20) -> [UInt8] {
        [flags | (bytes == 8 ? 0xC0 : 0x80)] + (0..<bytes).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) }
    }

    /// A header without a length, but with a window of 2^log bytes.
    private func windowed(_ log: UInt8) -> [UInt8] { [0x00, (log - 10) << 3] }

    @Test("frames made by hand are taken when they keep the rules")
    func handMade() throws {
        let expander = Expanding()
        let mebibyte = [UInt8](repeating: 0x41, count: 1 << 20)
        #expect(try expander.content(of: runs(1 << 20, header: sized(1 << 20)), count: 1 << 20) == mebibyte)
        #expect(try expander.content(of: runs(1 << 20, header: sized(1 << 20, bytes: 8)), count: 1 << 20) == mebibyte)
        #expect(try expander.content(of: runs(1 << 20, header: windowed(20)), count: 1 << 20) == mebibyte)
        let raw = Self.magic + [0x20, 3] + blockHeader(.raw, size: 3, isLast: true) + [1, 2, 3]
        #expect(try expander.content(of: raw, count: 3) == [1, 2, 3])
    }

    @Test(
        "a bomb is refused before anything of it is expanded, and one that hides its size when it has filled its block")
    func bombs() {
        let expander = Expanding()
        for size in [(1 << 20) + 1, 1 << 30, 1 << 31] as [UInt64] {
            #expect(expander.refusal(of: runs(1 << 21, header: sized(size)), count: 1 << 20) == .tooLarge)
        }
        for size in [1 << 40, 1 << 63, UInt64.max, UInt64.max - 1] {
            #expect(expander.refusal(of: runs(1 << 21, header: sized(size, bytes: 8)), count: 1 << 20) == .tooLarge)
        }
        #expect(expander.refusal(of: runs(1 << 30, header: windowed(20)), count: 1 << 20) == .wrongLength)
        #expect(expander.refusal(of: runs(1 << 21, header: sized(1 << 20)), count: 1 << 20) != nil)
        for log in [21, 27, 31, 41] as [UInt8] {
            #expect(expander.refusal(of: runs(1 << 20, header: windowed(log)), count: 1 << 20) == .tooLarge)
        }
        // The window is an eighth larger than 1 MiB.
        #expect(expander.refusal(of: runs(100, header: [0x00, 10 << 3 | 1]), count: 100) == .tooLarge)
    }

    @Test("a frame that gives more or fewer bytes than were declared is refused")
    func wrongLengths() throws {
        let expander = Expanding()
        let log = Sample.log(100_000, seed: 1)
        let frame = try #require(Packing().frame(of: log))
        for count in [1, 2, 99_999, 100_001, 1 << 20] {
            #expect(expander.refusal(of: frame, count: count) == .wrongLength)
        }
        for count in [0, (1 << 20) + 1] { #expect(expander.refusal(of: frame, count: count) == .tooLarge) }
        for count in [99, 101] {
            #expect(expander.refusal(of: runs(100, header: windowed(20)), count: count) == .wrongLength)
            // The header states a wrong length.
            #expect(expander.refusal(of: runs(100, header: sized(UInt64(count))), count: count) != nil)
        }
    }

    @Test("a frame may be followed by nothing: no second one, none that is to be skipped, no byte")
    func trailing() throws {
        let expander = Expanding()
        let log = Sample.log(10_000, seed: 1)
        let frame = try #require(Packing().frame(of: log))
        let skipped: [UInt8] = [0x50, 0x2A, 0x4D, 0x18, 0, 0, 0, 0]
        for tail in [[0], frame, skipped, runs(1, header: windowed(10))] {
            #expect(expander.refusal(of: frame + tail, count: log.count) == .trailing)
        }
        #expect(expander.refusal(of: skipped + frame, count: log.count) == .notAFrame)
    }

    @Test("dictionaries, unknown features and other formats are refused")
    func otherForms() {
        let expander = Expanding()
        for (flag, id) in [(1, [0]), (1, [9]), (2, [1, 2]), (3, [1, 2, 3, 4])] as [(UInt8, [UInt8])] {
            let header = [0x80 | 0x20 | flag] + id + [100, 0, 0, 0]
            #expect(expander.refusal(of: runs(100, header: header), count: 100) == .dictionary)
        }
        #expect(expander.refusal(of: runs(100, header: sized(100, flags: 0x28)), count: 100) == .notAFrame)
        for other in [[0x1F, 0x8B, 8, 0, 0], [0x27, 0xB5, 0x2F, 0xFD, 0], [0x37, 0xA4, 0x30, 0xEC, 0, 0]] as [[UInt8]] {
            #expect(expander.refusal(of: other, count: 100) == .notAFrame)
        }
        let reserved = Self.magic + sized(3) + blockHeader(.reserved, size: 3, isLast: true) + [1, 2, 3]
        #expect(expander.refusal(of: reserved, count: 3) != nil)
    }

    @Test("a frame that is cut short anywhere is refused")
    func cutShort() throws {
        let expander = Expanding()
        let frame = try #require(Packing().frame(of: Sample.log(5000, seed: 1)))
        for count in 0..<frame.count {
            #expect(expander.refusal(of: Array(frame[..<count]), count: 5000) == .truncated)
        }
    }

    @Test(
        "a damaged frame gives exactly the declared bytes or is refused; the next one is taken")
    func fuzz() throws {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        let expander = Expanding()
        let log = Sample.log(3000, seed: 1)
        let frame = try #require(Packing().frame(of: log))
        var refused = 0
        for round in 0..<4000 {
            var hostile = frame
            switch round % 4 {
            case 0: hostile = Self.magic + Sample.random(Int.random(in: 0...200, using: &random), seed: random.next())
            case 1: hostile[Int.random(in: 4..<30, using: &random)] = UInt8.random(in: 0...255, using: &random)
            case 2:
                for _ in 0..<8 {
                    hostile[Int.random(in: 0..<frame.count, using: &random)] ^= UInt8.random(
                        in: 1...255, using: &random)
                }
            default:
                let cut = Int.random(in: 4..<frame.count, using: &random)
                hostile = Array(frame[..<cut] + frame[Int.random(in: 4..<frame.count, using: &random)...])
            }
            // Guard bytes after the permitted output.
            var output = [UInt8](repeating: 0xEE, count: log.count + 64)
            let failed = hostile.withUnsafeBytes { hostile in
                output.withUnsafeMutableBytes { output in
                    let declared = UnsafeMutableRawBufferPointer(rebasing: output[..<log.count])
                    do throws(ExpandError) {
                        try expander.expander.expand(hostile, into: declared)
                        return false
                    } catch {
                        return true
                    }
                }
            }
            if failed { refused += 1 }
            #expect(output[log.count...].allSatisfy { $0 == 0xEE }, "seed \(seed), round \(round)")
            if round % 500 == 0 { #expect(try expander.content(of: frame, count: log.count) == log, "seed \(seed)") }
        }
        #expect(refused > 2000, "seed \(seed)")
    }

    @Test("every refusal is a sentence")
    func sentences() {
        let all: [ExpandError] = [
            .notAFrame, .truncated, .trailing, .dictionary, .tooLarge, .wrongLength, .damaged("x"), .noMemory,
        ]
        #expect(Set(all.map(\.description)).count == all.count)
        #expect(all.allSatisfy { $0.description.hasSuffix(".") })
    }
}
