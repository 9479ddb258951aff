import PortolanFiles
import PortolanSyncPlan
import TestSupport
import Testing

@testable import FilesTestSupport
@testable import PortolanSyncFolder

/// Digests of files that are hashed while they are written.
@Suite struct PrefixDigestTests {
    private static let size = 5_000_003

    /// A file that is written piece by piece.
    private struct Written {
        let storage = KernelStorage()
        let folder = TemporaryFolder()
        let file: Descriptor
        let digest: PrefixDigest

        init() throws {
            digest = PrefixDigest(FileLook(storage: storage, now: { .now }))
            file = try storage.makeFile("f", in: try storage.openFolder(path: folder.path), mode: 0o600)
        }

        func write(_ bytes: [UInt8], _ range: Range<Int>) throws {
            try storage.write(Array(bytes[range]), to: file, at: UInt64(range.lowerBound))
            try digest.wrote(UInt64(range.lowerBound)..<UInt64(range.upperBound), to: file)
        }

        func found() throws -> ContentDigest { try digest.digest(of: file, size: UInt64(PrefixDigestTests.size)) }
    }

    private static func bytes(_ random: inout SeededGenerator) -> [UInt8] {
        (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    @Test("the digest of a file is right for each order of its pieces")
    func orders() throws {
        for seed in 0..<6 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            let bytes = Self.bytes(&random)
            let piece = 100_000 << (seed % 3)
            var pieces = stride(from: 0, to: Self.size, by: piece).map { $0..<min($0 + piece, Self.size) }
            if seed > 2 { pieces.shuffle(using: &random) }
            let written = try Written()
            for range in pieces { try written.write(bytes, range) }
            #expect(try written.found() == FileLook.digest(bytes))
        }
    }

    @Test("bytes that are written again count, though others were hashed in their place")
    func again() throws {
        var random = SeededGenerator(seed: 1)
        var bytes = Self.bytes(&random)
        let written = try Written()
        try written.write(bytes, 0..<Self.size)
        bytes[17] ^= 1
        try written.write(bytes, 10..<20)
        #expect(try written.found() == FileLook.digest(bytes))
    }

    @Test("bytes that were there before count, where none were written")
    func before() throws {
        var random = SeededGenerator(seed: 2)
        let bytes = Self.bytes(&random)
        let written = try Written()
        try written.storage.write(bytes, to: written.file, at: 0)
        try written.write(bytes, 0..<3_000_000)
        try written.write(bytes, 4_000_000..<Self.size)
        #expect(try written.found() == FileLook.digest(bytes))
    }
}
