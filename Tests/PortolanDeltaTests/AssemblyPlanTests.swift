import TestSupport
import Testing

@testable import PortolanDelta

/// Content that is assembled from an own file and from fetched parts.
@Suite struct AssemblyPlanTests {
    /// - Returns: the assembled content, and the number of fetched bytes, including sums.
    private func assemble(_ wanted: [UInt8], from own: [UInt8], forge: ([UInt8]) -> [UInt8] = { $0 }) throws -> (
        content: [UInt8], cost: Int
    ) {
        var plan = AssemblyPlan(wanted: chunkList(wanted), own: chunkList(own))
        var found: [(search: AssemblyPlan.Search, pieces: [AssemblyPlan.Part])] = []
        var cost = 0
        var next: UInt64 = 0
        for search in try plan.searches() {
            let range = search.request.base
            #expect(range.lowerBound >= next && range.upperBound <= plan.size)
            next = range.upperBound
            let told = wanted[Int(range.lowerBound)..<Int(range.upperBound)].withUnsafeBytes {
                BlockSignature(of: $0, for: search.request, sums).encode()
            }
            cost += told.count
            let signature = try BlockSignature(decoding: forge(told), for: search.request)
            let pieces = search.windows.flatMap { window in
                AssemblyPlan.pieces(
                    of: search, signature, sums, in: Array(own[Int(window.lowerBound)..<Int(window.upperBound)]),
                    at: window.lowerBound)
            }
            found.append((search, pieces))
        }
        plan.fill(found)
        var content: [UInt8] = []
        for part in plan.parts {
            #expect(part.range.lowerBound == UInt64(content.count) && !part.range.isEmpty)
            let bytes = part.own.map { own[Int($0)..<Int($0) + part.range.count] }
            content += bytes ?? wanted[Int(part.range.lowerBound)..<Int(part.range.upperBound)]
        }
        cost += Int(plan.missing)
        // Any range has the same parts, cut at its ends.
        let (start, end) = (UInt64(wanted.count / 3), UInt64(wanted.count / 3 * 2))
        #expect(plan.parts(in: start..<end).reduce(0) { $0 + $1.range.count } == Int(end - start))
        #expect(plan.parts(in: 0..<plan.size) == plan.parts)
        return (content, cost)
    }

    @Test("a byte that is inserted, removed or overwritten costs little")
    func oneByte() throws {
        let own = randomBytes(3 << 20, seed: 1)
        var inserted = own
        inserted.insert(7, at: 1_234_567)
        var removed = own
        removed.remove(at: 2_345_678)
        var overwritten = own
        overwritten[3_000_000] ^= 1
        for wanted in [inserted, removed, overwritten] {
            let result = try assemble(wanted, from: own)
            #expect(result.content == wanted)
            #expect(result.cost < 10_000, "\(result.cost)")
        }
    }

    @Test("any edits come out right", arguments: 0..<40)
    func edits(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let own = randomBytes(random.upTo(1 << 20), seed: seed)
        var wanted = own
        for _ in 0..<random.upTo(12) {
            let (start, length) = (random.upTo(wanted.count), random.upTo(random.upTo(1) == 0 ? 100 : 200_000))
            let end = min(start + length, wanted.count)
            switch random.upTo(3) {
            case 0: wanted.insert(contentsOf: randomBytes(length, seed: seed + 1), at: start)
            case 1: wanted.removeSubrange(start..<end)
            case 2: wanted.insert(contentsOf: own.prefix(length), at: start)
            default: wanted.replaceSubrange(start..<end, with: randomBytes(end - start, seed: seed + 2))
            }
        }
        #expect(try assemble(wanted, from: own).content == wanted)
    }

    @Test("one byte again and again is found, and is no long search")
    func uniform() throws {
        let own = [UInt8](repeating: 3, count: 1 << 20)
        let wanted = own + [1] + own
        let result = try assemble(wanted, from: own)
        #expect(result.content == wanted && result.cost < 600_000)
    }

    @Test("sums that are forged find nothing, and lead nowhere outside the own file")
    func forged() throws {
        let own = randomBytes(1 << 20, seed: 5)
        var wanted = own
        wanted.insert(9, at: 600_000)
        let result = try assemble(wanted, from: own) { [UInt8](repeating: 0, count: $0.count) }
        #expect(result.content == wanted)
    }

    /// - Returns: a plan without unprofitable parts, and whether a difference is worthwhile.
    private func joined(_ wanted: [UInt8], _ own: [UInt8]) throws -> (plan: AssemblyPlan, isOfUse: Bool) {
        var plan = AssemblyPlan(wanted: chunkList(wanted), own: chunkList(own))
        var found: [(search: AssemblyPlan.Search, pieces: [AssemblyPlan.Part])] = []
        for search in try plan.searches() {
            let range = Int(search.request.base.lowerBound)..<Int(search.request.base.upperBound)
            let signature = wanted[range].withUnsafeBytes { BlockSignature(of: $0, for: search.request, sums) }
            let pieces = search.windows.flatMap { window in
                AssemblyPlan.pieces(
                    of: search, signature, sums, in: Array(own[Int(window.lowerBound)..<Int(window.upperBound)]),
                    at: window.lowerBound)
            }
            found.append((search, pieces))
        }
        plan.fill(found)
        let isOfUse = plan.join()
        var position: UInt64 = 0
        for part in plan.parts {
            #expect(part.range.lowerBound == position)
            position = part.range.upperBound
            guard let start = part.own.map({ Int($0) }) else { continue }
            let bytes = wanted[Int(part.range.lowerBound)..<Int(part.range.upperBound)]
            #expect(own[start..<start + part.range.count] == bytes)
        }
        #expect(position == plan.size)
        #expect(plan.missing == plan.parts.reduce(0) { $0 + ($1.own == nil ? UInt64($1.range.count) : 0) })
        return (plan, isOfUse)
    }

    @Test("what is between two missing parts is fetched with them if it is little")
    func little() throws {
        let own = randomBytes(2 << 20, seed: 11)
        var wanted = own
        // Blocks of 1,024 bytes are found: 8 KiB between the first two, 64 KiB to the third.
        for place in [500_000, 500_000 + (8 << 10), 500_000 + (72 << 10)] { wanted[place] ^= 1 }
        let (plan, isOfUse) = try joined(wanted, own)
        #expect(isOfUse)
        #expect(plan.parts.count { $0.own == nil } == 2)
        #expect(plan.missing < 16 << 10, "\(plan.missing)")
    }

    @Test("a file with a change in each of its small blocks is fetched whole", arguments: [2 << 10, 20 << 10])
    func everywhere(distance: Int) throws {
        let own = randomBytes(2 << 20, seed: 12)
        var wanted = own
        for place in stride(from: 100, to: wanted.count, by: distance) { wanted[place] ^= 1 }
        #expect(try !joined(wanted, own).isOfUse)
    }

    @Test("few changes, and content with a third of something else, are worth a difference")
    func worth() throws {
        let own = randomBytes(2 << 20, seed: 13)
        var wanted = own
        for place in stride(from: 100, to: wanted.count, by: 128 << 10) { wanted[place] ^= 1 }
        #expect(try joined(wanted, own).isOfUse)
        #expect(try joined(own + randomBytes(1 << 20, seed: 14), own).isOfUse)
        #expect(try !joined(randomBytes(2 << 20, seed: 15), own).isOfUse)
    }

    @Test("sums that fit many places of the own file find no more pieces than are kept")
    func pieces() throws {
        let own = randomBytes(1 << 20, seed: 16)
        var wanted = own
        wanted.replaceSubrange(500_000..<600_000, with: randomBytes(100_000, seed: 17))
        let plan = AssemblyPlan(wanted: chunkList(wanted), own: chunkList(own))
        let block = [UInt8](repeating: 3, count: 1024)
        let repeated = [UInt8](repeating: 3, count: 64 << 10)
        var count = 0
        for search in try plan.searches() {
            // Every second block is claimed to equal the repeated content, so that no two pieces join.
            let blocks = (search.request.base.count + 1023) / 1024
            let content = (0..<blocks).flatMap { $0 % 2 == 0 ? block : randomBytes(1024, seed: UInt64($0)) }
                .prefix(search.request.base.count)
            let signature = Array(content).withUnsafeBytes { BlockSignature(of: $0, for: search.request, sums) }
            let pieces = { (most: Int) in
                AssemblyPlan.pieces(of: search, signature, sums, in: repeated, at: 0, most: most).count
            }
            count += pieces(.max)
            #expect(pieces(5) <= 5)
        }
        #expect(count > 5)
    }
}
