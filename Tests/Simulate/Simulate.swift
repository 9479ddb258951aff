import Glibc
import SimulationSupport

/// `portolan-simulate [COUNT [SEED]]`: runs so many sessions, a thousand unless another number is given, from a seed on; each round of
/// sessions runs twice and must leave the same trace. Says how many a second of processor time, and stops at the first that fails.
@main
enum Simulate {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst().map { UInt64($0) }
        guard arguments.count <= 2, !arguments.contains(nil) else {
            print("usage: portolan-simulate [COUNT [SEED]]")
            exit(64)
        }
        let count = Int(arguments.first.flatMap(\.self) ?? 1000)
        let first = arguments.dropFirst().first.flatMap(\.self) ?? UInt64.random(in: .min ... .max)
        let start = processorSeconds()
        var sessions = 0
        var seed = first
        while sessions < count {
            var traces: [Trace] = []
            for _ in 0..<2 {
                let simulation = SimulatedSessions(seed: seed)
                do {
                    try simulation.run()
                } catch {
                    print("seed \(seed): \(error)\n\(simulation.log.joined(separator: "\n"))")
                    exit(1)
                }
                sessions += simulation.sessions
                traces.append(simulation.trace)
            }
            guard traces[0] == traces[1] else {
                print("seed \(seed): two runs differ, after \(traces.map(\.count)) events")
                exit(1)
            }
            seed &+= 1
        }
        let seconds = processorSeconds() - start
        let rate = Int(Double(sessions) / seconds)
        print("\(sessions) sessions from seed \(first): \(rate) a second and core")
    }

    /// Time that this process has used of all processors.
    private static func processorSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
