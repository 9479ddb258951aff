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
        let told = (0..<1000).count { count.tells(at: start + .milliseconds($0)) }
        #expect(told == StrangerEntryCount.most)
        #expect(count.take() == 980)
        #expect(count.take() == 0)
        let next = start + StrangerEntryCount.span
        #expect((0..<25).count { _ in count.tells(at: next) } == StrangerEntryCount.most)
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

    @Test("Of the items of strangers that fail, 20 have entries of their own; those of contacts always have.")
    func failedItems() async throws {
        let tested = try await AgentUnderTest()
        let reception = tested.agent.reception
        func fail(_ count: Int, _ standing: Standing) {
            let peer = RemotePeer(
                name: "laptop", fingerprint: Fingerprint(ofKeyBytes: [1]), address: "192.0.2.1", isKnown: false,
                standing: standing)
            for number in 0..<count {
                let transfer = IncomingTransfer(
                    id: TransferID(batch: .random(), item: number), peer: peer, title: "x", parcelPlace: nil)
                reception.report(.failed(transfer, reason: "It broke off."))
            }
        }
        fail(StrangerEntryCount.most + 10, Standing(isContact: true, memberships: []))
        #expect(reception.failures.fold() == nil)
        fail(StrangerEntryCount.most + 10, .anyone)
        #expect(reception.failures.fold()?.values["count"] == .number(10))
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
