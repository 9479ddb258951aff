import Foundation
import HostilePeers
import Portolan
import PortolanCrypto
import PortolanProtocol
import PortolanValues
import Testing

/// Attacks of a hostile sender after an honest handshake. The victim accepts everything: only the protocol protects it.
@Suite(.serialized) struct HostileSenderTests {
    @Test(
        "a name that leaves the inbox or misleads its reader is refused, and nothing is stored",
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

    @Test(
        "an entry with such a name is left out with its content and children, and the rest is stored",
        arguments: ["../escaped", "..", "a\0b", "line\nbreak", "gnp\u{202E}.exe", ".portolan-partial-mine"],
        [false, true])
    func leavesNamesOut(name: String, isFolder: Bool) async throws {
        try await Victim.with { victim in
            let peer = try HostilePeer(port: victim.port)
            try peer.shakeHands()
            try peer.offer(.folder)
            try peer.begin(.folder, name: Array("tree".utf8))
            let lane = try peer.openLane()
            let refused: [HostileElement] =
                isFolder
                ? [.folder(1, name: name), .whole(2, in: 1, name: "inner", [1, 2])]
                : [.file(1, name: name, size: 2), .whole(2, name: name + "2", [3])]
            try lane.sendTree([.folder(0)] + refused + [.whole(3, name: "good", [1])])
            if !isFolder {
                try lane.sendPayload([1, 2], of: 1)
                try lane.send(.end(1, size: 2))
            }
            try lane.send(.mark)
            try lane.sendEnd()
            try peer.end(entries: 4, bytes: isFolder ? 3 : 4)
            let stored = try peer.nextStored()
            let paths = isFolder || name == ".." ? [name] : [name, name + "2"]
            #expect(stored?.omissions == Omissions(paths.map { Omission(path: Array($0.utf8), reason: .name) }))
            #expect(stored?.entries == UInt32(name == ".." && !isFolder ? 3 : 2))
            #expect(try victim.contents() == ["tree"])
            #expect(try victim.contents(of: "tree").contains("good"))
            try await victim.stillServes()
        }
    }

    @Test("a name of 300 bytes breaks the protocol")
    func refusesLongNames() async throws {
        try await Victim.with { victim in
            let peer = try HostilePeer(port: victim.port)
            try peer.shakeHands()
            try peer.offer(.file)
            // The length is in the message itself, which a well-formed `Begin` cannot have.
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
            let lane = try peer.openLane()
            try lane.send(
                .folder(0), .link(1, name: "link", to: "../.."), .folder(2, name: "good"),
                .link(3, in: 2, name: "deep", to: "../../x"), .link(4, name: "absolute", to: "/etc"), .mark)
            try lane.sendEnd()
            try peer.end(entries: 5, bytes: 0)
            let left = ["link", "good/deep", "absolute"].map {
                Omission(path: Array($0.utf8), reason: .linkLeavesFolder)
            }
            #expect(try peer.nextStored()?.omissions == Omissions(left))
            #expect(try victim.contents() == ["tree"])
            #expect(try victim.contents(of: "tree") == ["good"] && victim.contents(of: "tree/good") == [])
            try await victim.stillServes()
        }
    }

    @Test("a child of an entry that is no folder breaks the protocol")
    func refusesChildrenOfLinks() async throws {
        try await Victim.with { victim in
            let peer = try HostilePeer(port: victim.port)
            try peer.shakeHands()
            try peer.offer(.folder)
            try peer.begin(.file, name: Array("tree".utf8))
            let lane = try peer.openLane()
            try lane.send(.folder(0), .link(1, name: "link", to: "sub"), .file(2, in: 1, name: "x", size: 1))
            #expect(try peer.closeReason() == .protocolViolation)
            #expect(try await victim.hasEndedASession())
            #expect(try victim.contents() == [])
            try await victim.stillServes()
        }
    }

    @Test("more bytes than were declared break the protocol, and nothing is visible")
    func refusesMoreThanDeclared() async throws {
        try await Victim.with { victim in
            let (peer, lane) = try victim.beginFile(named: "liar", size: 4)
            try lane.sendPayload(Array("12345".utf8))
            #expect(try peer.closeReason() == .protocolViolation)
            #expect(try await victim.hasEndedASession())
            #expect(try victim.contents() == [])
            try await victim.stillServes()
        }
    }

    @Test("fewer bytes than were declared, or an end that never comes, leave nothing visible")
    func refusesFewerThanDeclared() async throws {
        try await Victim.with { victim in
            let (peer, lane) = try victim.beginFile(named: "liar", size: 4)
            try lane.sendPayload(Array("123".utf8))
            try lane.send(.end(0, size: 3))
            #expect(try peer.closeReason() == .protocolViolation)
            #expect(try await victim.hasEndedASession())
            #expect(try victim.contents() == [])
            try await victim.stillServes()
        }
    }

    @Test("a connection that breaks in the middle of a file leaves nothing")
    func brokenTransferLeavesNothing() async throws {
        try await Victim.with { victim in
            do {
                let (peer, lane) = try victim.beginFile(named: "half", size: 1 << 20)
                try lane.sendPayload([UInt8](repeating: 1, count: 1 << 18))
                peer.cut()
            }
            #expect(try await victim.hasEndedASession())
            #expect(try victim.contents() == [])
            try await victim.stillServes()
        }
    }

    @Test("an inbox that vanishes in the middle of a file fails that file and nothing else")
    func survivesAVanishedInbox() async throws {
        try await Victim.with { victim in
            let (peer, lane) = try victim.beginFile(named: "lost", size: 2)
            try lane.sendPayload([1])
            #expect(try await victim.waits { if case .started = $0 { true } else { false } })
            try FileManager.default.removeItem(at: victim.inbox)
            try lane.sendPayload([2], at: 1)
            try lane.send(.end(0, size: 2), .mark)
            try peer.end(entries: 1, bytes: 2)
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

    @Test(
        "a message and a record that this version does not know, or that belong on lanes, break the protocol",
        arguments: [1, 4, 5, 9])
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
            #expect(peer.isHungUpOn(within: 300))
            try await victim.stillServes()
        }
    }

    @Test("a forged record ends the session")
    func refusesForgedRecords() async throws {
        try await Victim.with { victim in
            let peer = try HostilePeer(port: victim.port)
            try peer.shakeHands()
            try peer.send([1, 0, 0, 20] + [UInt8](repeating: 7, count: 20))
            #expect(peer.isHungUpOn(within: 300))
            try await victim.stillServes()
        }
    }

    @Test("a second offer inside the first, and a transfer that was not accepted, break the protocol")
    func refusesMessagesOutOfOrder() async throws {
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

    @Test(
        "another key under a known name is reported to the person or policy that decides, and does not affect the first device"
    )
    func refusesADifferentKeyForAKnownName() async throws {
        let decide = { @Sendable (offer: IncomingOffer) -> Decision in
            offer.peer.namesakeOf == nil ? .accept : .decline(detail: "another key")
        }
        try await Victim.with(deciding: decide) { victim in
            try await victim.stillServes(as: "alice")
            let impostor = try HostilePeer(port: victim.port, identity: .made(named: "alice"))
            try impostor.shakeHands()
            try impostor.offer(.file, awaitingAnswer: false)
            #expect(
                try await victim.waits {
                    guard case .declined(let peer, "another key") = $0, let owner = peer.namesakeOf else {
                        return false
                    }
                    return peer.fingerprint == impostor.identity.fingerprint && owner != peer.fingerprint
                        && peer.name == "alice" && peer.localName == "alice (2)" && !peer.isKnown
                })
            #expect(try victim.contents() == ["honest.txt"])
        }
    }
}
