import SimulationSupport
import TestSupport
import Testing

/// Sessions without lanes, by the driver that ships, on a network that delays and breaks, between processes that end at
/// any moment.
///
/// A run that fails says with which seed; `PORTOLAN_SEED=…` begins with the same one. `portolan-simulate` runs as many
/// as one likes.
@Suite(.aside) struct SessionTests {
    private static let sessions = 2000

    @Test func sessionsEndProperlyAndReproducibly() {
        let first = testSeed()
        let sessions = SimulatedSessions.runRounds(of: Self.sessions, from: first) { seed, sentence in
            Issue.record("PORTOLAN_SEED=\(seed): \(sentence)")
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
