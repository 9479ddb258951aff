import Foundation
import Portolan
import PortolanCrypto
import PortolanProtocol
import PortolanTrust
import Testing

/// What a hostile sender may try after an honest handshake. The victim accepts everything: only the protocol protects it.
@Suite(.serialized) struct HostileSenderTests {
    @Test(
        "a name that would leave the inbox, or fool whoever reads it, is refused, and nothing is stored",
        arguments: [
            "../escaped", "/etc/escaped", "..", ".", "a/b", "a\0b", "line\nbreak", "\u{1B}[31mred", "gnp\u{202E}.exe",
            ".portolan-partial-mine",
        ])
    func refusesNames(name: String) async throws {
        try await Victim.with { victim in
            let peer = try HostilePeer(port: victim.port)
            try peer.shakeHands()
            try peer.offer(.file)
            try peer.begin(.file, name: Array(name.utf8))
            try peer.sendWholeFile(Array("x".utf8))
            #expect(try peer.nextReceipt() == .failed(StoringFailure(.name)))
            #expect(try victim.contents() == [])
            try await victim.stillServes()
        }
    }

    @Test("a name of 300 bytes breaks the protocol")
    func refusesLongNames() async throws {
        try await Victim.with { victim in
            let peer = try HostilePeer(port: victim.port)
            try peer.shakeHands()
            try peer.offer(.file)
            // Its length is in the message itself, which no well-formed `Begin` can say.
            try peer.sendRecord(type: 1, Wire.begin(name: [UInt8](repeating: 0x61, count: 300)))
            #expect(try peer.closeReason() == .limit)
            try await victim.stillServes()
        }
    }

    @Test("a child of a symbolic link is never written through it")
    func followsNoPlantedLink() async throws {
        try await Victim.with { victim in
            let peer = try HostilePeer(port: victim.port)
            try peer.shakeHands()
            try peer.offer(.folder)
            try peer.begin(.file, name: Array("tree".utf8))
            try peer.send(.entry(Message.Entry(transfer: 1, index: 0, parent: 0, name: [], kind: .folder)))
            try peer.send(
                .entry(
                    Message.Entry(
                        transfer: 1, index: 1, parent: 0, name: Array("link".utf8),
                        kind: .symbolicLink(target: Array("../..".utf8)))))
            #expect(try peer.nextReceipt() == .failed(StoringFailure(.name)))
            #expect(try victim.contents() == [])
            try await victim.stillServes()
        }
    }

    @Test("an entry inside something that is no folder breaks the protocol")
    func refusesChildrenOfLinks() async throws {
        try await Victim.with { victim in
            let peer = try HostilePeer(port: victim.port)
            try peer.shakeHands()
            try peer.offer(.folder)
            try peer.begin(.file, name: Array("tree".utf8))
            try peer.send(.entry(Message.Entry(transfer: 1, index: 0, parent: 0, name: [], kind: .folder)))
            try peer.send(
                .entry(
                    Message.Entry(
                        transfer: 1, index: 1, parent: 0, name: Array("link".utf8),
                        kind: .symbolicLink(target: Array("sub".utf8)))))
            try peer.send(
                .entry(
                    Message.Entry(
                        transfer: 1, index: 2, parent: 1, name: Array("x".utf8), kind: .file(size: 1))))
            #expect(try peer.closeReason() == .protocolViolation)
            #expect(try victim.contents() == [])
            try await victim.stillServes()
        }
    }

    @Test("more bytes than were declared break the protocol, and nothing is visible")
    func refusesMoreThanDeclared() async throws {
        try await Victim.with { victim in
            let peer = try HostilePeer(port: victim.port)
            try peer.shakeHands()
            try peer.offer(.file)
            try peer.begin(.file, name: Array("liar".utf8))
            try peer.send(
                .entry(Message.Entry(transfer: 1, index: 0, parent: 0, name: [], kind: .file(size: 4))))
            try peer.sendPayload(PayloadHeader(transfer: 1, entry: 0, offset: 0), Array("12345".utf8))
            #expect(try peer.closeReason() == .protocolViolation)
            #expect(try victim.contents() == [])
            try await victim.stillServes()
        }
    }

    @Test("fewer bytes than were declared, or an end that never comes, leave nothing visible")
    func refusesFewerThanDeclared() async throws {
        try await Victim.with { victim in
            let peer = try HostilePeer(port: victim.port)
            try peer.shakeHands()
            try peer.offer(.file)
            try peer.begin(.file, name: Array("liar".utf8))
            try peer.send(
                .entry(Message.Entry(transfer: 1, index: 0, parent: 0, name: [], kind: .file(size: 4))))
            try peer.sendPayload(PayloadHeader(transfer: 1, entry: 0, offset: 0), Array("123".utf8))
            try peer.send(.entryEnd(Message.EntryEnd(transfer: 1, index: 0, size: 3, failure: nil)))
            #expect(try peer.closeReason() == .protocolViolation)
            #expect(try victim.contents() == [])
            try await victim.stillServes()
        }
    }

    @Test("a connection that breaks in the middle of a file leaves nothing")
    func leavesNothingOfABrokenTransfer() async throws {
        try await Victim.with { victim in
            do {
                let peer = try HostilePeer(port: victim.port)
                try peer.shakeHands()
                try peer.offer(.file)
                try peer.begin(.file, name: Array("half".utf8))
                try peer.send(
                    .entry(Message.Entry(transfer: 1, index: 0, parent: 0, name: [], kind: .file(size: 1 << 20))))
                try peer.sendPayload(
                    PayloadHeader(transfer: 1, entry: 0, offset: 0), [UInt8](repeating: 1, count: 1 << 18))
            }
            #expect(try await victim.waits { if case .disconnected = $0 { true } else { false } })
            #expect(try victim.contents() == [])
            try await victim.stillServes()
        }
    }

    @Test("an inbox that vanishes in the middle of a file fails that file and nothing else")
    func survivesAVanishedInbox() async throws {
        try await Victim.with { victim in
            let peer = try HostilePeer(port: victim.port)
            try peer.shakeHands()
            try peer.offer(.file)
            try peer.begin(.file, name: Array("lost".utf8))
            try peer.send(
                .entry(Message.Entry(transfer: 1, index: 0, parent: 0, name: [], kind: .file(size: 2))))
            try peer.sendPayload(PayloadHeader(transfer: 1, entry: 0, offset: 0), [1])
            #expect(try await victim.waits { if case .started = $0 { true } else { false } })
            try FileManager.default.removeItem(at: victim.inbox)
            try peer.sendPayload(PayloadHeader(transfer: 1, entry: 0, offset: 1), [2])
            try peer.send(.entryEnd(Message.EntryEnd(transfer: 1, index: 0, size: 2, failure: nil)))
            try peer.send(.end(Message.End(transfer: 1, entries: 1, bytes: 2)))
            #expect(try peer.nextReceipt() == .failed(StoringFailure(.cannotWrite)))
            try FileManager.default.createDirectory(at: victim.inbox, withIntermediateDirectories: true)
            try await victim.stillServes()
        }
    }

    @Test("payload before anything was accepted breaks the protocol")
    func refusesEarlyPayload() async throws {
        try await Victim.with { victim in
            let peer = try HostilePeer(port: victim.port)
            try peer.shakeHands()
            try peer.sendPayload(PayloadHeader(transfer: 1, entry: 0, offset: 0), [1])
            #expect(try peer.closeReason() == .protocolViolation)
            try await victim.stillServes()
        }
    }

    @Test("a message and a record that this version does not know break the protocol", arguments: [1, 9])
    func refusesTheUnknown(type: UInt8) async throws {
        try await Victim.with { victim in
            let peer = try HostilePeer(port: victim.port)
            try peer.shakeHands()
            // Field 99, which no message has.
            try peer.sendRecord(type: type, [0x9A, 0x06, 0x01, 0x00])
            #expect(try peer.closeReason() == .protocolViolation)
            try await victim.stillServes()
        }
    }

    @Test("a record that claims 16 MiB is refused before any of it is awaited")
    func refusesLyingLengths() async throws {
        try await Victim.with { victim in
            let peer = try HostilePeer(port: victim.port)
            try peer.shakeHands()
            try peer.send([1, 0xFF, 0xFF, 0xFF])
            #expect(peer.isHungUpOn(within: 30))
            try await victim.stillServes()
        }
    }

    @Test("a forged record ends the session")
    func refusesForgedRecords() async throws {
        try await Victim.with { victim in
            let peer = try HostilePeer(port: victim.port)
            try peer.shakeHands()
            try peer.send([1, 0, 0, 20] + [UInt8](repeating: 7, count: 20))
            #expect(peer.isHungUpOn(within: 30))
            try await victim.stillServes()
        }
    }

    @Test("a second offer inside the first, and a transfer that nobody took, break the protocol")
    func refusesWhatIsOutOfTurn() async throws {
        try await Victim.with { victim in
            let twice = try HostilePeer(port: victim.port)
            try twice.shakeHands()
            try twice.send(.offer(twice.offered(.file, id: 1)))
            try twice.send(.offer(twice.offered(.file, id: 2)))
            #expect(try twice.closeReason() == .protocolViolation)

            let uninvited = try HostilePeer(port: victim.port)
            try uninvited.shakeHands()
            try uninvited.begin(.file, name: Array("gift".utf8))
            #expect(try uninvited.closeReason() == .protocolViolation)
            try await victim.stillServes()
        }
    }

    @Test("another key under a name that is known is refused, with both fingerprints")
    func refusesAnotherKeyForAKnownName() async throws {
        try await Victim.with { victim in
            try await victim.stillServes(as: "alice")
            let impostor = try HostilePeer(port: victim.port, identity: .made(named: "alice"))
            try impostor.shakeHands()
            try impostor.offer(.file, awaitingAnswer: false)
            #expect(try impostor.closeReason() == .notTrusted)
            #expect(
                try await victim.waits {
                    guard case .refused(_, let reason) = $0 else { return false }
                    return reason.contains(impostor.identity.fingerprint.description) && reason.contains("alice")
                })
            #expect(try victim.contents() == ["honest.txt"])
        }
    }
}
