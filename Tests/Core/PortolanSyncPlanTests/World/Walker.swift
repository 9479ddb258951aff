@testable import PortolanSyncPlan

/// A sequence of actions that breaks a promise.
struct Failure: CustomStringConvertible, Equatable {
    var reason: String
    var actions: [Action]
    var picture: String

    var description: String {
        "\(reason)\n" + actions.map { "  \($0)" }.joined(separator: "\n") + "\n" + picture
    }
}

/// Visits all worlds that a number of actions can lead to, in any order, with the engine doing anything in between, and
/// lets each come to rest.
struct Walker {
    /// Actions of persons and faults.
    var actions: [Action]
    var engine: [Action]
    /// Largest number of actions of persons and faults in a sequence.
    var depth: Int
    /// The walk ends after so many worlds.
    var limit = Int.max

    static let maximumSteps = 200

    /// Hashes of worlds, with the number of actions that could follow.
    private var visited: [Int: UInt8] = [:]
    /// Hashes of worlds that come to rest as they should, with the number of steps that it takes.
    private var settled: [Int: UInt8] = [:]
    private(set) var longest = 0

    var worlds: Int { visited.count }
    var isCut: Bool { visited.count >= limit }

    init(actions: [Action], engine: [Action], depth: Int, limit: Int = .max) {
        (self.actions, self.engine, self.depth, self.limit) = (actions, engine, depth, limit)
    }

    /// A world in the current sequence, and the position of the action to try next.
    private struct Stop {
        var world: World
        var rest: Int
        var next = 0
        var action: Action?
    }

    mutating func walk(from start: World) -> Failure? {
        var way = [Stop(world: start, rest: depth)]
        visited[start.hashValue] = UInt8(depth)
        while var stop = way.popLast() {
            let choices = engine.count + (stop.rest > 0 ? actions.count : 0)
            guard stop.next < choices, visited.count < limit else { continue }
            let isEngine = stop.next < engine.count
            let action = isEngine ? engine[stop.next] : actions[stop.next - engine.count]
            stop.next += 1
            way.append(stop)
            var world = stop.world
            guard world.perform(action) else { continue }
            let rest = stop.rest - (isEngine ? 0 : 1)
            let known = visited.updateValue(UInt8(rest), forKey: world.hashValue)
            if let known, Int(known) >= rest {
                visited[world.hashValue] = known
                continue
            }
            if known == nil, let reason = world.violation ?? settle(world) {
                return Failure(
                    reason: reason, actions: way.dropFirst().compactMap(\.action) + [action], picture: world.picture)
            }
            way.append(Stop(world: world, rest: rest, action: action))
        }
        return nil
    }

    /// Lets a world come to rest.
    ///
    /// - Returns: the promise that is broken then.
    mutating func settle(_ world: World) -> String? {
        var world = world
        world.repair()
        var way: [Int] = []
        var rest = 0
        while true {
            let hash = world.hashValue
            if let known = settled[hash] {
                rest = Int(known)
                break
            }
            way.append(hash)
            if let reason = world.violation { return "\(reason) (on the way to rest)\n\(world.picture)" }
            if way.count > Self.maximumSteps { return "It does not settle.\n\(world.picture)" }
            guard world.settleOnce() else {
                if let reason = world.violationAtRest { return "\(reason) (at rest)\n\(world.picture)" }
                break
            }
        }
        for hash in way.reversed() {
            settled[hash] = UInt8(min(rest, 255))
            rest += 1
        }
        longest = max(longest, rest)
        return rest > Self.maximumSteps + 1 ? "It settles only after \(rest) steps." : nil
    }
}
