import SyncPlanSupport

@testable import PortolanSyncPlan

func path(_ text: String) -> [SyncName] { text.split(separator: "/").map { SyncName(String($0)) } }

/// Actions for small worlds: folders X and Y, names a and b.
enum Choices {
    static func engine(_ members: Int) -> [Action] {
        (0..<members).flatMap { member in
            [.scan(member), .step(member)] + (0..<members).filter { $0 != member }.map { .pull(member, from: $0) }
        }
    }

    /// The engine in large steps.
    static func coarse(_ members: Int) -> [Action] { (0..<members).map { .syncAll($0) } }

    /// Most frequent actions of persons.
    static func few(_ member: Int) -> [Action] {
        [
            .write(member, path("X/a")), .move(member, path("X/a"), path("Y/b")), .delete(member, path("X")),
            .move(member, path("X"), path("Y/X")),
        ]
    }

    static func persons(_ member: Int) -> [Action] {
        [
            .write(member, path("X/a")), .save(member, path("X/a")), .write(member, path("Y/b")),
            .move(member, path("X/a"), path("X/b")), .move(member, path("X/a"), path("Y/b")),
            .move(member, path("Y/b"), path("X/a")), .delete(member, path("X/a")), .delete(member, path("X")),
            .move(member, path("X"), path("Y/X")), .move(member, path("Y"), path("X/Y")),
            .makeFolder(member, path("X")),
        ]
    }

    static func faults(_ member: Int) -> [Action] {
        [
            .crash(member), .lateCrash(member), .lateWrite(member), .loseDatabase(member), .restoreDatabase(member),
            .unreadable(member, SyncName("X")), .unmount(member),
        ]
    }

    /// All that random worlds do.
    static func all(_ member: Int) -> [Action] {
        let names = ["a", "b", "X", "Y"]
        let places = names + names.flatMap { name in ["X/\(name)", "Y/\(name)", "X/Y/\(name)"] }
        var actions: [Action] = []
        for place in places {
            actions += [.write(member, path(place)), .save(member, path(place)), .delete(member, path(place))]
            for other in places where other != place { actions.append(.move(member, path(place), path(other))) }
        }
        for _ in 0..<12 { actions += persons(member) + [.makeFolder(member, path("Y"))] }
        for _ in 0..<4 {
            actions += faults(member)
            actions += [
                .mount(member), .copyDatabase(member), .moveOut(member, path("X")), .isolate(member), .heal,
            ]
        }
        return actions
    }

    /// A world at rest in which all members have X/a and Y.
    static func start(_ members: Int, _ mistakes: InjectedMistakes = [], part: Int = .max) -> World {
        var world = World(members: members, part: part, mistakes: mistakes)
        for action in [Action.makeFolder(0, path("X")), .makeFolder(0, path("Y")), .write(0, path("X/a"))] {
            _ = world.perform(action)
        }
        for _ in 0..<200 where !world.settleOnce() { break }
        for member in 0..<members { _ = world.perform(.copyDatabase(member)) }
        return world
    }
}

/// SplitMix64.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// A world with random actions.
struct RandomWorld {
    var seed: UInt64
    var mistakes: InjectedMistakes = []
    var steps = 60
    /// Nodes of one plan, as long as more have changed.
    var part = Int.max

    func run() -> Failure? {
        var generator = SeededGenerator(state: seed)
        let members = Int.random(in: 2...3, using: &generator)
        let persons = (0..<members).flatMap(Choices.all)
        let engine = Choices.engine(members)
        // Many changes between two rounds of the engine, or few.
        let share = Int.random(in: 1...6, using: &generator)
        var actions: [Action] = []
        for _ in 0..<steps {
            let isPerson = Int.random(in: 0..<8, using: &generator) < share
            actions.append((isPerson ? persons : engine).randomElement(using: &generator)!)
        }
        return replay(actions, members) == nil ? nil : shrink(actions, members)
    }

    private func replay(_ actions: [Action], _ members: Int) -> Failure? {
        var world = Choices.start(members, mistakes, part: part)
        for (position, action) in actions.enumerated() where world.perform(action) {
            if let reason = world.violation {
                return Failure(
                    reason: "Seed \(seed): \(reason)", actions: Array(actions[...position]), picture: world.picture)
            }
        }
        var walker = Walker(actions: [], engine: [], depth: 0)
        return walker.settle(world).map {
            Failure(reason: "Seed \(seed): \($0)", actions: actions, picture: world.picture)
        }
    }

    /// Leaves out actions that the failure does not need.
    private func shrink(_ actions: [Action], _ members: Int) -> Failure? {
        guard var failure = replay(actions, members) else { return nil }
        var position = failure.actions.count - 1
        while position >= 0 {
            var fewer = failure.actions
            fewer.remove(at: min(position, fewer.count - 1))
            if let found = replay(fewer, members) { failure = found }
            position = min(position, failure.actions.count) - 1
        }
        return failure
    }
}
