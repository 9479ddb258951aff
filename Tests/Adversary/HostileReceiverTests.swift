import Foundation
import HostilePeers
import NodeTestSupport
import Portolan
import PortolanCrypto
import PortolanProtocol
import PortolanTrust
import PortolanValues
import Testing

/// Attacks of a listener at an address on a sender.
@Suite(.serialized) struct HostileReceiverTests {
    @Test("garbage instead of a handshake is no Portolan peer")
    func namesGarbage() async throws {
        let error = try await Sender.fails { receiver in
            try receiver.send(Array("SSH-2.0-OpenSSH_9.2p1\r\n".utf8))
            _ = receiver.isHungUpOn(within: 300)
        }
        #expect(error.kind == .unreachable)
        #expect(error.description.contains("does not speak Portolan"))
    }

    @Test("whoever accepts and says nothing is given up at the deadline")
    func givesUpOnSilence() async throws {
        let error = try await Sender.fails(deadline: .milliseconds(500)) { receiver in
            #expect(receiver.isHungUpOn(within: 300))
        }
        #expect(error.kind == .unreachable)
    }

    @Test("a version that is only claimed is shown and changes nothing")
    func showsVersions() async throws {
        let error = try await Sender.fails { receiver in
            _ = try receiver.receive()
            try receiver.send(Array("PORTOLAN".utf8) + [0, 2, 3, 0])
            _ = receiver.isHungUpOn(within: 300)
        }
        #expect(error.description.contains("versions 2 to 3"))
    }

    @Test("another key than the advertised one is refused before the sender has shown its own")
    func refusesAKeyOtherThanTheAdvertisedOne() async throws {
        let expected = DeviceKey.generate().publicKey.fingerprint
        let error = try await Sender.fails(expecting: expected) { receiver in
            // Completes only if the sender shows its own key, in message 3.
            #expect(throws: (any Error).self) { try receiver.shakeHands(as: .responder) }
        }
        #expect(error.kind == .notTrusted)
        #expect(error.description.contains(expected.description))
    }

    @Test("another key under a name that is known is refused, naming both and the way out")
    func refusesADifferentKeyForAKnownName() async throws {
        let home = try Sender.home()
        defer { try? FileManager.default.removeItem(at: home) }
        try KnownPeers(home: HomeDirectory(override: home.path, environment: [:])).remember(
            name: DeviceName("mallory"), key: DeviceKey.generate().publicKey, now: .now)
        let error = try await Sender.fails(home: home) { receiver in
            #expect(throws: (any Error).self) { try receiver.shakeHands(as: .responder) }
        }
        #expect(error.kind == .notTrusted)
        guard case .tellNamesakesApart(let namesakes) = error.advice else {
            Issue.record("\(error)")
            return
        }
        #expect(namesakes.known.text == "mallory")
    }

    @Test("an answer for what was not offered ends the session, whatever lies behind the index")
    func refusesOtherIndices() async throws {
        let error = try await Sender.fails { receiver in
            try receiver.shakeHands(as: .responder)
            guard case .offer(let offer)? = try receiver.nextMessage() else { return }
            // Only the first representation was offered; a second, hidden one follows it in the sender's list.
            #expect(offer.items[0].representations.count == 1)
            try receiver.send(
                .answer(
                    Message.Answer(offer: offer.id, choices: [ItemChoice(item: 0, .take(representation: 1))])))
            #expect(try receiver.closeReason() == .badIndex)
        }
        #expect(error.kind == .inputOutput)
    }

    @Test("a receipt for what was not sent breaks the protocol")
    func refusesEarlyReceipts() async throws {
        let error = try await Sender.fails { receiver in
            try receiver.shakeHands(as: .responder)
            guard case .offer(let offer)? = try receiver.nextMessage() else { return }
            try receiver.send(
                .receipt(Message.Receipt(offer: offer.id, item: 0, outcome: .stored(StoredItem(bytes: 5)))))
            #expect(try receiver.closeReason() == .protocolViolation)
        }
        #expect(error.kind == .inputOutput)
    }

    @Test("a receiver that takes an item and goes away is not taken for one that has it")
    func noticesABrokenConnection() async throws {
        let error = try await Sender.fails { receiver in
            try receiver.shakeHands(as: .responder)
            guard case .offer(let offer)? = try receiver.nextMessage() else { return }
            try receiver.send(
                .answer(
                    Message.Answer(offer: offer.id, choices: [ItemChoice(item: 0, .take(representation: 0))])))
        }
        #expect(error.kind == .interrupted)
        #expect(error.description.contains("broke before"))
    }

    @Test("a receiver that never answers is given up after the time for it")
    func givesUpOnAnswers() async throws {
        let error = try await Sender.fails(answerWait: .milliseconds(300)) { receiver in
            try receiver.shakeHands(as: .responder)
            _ = receiver.isHungUpOn(within: 300)
        }
        #expect(error.kind == .notDelivered)
    }

    @Test("a sender that is stopped does not wait for a receiver that takes nothing any more")
    func stopsWithoutTheReceiver() async throws {
        let home = try Sender.home()
        defer { try? FileManager.default.removeItem(at: home) }
        let node = try Node(blocking: .patient(home: home))
        let listener = try HostileListener()
        let (taken, feed) = AsyncStream.makeStream(of: Void.self)
        let ended = DispatchSemaphore(value: 0)
        let serving = listener.serveOne { receiver in
            try receiver.shakeHands(as: .responder)
            guard case .offer(let offer)? = try receiver.nextMessage() else { return }
            try receiver.send(
                .answer(
                    Message.Answer(offer: offer.id, choices: [ItemChoice(item: 0, .take(representation: 0))])))
            feed.yield()
            #expect(ended.wait(timeout: .now() + 200) == .success, "it waited for the receiver")
        }
        let sending = Task {
            try await node.send(
                Data(count: 64 << 20),
                to: Peer(name: "mallory", fingerprint: nil, address: "127.0.0.1", port: listener.port))
        }
        for await _ in taken { break }
        // Long enough to fill all buffers between the two.
        try await Task.sleep(for: .milliseconds(500))
        sending.cancel()
        let result = await sending.result
        ended.signal()
        #expect(throws: (any Error).self) { try result.get() }
        try await serving.value
    }
}
