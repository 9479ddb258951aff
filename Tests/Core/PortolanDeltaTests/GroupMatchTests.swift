import TestSupport
import Testing

@testable import PortolanDelta

@Suite struct GroupMatchTests {
    private let old = randomBytes(8_000_000, seed: 1)

    /// The chunks of the missing groups, as the side that holds the base would send them.
    private func answer(_ match: GroupMatch, _ base: ChunkList) -> ChunkList {
        let groups = base.groups
        var asked = ChunkList()
        for number in match.missing.joined() {
            for chunk in base.chunks[groups[number].chunks] { asked.append(chunk) }
        }
        return asked
    }

    private func match(_ new: [UInt8], mostRuns: Int = 4096) throws -> (GroupMatch, ChunkList) {
        let base = chunkList(old)
        let digests = try ChunkGroup.decode(ChunkGroup.encode(base.groups))
        return (GroupMatch(base: digests, new: chunkList(new), mostRuns: mostRuns), base)
    }

    @Test func groupsHaveAllChunks() {
        let list = chunkList(old)
        let groups = list.groups
        #expect(groups.flatMap { Array($0.chunks) } == Array(list.chunks.indices))
        #expect(groups.allSatisfy { 1...ChunkGroup.maximumCount ~= $0.chunks.count } && groups.count > 2)
    }

    @Test("the base's list is made of groups of both", arguments: [0, 3_999_999, 8_000_000], [1, 4096])
    func insertions(place: Int, mostRuns: Int) throws {
        var new = old
        new.insert(9, at: place)
        let (match, base) = try match(new, mostRuns: mostRuns)
        #expect(match.missing.reduce(0) { $0 + $1.count } <= 4)
        #expect(try match.list(with: answer(match, base), size: UInt64(old.count)) == base)
    }

    @Test func equalVersionsHaveNoMissingGroups() throws {
        let (match, base) = try match(old)
        #expect(match.missing.isEmpty)
        #expect(try match.list(with: ChunkList(), size: UInt64(old.count)) == base)
        #expect(throws: DeltaError.contradiction) { try match.list(with: ChunkList(), size: 7) }
    }

    @Test func contradictionsAreRefused() throws {
        let (match, base) = try match(randomBytes(1_000_000, seed: 2))
        #expect(match.missing == [0..<base.groups.count])
        #expect(throws: DeltaError.contradiction) { try match.list(with: ChunkList(), size: UInt64(old.count)) }
        let other = chunkList(randomBytes(8_000_000, seed: 3))
        #expect(throws: DeltaError.contradiction) { try match.list(with: other, size: other.size) }
        // The last group of the new version, whose last chunk may be short, in the middle of a base.
        let short = chunkList(randomBytes(17_000, seed: 4) + [1])
        let digest = try #require(short.groups.first).digest
        let twice = GroupMatch(base: [digest, digest], new: short, mostRuns: 1)
        if short.chunks.last.map({ $0.length < ChunkSizes.minimum }) ?? false {
            #expect(throws: DeltaError.contradiction) { try twice.list(with: ChunkList(), size: 2 * short.size) }
        }
        #expect(throws: DeltaError.truncated(.chunkGroups)) { try ChunkGroup.decode([1]) }
    }
}
