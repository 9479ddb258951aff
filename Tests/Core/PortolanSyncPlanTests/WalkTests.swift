import Foundation
import Testing

@testable import PortolanSyncPlan

/// `PORTOLAN_SYNC_WALK=N` makes all walks N actions deeper, up to 1,200,000 worlds each, and random worlds 100,000.
private let deeper = ProcessInfo.processInfo.environment["PORTOLAN_SYNC_WALK"].flatMap { Int($0) }

@Suite struct WalkTests {
    struct Walk: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var members: Int
        var actions: [Action]
        var engine: [Action]
        var depth: Int
        var part = Int.max
    }

    static let walks: [Walk] = [
        Walk(
            testDescription: "two members, all steps in all orders", members: 2,
            actions: (0..<2).flatMap { Choices.few($0) }, engine: Choices.engine(2), depth: 2),
        Walk(
            testDescription: "two members and faults, all steps in all orders", members: 2,
            actions: (0..<2).flatMap { Choices.few($0) + Choices.faults($0) } + [.isolate(0)],
            engine: Choices.engine(2),
            depth: 1),
        Walk(
            testDescription: "two members, all that persons do", members: 2,
            actions: (0..<2).flatMap { Choices.persons($0) }, engine: Choices.coarse(2), depth: 2),
        Walk(
            testDescription: "two members, all that persons do, planned node by node", members: 2,
            actions: (0..<2).flatMap { Choices.persons($0) }, engine: Choices.coarse(2), depth: 2, part: 1),
        Walk(
            testDescription: "three members", members: 3,
            actions: (0..<3).flatMap { Choices.few($0) } + [.isolate(0), .heal], engine: Choices.coarse(3), depth: 1),
    ]

    @Test("in all small worlds nothing is lost, all agree, and it settles", arguments: walks)
    func walk(_ walk: Walk) {
        var walker = Walker(
            actions: walk.actions, engine: walk.engine, depth: walk.depth + (deeper ?? 0), limit: 1_200_000)
        let clock = ContinuousClock()
        var failure: Failure?
        let time = clock.measure { failure = walker.walk(from: Choices.start(walk.members, part: walk.part)) }
        #expect(failure == nil, "\(failure!)")
        print(
            "\(walk.testDescription): \(walker.worlds) worlds\(walker.isCut ? " (not all)" : ""), at most \(walker.longest) steps to rest, \(time)"
        )
    }

    @Test("in worlds of chance nothing is lost, all agree, and it settles", arguments: [Int.max, 3, 1])
    func chance(part: Int) {
        for seed in 0..<(deeper == nil ? 500 : 100_000) as Range<UInt64> {
            let failure = RandomWorld(seed: seed, part: part).run()
            #expect(failure == nil, "\(failure!)")
            if failure != nil { break }
        }
    }
}
