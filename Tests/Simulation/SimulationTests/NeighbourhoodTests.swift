import SimulationSupport
import TestSupport
import Testing

/// A network of many nodes that find each other and exchange items, all on one thread in virtual time.
@Suite(.aside) struct NeighbourhoodTests {
    /// The number of messages grows with the number of exchanges, and not with the number of idle nodes.
    @Test func thousandNodesFindEachOtherAndExchangeItems() throws {
        let seed = testSeed()
        let small = try SimulatedNeighbourhood(nodes: 100, looking: 50, exchangesOfEach: 2, seed: seed)
        try small.run()
        let large = try SimulatedNeighbourhood(nodes: 1000, looking: 50, exchangesOfEach: 10, seed: seed)
        try large.run()
        print(
            """
            simulated: from PORTOLAN_SEED=\(seed), 100 and 1000 nodes with \(small.exchanges) and \(large.exchanges) exchanges, \
            \(small.sends) and \(large.sends) sends of \(small.bytes) and \(large.bytes) bytes, \(small.misses) and \(large.misses) \
            misses, in \(small.elapsed) and \(large.elapsed)
            """)
        #expect(Self.sendsOfEach(large) < Self.sendsOfEach(small) * 1.2, "PORTOLAN_SEED=\(seed)")
    }

    private static func sendsOfEach(_ neighbourhood: SimulatedNeighbourhood) -> Double {
        Double(neighbourhood.sends) / Double(neighbourhood.exchanges)
    }

    @Test func sameSeedGivesTheSameRun() throws {
        let seed = testSeed()
        let traces = try (0..<2).map { _ in
            let neighbourhood = try SimulatedNeighbourhood(nodes: 30, looking: 30, exchangesOfEach: 2, seed: seed)
            try neighbourhood.run()
            return neighbourhood.trace
        }
        #expect(traces[0] == traces[1], "PORTOLAN_SEED=\(seed)")
    }
}
