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
    @Test("garbage instead of a handshake is reported as no Portolan peer")
    func namesGarbage() async throws {
        let error = try await Sender.fails { receiver in
            try receiver.send(Array("SSH-2.0-OpenSSH_9.2p1\r\n".utf8))
            _ = receiver.isHungUpOn(within: 300)
        }
        #expect(error.kind == .unreachable)
        #expect(error.description.contains("does not speak Portolan"))
    }

    @Test("a peer that accepts the connection and sends nothing is abandoned at the deadline")
    func givesUpOnSilence() async throws {
        let error = try await Sender.fails(deadline: .milliseconds(500)) { receiver in
            #expect(receiver.isHungUpOn(within: 300))
        }
        #expect(error.kind == .unreachable)
    }

    @Test("a claimed software version is displayed and has no other effect")
    func showsVersions() async throws {
        let error = try await Sender.fails { receiver in
            _ = try receiver.receive()
            try receiver.send(Array("PORTOLAN".utf8) + [0, 2, 3, 0])
            _ = receiver.isHungUpOn(within: 300)
        }
        #expect(error.description.contains("versions 2 to 3"))
    }

    @Test("a key other than the advertised one is refused before the sender reveals its own")
    func refusesAKeyOtherThanTheAdvertisedOne() async throws {
        let expected = DeviceKey.generate().publicKey.fingerprint
        let error = try await Sender.fails(expecting: expected) { receiver in
            // Completes only if the sender shows its own key, in message 3.
            #expect(throws: (any Error).self) { try receiver.shakeHands(as: .responder) }
        }
        #expect(error.kind == .notTrusted)
        #expect(error.description.contains(expected.description))
    }

    @Test("another key under a known name is refused, with both keys and the way out")
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

    @Test("an answer for an item that was not offered ends the session, at any index")
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

    @Test("a receipt for an item that was not sent breaks the protocol")
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

    @Test("an item is not delivered if the receiver disconnects without a receipt")
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

    @Test("a receiver that never answers is abandoned after the time limit")
    func givesUpOnAnswers() async throws {
        let error = try await Sender.fails(answerWait: .milliseconds(300)) { receiver in
            try receiver.shakeHands(as: .responder)
            _ = receiver.isHungUpOn(within: 300)
        }
        #expect(error.kind == .notDelivered)
    }

    @Test("a stopped sender does not wait for a receiver that reads nothing any more")
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
