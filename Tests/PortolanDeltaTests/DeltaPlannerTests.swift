import Testing

@testable import PortolanDelta

@Suite struct DeltaPlannerTests {
    private static let base = randomBytes(8 << 20, seed: 1)
    private static let baseList = chunkList(base)

    private func planner(link: Double, roundTrip: Double = 0.001, patience: Double = 0) -> DeltaPlanner {
        DeltaPlanner(
            DeltaRates(link: link, scan: 8e8, search: 5e8, copy: 4e9, roundTrip: roundTrip), patience: patience)
    }

    private func match(_ new: [UInt8]) -> ChunkMatch { ChunkMatch(new: chunkList(new), base: Self.baseList) }

    private var edited: ChunkMatch {
        var new = Self.base
        for at in stride(from: 100_000, to: new.count, by: 500_000) { new[at] ^= 1 }
        return match(new)
    }

    @Test("an edited file goes by blocks on a network, and whole where the network is faster than the digest")
    func rates() {
        for link in [1e6, 1e7, 5e7] { #expect(planner(link: link).plan(edited) == .blocks) }
        #expect(planner(link: 1e10).plan(edited) == .whole)
    }

    @Test("a question that takes longer than the changed chunks is not asked")
    func roundTrips() {
        #expect(planner(link: 1.2e8, roundTrip: 2).plan(edited) == .chunks)
        #expect(planner(link: 1e7, roundTrip: 0).plan(edited) == .blocks)
    }

    @Test("a plan with fewer bytes may take a little longer")
    func patience() {
        var new = Self.base
        new[4_000_000] ^= 1
        let match = match(new)
        #expect(planner(link: 1.2e8, roundTrip: 0.02).plan(match) == .chunks)
        #expect(planner(link: 1.2e8, roundTrip: 0.02, patience: 0.1).plan(match) == .blocks)
        #expect(planner(link: 1.2e8, roundTrip: 0.2, patience: 0.1).plan(match) == .chunks)
    }

    @Test("new content has no use for the base; equal content has for all of it")
    func extremes() {
        #expect(planner(link: 1.2e8).plan(ChunkMatch(new: Self.baseList, base: Self.baseList)) == .chunks)
        #expect(planner(link: 1.2e8).plan(ChunkMatch(new: Self.baseList, base: ChunkList())) == .whole)
        let appended = match(Self.base + randomBytes(100, seed: 2))
        #expect(planner(link: 1e6).plan(appended) == .blocks)
    }

    @Test("files are compared where that takes less time than sending them")
    func comparison() {
        #expect(planner(link: 1.2e8).comparisonPays(newSize: 1 << 30, listLength: 0))
        #expect(!planner(link: 5e9).comparisonPays(newSize: 1 << 30, listLength: 0))
        #expect(!planner(link: 1e6, roundTrip: 0.05).comparisonPays(newSize: 10_000, listLength: 20))
        #expect(!planner(link: 1e6).comparisonPays(newSize: 1 << 20, listLength: 1 << 20))
    }
}
