extension SimulatedSessions {
    /// Runs rounds of sessions, each twice, because a round must depend only on its seed.
    ///
    /// - Parameters:
    ///   - count: least number of sessions.
    ///   - isCarrying: true if items are accepted in them.
    ///   - first: seed of the first round, increased by one for each further round.
    ///   - failed: receives the error of a round, and its seed.
    /// - Returns: the number of sessions, in all rounds and both runs.
    package static func runRounds(
        of count: Int, from first: UInt64, isCarrying: Bool = true, failed: (_ seed: UInt64, _ sentence: String) -> Void
    ) -> Int {
        var sessions = 0
        var seed = first
        while sessions < count {
            var traces: [Trace] = []
            for _ in 0..<2 {
                let simulation = SimulatedSessions(seed: seed, isCarrying: isCarrying)
                do {
                    try simulation.run()
                } catch {
                    failed(seed, "\(error)\n\(simulation.log.joined(separator: "\n"))")
                }
                sessions += simulation.sessions
                traces.append(simulation.trace)
            }
            if traces[0] != traces[1] { failed(seed, "two runs differ, after \(traces.map(\.count)) events") }
            if traces[0].count <= 10 { failed(seed, "next to nothing happened") }
            seed &+= 1
        }
        return sessions
    }
}
