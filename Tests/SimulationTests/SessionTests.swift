import SimulationSupport
import TestSupport
import Testing

/// Sessions without payload, by the driver that ships, on a network that delays and breaks, between processes that end at any moment.
///
/// A run that fails says with which seed; `PORTOLAN_SEED=…` begins with the same one. `portolan-simulate` runs as many as one likes.
@Suite(.aside) struct SessionTests {
    private static let sessions = 2000

    /// Each round runs twice: what it did depends on nothing but its seed.
    @Test func endAsTheyMustAndTheSameWayTwice() {
        let first = testSeed()
        var sessions = 0
        var seed = first
        while sessions < Self.sessions {
            var traces: [Trace] = []
            for _ in 0..<2 {
                let simulation = SimulatedSessions(seed: seed)
                do {
                    try simulation.run()
                } catch {
                    Issue.record("PORTOLAN_SEED=\(seed): \(error)\n\(simulation.log.joined(separator: "\n"))")
                }
                sessions += simulation.sessions
                traces.append(simulation.trace)
            }
            #expect(traces[0] == traces[1], "PORTOLAN_SEED=\(seed)")
            #expect(traces[0].count > 10, "PORTOLAN_SEED=\(seed)")
            seed &+= 1
        }
        print("simulated: \(sessions) sessions from PORTOLAN_SEED=\(first)")
    }

    @Test func differWithTheSeed() throws {
        var traces: Set<Trace> = []
        for seed in 1...20 {
            let simulation = SimulatedSessions(seed: UInt64(seed))
            try simulation.run()
            traces.insert(simulation.trace)
        }
        #expect(traces.count == 20)
    }
}
