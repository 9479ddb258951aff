import Foundation
import GRDB
import Portolan
import PortolanClient
import Testing

@testable import PortolanAgent

@Suite("Bytes that a rule takes from a sender in a day")
struct QuotaTests {
    let folder = TemporaryFolder()
    let clock = SetClock()
    private let folders = PolicyFolders(inbox: "/in", quarantine: "/apart")
    private let most: UInt64 = 10_000

    private func facts(
        _ bytes: UInt64?, from peer: Int = 7, isStranger: Bool = false, place: Int = 0
    ) throws -> OfferedItemFacts {
        OfferedItemFacts(
            item: InboxRecord(
                peer: key(peer), sender: "laptop", parcel: id(1), item: 0, place: place, title: "a.pdf"),
            description: try InboxDescription(
                title: "a.pdf", types: ["com.adobe.pdf"], bytes: bytes, folder: false, message: nil
            ).text,
            policy: PolicyVerdict(action: .accept(into: nil), rule: 1, line: 3, most: most), verdict: "{}",
            bytes: bytes, isStranger: isStranger)
    }

    /// The charge of an item that is taken; nil for one that is too much.
    private func charge(
        _ change: AgentTransaction, _ bytes: UInt64?, from peer: Int = 7, isStranger: Bool = false, place: Int = 0,
        isGoingOn: Bool = false
    ) throws -> Int64? {
        let facts = try facts(bytes, from: peer, isStranger: isStranger, place: place)
        return try change.decide(about: facts, isGoingOn: isGoingOn).charge
    }

    @Test("offers that run at once count together, each sender for itself, and it hears when to try again")
    func together() throws {
        let database = try open(folder, clock: clock)
        try database.writeBlocking { change throws in
            #expect(try charge(change, 6000) != nil)
            guard case .postpone(let detail, let because) = try change.decide(about: facts(6000)).answer(in: folders)
            else {
                Issue.record("it is taken, or declined for good")
                return
            }
            #expect(detail.contains("still takes from you") && because?.contains("rule 1 (line 3)") == true)
            #expect(try charge(change, 6000, from: 8) != nil)
            #expect(try charge(change, 4000) == nil, "an item takes a block at least")
            #expect(try charge(change, 0, from: 8) == nil)
        }
    }

    @Test("an item larger than the whole quota is declined for good")
    func ever() throws {
        let database = try open(folder, clock: clock)
        try database.writeBlocking { change throws in
            guard case .decline(let detail, _) = try change.decide(about: facts(most + 1)).answer(in: folders) else {
                Issue.record("it is taken, or postponed")
                return
            }
            #expect(detail.contains("more than this device takes from you"))
            #expect(try charge(change, most) != nil)
        }
    }

    @Test("strangers count together, under any keys, and not with contacts")
    func strangers() throws {
        let database = try open(folder, clock: clock)
        try database.writeBlocking { change throws in
            #expect(try charge(change, 6000, from: 8, isStranger: true) != nil)
            #expect(try charge(change, 6000, from: 9, isStranger: true) == nil)
            #expect(try charge(change, 6000, from: 8) != nil)
        }
    }

    @Test("a day later it is forgotten; a restart forgets only items of which nothing came")
    func restart() throws {
        var database = try open(folder, clock: clock)
        try database.writeBlocking { change throws in
            let first = try #require(try charge(change, 5000))
            try change.quota.begin(first)
            _ = try #require(try charge(change, 5000, place: 1))
        }
        database.close()
        database = try open(folder, clock: clock)
        try database.writeBlocking { change throws in
            #expect(try charge(change, 4096, place: 2) == nil)
            try change.quota.giveBackAll()
            #expect(try charge(change, 5001, place: 2) == nil)
            #expect(try charge(change, 5000, place: 2) != nil)
        }
        clock.advance(day - 1)
        try database.writeBlocking { change throws in #expect(try charge(change, 4096, place: 3) == nil) }
        clock.advance(1)
        try database.writeBlocking { change throws in #expect(try charge(change, most, place: 3) != nil) }
    }

    @Test("an item that breaks off stays charged, and is not charged again; one of which nothing came is not charged")
    func brokenOff() throws {
        let database = try open(folder, clock: clock)
        try database.writeBlocking { change throws in
            let first = try #require(try charge(change, 5500))
            try change.quota.begin(first)
            try change.quota.giveBack([first])
            #expect(try charge(change, 5500, isGoingOn: true) == first)
            #expect(try charge(change, 5500, place: 1, isGoingOn: true) == nil, "another item is charged")
            #expect(try charge(change, 5500) == nil, "offered anew, it may be stored twice")
            let second = try #require(try charge(change, 4096, place: 2))
            try change.quota.giveBack([second])
            #expect(try charge(change, 4096, place: 3) != nil)
        }
    }

    @Test("a limit belongs to a rule that accepts, and covers only items of known size")
    func policyFile() throws {
        let limited = try policy("  - { from: contacts, most: 1K, action: accept }\n  - { from: anyone, action: ask }")
        let verdicts = limited.verdicts(
            for: try offer("{ contact: laptop, items: [{ size: 5 }, { type: png }, { size: 2K }] }"))
        #expect(verdicts.map(\.action.kind) == [.accept, .ask, .accept] && verdicts[0].most == 1024)
        for action in ["ask", "decline"] {
            let error = #expect(throws: (any Error).self) {
                _ = try policy("  - { from: contacts, most: 1K, action: \(action) }")
            }
            #expect("\(error.map { "\($0)" } ?? "")".contains("it belongs to “action: accept”"))
        }
    }
}
