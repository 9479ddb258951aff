import Foundation
import GRDB
import Glibc
import PortolanClient
import Testing

@testable import PortolanAgent
@testable import PortolanOutbox

@Suite("Ledger, inbox and shelf")
struct InboxTests {
    let folder = TemporaryFolder()
    let clock = SetClock()

    @Test("The ledger records an item of a parcel of a peer once, and removes old ones.")
    func ledger() throws {
        let database = try open(folder, clock: clock)
        let item = DeliveredItem(peer: key(1), parcel: id(1), item: 0)
        try database.writeBlocking { change throws in
            #expect(try change.ledger.insert(item, file) == nil)
            let other = StoredItemFile(name: "other", path: "/other", size: 1)
            #expect(try change.ledger.insert(item, other)?.file == file)
            #expect(try change.ledger.find(item) == LedgerEntry(file: file, entries: 1, at: clock.now))
            for another in [
                DeliveredItem(peer: key(2), parcel: id(1), item: 0),
                DeliveredItem(peer: key(1), parcel: id(2), item: 0),
                DeliveredItem(peer: key(1), parcel: id(1), item: 1),
            ] {
                #expect(try change.ledger.find(another) == nil)
            }
        }
        clock.advance(10)
        try database.writeBlocking { change throws in
            let later = DeliveredItem(peer: key(1), parcel: id(2), item: 0)
            try change.ledger.insert(later, file)
            #expect(try change.ledger.prune(before: clock.now) == 1)
            #expect(try change.ledger.find(item) == nil)
            #expect(try change.ledger.find(later) != nil)
        }
    }

    @Test("The ledger keeps the signed receipt of an item, and an earlier item has none.")
    func receipts() throws {
        do {
            let queue = try DatabaseQueue(path: folder.database)
            try AgentSchema.migrator(start: 0).migrate(queue, upTo: "2")
            try queue.write { database in
                try database.execute(
                    sql: "INSERT INTO ledger VALUES (?, ?, 0, 'a', '/a', 1, NULL, 1, 1)", arguments: [key(1), id(1)])
            }
            try queue.close()
        }
        chmod(folder.database, 0o600)
        let database = try open(folder, clock: clock)
        #expect(database.damaged == nil)
        try database.writeBlocking { change throws in
            let earlier = DeliveredItem(peer: key(1), parcel: id(1), item: 0)
            let entry = try #require(try change.ledger.find(earlier))
            #expect(entry.file.name == "a" && entry.receipt == nil)
            let item = DeliveredItem(peer: key(1), parcel: id(1), item: 1)
            try change.ledger.insert(item, file, entries: 2, receipt: [1, 2, 3])
            #expect(try change.ledger.insert(item, file, receipt: [4])?.receipt == [1, 2, 3])
            #expect(try change.ledger.find(item)?.receipt == [1, 2, 3])
        }
    }

    @Test("A waiting item outlives a restart with its offer, is accepted, fetched and received.")
    func waiting() throws {
        var database = try open(folder, clock: clock)
        let deadline = clock.now + 60
        let number = try database.writeBlocking {
            try $0.inbox.wait(item(0, deadline: deadline, fallback: .quarantine), offer: offer)
        }
        database.close()
        database = try open(folder, clock: clock)
        try database.writeBlocking { change throws in
            let record = try change.inbox.show(number)
            #expect(record.state == .waiting)
            var expected = item(0, deadline: deadline, fallback: .quarantine)
            (expected.id, expected.at, expected.changed) = (number, clock.now, clock.now)
            #expect(record == expected)
            #expect(record.deadline == deadline)
            #expect(record.file == nil)
            #expect(try change.inbox.offer(of: number) == offer)
            #expect(throws: StateRefusal.self) { try change.inbox.stored(number, file) }
            try change.inbox.accept(number)
            #expect(throws: StateRefusal.item(number, cannotBe: "accepted", .accepted)) {
                try change.inbox.accept(number)
            }
            try change.inbox.stored(number, file)
            #expect(try change.inbox.show(number).state == .received)
            #expect(try change.inbox.show(number).file == file)
        }
        #expect(try database.kinds() == ["inbox.waiting", "inbox.accepted", "inbox.received"])
    }

    @Test("An item that is offered again keeps its record and its deadline; one without a parcel gets a new record.")
    func offeredAgain() throws {
        let database = try open(folder, clock: clock)
        try database.writeBlocking { change throws in
            let first = try change.inbox.wait(item(0, deadline: clock.now + 60), offer: offer)
            #expect(try change.inbox.wait(item(0, deadline: clock.now + 600), offer: offer) == first)
            #expect(try change.inbox.show(first).deadline == clock.now + 60)
            #expect(try change.inbox.wait(item(1), offer: offer) != first)
            let single = try change.inbox.wait(item(0, parcel: nil), offer: offer)
            #expect(try change.inbox.wait(item(0, parcel: nil), offer: offer) != single)
            // After the decision it is a new one.
            try change.inbox.decline(first)
            #expect(try change.inbox.wait(item(0), offer: offer) != first)
        }
    }

    @Test("A peer can have only so many items waiting, and no offer that is too large.")
    func limits() throws {
        let database = try open(folder, clock: clock)
        var limits = InboxLimits()
        limits.perPeer = 2
        limits.total = 3
        limits.offer = 100
        try database.writeBlocking { [limits] change throws in
            for number in 0..<2 { _ = try change.inbox.wait(item(number), offer: offer, limits: limits) }
            #expect(throws: StateRefusal.inboxIsFull) { try change.inbox.wait(item(2), offer: offer, limits: limits) }
            _ = try change.inbox.wait(item(0, of: key(8)), offer: offer, limits: limits)
            #expect(throws: StateRefusal.inboxIsFull) {
                try change.inbox.wait(item(0, of: key(9)), offer: offer, limits: limits)
            }
            #expect(try change.inbox.wait(item(0), offer: offer, limits: limits) == 1)
            #expect(throws: StateRefusal.tooLarge(bytes: 102)) {
                try change.inbox.wait(item(0), offer: String(repeating: "0", count: 102), limits: limits)
            }
        }
    }

    @Test("Items are due at their deadline, the earliest first.")
    func deadlines() throws {
        let database = try open(folder, clock: clock)
        try database.writeBlocking { change throws in
            for (number, seconds) in [(0, 30.0), (1, 10), (2, 20)] {
                _ = try change.inbox.wait(item(number, deadline: clock.now + seconds), offer: offer)
            }
            _ = try change.inbox.wait(item(3, deadline: nil), offer: offer)
            #expect(try change.inbox.due().isEmpty)
            #expect(try change.inbox.nextDeadline() == clock.now + 10)
        }
        clock.advance(20)
        try database.writeBlocking { change throws in
            #expect(try change.inbox.due().map(\.item) == [1, 2])
            #expect(try change.inbox.due().allSatisfy { $0.fallback == .decline })
        }
    }

    @Test("Quarantine ends by release, which names the new file, or by declining, which forgets the file.")
    func quarantine() throws {
        let database = try open(folder, clock: clock)
        try database.writeBlocking { change throws in
            let first = try change.inbox.store(item(0), file, isQuarantined: true)
            let second = try change.inbox.store(item(1), file, isQuarantined: true)
            let released = StoredItemFile(name: "photo (2).jpg", path: "/home/ada/photo (2).jpg", size: 1234)
            try change.inbox.release(first, to: released)
            #expect(try change.inbox.show(first).file == released)
            try change.inbox.decline(second, reason: "not wanted")
            #expect(try change.inbox.show(second).file == nil)
            #expect(try change.inbox.show(second).reason == "not wanted")
            // A waiting item whose fallback is quarantine goes there without an acceptance.
            let third = try change.inbox.wait(item(2, fallback: .quarantine), offer: offer)
            try change.inbox.stored(third, file, isQuarantined: true)
            #expect(try change.inbox.list(InboxFilter(states: [.quarantined])).map(\.id) == [third])
        }
        #expect(
            try database.kinds() == [
                "inbox.quarantined", "inbox.quarantined", "inbox.received", "inbox.declined", "inbox.waiting",
                "inbox.quarantined",
            ])
    }

    @Test("An accepted item that cannot be fetched has failed, and can be accepted again or forgotten.")
    func failedAndForgotten() throws {
        let database = try open(folder, clock: clock)
        try database.writeBlocking { change throws in
            let number = try change.inbox.wait(item(0), offer: offer)
            try change.inbox.accept(number)
            try change.inbox.fail(number, reason: "It is no longer offered.")
            #expect(try change.inbox.show(number).state == .failed)
            try change.inbox.accept(number)
            try change.inbox.forget(number)
            #expect(throws: StateRefusal.noItem(number)) { try change.inbox.show(number) }
            let next = try change.inbox.store(item(0), file)
            #expect(next == number + 1)
            #expect(try change.inbox.list(InboxFilter(peer: key(7))).map(\.id) == [next])
            #expect(try change.inbox.list(InboxFilter(peer: key(6))).isEmpty)
        }
        clock.advance(60)
        #expect(try database.writeBlocking { try $0.inbox.prune(before: clock.now) } == 1)
    }

    @Test("A shared item outlives a restart until it is removed or expires.")
    func shared() throws {
        var database = try open(folder, clock: clock)
        let plan = SharedItemRecord(
            id: id(1), title: "plan.html", path: "/home/ada/plan.html", restriction: "team @acme",
            expires: clock.now + 60)
        let note = SharedItemRecord(
            id: id(2), title: "note", path: nil, restriction: "all", expires: nil, document: [1, 2])
        try database.writeBlocking { change throws in
            try change.shared.add(plan)
            try change.shared.add(note)
        }
        #expect(throws: StateRefusal.isShared(id(1))) { try database.writeBlocking { try $0.shared.add(plan) } }
        database.close()
        database = try open(folder, clock: clock)
        try database.writeBlocking { change throws in
            #expect(try change.shared.list() == [plan, note])
            #expect(try change.shared.expire().isEmpty)
        }
        clock.advance(60)
        try database.writeBlocking { change throws in
            #expect(try change.shared.list() == [note])
            #expect(try change.shared.expire() == [id(1)])
            try change.shared.remove(id(2))
            #expect(throws: StateRefusal.noSharedItem(id(2))) { try change.shared.remove(id(2)) }
        }
        #expect(try database.kinds() == ["shelf.added", "shelf.added", "shelf.expired", "shelf.removed"])
    }
}
