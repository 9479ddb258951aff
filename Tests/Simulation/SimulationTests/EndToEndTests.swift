import Glibc
import TestSupport
import Testing

@testable import FilesTestSupport

/// Whole transfers over a link that breaks onto a disk that fails, between processes that end at any moment.
///
/// A run that fails says with which seed; `PORTOLAN_SEED=…` begins with the same one.
@Suite(.aside) struct EndToEndTests {
    private enum Item: String, CaseIterable {
        case file
        case tree
        case update
        case sparse
        case stream
    }

    private static let rounds = 8

    @Test(arguments: Item.allCases)
    private func itemsArriveCompleteAndOnceUnderAnyFault(item: Item) {
        let first = testSeed()
        var sessions = 0
        for round in 0..<Self.rounds {
            let seed = first &+ UInt64(round)
            var random = SeededGenerator(seed: seed)
            var simulation = Simulation(Self.source(item, &random), &random)
            do {
                try simulation.deliver(faults: random.below(12), changing: item != .stream && random.chance(3))
                if item == .update {
                    if random.chance(2) { try simulation.edit(files: 3) }
                    for _ in 0...random.below(2) { simulation.change() }
                    try simulation.deliver(faults: random.below(12), changing: random.chance(3))
                }
            } catch {
                Issue.record("PORTOLAN_SEED=\(seed), \(item): \(error)\n\(simulation.log.joined(separator: "\n"))")
            }
            sessions += simulation.sessions
        }
        print("simulated: \(Self.rounds) times \(item) in \(sessions) sessions from PORTOLAN_SEED=\(first)")
    }

    private static func source(_ item: Item, _ random: inout SeededGenerator) -> SimulatedSource {
        switch item {
        case .file: .file(1 + random.below(3_500_000), &random)
        case .tree, .update: .tree(files: 10 + random.below(60), &random)
        case .sparse: .sparse(&random)
        case .stream: .stream(random.below(1_000_000), &random)
        }
    }

    /// The same seed gives the same traces of the network, where nothing but the network and processes fail.
    @Test func sameSeedGivesTheSameRun() throws {
        let first = testSeed()
        var lanes: UInt64 = 0
        for seed in (0..<3).map({ first &+ $0 }) {
            var runs: [Simulation] = []
            for _ in 0..<2 {
                var random = SeededGenerator(seed: seed)
                let source = seed.isMultiple(of: 2) ? Self.source(.file, &random) : Self.source(.tree, &random)
                var simulation = Simulation(source, &random)
                simulation.hasFaultsOfDisk = false
                try simulation.deliver(faults: 4)
                runs.append(simulation)
            }
            #expect(runs[0].traces == runs[1].traces, "PORTOLAN_SEED=\(seed)")
            #expect(runs[0].log == runs[1].log, "PORTOLAN_SEED=\(seed)")
            lanes = max(lanes, runs[0].mostConnections - 1)
        }
        print("simulated: the same twice, on up to \(lanes) lanes, from PORTOLAN_SEED=\(first)")
    }

    /// The transfer runs once for each call to the disk: that call ends the process, or fails, and later sessions must
    /// recover.
    @Test(arguments: [.processEnds, .powerFails, .error(ENOSPC), .error(EIO)] as [SimulatedDisk.Fault])
    func itemsArriveCompleteWhereverASessionEnds(fault: SimulatedDisk.Fault) throws {
        let seed = testSeed()
        var calls = [0, 0]
        for isFile in [true, false] {
            for call in 1... {
                var random = SeededGenerator(seed: seed)
                let source: SimulatedSource =
                    isFile ? .file(270_000, &random) : .tree(files: 8, size: 40_000, &random)
                var simulation = Simulation(source, &random)
                do {
                    var isReached = try simulation.deliver(fault, atCall: call)
                    if !isFile {
                        simulation.change()
                        isReached = try simulation.deliver(fault, atCall: call) || isReached
                    }
                    if !isReached { break }
                } catch {
                    let log = simulation.log.joined(separator: "\n")
                    Issue.record("PORTOLAN_SEED=\(seed), \(fault) at call \(call): \(error)\n\(log)")
                    break
                }
                calls[isFile ? 0 : 1] = call
            }
        }
        print("simulated: \(fault) at each of \(calls) calls from PORTOLAN_SEED=\(seed)")
        #expect(calls.allSatisfy { $0 > 10 })
    }
}
