import Foundation
import GRDB
import Glibc
import Portolan
import PortolanClient
import Testing

@testable import PortolanAgent
@testable import PortolanOutbox

@Suite("Items that are offered again, and deadlines")
struct InboxDecisionTests {
    let folder = TemporaryFolder()
    let clock = SetClock()
    private let folders = PolicyFolders(inbox: "/in", quarantine: "/apart")

    private func facts(
        _ action: PolicyVerdict.Action, title: String = "report.pdf", bytes: UInt64 = 100, parcel: StateID? = id(1),
        number: Int = 0, place: Int = 77, folder: String? = nil, message: String? = nil
    ) throws -> OfferedItemFacts {
        OfferedItemFacts(
            item: InboxRecord(
                peer: key(7), sender: "laptop", parcel: parcel, item: number, place: place, title: title,
                rule: "rule 1 (line 3)", folder: folder),
            description: try InboxDescription(
                title: title, types: ["com.adobe.pdf"], bytes: bytes, folder: false, message: message
            ).text,
            policy: PolicyVerdict(action: action, rule: 1, line: 3), verdict: #"{"action":"ask"}"#)
    }

    private let ask = PolicyVerdict.Action.ask(wait: .seconds(60), ending: .decline, into: nil)

    private func isTaken(_ ruling: ReasonedDecision, into destination: Destination) -> Bool {
        if case .take(_, destination, false, _) = ruling.answer(in: folders) { true } else { false }
    }

    /// Sentence of a final decline.
    private func refusal(_ ruling: ReasonedDecision) -> String? {
        if case .decline(let detail, _) = ruling.answer(in: folders) { detail } else { nil }
    }

    @Test("An item that the policy asks about waits, under one number however often it is offered; its sender may go.")
    func asking() throws {
        let database = try open(folder, clock: clock)
        try database.writeBlocking { change throws in
            let first = try change.decide(about: facts(ask))
            guard case .postpone(let detail, _) = first.answer(in: folders) else {
                Issue.record("\(first)")
                return
            }
            #expect(first.waits && detail.contains("owner"))
            // The item may have another number in a later offer, from which settled items are omitted.
            #expect(try change.decide(about: facts(ask, number: 3, message: "please")).waits)
            let records = try change.inbox.list()
            #expect(records.map(\.id) == [1])
            #expect(records.first?.item == 3)
            #expect(records.first?.deadline == clock.now + 60)
            #expect(try change.inbox.verdict(of: 1) == #"{"action":"ask"}"#)
        }
    }

    @Test(
        "An item that a person accepted is received without another question, into the named folder, and recorded once."
    )
    func accepting() throws {
        let database = try open(folder, clock: clock)
        try database.writeBlocking { change throws in
            _ = try change.decide(about: facts(ask, folder: "/policy"))
            try change.inbox.accept(1)
            #expect(isTaken(try change.decide(about: facts(.accept(into: nil))), into: .folder("/policy")))
            _ = try change.decide(about: facts(ask, place: 78))
            try change.inbox.accept(2, into: "/mine")
            let ruling = try change.decide(about: facts(ask, place: 78))
            #expect(isTaken(ruling, into: .folder("/mine")))
            #expect(ruling.accepted == 2)
            try change.store(facts(ask).item, file, isQuarantined: false, accepted: nil, verdict: nil)
            try change.store(facts(ask, place: 78).item, file, isQuarantined: false, accepted: 2, verdict: nil)
            #expect(try change.inbox.list().map(\.state) == [.received, .received])
            #expect(try change.inbox.list().map(\.file) == [file, file])
        }
    }

    @Test("An accepted item that the policy now declines or sets apart is not received.")
    func acceptedBeforeTheRuleChanged() throws {
        let database = try open(folder, clock: clock)
        try database.writeBlocking { change throws in
            for parcel in [id(1), nil] {
                _ = try change.decide(about: facts(ask, parcel: parcel))
                let number = try #require(try change.inbox.list().last?.id)
                try change.inbox.accept(number)
                let apart = PolicyVerdict.Action.quarantine(into: nil)
                #expect(isTaken(try change.decide(about: facts(apart, parcel: parcel)), into: .quarantine("/apart")))
                #expect(refusal(try change.decide(about: facts(.decline(detail: "No."), parcel: parcel))) == "No.")
                #expect(try change.inbox.show(number).state == .declined)
            }
        }
    }

    @Test("A broken-off item goes on without another question, unless the policy declines it by now.")
    func goingOn() throws {
        let database = try open(folder, clock: clock)
        try database.writeBlocking { change throws in
            #expect(try change.decide(about: facts(ask), isGoingOn: true).answer(in: folders) == .ask)
            #expect(try change.inbox.list().isEmpty, "nobody is asked")
            let decline = PolicyVerdict.Action.decline(detail: "No.")
            #expect(refusal(try change.decide(about: facts(decline), isGoingOn: true)) == "No.")
            #expect(isTaken(try change.decide(about: facts(.accept(into: nil)), isGoingOn: true), into: .inbox))
        }
    }

    @Test("An item that was accepted under one name is not accepted under another.")
    func anotherName() throws {
        let descriptions = try ["holiday.jpg", "run.sh"].map {
            try InboxDescription(title: "x", types: ["public.jpeg"], bytes: 1, folder: false, name: $0).text
        }
        #expect(!InboxDescription.areOfSameItem(descriptions[0], descriptions[1]))
    }

    @Test("A folder that was accepted under one estimate is accepted under another.")
    func anotherEstimate() throws {
        let descriptions = try [1000, 2000, nil].map {
            try InboxDescription(title: "x", types: ["public.folder"], folder: true, estimatedBytes: $0).text
        }
        for other in descriptions { #expect(InboxDescription.areOfSameItem(descriptions[0], other)) }
    }

    @Test("An acceptance holds for the item that was shown: another title or size waits again, under a new number.")
    func anotherItem() throws {
        let database = try open(folder, clock: clock)
        try database.writeBlocking { change throws in
            _ = try change.decide(about: facts(ask))
            try change.inbox.accept(1)
            #expect(try change.decide(about: facts(ask, bytes: 101)).waits)
            #expect(try change.inbox.list().map(\.id) == [2])
            // An item that changes while its owner looks at it also gets a new record.
            #expect(try change.decide(about: facts(ask, title: "virus.pdf", bytes: 101)).waits)
            #expect(throws: StateRefusal.noItem(2)) { try change.inbox.accept(2) }
            try change.inbox.accept(3)
            #expect(isTaken(try change.decide(about: facts(ask, title: "virus.pdf", bytes: 101)), into: .inbox))
        }
        #expect(
            try database.kinds() == [
                "inbox.waiting", "inbox.accepted", "inbox.forgotten", "inbox.waiting", "inbox.forgotten",
                "inbox.waiting", "inbox.accepted",
            ])
    }

    @Test("A declined item stays declined until it is forgotten.")
    func declining() throws {
        let database = try open(folder, clock: clock)
        try database.writeBlocking { change throws in
            _ = try change.decide(about: facts(ask))
            try change.inbox.decline(1, reason: "Not before Monday.")
            #expect(refusal(try change.decide(about: facts(.accept(into: nil), bytes: 101))) == "Not before Monday.")
            #expect(try !change.decide(about: facts(ask, place: 78)).answer(in: folders).isFinal)
            try change.inbox.forget(1)
            #expect(try change.decide(about: facts(ask)).waits)
        }
    }

    @Test("An item that a person declined is declined in another parcel, too, where the policy asks.")
    func decliningForGood() throws {
        let database = try open(folder, clock: clock)
        try database.writeBlocking { change throws in
            _ = try change.decide(about: facts(ask))
            try change.inbox.decline(1, reason: "Nobody decided in time.")
            #expect(try change.decide(about: facts(ask, parcel: id(2))).waits, "no person has declined it")
            try change.inbox.decline(2, reason: "Not before Monday.", isFinal: true)
            #expect(refusal(try change.decide(about: facts(ask, parcel: id(3)))) == "Not before Monday.")
            #expect(try change.decide(about: facts(ask, bytes: 101, parcel: id(3), place: 78)).waits, "another size")
            #expect(isTaken(try change.decide(about: facts(.accept(into: nil), parcel: id(4))), into: .inbox))
            try change.inbox.forget(2)
            #expect(try change.decide(about: facts(ask, parcel: id(5))).waits)
        }
    }

    @Test("If the policy has changed since it asked, its present decision counts, and the record says so.")
    func anotherPolicy() throws {
        let database = try open(folder, clock: clock)
        try database.writeBlocking { change throws in
            _ = try change.decide(about: facts(ask))
            #expect(refusal(try change.decide(about: facts(.decline(detail: "Too large.")))) == "Too large.")
            #expect(try change.inbox.show(1).state == .declined)
            #expect(try change.inbox.show(1).reason == "Too large.")
            _ = try change.decide(about: facts(ask, place: 78))
            let ruling = try change.decide(about: facts(.accept(into: nil), place: 78))
            #expect(isTaken(ruling, into: .inbox))
            try change.store(
                facts(ask, place: 78).item, file, isQuarantined: false, accepted: nil, verdict: ruling.verdict)
            #expect(try change.inbox.list().map(\.state) == [.declined, .received])
        }
    }

    @Test("An item that is declined during its transfer is not recorded as received, so that it fails.")
    func declinedMeanwhile() throws {
        let database = try open(folder, clock: clock)
        try database.writeBlocking { change throws in
            _ = try change.decide(about: facts(ask))
            try change.inbox.accept(1)
            _ = try change.decide(about: facts(ask))
            try change.inbox.decline(1)
            #expect(throws: StateRefusal.self) {
                try change.store(facts(ask).item, file, isQuarantined: false, accepted: 1, verdict: nil)
            }
        }
    }

    @Test("An item without a parcel is known by its description, and taken once for each acceptance.")
    func withoutParcel() throws {
        let database = try open(folder, clock: clock)
        try database.writeBlocking { change throws in
            _ = try change.decide(about: facts(ask, parcel: nil))
            try change.inbox.accept(1)
            #expect(try change.decide(about: facts(ask, bytes: 101, parcel: nil)).waits)
            let ruling = try change.decide(about: facts(ask, parcel: nil))
            #expect(ruling.accepted == 1)
            try change.store(
                facts(ask, parcel: nil).item, file, isQuarantined: false, accepted: ruling.accepted, verdict: nil)
            #expect(try change.decide(about: facts(ask, parcel: nil)).waits)
        }
    }

    @Test("An acceptance counts for the same item of another parcel, and for one item only.")
    func sentAgain() throws {
        let database = try open(folder, clock: clock)
        try database.writeBlocking { change throws in
            for parcel in [id(1), id(2)] { #expect(try change.decide(about: facts(ask, parcel: parcel)).waits) }
            try change.inbox.accept(1)
            #expect(try change.decide(about: facts(ask, bytes: 101, parcel: id(3))).waits)
            // The parcel that waited under a number of its own waits no more.
            let ruling = try change.decide(about: facts(ask, parcel: id(2)))
            #expect(ruling.accepted == 1 && isTaken(ruling, into: .inbox))
            #expect(try change.inbox.list().map(\.id) == [1, 3])
            #expect(try change.decide(about: facts(ask, parcel: id(2), place: 78)).waits, "a second item of the parcel")
            let again = try change.decide(about: facts(ask, parcel: id(4)))
            #expect(again.accepted == 1)
            try change.store(facts(ask, parcel: id(4)).item, file, isQuarantined: false, accepted: 1, verdict: nil)
            #expect(throws: StateRefusal.self) {
                try change.store(facts(ask, parcel: id(2)).item, file, isQuarantined: false, accepted: 1, verdict: nil)
            }
            #expect(try change.decide(about: facts(ask, parcel: id(5))).waits)
        }
    }

    // MARK: - Deadlines

    @Test("At its deadline each waiting item gets its fallback; one for the quarantine may still be accepted for good.")
    func fallbacks() throws {
        let database = try open(folder, clock: clock)
        try database.writeBlocking { change throws in
            for (place, ending) in [(1, QuestionFallback.accept), (2, .quarantine), (3, .decline)] {
                _ = try change.decide(
                    about: facts(.ask(wait: .seconds(60), ending: ending, into: nil), place: place, folder: "/policy"))
            }
            #expect(try change.inbox.settleDue().isEmpty)
        }
        clock.advance(60)
        try database.writeBlocking { change throws in
            #expect(try change.inbox.settleDue().map(\.id) == [1, 2])
            #expect(try change.inbox.list().map(\.state) == [.accepted, .accepted, .declined])
            #expect(isTaken(try change.decide(about: facts(ask, place: 1)), into: .folder("/policy")))
            #expect(isTaken(try change.decide(about: facts(ask, place: 2)), into: .quarantine("/apart")))
            #expect(refusal(try change.decide(about: facts(ask, place: 3))) == "Nobody decided in time.")
            try change.inbox.accept(2)
            #expect(isTaken(try change.decide(about: facts(ask, place: 2)), into: .folder("/policy")))
            #expect(try change.inbox.nextDeadline() == nil)
        }
    }

    @Test("Deadlines are kept, also that of a later item, and the agent knocks at the sender.")
    func keepingDeadlines() async throws {
        let database = try AgentDatabase(lock: AgentLock(folder: folder.path))
        let (knocks, knocking) = AsyncStream.makeStream(of: PeerKey.self)
        let deadlines = InboxDeadlines(database: database, health: StateHealth(changes: { 0 }, tell: { _ in })) {
            knocking.yield($0)
        }
        let running = Task { await deadlines.run() }
        let soon = OfferedItemFacts(
            item: item(0), description: "{}",
            policy: PolicyVerdict(action: .ask(wait: .zero, ending: .accept, into: nil), rule: nil, line: nil),
            verdict: "{}")
        _ = try await database.write { try $0.decide(about: soon) }
        deadlines.look()
        for await key in knocks {
            #expect(key == item(0).peer)
            break
        }
        #expect(try await database.read { try $0.inbox.list().map(\.state) } == [.accepted])
        _ = try await database.write { change in
            try change.inbox.wait(item(1, deadline: change.now.addingTimeInterval(0.2)), offer: offer)
        }
        deadlines.look()
        entries: for try await entries in database.entries(after: nil) {
            for entry in entries where entry.kind == .inboxDeclined { break entries }
        }
        #expect(try await database.read { try $0.inbox.list().map(\.state) } == [.accepted, .declined])
        running.cancel()
        await running.value
        database.close()
    }

    // MARK: - Older files

    @Test("Records of the first schema are known by their numbers.")
    func migration() throws {
        do {
            let queue = try DatabaseQueue(path: folder.database)
            try AgentSchema.migrator(start: 0).migrate(queue, upTo: "1")
            try queue.write { database in
                try database.execute(
                    sql: """
                        INSERT INTO inbox (at, changed, state, peer, sender, parcel, item, title)
                        VALUES (1, 1, 'waiting', ?, 'laptop', ?, 5, 'report.pdf')
                        """, arguments: [key(7), id(1)])
            }
            try queue.close()
        }
        chmod(folder.database, 0o600)
        let database = try open(folder, clock: clock)
        #expect(database.damaged == nil)
        try database.writeBlocking { change throws in
            let record = try change.inbox.latest(of: DeliveredItem(peer: key(7), parcel: id(1), item: 5))
            #expect(record?.item == 5 && record?.isForQuarantine == false)
        }
    }
}

extension Decision.Answer {
    /// True for a final decline.
    fileprivate var isFinal: Bool {
        if case .decline = self { true } else { false }
    }
}
