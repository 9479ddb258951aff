import Foundation
import Glibc
import TestSupport

/// Lines like those of a server's log: each begins with an increasing time and number, a few words are frequent, and no
/// two lines are equal. `gzip -1` compresses them to about 43 %.
struct LogText {
    private var random: SeededGenerator
    private let messages: [[UInt8]]
    private var line = 0

    init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let letters = Array("eeeeeetttaaaooiinnsshrrdlcumwfgypbvk".utf8)
        let words = (0..<4000).map { _ in
            (0..<Int.random(in: 2...10, using: &random)).map { _ in letters.randomElement(using: &random)! }
        }
        var messages: [[UInt8]] = []
        for _ in 0..<40_000 {
            var message: [UInt8] = []
            for _ in 0..<Int.random(in: 6...15, using: &random) {
                // A few words are common and most are rare: the smallest of three draws.
                let draws = (0..<3).map { _ in Int.random(in: 0..<words.count, using: &random) }
                message.append(UInt8(ascii: " "))
                message += words[draws.min() ?? 0]
            }
            messages.append(message)
        }
        self.random = random
        self.messages = messages
    }

    /// Writes `size` bytes, the last line as far as it fits.
    ///
    /// - Throws: an error also if `gzip -1` compresses it more or less than typical logs.
    static func write(to path: String, size: Int) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw HostsError("cannot make \(path)") }
        defer { close(file) }
        var text = LogText(seed: 1)
        var left = size
        while left > 0 {
            let piece = text.piece(of: 4 << 20).prefix(left)
            let count = piece.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            guard count == piece.count else { throw HostsError("cannot write \(path)") }
            left -= piece.count
        }
    }

    private mutating func piece(of size: Int) -> [UInt8] {
        var piece: [UInt8] = []
        piece.reserveCapacity(size + 1024)
        while piece.count < size {
            line += 1
            let (second, minute, hour) = (line / 40 % 60, line / 2400 % 60, line / 144_000 % 24)
            append(line, digits: 9, to: &piece)
            piece += "  ".utf8
            append(hour, digits: 2, to: &piece)
            piece.append(UInt8(ascii: ":"))
            append(minute, digits: 2, to: &piece)
            piece.append(UInt8(ascii: ":"))
            append(second, digits: 2, to: &piece)
            for _ in 0..<2 { piece += messages[Int(truncatingIfNeeded: random.next() >> 33) % messages.count] }
            piece.append(UInt8(ascii: "\n"))
        }
        return piece
    }

    private func append(_ number: Int, digits: Int, to piece: inout [UInt8]) {
        var power = 1
        for _ in 1..<digits { power *= 10 }
        while power > 0 {
            piece.append(UInt8(ascii: "0") + UInt8(number / power % 10))
            power /= 10
        }
    }
}
