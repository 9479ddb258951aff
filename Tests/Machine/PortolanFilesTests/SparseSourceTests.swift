import Glibc
import TestSupport
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

@Suite struct SparseSourceTests {
    /// The parts that are sent, in their order.
    private func parts(of file: SourceFile) -> [Range<UInt64>] {
        var parts: [Range<UInt64>] = []
        while let next = file.nextData(from: parts.last?.upperBound ?? 0) { parts.append(next) }
        return parts
    }

    private func sparse(_ path: String, size: UInt64, data: [UInt64]) throws -> SourceFile {
        let number = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        defer { close(number) }
        try #require(ftruncate(number, off_t(size)) == 0)
        let block = [UInt8](repeating: 7, count: 4096)
        for offset in data { try #require(pwrite(number, block, block.count, off_t(offset)) == block.count) }
        return try #require(try SourceTree(path: path).next()).open()
    }

    @Test(arguments: ["/dev/shm", "/tmp"]) func onlyTheDataOfAHugeFileIsSent(_ parent: String) throws {
        guard access(parent, W_OK) == 0 else {
            print("skipped: there is no \(parent)")
            return
        }
        let temporary = TemporaryFolder(in: parent)
        let size: UInt64 = 100 << 30
        let places: [UInt64] = [1 << 20, 50 << 30, size - 4096]
        let file = try sparse(temporary("huge"), size: size, data: places)
        guard file.mayHaveHoles, file.nextData(from: 0) != 0..<size else {
            print("skipped: \(parent) has no holes")
            return
        }
        let parts = parts(of: file)
        #expect(parts.reduce(0) { $0 + $1.count } < 8 << 20)
        for place in places {
            #expect(parts.contains { $0.contains(place) && $0.contains(place + 4095) }, "\(place)")
        }
        #expect(parts.allSatisfy { !$0.isEmpty && $0.upperBound <= size })
        var bytes = [UInt8](repeating: 1, count: 4096)
        try bytes.withUnsafeMutableBytes { try file.fill($0, from: 50 << 30) }
        #expect(bytes.allSatisfy { $0 == 7 })
        try bytes.withUnsafeMutableBytes { try file.fill($0, from: 99 << 30) }
        #expect(bytes.allSatisfy { $0 == 0 })
        try file.confirmUnchanged()
    }

    @Test func fileWithOnlyAHoleHasNoData() throws {
        let temporary = TemporaryFolder.inMemory()
        let file = try sparse(temporary("hole"), size: 1 << 30, data: [])
        #expect(parts(of: file).isEmpty || parts(of: file) == [0..<1 << 30])
        #expect(try sparse(temporary("empty"), size: 0, data: []).nextData(from: 0) == nil)
    }

    @Test func smallHolesAndFilesWithoutHolesAreDataThroughout() throws {
        let temporary = TemporaryFolder.inMemory()
        let small = try sparse(temporary("small"), size: 60 << 10, data: [])
        #expect(small.nextData(from: 0) == 0..<60 << 10)
        // A hole of 60 KiB between two blocks.
        let crumbs = try sparse(temporary("crumbs"), size: 68 << 10, data: [0, 64 << 10])
        #expect(crumbs.nextData(from: 0) == 0..<68 << 10)
        let dense = try sparse(temporary("dense"), size: 128 << 10, data: (0..<32).map { $0 * 4096 })
        #expect(!dense.mayHaveHoles && dense.nextData(from: 5) == 5..<128 << 10)
        #expect(dense.nextData(from: 128 << 10) == nil && dense.nextData(from: .max) == nil)
    }

    @Test func truncatedSparseFileIsDetected() throws {
        let temporary = TemporaryFolder.inMemory()
        let file = try sparse(temporary("file"), size: 1 << 30, data: [512 << 20])
        #expect(truncate(temporary("file"), 1 << 20) == 0)
        _ = parts(of: file)
        #expect(kind { try file.confirmUnchanged() } == .sourceChanged)
    }

    @Test func withoutHoleSupportEverythingIsData() throws {
        try onPlainFileSystem { folder in
            let file = try sparse(folder("file"), size: 1 << 20, data: [512 << 10])
            #expect(parts(of: file) == [0..<1 << 20])
        }
    }
}

/// Segments of data on simulated file systems.
@Suite struct DataSegmentsTests {
    private static let unit: UInt64 = 4096

    /// A file of blocks that are data or not.
    private func search(_ blocks: [Bool]) -> DataSegments {
        let size = UInt64(blocks.count) * Self.unit
        return DataSegments(size: size) { edge, offset in
            var block = Int(offset / Self.unit)
            while block < blocks.count, blocks[block] != (edge == .data) { block += 1 }
            if block == blocks.count { return edge == .hole ? .at(size) : .nothing }
            return .at(max(offset, UInt64(block) * Self.unit))
        }
    }

    private func parts(_ search: DataSegments) -> [Range<UInt64>] {
        var parts: [Range<UInt64>] = []
        var offset: UInt64 = 0
        while offset < search.size, let next = search.next(from: offset) {
            parts.append(next)
            // The extents must advance, with either implementation.
            guard next.lowerBound >= offset, next.upperBound > next.lowerBound else { break }
            offset = next.upperBound
        }
        return parts
    }

    @Test func everyBlockOfDataIsSentAndEveryLargeHoleLeftOut() {
        let seed = testSeed()
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            var blocks: [Bool] = []
            for _ in 0..<Int.random(in: 1...20, using: &generator) {
                let isData = Bool.random(using: &generator)
                blocks += [Bool](repeating: isData, count: Int.random(in: 1...40, using: &generator))
            }
            let parts = parts(search(blocks))
            var sent = [Bool](repeating: false, count: blocks.count)
            for part in parts {
                for block in Int(part.lowerBound / Self.unit)..<Int(part.upperBound / Self.unit) { sent[block] = true }
            }
            for (block, isData) in blocks.enumerated() where isData { #expect(sent[block], "seed \(seed)") }
            var start = 0
            while start < blocks.count {
                let end = blocks[start...].firstIndex { $0 != blocks[start] } ?? blocks.count
                let isLargeHole = !blocks[start] && UInt64(end - start) * Self.unit >= DataSegments.smallestHole
                if !blocks[start] {
                    #expect(sent[start..<end].allSatisfy { $0 == !isLargeHole }, "seed \(seed), block \(start)")
                }
                start = end
            }
            for (one, next) in zip(parts, parts.dropFirst()) { #expect(one.upperBound < next.lowerBound) }
        }
    }

    @Test func fileOfManySmallSegmentsIsReadInLongParts() {
        let parts = parts(search((0..<10_000).map { $0 % 2 == 0 }))
        #expect(parts.count > 1 && parts.first?.lowerBound == 0 && parts.last?.upperBound == 10_000 * Self.unit)
        for (one, next) in zip(parts, parts.dropFirst()) { #expect(one.upperBound == next.lowerBound) }
    }

    @Test func inconsistentHoleAnswersLoseNoDataAndEnd() {
        let size: UInt64 = 1 << 30
        #expect(parts(DataSegments(size: size) { _, _ in .unknown }) == [0..<size])
        #expect(parts(DataSegments(size: size) { _, _ in .at(0) }) == [0..<size])
        #expect(parts(DataSegments(size: size) { _, offset in .at(offset) }) == [0..<size])
        #expect(parts(DataSegments(size: size) { edge, _ in edge == .data ? .at(.max) : .at(0) }).isEmpty)
        let seed = testSeed()
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            var answers = generator
            generator = SeededGenerator(seed: generator.next())
            let liar = DataSegments(size: size) { _, offset in
                switch answers.next() % 5 {
                case 0: .unknown
                case 1: .nothing
                case 2: .at(answers.next())
                default: .at(offset &+ answers.next() % (1 << 26))
                }
            }
            let parts = parts(liar)
            #expect(parts.allSatisfy { !$0.isEmpty && $0.upperBound <= size }, "seed \(seed)")
            for (one, next) in zip(parts, parts.dropFirst()) { #expect(one.upperBound <= next.lowerBound) }
        }
    }
}
