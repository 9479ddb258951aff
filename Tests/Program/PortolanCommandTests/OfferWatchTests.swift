import PortolanCrypto
import PortolanProtocol
import PortolanTrust
import Testing

@testable import Portolan
@testable import PortolanCommand

@Suite(.timeLimit(.minutes(5))) struct OfferWatchTests {
    private let peer = RemotePeer(
        name: "ada", fingerprint: Fingerprint(ofKeyBytes: [1]), address: "192.0.2.7:1", isKnown: false,
        standing: .anyone)

    private func start(_ watch: OfferWatch) throws {
        let id = try #require(TransferID("00112233445566778899aabbccddeeff-3"))
        watch.report(.started(IncomingTransfer(id: id, peer: peer, title: "x"), bytes: 1))
    }

    @Test("the end of a session ends the wait at once where its time is over")
    func endOfASession() async throws {
        let watch = OfferWatch(countsDeclined: false)
        try start(watch)
        async let time = watch.waitUntilIdle(for: .seconds(86400), afterBreak: .zero)
        // The wait has probably begun; the result is the same otherwise.
        try await Task.sleep(for: .milliseconds(50))
        watch.report(.disconnected(peer, reason: "it broke"))
        #expect(try await time == .zero)
    }

    @Test("a session that ends well leaves the shorter of the two times")
    func shorterTime() async throws {
        let watch = OfferWatch(countsDeclined: false)
        try start(watch)
        watch.report(.disconnected(peer, reason: "it broke"))
        async let time = watch.waitUntilIdle(for: .milliseconds(1), afterBreak: .seconds(86400))
        try await Task.sleep(for: .milliseconds(50))
        try start(watch)
        watch.report(.finished(peer))
        #expect(try await time == .milliseconds(1))
    }

    @Test("the time without an offer is over")
    func noOffer() async throws {
        let watch = OfferWatch(countsDeclined: false)
        #expect(try await watch.waitUntilIdle(for: .milliseconds(1), afterBreak: .seconds(86400)) == .milliseconds(1))
        #expect(!watch.hasOffered && !watch.hasStored)
    }

    @Test("an offer that was declined unseen is an offer")
    func declinedUnseen() {
        let watch = OfferWatch(countsDeclined: false)
        watch.report(.declined(peer, reason: "none of the types is taken here"))
        #expect(watch.hasOffered && !watch.hasStored)
    }
}
