import PortolanCrypto
import PortolanTrust
import Synchronization
import Testing

@testable import Portolan
@testable import PortolanAgent

@Suite("Entries of strangers in the journal")
struct StrangerEntriesTests {
    @Test("20 a minute have entries of their own; the others are counted, and the next minute begins anew")
    func fold() {
        var count = StrangerEntryCount()
        let start = ContinuousClock.now
        let told = (0..<1000).count { count.telling(at: start + .milliseconds($0)) == .whole }
        #expect(told == StrangerEntryCount.most)
        #expect(count.take() == 980)
        #expect(count.take() == 0)
        let next = start + StrangerEntryCount.span
        #expect((0..<25).count { _ in count.telling(at: next) == .whole } == StrangerEntryCount.most)
        #expect(count.take() == 5)
    }

    @Test("An agent declines every one of them, and writes about the first 20.")
    func offers() async throws {
        let tested = try await AgentUnderTest()
        _ = try await tested.port()
        let begin = ContinuousClock.now
        let offers = StrangerEntryCount.most + 3
        for number in 0..<offers {
            let sent = try await tested.send("offer \(number)")
            #expect(sent.allSatisfy { !$0.isStored })
        }
        let told = try await tested.agent.database.read { change in
            try change.journal.entries(after: nil, limit: .max).count { $0.kind == .offerDecided }
        }
        // On a machine that is very slow a second span has begun.
        let spans = Int((ContinuousClock.now - begin) / StrangerEntryCount.span) + 1
        #expect(told <= StrangerEntryCount.most * spans)
        #expect(told >= min(offers, StrangerEntryCount.most))
        try await tested.stop()
    }

    @Test("A known sender has room for a large parcel at once, and then as much as strangers have.")
    func known() {
        var count = StrangerEntryCount(most: StrangerEntryCount.mostOfSender)
        let start = ContinuousClock.now
        #expect(count.telling(at: start, weight: 1024) == .whole)
        #expect(count.telling(at: start, weight: 1000) == .whole)
        #expect(count.telling(at: start, weight: 25) == .short)
        #expect((0..<100).count { _ in count.telling(at: start) == .whole } == 23)
        #expect(count.take() == 77)
        let later = start + StrangerEntryCount.span * 2
        #expect((0..<100).count { _ in count.telling(at: later) == .whole } == 2 * StrangerEntryCount.most)
    }

    private func randomKey() -> DevicePublicKey { DeviceKey.generate().publicKey }

    private func peer(_ standing: Standing, _ key: DevicePublicKey? = nil) -> RemotePeer {
        let key = key ?? randomKey()
        return RemotePeer(
            name: "laptop", fingerprint: key.fingerprint, address: "192.0.2.1", isKnown: false, standing: standing,
            deviceKey: key)
    }

    private func incoming(of peer: RemotePeer, items: Int) -> IncomingOffer {
        let items = (0..<items).map { number in
            IncomingOffer.Item(
                transfer: TransferID(batch: .random(), item: number), title: "x", contentType: "public.png",
                typeDescription: nil, suggestedName: nil, representation: 0, representationCount: 1, size: 5,
                apparentSize: 5, mostBytes: 5, isFolder: false, restriction: .everyone, preview: nil, forms: [])
        }
        return IncomingOffer(peer: peer, items: items, notImportable: [])
    }

    private let contact = Standing(isContact: true, memberships: [])

    @Test("Of the items that fail, 20 of strangers have entries of their own, and some thousand of each contact.")
    func failedItems() async throws {
        let tested = try await AgentUnderTest()
        let reception = tested.agent.reception
        func fail(_ count: Int, _ peer: RemotePeer) {
            for number in 0..<count {
                let transfer = IncomingTransfer(
                    id: TransferID(batch: .random(), item: number), peer: peer, title: "title \(number)",
                    parcelPlace: nil)
                reception.report(.failed(transfer, reason: "It broke off."))
            }
        }
        let laptop = peer(contact)
        fail(StrangerEntryCount.most + 10, laptop)
        #expect(reception.failures.fold().isEmpty)
        fail(StrangerEntryCount.most + 5, peer(.anyone))
        fail(5, peer(.anyone))
        #expect(reception.failures.fold().map { $0.values["count"] } == [.number(10)])
        fail(StrangerEntryCount.mostOfSender, laptop)
        fail(1, peer(contact))
        let folded = reception.failures.fold()
        #expect(folded.count == 1)
        #expect(folded.first?.peer == laptop.stateKey)
        #expect(folded.first?.values["count"] == .number(Int64(StrangerEntryCount.most + 10)))
        #expect(folded.first?.values["title"] == .text("title \(StrangerEntryCount.mostOfSender - 1)"))
        try await tested.stop()
    }

    @Test("An item that is offered again and again with new titles does not turn the journal over.")
    func newTitles() throws {
        let folder = TemporaryFolder()
        let database = try open(folder, clock: SetClock())
        let entries = StrangerEntries(foldedAs: .offersDecided) { number, whose in "\(number) of \(whose)" }
        let laptop = peer(contact)
        try database.writeBlocking { change throws in
            for number in 0..<5000 {
                let sender = StrangerEntries.Sender(laptop, title: "title \(number)")
                let offer = try InboxDescription(
                    title: "title \(number)", types: [], bytes: 1, folder: false, message: nil
                ).text
                var item = item(0)
                item.title = "title \(number)"
                _ = try change.inbox.wait(item, offer: offer) { entries.isTold(of: sender) }
            }
            let told = try change.journal.entries(after: nil, limit: .max).count { $0.kind == .inboxWaiting }
            #expect(told < 4000)
            #expect(entries.fold().first?.values["message"] == .text("\(5000 - told) of “laptop”"))
            #expect(try change.inbox.list().map(\.title) == ["title 4999"])
        }
    }

    @Test("Accepted items are forgotten when they fail, when the session has another offer, and when it ends.")
    func forgotten() async throws {
        let tested = try await AgentUnderTest()
        let reception = tested.agent.reception
        let text = String(repeating: "x", count: AcceptedItems.verdicts / 10)
        let taken = ReasonedDecision.policy(
            PolicyVerdict(action: .accept(into: nil), rule: 1, line: 3), verdict: text)
        func accept(_ peer: RemotePeer, items: Int) -> IncomingOffer {
            let offer = incoming(of: peer, items: items)
            _ = reception.underWay.remember(Array(repeating: taken, count: items), for: offer)
            return offer
        }
        let sender = peer(contact)
        for _ in 0..<100 { _ = accept(sender, items: 2) }
        #expect(reception.underWay.held == (2, 2 * text.utf8.count))
        let offer = accept(sender, items: 2)
        for item in offer.items {
            let transfer = IncomingTransfer(id: item.transfer, peer: sender, title: "x", parcelPlace: nil)
            reception.report(.failed(transfer, reason: "It broke off."))
        }
        #expect(reception.underWay.held == (0, 0))
        let key = randomKey()
        // Each session of one sender has an offer: their verdicts together are bounded.
        let sessions = (0..<5).map { _ in peer(contact, key) }
        for session in sessions { _ = accept(session, items: 4) }
        #expect(reception.underWay.held == (20, 10 * text.utf8.count))
        for session in sessions { reception.report(.finished(session)) }
        #expect(reception.underWay.held == (0, 0))
        try await tested.stop()
    }

    /// Entries that were written.
    private final class Entries: Sendable {
        private let all = Mutex<[EventJournal.Entry]>([])
        func append(_ entry: EventJournal.Entry) { all.withLock { $0.append(entry) } }
        func count(_ kind: JournalKind) -> Int { all.withLock { $0.count { $0.kind == kind } } }
        func number(_ kind: JournalKind) -> JournalValue? {
            all.withLock { $0.first { $0.kind == kind }?.values["count"] }
        }
    }

    @Test("Of 500 strangers that appear and go, 20 have entries of their own; contacts among them always have.")
    func peers() {
        let entries = Entries()
        let sightings = PeerSightings { entries.append($0) }
        let strangers = (0..<500).map {
            Peer(name: "stranger \($0)", fingerprint: nil, addresses: [], foundBy: "avahi")
        }
        let contacts = (0..<30).map { number in
            var peer = Peer(name: "contact \(number)", fingerprint: nil, addresses: [], foundBy: "avahi")
            peer.standing = Standing(isContact: true, memberships: [])
            return peer
        }
        for peer in strangers + contacts { sightings.noteAppeared(peer) }
        for peer in contacts { sightings.noteGone(peer) }
        let most = StrangerEntryCount.most
        #expect(entries.count(.peerAppeared) == most + contacts.count)
        #expect(entries.count(.peerGone) == contacts.count)
        sightings.fold()
        #expect(entries.number(.peersAppeared) == .number(Int64(strangers.count - most)))
        #expect(entries.number(.peersGone) == nil)
        for peer in strangers { sightings.noteGone(peer) }
        sightings.fold()
        #expect(entries.count(.peerGone) == contacts.count + most)
        #expect(entries.number(.peersGone) == .number(Int64(strangers.count - most)))
    }
}
