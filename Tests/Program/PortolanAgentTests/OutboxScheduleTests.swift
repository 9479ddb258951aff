import Foundation
import TestSupport
import Testing

@testable import PortolanAgent

@Suite("The schedule of the outbox")
struct OutboxScheduleTests {
    /// A schedule with the time of its events.
    private struct Bench {
        var schedule: OutboxSchedule
        var now = ContinuousClock.now
        var date = Date(timeIntervalSince1970: 1_800_000_000)

        init(limits: ScheduleLimits = ScheduleLimits(), seed: UInt64 = 1) {
            schedule = OutboxSchedule(limits: limits, chance: SeededGenerator(seed: seed))
        }

        mutating func advance(_ duration: Duration) {
            now += duration
            date += duration / .seconds(1)
        }

        /// Handles an event; returns the actions without `wake`.
        mutating func callAsFunction(_ event: OutboxSchedule.Event) -> [OutboxSchedule.Action] {
            schedule.handle(event, at: now, date: date).filter { if case .wake = $0 { false } else { true } }
        }

        mutating func wake(_ event: OutboxSchedule.Event) -> Duration? {
            for case .wake(let time) in schedule.handle(event, at: now, date: date) { return time - now }
            return nil
        }
    }

    private let laptop = PeerHandle("laptop")
    private let desk = PeerHandle("desk")

    private func scheduled(
        _ number: Int, to target: String = "laptop", expires: Date? = nil, goesToEach: Bool = false
    ) -> ScheduledParcel {
        ScheduledParcel(id: id(number), target: target, order: Int64(number), expires: expires, goesToEach: goesToEach)
    }

    private func start(_ number: Int, _ peer: PeerHandle) -> [OutboxSchedule.Action] {
        [.start(ScheduledDelivery(parcel: id(number), peer: peer))]
    }

    @Test("A peer that has shown that it is there gets its parcels at once; further failures wait longer than before.")
    func met() {
        var bench = Bench()
        _ = bench(.added(scheduled(1)))
        let delivery = ScheduledDelivery(parcel: id(1), peer: laptop)
        #expect(bench(.appeared(laptop, targets: ["laptop"])) == start(1, laptop))
        // While it runs it is not started again.
        #expect(bench(.met(laptop)) == [])
        var waits: [Duration] = []
        for failure in [OutboxSchedule.Failure.parcel, .parcel, .parcel] {
            for case .backOff(_, let time) in bench(.failed(delivery, failure)) { waits.append(time - bench.now) }
            #expect(bench(.met(desk)) == [])
            #expect(bench(.met(laptop)) == start(1, laptop))
        }
        #expect(waits.count == 3 && waits[2] >= ScheduleLimits().firstWait * 2, "\(waits)")
        _ = bench(.failed(delivery, .connection))
        #expect(bench(.met(laptop)) == start(1, laptop))
    }

    @Test("A peer that appears starts at once, one parcel at a time, in order.")
    func order() {
        var bench = Bench()
        for number in [2, 1, 3] { #expect(bench(.added(scheduled(number))) == []) }
        #expect(bench(.appeared(desk, targets: ["desk"])) == [])
        #expect(bench(.appeared(laptop, targets: ["laptop"])) == start(1, laptop))
        #expect(bench(.appeared(laptop, targets: ["laptop"])) == [])
        #expect(bench(.settled(ScheduledDelivery(parcel: id(1), peer: laptop))) == start(2, laptop))
        #expect(bench(.settled(ScheduledDelivery(parcel: id(1), peer: laptop))) == [])
        #expect(bench(.settled(ScheduledDelivery(parcel: id(2), peer: laptop))) == start(3, laptop))
        #expect(bench(.settled(ScheduledDelivery(parcel: id(3), peer: laptop))) == [])
        #expect(bench(.added(scheduled(4))) == start(4, laptop))
    }

    @Test("After a failed connection the peer backs off, and the order stays.")
    func connectionFails() throws {
        var bench = Bench()
        _ = bench(.added(scheduled(1)))
        _ = bench(.added(scheduled(2)))
        _ = bench(.appeared(laptop, targets: ["laptop"]))
        var longest = Duration.zero
        for attempt in 0..<15 {
            let actions = bench(.failed(ScheduledDelivery(parcel: id(1), peer: laptop), .connection))
            guard case .backOff(let delivery, let until)? = actions.first, actions.count == 1 else {
                Issue.record("attempt \(attempt): \(actions)")
                return
            }
            #expect(delivery.parcel == id(1))
            let wait = until - bench.now
            longest = max(longest, wait)
            #expect(wait >= min(.seconds(2.5) * (1 << attempt), .seconds(900)))
            #expect(wait <= min(.seconds(5) * (1 << attempt), .seconds(1800)))
            bench.advance(wait - .milliseconds(1))
            #expect(bench(.tick) == [])
            bench.advance(.milliseconds(1))
            #expect(bench(.tick) == start(1, laptop))
        }
        #expect(longest > .seconds(900))
    }

    @Test("A peer that appears again ends its back-off.")
    func appearsAgain() {
        var bench = Bench()
        _ = bench(.added(scheduled(1)))
        _ = bench(.appeared(laptop, targets: ["laptop"]))
        _ = bench(.failed(ScheduledDelivery(parcel: id(1), peer: laptop), .connection))
        #expect(bench(.appeared(laptop, targets: ["laptop", "Ada"])) == [])
        #expect(bench(.disappeared(laptop)) == [])
        bench.advance(.seconds(3600))
        #expect(bench(.tick) == [])
        #expect(bench(.appeared(laptop, targets: ["laptop"])) == start(1, laptop))
        // The peer disappears during the delivery, whose result decides.
        #expect(bench(.disappeared(laptop)) == [])
        _ = bench(.failed(ScheduledDelivery(parcel: id(1), peer: laptop), .connection))
        #expect(bench(.appeared(laptop, targets: ["laptop"])) == start(1, laptop))
    }

    @Test("A parcel that the peer cannot take now lets later ones go before it; one that fails for good leaves.")
    func parcelFails() {
        var bench = Bench()
        for number in 1...3 { _ = bench(.added(scheduled(number))) }
        _ = bench(.appeared(laptop, targets: ["laptop"]))
        let actions = bench(.failed(ScheduledDelivery(parcel: id(1), peer: laptop), .parcel))
        #expect(actions.last == start(2, laptop).first)
        #expect(bench(.failed(ScheduledDelivery(parcel: id(2), peer: laptop), .final)) == start(3, laptop))
        bench.advance(.seconds(5))
        #expect(bench(.tick) == [])
        #expect(bench(.settled(ScheduledDelivery(parcel: id(3), peer: laptop))) == start(1, laptop))
        #expect(bench(.settled(ScheduledDelivery(parcel: id(1), peer: laptop))) == [])
    }

    @Test("At most so many deliveries run in all, and the peer that has waited longest is next.")
    func places() {
        var limits = ScheduleLimits()
        limits.running = 2
        var bench = Bench(limits: limits)
        let peers = (1...3).map { PeerHandle("peer \($0)") }
        for (place, peer) in peers.enumerated() {
            for round in 0..<2 { _ = bench(.added(scheduled(place * 2 + round + 1, to: peer.text))) }
        }
        #expect(bench(.appeared(peers[0], targets: ["peer 1"])) == start(1, peers[0]))
        #expect(bench(.appeared(peers[1], targets: ["peer 2"])) == start(3, peers[1]))
        #expect(bench(.appeared(peers[2], targets: ["peer 3"])) == [])
        #expect(bench(.settled(ScheduledDelivery(parcel: id(1), peer: peers[0]))) == start(5, peers[2]))
        #expect(bench(.settled(ScheduledDelivery(parcel: id(3), peer: peers[1]))) == start(2, peers[0]))
        #expect(bench(.settled(ScheduledDelivery(parcel: id(2), peer: peers[0]))) == start(4, peers[1]))
    }

    @Test("A parcel for one goes to one of two peers of that name; a parcel for each goes to each once.")
    func deliversToOnePeerOrToEachMember() {
        var bench = Bench()
        _ = bench(.appeared(laptop, targets: ["pc", "@acme"]))
        _ = bench(.appeared(desk, targets: ["pc", "@acme"]))
        let one = bench(.added(scheduled(1, to: "pc")))
        #expect(one == start(1, desk))
        #expect(bench(.settled(ScheduledDelivery(parcel: id(1), peer: desk))) == [])
        #expect(bench(.added(scheduled(2, to: "@acme", goesToEach: true))) == start(2, laptop) + start(2, desk))
        #expect(bench(.settled(ScheduledDelivery(parcel: id(2), peer: laptop))) == [])
        #expect(bench(.disappeared(laptop)) == [])
        #expect(bench(.appeared(laptop, targets: ["pc", "@acme"])) == [])
        #expect(bench(.failed(ScheduledDelivery(parcel: id(2), peer: desk), .final)) == [])
        let late = PeerHandle("late")
        #expect(bench(.appeared(late, targets: ["@acme"])) == start(2, late))
    }

    @Test("A removed parcel stops, and its peer goes on when the delivery has ended.")
    func removed() {
        var bench = Bench()
        _ = bench(.added(scheduled(1)))
        _ = bench(.added(scheduled(2)))
        _ = bench(.appeared(laptop, targets: ["laptop"]))
        #expect(bench(.removed(id(1))) == [.stop(ScheduledDelivery(parcel: id(1), peer: laptop))])
        #expect(bench(.removed(id(1))).count == 1)
        #expect(bench(.settled(ScheduledDelivery(parcel: id(1), peer: laptop))) == start(2, laptop))
        #expect(bench(.removed(id(9))) == [])
    }

    @Test("Parcels expire by the wall clock, a running one after its attempt.")
    func expiry() {
        var bench = Bench()
        _ = bench(.added(scheduled(1, expires: bench.date + 10)))
        _ = bench(.added(scheduled(2, expires: bench.date + 10)))
        _ = bench(.added(scheduled(3)))
        _ = bench(.appeared(laptop, targets: ["laptop"]))
        // The clock is set forward by a day.
        bench.date += 86_400
        #expect(bench(.tick) == [.expire(id(2))])
        let actions = bench(.failed(ScheduledDelivery(parcel: id(1), peer: laptop), .parcel))
        #expect(actions.contains(.expire(id(1))))
        #expect(actions.last == start(3, laptop).first)
        // Set back by a year, it neither expires nor delays anything.
        bench.date -= 366 * 86_400
        _ = bench(.failed(ScheduledDelivery(parcel: id(3), peer: laptop), .connection))
        bench.advance(.seconds(5))
        #expect(bench(.tick) == start(3, laptop))
    }

    @Test("The schedule wakes at the next expiry or the end of a back-off, at most an hour later, and else never.")
    func wakes() throws {
        var bench = Bench()
        #expect(bench.wake(.added(scheduled(1))) == nil)
        #expect(bench.wake(.appeared(laptop, targets: ["laptop"])) == nil)
        let backOff = bench.wake(.failed(ScheduledDelivery(parcel: id(1), peer: laptop), .connection))
        let wait = try #require(backOff)
        #expect(wait >= .seconds(2.5) && wait <= .seconds(5))
        #expect(bench.wake(.added(scheduled(2, expires: bench.date + 600))) == nil)
        bench.advance(.seconds(5))
        #expect(bench.wake(.tick) == .seconds(595))
        bench.advance(.seconds(600))
        var other = Bench()
        #expect(other.wake(.added(scheduled(3, expires: other.date + 86_400))) == .seconds(3600))
        other.advance(.seconds(3600))
        #expect(other.wake(.tick) == .seconds(3600))
    }

    @Test("A peer always has one delivery, the limit holds, and in the end each parcel is delivered once.")
    func chance() {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        for round in 0..<50 {
            var bench = Bench(seed: seed &+ UInt64(round))
            let peers = (0..<6).map { PeerHandle("peer \($0)") }
            let parcels = (1...40).map { scheduled($0, to: peers.randomElement(using: &random)!.text) }
            var unsent = parcels[...]
            var running: Set<ScheduledDelivery> = []
            var stored: [StateID] = []
            func take(_ actions: [OutboxSchedule.Action]) {
                for case .start(let delivery) in actions {
                    #expect(!running.contains { $0.peer == delivery.peer }, "seed \(seed)")
                    running.insert(delivery)
                }
                #expect(running.count <= 4, "seed \(seed)")
            }
            for _ in 0..<500 {
                let peer = peers.randomElement(using: &random)!
                switch Int.random(in: 0..<6, using: &random) {
                case 0: if let next = unsent.popFirst() { take(bench(.added(next))) }
                case 1: take(bench(.appeared(peer, targets: [peer.text])))
                case 2: take(bench(.disappeared(peer)))
                case 3:
                    guard
                        let delivery = running.sorted(by: { $0.peer.text < $1.peer.text }).randomElement(using: &random)
                    else { break }
                    running.remove(delivery)
                    stored.append(delivery.parcel)
                    take(bench(.settled(delivery)))
                case 4:
                    guard
                        let delivery = running.sorted(by: { $0.peer.text < $1.peer.text }).randomElement(using: &random)
                    else { break }
                    running.remove(delivery)
                    take(bench(.failed(delivery, .connection)))
                default:
                    bench.advance(.seconds(Int.random(in: 0..<100, using: &random)))
                    take(bench(.tick))
                }
            }
            while let next = unsent.popFirst() { take(bench(.added(next))) }
            for peer in peers { take(bench(.appeared(peer, targets: [peer.text]))) }
            bench.advance(.seconds(3600))
            take(bench(.tick))
            while let delivery = running.popFirst() {
                stored.append(delivery.parcel)
                take(bench(.settled(delivery)))
            }
            #expect(stored.count == 40 && Set(stored).count == 40, "seed \(seed)")
            // Only the connection failed, so each peer has its parcels in order.
            for peer in peers {
                let own = parcels.filter { $0.target == peer.text }.map(\.id)
                #expect(stored.filter { own.contains($0) } == own, "seed \(seed)")
            }
        }
    }
}
