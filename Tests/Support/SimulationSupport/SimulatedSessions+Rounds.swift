extension SimulatedSessions {
    /// Runs rounds of sessions, each twice: what it does depends on nothing but its seed.
    ///
    /// - Parameters:
    ///   - count: how many sessions there are to be at least.
    ///   - isCarrying: whether items are taken in them.
    ///   - first: seed of the first round; the following ones count on from it.
    ///   - failed: told what is wrong with a round, and its seed.
    /// - Returns: how many sessions there were, in all rounds and both times.
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
