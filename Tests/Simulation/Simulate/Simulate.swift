import Glibc
import SimulationSupport

/// Runs a number of simulations, and prints their rate per second of processor time.
///
///     portolan-simulate sessions [COUNT [SEED]]   so many sessions (1,000), each round twice: its trace must repeat
///     portolan-simulate bare [COUNT [SEED]]       the same without payload: each offer is declined
///     portolan-simulate nodes [COUNT [SEED]]      so many nodes (1,000) that discover peers and exchange items twice
///
/// The first failure stops it, with status 1 and the seed.
@main
enum Simulate {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        let numbers = arguments.dropFirst().map { UInt64($0) }
        guard numbers.count <= 2, !numbers.contains(nil) else { showUsage() }
        let count = Int(clamping: numbers.first.flatMap(\.self) ?? 1000)
        let seed = numbers.dropFirst().first.flatMap(\.self) ?? UInt64.random(in: .min ... .max)
        switch arguments.first {
        case "sessions": runSessions(count, from: seed, isCarrying: true)
        case "bare": runSessions(count, from: seed, isCarrying: false)
        case "nodes" where count >= 2: runNodes(count, seed)
        default: showUsage()
        }
    }

    private static func showUsage() -> Never {
        print("usage: portolan-simulate sessions|bare|nodes [COUNT [SEED]]")
        exit(64)
    }

    private static func runSessions(_ count: Int, from first: UInt64, isCarrying: Bool) {
        let start = processorSeconds()
        let sessions = SimulatedSessions.runRounds(of: count, from: first, isCarrying: isCarrying) {
            fail("seed \($0): \($1)")
        }
        let rate = Int(Double(sessions) / (processorSeconds() - start))
        print("\(sessions) sessions from seed \(first): \(rate) a second and core")
    }

    private static func runNodes(_ count: Int, _ seed: UInt64) {
        let start = processorSeconds()
        do {
            let nodes = try SimulatedNeighbourhood(nodes: count, looking: count, exchangesOfEach: 2, seed: seed)
            try nodes.run()
            let seconds = processorSeconds() - start
            print(
                """
                \(count) nodes from seed \(seed): \(nodes.exchanges) exchanges in \(nodes.elapsed) of virtual time, \
                \(nodes.announcements) announcements, \(nodes.sends) sends, \(nodes.bytes) bytes, \(nodes.misses) misses; \
                \(seconds) s of processor time
                """)
        } catch {
            fail("seed \(seed): \(error)")
        }
    }

    private static func fail(_ sentence: String) -> Never {
        print(sentence)
        exit(1)
    }

    /// Time that this process has used of all processors.
    private static func processorSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
