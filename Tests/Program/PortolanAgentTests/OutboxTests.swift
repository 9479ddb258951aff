import Foundation
import PortolanClient
import Testing

@testable import PortolanAgent
@testable import PortolanOutbox

@Suite("The outbox")
struct OutboxTests {
    let folder = TemporaryFolder()
    let clock = SetClock()

    @Test("A parcel is kept with its document, in order, and found by its state.")
    func addAndList() throws {
        var database = try open(folder, clock: clock)
        try database.writeBlocking { change throws in
            for number in 1...5 { try change.outbox.add(parcel(number, to: number % 2 == 0 ? "desk" : "laptop")) }
        }
        #expect(throws: StateRefusal.parcelExists(id(1))) {
            try database.writeBlocking { try $0.outbox.add(parcel(1)) }
        }
        database.close()
        database = try open(folder, clock: clock)
        try database.writeBlocking { change throws in
            let all = try change.outbox.list()
            #expect(all.map(\.id) == (1...5).map { id($0) })
            #expect(all[0].titles == ["report 1.pdf"])
            #expect(all[0].state == .waiting)
            #expect(all[0].created == clock.now)
            #expect(try change.outbox.parcel(id(3)) == parcel(3))
            try change.outbox.cancel(id(2))
            #expect(try change.outbox.list(states: [.cancelled]).map(\.id) == [id(2)])
            let page = try change.outbox.list(states: [.waiting, .running], after: all[0].order, limit: 2)
            #expect(page.map(\.id) == [id(3), id(4)])
            #expect(throws: StateRefusal.noParcel(id(9))) { try change.outbox.show(id(9)) }
        }
    }

    @Test("An attempt changes the state, and each change adds its entry to the journal.")
    func attempts() throws {
        let database = try open(folder, clock: clock)
        let due = clock.now + 60
        try database.writeBlocking { try $0.outbox.add(parcel(1)) }
        try database.writeBlocking { try $0.outbox.beginAttempt(id(1), peer: key(1)) }
        #expect(try database.writeBlocking { try $0.outbox.show(id(1)).state } == .running)
        #expect(throws: StateRefusal.parcel(id(1), cannotBe: "started", .running)) {
            try database.writeBlocking { try $0.outbox.beginAttempt(id(1)) }
        }
        let state = try database.writeBlocking {
            try $0.outbox.endAttempt(id(1), .waiting(reason: "It went away.", due: due))
        }
        #expect(state == .waiting)
        let waiting = try database.writeBlocking { try $0.outbox.show(id(1)) }
        #expect(waiting.attempts == 1)
        #expect(waiting.nextDue == due)
        #expect(waiting.reason == "It went away.")
        try database.writeBlocking { change throws in
            try change.outbox.beginAttempt(id(1))
            #expect(try change.outbox.settle(id(1), StoredSettlement(member: key(1), item: 0, outcome: .stored)))
            #expect(try change.outbox.endAttempt(id(1), .delivered) == .delivered)
        }
        #expect(
            try database.kinds() == [
                "outbox.queued", "outbox.started", "outbox.waiting", "outbox.started", "outbox.settled",
                "outbox.delivered",
            ])
        let history = try database.writeBlocking { try $0.journal.entries(ofTransfer: id(1).description) }
        #expect(history.count == 6)
        #expect(history[1].peer == key(1))
        #expect(history[1].body == #"{"attempt":1,"target":"laptop"}"#)
    }

    @Test("A stored item stays stored; another outcome is replaced, and receipts are kept.")
    func settlements() throws {
        let database = try open(folder, clock: clock)
        try database.writeBlocking { change throws in
            try change.outbox.add(parcel(1, to: "@acme"))
            let stored = StoredSettlement(member: key(1), item: 0, outcome: .stored, receipt: [1, 2])
            #expect(try change.outbox.settle(id(1), stored))
            #expect(try !change.outbox.settle(id(1), StoredSettlement(member: key(1), item: 0, outcome: .declined)))
            #expect(
                try change.outbox.settle(
                    id(1), StoredSettlement(member: key(2), item: 0, outcome: .declined, reason: "no")))
            #expect(try change.outbox.settle(id(1), StoredSettlement(member: key(2), item: 0, outcome: .incomplete)))
            #expect(try change.outbox.settle(id(1), StoredSettlement(member: key(2), item: 1, outcome: .declined)))
            let all = try change.outbox.settlements(of: id(1))
            #expect(all.map(\.outcome) == [.stored, .incomplete, .declined])
            #expect(all[0] == stored)
        }
        #expect(try database.kinds().filter { $0 == "outbox.settled" }.count == 4)
    }

    @Test("A parcel that was running when the agent ended waits again, and its settled items stay settled.")
    func recovery() throws {
        let database = try open(folder, clock: clock)
        try database.writeBlocking { change throws in
            for number in 1...2 { try change.outbox.add(parcel(number)) }
            try change.outbox.beginAttempt(id(1))
            try change.outbox.settle(id(1), StoredSettlement(member: key(1), item: 0, outcome: .stored))
        }
        let second = try open(folder.killed(), clock: clock)
        let recovered = try second.writeBlocking { try $0.outbox.show(id(1)) }
        #expect(recovered.state == .waiting)
        #expect(recovered.attempts == 1)
        #expect(recovered.nextDue == clock.now)
        #expect(try second.writeBlocking { try $0.outbox.settlements(of: id(1)) }.count == 1)
        #expect(try second.kinds().last == "outbox.waiting")
        #expect(try second.kinds().count == 5)
    }

    @Test(
        "A parcel that was cancelled while it ran stays cancelled, unless it was delivered.", arguments: [true, false])
    func cancelledWhileRunning(isDelivered: Bool) throws {
        let database = try open(folder, clock: clock)
        try database.writeBlocking { change throws in
            try change.outbox.add(parcel(1))
            try change.outbox.beginAttempt(id(1))
            try change.outbox.cancel(id(1))
            let state = try change.outbox.endAttempt(id(1), isDelivered ? .delivered : .failed(reason: "Stopped."))
            #expect(state == (isDelivered ? .delivered : .cancelled))
            #expect(throws: StateRefusal.self) { try change.outbox.cancel(id(1)) }
        }
    }

    @Test("Waiting parcels expire, a running one at the end of its attempt, others never.")
    func expiry() throws {
        let database = try open(folder, clock: clock)
        try database.writeBlocking { change throws in
            try change.outbox.add(parcel(1), expires: clock.now + 20)
            try change.outbox.add(parcel(2), expires: clock.now + 10)
            try change.outbox.add(parcel(3))
            try change.outbox.add(parcel(4), expires: clock.now + 10)
            try change.outbox.beginAttempt(id(4))
            #expect(try change.outbox.expire().isEmpty)
        }
        clock.advance(20)
        try database.writeBlocking { change throws in
            #expect(try change.outbox.expire(limit: 1) == [id(2)])
            #expect(try change.outbox.expire() == [id(1)])
            #expect(try change.outbox.show(id(4)).state == .running)
            #expect(try change.outbox.endAttempt(id(4), .waiting(reason: "Gone.", due: nil)) == .expired)
            #expect(try change.outbox.list(states: [.waiting]).map(\.id) == [id(3)])
        }
    }

    @Test("A parcel that failed or expired can be tried again; stored items are not forgotten.")
    func retry() throws {
        let database = try open(folder, clock: clock)
        try database.writeBlocking { change throws in
            try change.outbox.add(parcel(1), expires: clock.now + 10)
            try change.outbox.beginAttempt(id(1))
            try change.outbox.settle(id(1), StoredSettlement(member: key(1), item: 0, outcome: .stored))
            try change.outbox.settle(id(1), StoredSettlement(member: key(1), item: 1, outcome: .declined))
            #expect(throws: StateRefusal.self) { try change.outbox.retry(id(1)) }
            try change.outbox.endAttempt(id(1), .failed(reason: "Declined."))
        }
        clock.advance(20)
        try database.writeBlocking { change throws in
            try change.outbox.retry(id(1))
            let parcel = try change.outbox.show(id(1))
            #expect(parcel.state == .waiting)
            #expect(parcel.attempts == 0)
            #expect(parcel.expires == nil)
            #expect(parcel.reason == nil)
            #expect(try change.outbox.settlements(of: id(1)).map(\.item) == [0])
            #expect(try change.outbox.expire().isEmpty)
        }
    }

    @Test("Parcels that ended are removed after their time, with their outcomes; waiting ones stay.")
    func prune() throws {
        let database = try open(folder, clock: clock)
        try database.writeBlocking { change throws in
            for number in 1...3 { try change.outbox.add(parcel(number)) }
            try change.outbox.settle(id(1), StoredSettlement(member: key(1), item: 0, outcome: .declined))
            try change.outbox.cancel(id(1))
        }
        clock.advance(day)
        try database.writeBlocking { change throws in
            try change.outbox.cancel(id(2))
            #expect(try change.outbox.prune(before: clock.now - 60) == 1)
            #expect(try change.outbox.list().map(\.id) == [id(2), id(3)])
            #expect(try change.outbox.settlements(of: id(1)).isEmpty)
            // A later parcel comes after all earlier ones, even removed ones.
            try change.outbox.add(parcel(4))
            #expect(try change.outbox.list().map(\.order) == [2, 3, 4])
        }
    }

    @Test("A team's parcel ends when each member has an outcome, and is delivered only if all have it.")
    func members() throws {
        let database = try open(folder, clock: clock)
        let members: Set = [key(1), key(2)]
        for (number, outcome) in [(1, SettlementOutcome.stored), (2, .declined)] {
            let state = try database.writeBlocking { change throws in
                try change.outbox.add(parcel(number, to: "@acme"))
                try change.outbox.beginAttempt(id(number))
                try change.outbox.settle(id(number), StoredSettlement(member: key(1), item: 0, outcome: .stored))
                // A former member does not count.
                try change.outbox.settle(id(number), StoredSettlement(member: key(3), item: 0, outcome: .stored))
                return try change.outbox.endAttempt(
                    id(number), members: members, reason: nil, due: nil, others: false)
            }
            #expect(state == .waiting)
            try database.writeBlocking { change throws in
                #expect(try change.outbox.show(id(number)).reason == "1 of 2 members are done.")
                try change.outbox.beginAttempt(id(number))
                try change.outbox.settle(id(number), StoredSettlement(member: key(2), item: 0, outcome: outcome))
                let state = try change.outbox.endAttempt(
                    id(number), members: members, reason: nil, due: nil, others: true)
                #expect(state == (number == 1 ? .delivered : .failed))
            }
        }
    }

    @Test("A member that cannot be sent to has the outcome for all items that had none.")
    func failedMember() throws {
        let database = try open(folder, clock: clock)
        try database.writeBlocking { change throws in
            try change.outbox.add(parcel(1, to: "@acme", titles: ["a", "b"]), expires: clock.now + 10)
            try change.outbox.beginAttempt(id(1))
            try change.outbox.settle(id(1), StoredSettlement(member: key(1), item: 1, outcome: .stored))
            try change.outbox.fail(id(1), at: key(1), reason: "It is somebody else.")
            #expect(try change.outbox.settlements(of: id(1)).map(\.outcome) == [.failed, .stored])
        }
        clock.advance(11)
        let state = try database.writeBlocking {
            try $0.outbox.endAttempt(id(1), members: [key(1), key(2)], reason: nil, due: nil, others: false)
        }
        #expect(state == .expired)
    }
}
