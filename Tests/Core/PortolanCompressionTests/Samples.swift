import TestSupport

@testable import PortolanCompression

/// Content to compress.
enum Sample {
    /// Lines of a server's log, which `gzip -1` compresses to about 40 %.
    static func log(_ count: Int, seed: UInt64) -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        let levels = ["INFO", "INFO", "DEBUG", "WARN", "ERROR"]
        let messages = [
            "accepted connection from", "closed session", "received payload for", "retrying request", "stored item",
            "evicted cache entry", "completed transfer of", "authenticated user", "renewed lease for",
        ]
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 256)
        var milliseconds: UInt64 = 41_000_000
        while bytes.count < count {
            milliseconds += random.next() % 40
            let line =
                "2026-03-20T\(milliseconds / 3_600_000):\(milliseconds / 60_000 % 60):\(milliseconds / 1000 % 60).\(milliseconds % 1000)Z "
                + "\(levels.randomElement(using: &random)!) [net.listener] \(messages.randomElement(using: &random)!) "
                + "\(random.next() % 256).\(random.next() % 256).\(random.next() % 256).\(random.next() % 256) "
                + "id=\(String(random.next(), radix: 16))\(String(random.next(), radix: 16)) took=\(random.next() % 100_000)us\n"
            bytes.append(contentsOf: line.utf8)
        }
        return Array(bytes[..<count])
    }

    /// Incompressible content.
    static func random(_ count: Int, seed: UInt64) -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }
}

/// A compressor that expectations can call (they take no values that cannot be copied).
final class Packing {
    let compressor = BlockCompressor()

    /// The frame of a block; nil when it does not get smaller.
    func frame(of block: [UInt8]) -> [UInt8]? {
        var output = [UInt8](repeating: 0, count: BlockLimits.packed(block.count))
        let count = block.withUnsafeBytes { block in
            output.withUnsafeMutableBytes { compressor.compress(block, into: $0) }
        }
        return count.map { Array(output[..<$0]) }
    }
}

/// An expander that expectations can call.
final class Expanding {
    let expander = BlockExpander()

    /// The content of a frame that was declared to have `count` bytes.
    func content(of frame: [UInt8], count: Int) throws(ExpandError) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: count)
        let result = frame.withUnsafeBytes { frame in
            output.withUnsafeMutableBytes { output in
                Result { () throws(ExpandError) in try expander.expand(frame, into: output) }
            }
        }
        try result.get()
        return output
    }

    /// Reason why a frame is rejected; nil if it is not.
    func refusal(of frame: [UInt8], count: Int) -> ExpandError? {
        do {
            _ = try content(of: frame, count: count)
            return nil
        } catch {
            return error
        }
    }
}
