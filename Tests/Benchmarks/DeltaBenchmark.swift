import Glibc
import PortolanDelta
import TestSupport

/// Speed of the parts of a delta, in this process on one thread, and network bytes for edits of a large file.
struct DeltaBenchmark {
    let options: Options
    private let key: [UInt8] = Array(0..<32)
    private let sums = BlockSums(key: Array(32..<64))

    private var size: Int { options.isQuick ? 128 << 20 : 1 << 30 }

    func run() -> [Verdict] {
        say("\ndeltas: \(size >> 20) MiB of random bytes in memory, one thread, the best of \(rounds) rounds")
        let content = Self.randomBytes(size, seed: 1)
        return speeds(content) + edits(content)
    }

    private var rounds: Int { options.rounds }

    // MARK: Speeds

    private func speeds(_ content: [UInt8]) -> [Verdict] {
        // Changed ranges of the largest length, and the same range of a base without equal blocks.
        let range = 4 << 20
        let other = Self.randomBytes(range, seed: 2)
        let signature = signature(of: other[...], at: 0)
        let index = BlockSearch([signature], sums)
        let equal = BlockSearch([self.signature(of: content[..<range], at: 0)], sums)

        let cutting = speed(of: size) { boundaries(content) }
        let chunking = speed(of: size) { scan(content).chunks.count }
        let signing = speed(of: range) { self.signature(of: other[...], at: 0).encode().count }
        let search = speed(of: range) { operations(index, content[..<range]) }
        let matching = speed(of: range) { operations(equal, content[..<range]) }
        say(
            Table(rows: [
                ["", "MB/s of a core"],
                ["boundaries of chunks", number(cutting, 0)],
                ["chunks and their SHA-256", number(chunking, 0)],
                ["signature of a range", number(signing, 0)],
                ["search where nothing is found", number(search, 0)],
                ["search where all is found", number(matching, 0)],
            ]))
        return [Verdict("delta: boundaries of chunks", value: cutting, .atLeast(1000), digits: 0, unit: " MB/s")]
    }

    /// Speed in MB per second of processor time, in the fastest round.
    private func speed(of size: Int, _ work: () -> Int) -> Double {
        let seconds = (0..<rounds).map { _ in
            let start = Self.processorSeconds
            Self.use(work())
            return Self.processorSeconds - start
        }
        return Double(size) / 1e6 / (seconds.min() ?? 0)
    }

    /// Processor time of this thread: beside other programs, a core is not always available.
    private static var processorSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    private func boundaries(_ content: [UInt8]) -> Int {
        content.withUnsafeBytes { bytes in
            var chunker = Chunker(GearTable(key: key))
            var (count, at) = (0, 0)
            while at < bytes.count,
                let next = chunker.nextBoundary(in: UnsafeRawBufferPointer(rebasing: bytes[at...]))
            {
                at += next
                count += 1
            }
            return count
        }
    }

    private func signature(of base: ArraySlice<UInt8>, at start: UInt64) -> BlockSignature {
        do {
            let request = try SignatureRequest(
                base: start, length: UInt64(base.count), blockSize: 1024, strongLength: 5,
                baseSize: start + UInt64(base.count))
            return base.withUnsafeBytes { BlockSignature(of: $0, for: request, sums) }
        } catch {
            fatalError("\(error)")
        }
    }

    private func operations(_ search: BlockSearch, _ content: ArraySlice<UInt8>) -> Int {
        var count = 0
        content.withUnsafeBytes { bytes in search.search(bytes, at: 0) { _ in count += 1 } }
        return count
    }

    // MARK: Edits

    private func edits(_ base: [UInt8]) -> [Verdict] {
        let list = scan(base)
        var rows = [["", "chunk list", "signatures", "operations"]]
        var verdicts: [Verdict] = []
        for edit in Edit.allCases {
            var new = base
            edit.apply(to: &new)
            let cost = cost(base, list, new)
            rows.append([edit.rawValue, "\(cost.list)", "\(cost.signatures)", "\(cost.operations)"])
            verdicts.append(
                Verdict(
                    "delta: \(edit.rawValue)", value: Double(cost.signatures + cost.operations) / 1000,
                    .atMost(edit.limit), digits: 1, unit: " KB"))
        }
        say("\nbytes on the network (the list only if the sender does not have it)")
        say(Table(rows: rows))
        return verdicts
    }

    private enum Edit: String, CaseIterable {
        case insertion = "1 byte inserted"
        case overwriting = "8 bytes overwritten"
        case appending = "3 MB appended"
        case page = "a page of 4 KiB and the first page"
        case pages = "100 pages of 4 KiB and the first page"

        /// Limit on the cost, in kilobytes.
        var limit: Double {
            switch self {
            case .insertion, .overwriting: 16
            case .appending: 3100
            case .page: 24
            case .pages: 900
            }
        }

        func apply(to content: inout [UInt8]) {
            let middle = content.count / 2
            switch self {
            case .insertion: content.insert(1, at: middle)
            case .overwriting: content.replaceSubrange(middle..<middle + 8, with: [1, 2, 3, 4, 5, 6, 7, 8])
            case .appending: content += DeltaBenchmark.randomBytes(3_000_000, seed: 3)
            case .page: DeltaBenchmark.changePages(&content, count: 1)
            case .pages: DeltaBenchmark.changePages(&content, count: 100)
            }
        }
    }

    /// Changes 200 bytes in each of some pages, and four in the first page, as a database does.
    fileprivate static func changePages(_ content: inout [UInt8], count: Int) {
        var random = SeededGenerator(seed: 4)
        content.replaceSubrange(24..<28, with: randomBytes(4, seed: 5))
        for _ in 0..<count {
            let at = Int.random(in: 1..<content.count / 4096, using: &random) * 4096 + 1000
            content.replaceSubrange(at..<at + 200, with: randomBytes(200, seed: random.next()))
        }
    }

    private func scan(_ content: [UInt8]) -> ChunkList { content.withUnsafeBytes { ChunkScanner.scan($0, key: key) } }

    private func cost(
        _ base: [UInt8], _ list: ChunkList, _ new: [UInt8]
    ) -> (list: Int, signatures: Int, operations: Int) {
        var (signatures, operations) = (0, 0)
        var merger = OperationMerger()
        func write(_ operation: DeltaOperation?) {
            guard let operation else { return }
            // About as many bytes as the numbers of an operation take.
            operations += 8
            if case .literal(let range) = operation { operations += range.count }
        }
        for segment in ChunkMatch(new: scan(new), base: list).segments {
            switch segment {
            case .copy(let range): write(merger.add(.copy(base: range)))
            case .changed(let changed):
                let answers = changed.requests.map { request in
                    let range = Int(request.base.lowerBound)..<Int(request.base.upperBound)
                    return base[range].withUnsafeBytes { BlockSignature(of: $0, for: request, sums) }
                }
                signatures += answers.reduce(0) { $0 + $1.encode().count }
                let range = Int(changed.range.lowerBound)..<Int(changed.range.upperBound)
                new[range].withUnsafeBytes { bytes in
                    BlockSearch(answers, sums).search(bytes, at: changed.range.lowerBound) { write(merger.add($0)) }
                }
            }
        }
        write(merger.finish())
        return (list.encode().count, signatures, operations)
    }

    fileprivate static func randomBytes(_ count: Int, seed: UInt64) -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            let bytes = UnsafeMutableRawBufferPointer(buffer)
            for at in stride(from: 0, to: count - 7, by: 8) {
                bytes.storeBytes(of: random.next(), toByteOffset: at, as: UInt64.self)
            }
            for at in count & ~7..<count { bytes[at] = UInt8(truncatingIfNeeded: random.next()) }
            filled = count
        }
    }

    /// Keeps the optimiser from removing work without a use.
    @inline(never) private static func use(_ value: Int) { withExtendedLifetime(value) {} }
}
