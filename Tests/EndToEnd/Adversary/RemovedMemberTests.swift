import Foundation
import HostilePeers
import NodeTestSupport
import Portolan
import PortolanCrypto
import PortolanProtocol
import PortolanTrust
import PortolanValues
import Synchronization
import Testing
import UniformTypeIdentifiers

/// Members that are removed during an open session, and continue nevertheless.
@Suite(.serialized) struct RemovedMemberTests {
    /// The step of a sender's session before which it is removed.
    enum Step: CaseIterable {
        case offer, begin, content, end

        /// True if the event means that the victim accepted this step's message.
        func causes(_ event: ReceiveEvent) -> Bool {
            switch (self, event) {
            case (.offer, .offered), (.begin, .started), (.content, .stored), (.end, .stored): true
            default: false
            }
        }
    }

    @Test("a sender that is removed in an open session stores nothing more", arguments: Step.allCases, [false, true])
    func storesNothing(step: Step, onLanes: Bool) async throws {
        let team = TeamUnderTest()
        let mallory = try DeviceIdentity.made(named: "mallory")
        try await Victim.with(from: { try team.found(by: $0, with: mallory) }) { victim in
            let peer = try HostilePeer(port: victim.port, identity: mallory)
            try peer.shakeHands()
            // The rest follows at once, usually before the victim's next poll, so that the step's own check refuses it.
            // The victim then closes the session, and later messages may fail.
            let form: HostilePeer.Form = onLanes ? .file : .data
            if step == .offer {
                try team.remove(mallory)
                // No message follows: content before an answer would violate the protocol.
                _ = try? peer.offer(form, awaitingAnswer: false)
            } else {
                try peer.offer(form)
                if step == .begin { try team.remove(mallory) }
                try? peer.begin(form, name: Array("gift".utf8))
                if step != .begin {
                    #expect(try await victim.waits { if case .started = $0 { true } else { false } })
                }
                let isHalfSent = (try? team.send(peer, "gi", at: 0, onLanes, isLast: false)) != nil
                #expect(isHalfSent || step == .begin)
                if step == .content { try team.remove(mallory) }
                try? team.send(peer, "ft", at: 2, onLanes, isLast: true)
                if step == .end { try team.remove(mallory) }
                try? peer.send(
                    .end(Message.End(transfer: 1, entries: onLanes ? 1 : 0, bytes: 4, lanes: onLanes ? [0] : [])))
            }
            #expect(try peer.closeReason() == .notTrusted)
            #expect(
                try await victim.waits {
                    switch $0 {
                    case .disconnected(_, let reason), .refused(_, let reason): reason.contains("may send nothing here")
                    default: false
                    }
                })
            #expect(!victim.hasReported { step.causes($0) })
            #expect(try victim.contents() == [])
        }
    }

    @Test("an offer is not accepted if the sender was removed from the team while a person was asked")
    func acceptanceIsForTheMember() async throws {
        let team = TeamUnderTest()
        let mallory = try DeviceIdentity.made(named: "mallory")
        let asked = Mutex<[String]>([])
        try await Victim.with(
            from: { node in
                _ = try team.found(by: node, with: mallory)
                return nil
            },
            deciding: { offer in
                asked.withLock { $0.append("\(offer.peer.standing)") }
                // The person takes long, and another process removes the member meanwhile.
                try? team.remove(mallory)
                return .accept
            }
        ) { victim in
            let peer = try HostilePeer(port: victim.port, identity: mallory)
            try peer.shakeHands()
            try peer.offer(.file, awaitingAnswer: false)
            let ending = try peer.ending()
            #expect(!ending.isAnswered)
            #expect(ending.reason == .notTrusted)
            #expect(asked.withLock(\.self) == ["member of acme"])
            #expect(try victim.contents() == [])
        }
    }

    @Test("a transfer stops when its sender is removed, without another message of the sender, and nothing is kept")
    func stopsInSilence() async throws {
        let team = TeamUnderTest()
        let mallory = try DeviceIdentity.made(named: "mallory")
        try await Victim.with(from: { try team.found(by: $0, with: mallory) }) { victim in
            let peer = try HostilePeer(port: victim.port, identity: mallory)
            try peer.shakeHands()
            try peer.offer(.file, source: Array(0..<16))
            try peer.begin(.file, name: Array("gift".utf8))
            let lane = try peer.openLane()
            try lane.send(.file(0, size: 8))
            try lane.sendPayload(Array("half".utf8))
            #expect(try await victim.waits { if case .started = $0 { true } else { false } })
            try team.remove(mallory)
            // The receipt reports that the receiver stopped; then the session ends.
            #expect(try peer.nextReceipt() == .failed(StoringFailure(.cancelled)))
            #expect(try peer.closeReason() == .notTrusted)
            #expect(try await victim.hasEndedASession())
            #expect(try victim.contents() == [])
        }
    }

    @Test("a sender that ends because this device was put out leaves no part of the file")
    func leavesNothing() async throws {
        try await Victim.with { victim in
            let peer = try HostilePeer(port: victim.port)
            try peer.shakeHands()
            try peer.offer(.file, source: Array(0..<16))
            try peer.begin(.file, name: Array("gift".utf8))
            let lane = try peer.openLane()
            try lane.send(.file(0, size: 8))
            try lane.sendPayload(Array("half".utf8))
            #expect(try await victim.waits { if case .started = $0 { true } else { false } })
            try peer.send(.close(Message.Close(.notTrusted)))
            #expect(try await victim.hasEndedASession())
            #expect(try victim.contents() == [])
        }
    }

    @Test("a receiver that is removed during a long transfer gets no more content")
    func seesNoMore() async throws {
        let home = try Sender.home()
        defer { try? FileManager.default.removeItem(at: home) }
        var configuration = try Node.Configuration.onLoopback("sender", home: home)
        configuration.converters = false
        let node = try Node(blocking: configuration)
        let viewer = try DeviceIdentity.made(named: "viewer")
        let team = TeamUnderTest()
        _ = try team.found(by: node, with: viewer)
        let size = 64 << 20
        // For the default team, which is the only one.
        let item = Item(
            title: "plans", representations: [.data(Data(count: size), contentType: .data, visibility: .team)])
        let listener = try HostileListener(as: viewer)
        let stopped = DispatchSemaphore(value: 0)
        let seen = Mutex<(bytes: Int, end: SourceFailure?)>((0, nil))
        let serving = listener.serveOne { receiver in
            try receiver.shakeHands(as: .responder)
            guard case .offer(let offer)? = try receiver.nextMessage() else { throw HostileSocket.Gone() }
            try receiver.send(
                .answer(
                    Message.Answer(offer: offer.id, choices: [ItemChoice(item: 0, .take(representation: 0))])))
            while let record = try receiver.nextRecord() {
                if record.type == RecordType.payload.rawValue {
                    let isFirst = seen.withLock { seen in
                        defer { seen.bytes += record.plaintext.count - PayloadHeader.length }
                        return seen.bytes == 0
                    }
                    guard isFirst else { continue }
                    try team.remove(viewer)
                    #expect(stopped.wait(timeout: .now() + 300) == .success, "it went on")
                } else if case .end(let end)? = try? Message(decoding: record.plaintext[...]) {
                    seen.withLock { $0.end = end.failure }
                    return
                }
            }
        }
        let peer = Peer(name: "viewer", fingerprint: nil, address: "127.0.0.1", port: listener.port)
        let sending = Task {
            try await node.send([item], to: peer, options: .once) { event in
                guard case .broke(_, _, let reason) = event else { return }
                #expect(reason.contains("no member of “acme” any more"))
                stopped.signal()
            }
        }
        try await serving.value
        sending.cancel()
        _ = await sending.result
        let (bytes, end) = seen.withLock(\.self)
        #expect(bytes > 0)
        #expect(bytes < size)
        #expect(end == .cancelled)
    }
}

/// A team of the victim, changed on disk as by another process.
private final class TeamUnderTest: Sendable {
    private let state = Mutex<(teams: TeamStore, id: TeamID, admin: DeviceIdentity)?>(nil)

    /// - Returns: the whole team as the only permitted source.
    func found(by node: Node, with member: DeviceIdentity) throws -> [Source]? {
        let teams = TeamStore(home: node.configuration.home)
        let id = try teams.create(name: TeamName("acme"), by: node.identity, now: .now).id
        _ = try teams.change(
            id, .add(PinnedKey(member.publicKey), name: member.name, groups: []), by: node.identity, now: .now)
        state.withLock { $0 = (teams, id, node.identity) }
        return [Source(team: id)]
    }

    func remove(_ member: DeviceIdentity) throws {
        guard let (teams, id, admin) = state.withLock(\.self) else { preconditionFailure("The team is founded first") }
        _ = try teams.change(id, .remove(PinnedKey(member.publicKey)), by: admin, now: .now)
    }

    /// Sends a piece of four bytes.
    func send(_ peer: HostilePeer, _ text: String, at offset: UInt64, _ onLanes: Bool, isLast: Bool) throws {
        guard onLanes else {
            return try peer.sendPayload(PayloadHeader(transfer: 1, entry: 0, offset: offset), Array(text.utf8))
        }
        let lane = try peer.lane()
        if offset == 0 { try lane.send(.file(0, size: 4)) }
        try lane.sendPayload(Array(text.utf8), at: offset)
        if isLast {
            try lane.send(.end(0, size: 4), .mark)
            try lane.sendEnd()
        }
    }
}
