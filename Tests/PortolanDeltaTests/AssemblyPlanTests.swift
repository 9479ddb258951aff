import TestSupport
import Testing

@testable import PortolanDelta

/// Content that is put together from an own file and from what is fetched.
@Suite struct AssemblyPlanTests {
    /// - Returns: what is put together, and the bytes that were fetched or told for it.
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
}
