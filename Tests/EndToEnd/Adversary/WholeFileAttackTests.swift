import Foundation
import HostilePeers
import Portolan
import PortolanProtocol
import Testing

/// Files that a hostile sender sends whole on the session. The victim accepts everything.
@Suite(.serialized) struct WholeFileAttackTests {
    /// Begins a transfer of a tree record on the session.
    private func begin(_ form: HostilePeer.Form, name: String = "present", by peer: HostilePeer) throws {
        try peer.send(
            .begin(
                Message.Begin(
                    transfer: 1, offer: 1, item: 0, representation: 0, channel: .file, name: Array(name.utf8),
                    size: nil, isWhole: true)))
    }

    private func sendWhole(
        _ form: HostilePeer.Form, name: String = "present", transfer: UInt32 = 1, _ elements: [HostileElement],
        by peer: HostilePeer
    ) throws {
        try begin(form, name: name, by: peer)
        let record = HostileElement.record(elements, transfer: transfer)
        try peer.sendPayload(PayloadHeader(transfer: 1, entry: 0, offset: 0), record)
        try peer.end(entries: 0, bytes: UInt64(record.count), lanes: 0)
    }

    @Test("a correct file is stored: each attack below differs from this in one point")
    func storesCorrectContent() async throws {
        try await Victim.with { victim in
            let peer = try HostilePeer(port: victim.port)
            try peer.shakeHands()
            #expect(try peer.offer(.folder)?.takesWhole == true)
            try sendWhole(.folder, name: "tree", [.folder(0), .whole(1, name: "good", [1, 2])], by: peer)
            #expect(try peer.nextStored()?.bytes == 2)
            #expect(try victim.contents(of: "tree") == ["good"])
        }
    }

    @Test("unrequested or incomplete content, or content of another transfer, breaks the protocol", arguments: 0..<6)
    func refusesIncompleteContent(number: Int) async throws {
        let waiting = (1...70).map { HostileElement.file(UInt32($0), name: "\($0)", size: 1) }
        let elements: [[HostileElement]] = [
            [.folder(0)] + waiting,
            [.folder(0), .mark],
            [.folder(0), .whole(1, name: "a", [1]), .end(1, size: 1)],
            [.folder(0), .whole(2, name: "a", [1])],
            [.whole(0, [1])],
            [.folder(0), .whole(1, name: "a", [1])],
        ]
        try await Victim.with { victim in
            let peer = try HostilePeer(port: victim.port)
            try peer.shakeHands()
            try peer.offer(.folder)
            try sendWhole(.folder, name: "tree", transfer: number == 5 ? 2 : 1, elements[number], by: peer)
            #expect(try peer.closeReason() == .protocolViolation)
            #expect(try victim.contents().filter { !$0.hasPrefix(".portolan-partial-") } == [])
            try await victim.stillServes()
        }
    }

    @Test("a tree record beyond the size limit is refused before it is read")
    func refusesTooMuch() async throws {
        try await Victim.with { victim in
            let peer = try HostilePeer(port: victim.port)
            try peer.shakeHands()
            try peer.offer(.file)
            try begin(.file, by: peer)
            let piece = [UInt8](repeating: 0, count: Limits.payload)
            try peer.sendPayload(PayloadHeader(transfer: 1, entry: 0, offset: 0), piece)
            try peer.sendPayload(PayloadHeader(transfer: 1, entry: 0, offset: UInt64(piece.count)), [0])
            #expect(try peer.closeReason() == .protocolViolation)
            #expect(try victim.contents().filter { !$0.hasPrefix(".portolan-partial-") } == [])
            try await victim.stillServes()
        }
    }

    @Test("a further tree record is refused, on the session and on a lane", arguments: [false, true])
    func refusesOtherWays(isOnLane: Bool) async throws {
        try await Victim.with { victim in
            let peer = try HostilePeer(port: victim.port)
            try peer.shakeHands()
            try peer.offer(.file)
            try begin(.file, by: peer)
            if isOnLane {
                try peer.openLane().send(.whole(0, [1]))
            } else {
                try peer.sendRecord(type: 4, HostileElement.record([.whole(0, [1])], transfer: 1))
            }
            #expect(try peer.closeReason() == .protocolViolation)
            #expect(try victim.contents().filter { !$0.hasPrefix(".portolan-partial-") } == [])
            try await victim.stillServes()
        }
    }

    @Test("content before an accepted offer is refused")
    func refusesContentThatWasNotAccepted() async throws {
        try await Victim.with { victim in
            let peer = try HostilePeer(port: victim.port)
            try peer.shakeHands()
            try begin(.file, by: peer)
            #expect(try peer.closeReason() == .protocolViolation)
            try await victim.stillServes()
        }
    }

    @Test("content beyond the offered size and a name that leaves the inbox are not stored", arguments: [false, true])
    func storesOnlyTheAcceptedFile(hasBadName: Bool) async throws {
        try await Victim.with { victim in
            let peer = try HostilePeer(port: victim.port)
            try peer.shakeHands()
            try peer.offer(.file, size: hasBadName ? 3 : 2)
            try sendWhole(.file, name: hasBadName ? "../escaped" : "present", [.whole(0, [1, 2, 3])], by: peer)
            guard case .failed(let failure)? = try peer.nextReceipt() else {
                Issue.record("It was stored")
                return
            }
            #expect(failure.cause == (hasBadName ? .name : .tooLarge))
            #expect(try victim.contents() == [])
        }
    }
}
