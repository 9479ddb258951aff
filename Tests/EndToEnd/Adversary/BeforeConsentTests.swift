import Foundation
import Glibc
import HostilePeers
import NodeTestSupport
import Portolan
import PortolanProtocol
import PortolanTrust
import PortolanValues
import Synchronization
import Testing

/// Work that strangers cause, and facts that they learn, before a person or a policy has accepted their offer.
@Suite(.serialized) struct BeforeConsentTests {
    /// All sessions that a victim has with one address but one.
    private static let strangers = 7
    private static let files = 5000

    private static func fill(_ inbox: URL) throws {
        for number in 0..<files {
            let name = number < 2 ? "present.bin" : "present (\(number)).bin"
            try Data().write(to: inbox.appending(path: name))
        }
    }

    /// Does not answer strangers, and accepts offers of all others.
    private static func ignoringStrangers(_ offer: IncomingOffer) async -> Decision {
        guard offer.peer.name == "mallory" else { return .accept }
        try? await Task.sleep(for: .seconds(3600))
        return .decline(detail: "No answer.")
    }

    @Test("unanswered offers of 1,024 items touch no disk, and other peers are served meanwhile")
    func touchesNoDisk() async throws {
        try await Victim.with(deciding: Self.ignoringStrangers) { victim in
            try Self.fill(victim.inbox)
            let watch = AccessWatch(victim.inbox)
            var peers: [HostilePeer] = []
            for number in 1...Self.strangers {
                let peer = try HostilePeer(port: victim.port)
                try peer.shakeHands()
                try peer.send(.offer(.presents(Limits.items)))
                peers.append(peer)
                #expect(try await victim.waits(for: number) { if case .offered = $0 { true } else { false } })
            }
            #expect(watch.count() == AccessWatch.Accesses())
            try await victim.stillServes()
            #expect(watch.count().opened > 0)
            // The strangers disconnect.
            peers = []
            #expect(try await victim.waits(for: Self.strangers) { if case .disconnected = $0 { true } else { false } })
        }
    }

    @Test("an accepted offer is looked up with one listing of the inbox")
    func listsOnce() async throws {
        try await Victim.with { victim in
            try Self.fill(victim.inbox)
            let watch = AccessWatch(victim.inbox)
            let peer = try HostilePeer(port: victim.port)
            try peer.shakeHands()
            try peer.send(.offer(.presents(100)))
            let answer = try #require(try peer.nextAnswer())
            #expect(answer.choices.allSatisfy { $0.decision == .take(representation: 0) })
            #expect(watch.count().listed == 1)
        }
    }

    @Test(
        "a partial of an accepted item is resumed without a question, but a larger representation is asked about again",
        arguments: [nil, 11, 10, 9] as [UInt64?])
    func asksAboutMoreThanWasAccepted(other: UInt64?) async throws {
        let answers = AnswerOnce()
        let identity = try DeviceIdentity.made(named: "mallory")
        let source = [UInt8](repeating: 1, count: 16)
        try await Victim.with(deciding: { _ in answers.next() }) { victim in
            let first = try HostilePeer(port: victim.port, identity: identity)
            try first.shakeHands()
            try first.offer(.file, size: 10, source: source)
            try first.begin(.file, name: Array("present".utf8))
            let lane = try first.openLane()
            try lane.send(.file(0, size: 10))
            try lane.sendPayload([1, 2, 3])
            #expect(try await victim.waits { if case .progress = $0 { true } else { false } })
            first.cut()
            #expect(try await victim.hasEndedASession())

            let second = try HostilePeer(port: victim.port, identity: identity)
            try second.shakeHands()
            let type = try OfferedType(identifier: "public.data")
            let forms = try [
                OfferedRepresentation(type: type, channel: .file, size: 10, source: source),
                OfferedRepresentation(type: type, channel: .file, size: other),
            ]
            try second.send(.offer(Offer(id: 1, items: [OfferedItem(title: "a present", representations: forms)])))
            let isAsked = other.map { $0 > 10 } ?? true
            let wanted: ItemDecision =
                isAsked ? .decline(Decline(.notWanted, detail: "Asked again.")) : .take(representation: 0)
            #expect(try second.nextAnswer()?.choices.map(\.decision) == [wanted])
            for partial in try victim.contents() {
                try FileManager.default.removeItem(at: victim.inbox.appending(path: partial))
            }
        }
    }

    @Test("before consent the answer is the same whether the disk is full or not")
    func doesNotRevealFreeSpace() async throws {
        for reserve in [0, UInt64.max] {
            var options = Node.ReceiveOptions()
            options.reserve = reserve
            try await Victim.with(options: options, deciding: { _ in .decline(detail: "No.") }) { victim in
                let peer = try HostilePeer(port: victim.port)
                try peer.shakeHands()
                try peer.send(.offer(.presents(3, size: 1 << 40)))
                let answer = try peer.nextAnswer()
                let no = ItemDecision.decline(Decline(.notWanted, detail: "No."))
                #expect(answer?.choices.map(\.decision) == [no, no, no])
                #expect(try await victim.waits { if case .offered = $0 { true } else { false } })
            }
        }
    }

    @Test("after consent the sender is told that there is no room, but not how much there is")
    func reportsLackOfRoomAfterConsent() async throws {
        var options = Node.ReceiveOptions()
        options.reserve = .max
        try await Victim.with(options: options) { victim in
            let peer = try HostilePeer(port: victim.port)
            try peer.shakeHands()
            try peer.send(.offer(.presents(2, size: 1)))
            let answer = try peer.nextAnswer()
            #expect(answer?.choices.map(\.decision) == [.decline(Decline(.noSpace)), .decline(Decline(.noSpace))])
            #expect(try await victim.waits { if case .declined = $0 { true } else { false } })
        }
    }

    @Test(
        "an inbox that cannot store restrictions takes an unrestricted form, and declines others only after consent"
    )
    func acceptsOnlyRestrictionsThatItCanStore() async throws {
        guard geteuid() == 0 else { return print("skipped: needs root to mount a file system without attributes") }
        func mountPlain(_ inbox: URL) throws {
            try #require(mount("none", inbox.path, "ramfs", 0, nil) == 0, "ramfs cannot be mounted")
        }
        try await Victim.with(preparing: mountPlain) { victim in
            defer { umount2(victim.inbox.path, CInt(MNT_DETACH)) }
            let peer = try HostilePeer(port: victim.port)
            try peer.shakeHands()
            try peer.send(.offer(.restricted()))
            let decisions = try peer.nextAnswer()?.choices.map(\.decision)
            #expect(decisions == [.take(representation: 1), .decline(Decline(.visibility))])
            #expect(
                try await victim.waits {
                    if case .failed(let transfer, let reason) = $0, transfer.title == "only for a team" {
                        reason.contains("extended attributes")
                    } else {
                        false
                    }
                })
        }
        try await Victim.with(preparing: mountPlain, deciding: { _ in .decline(detail: "No.") }) { victim in
            defer { umount2(victim.inbox.path, CInt(MNT_DETACH)) }
            let peer = try HostilePeer(port: victim.port)
            try peer.shakeHands()
            try peer.send(.offer(.restricted()))
            let no = ItemDecision.decline(Decline(.notWanted, detail: "No."))
            #expect(try peer.nextAnswer()?.choices.map(\.decision) == [no, no])
        }
    }
}

/// Accepts only the first offer.
private final class AnswerOnce: Sendable {
    private let isUsed = Mutex(false)

    func next() -> Decision {
        isUsed.withLock { isUsed in
            defer { isUsed = true }
            return isUsed ? .decline(detail: "Asked again.") : .accept
        }
    }
}

extension Offer {
    /// An item with a form for a team before one for everyone, and an item for the team alone.
    fileprivate static func restricted() throws -> Offer {
        let audience = try Audience(team: #require(TeamID(bytes: [UInt8](repeating: 1, count: TeamID.length))))
        let type = try OfferedType(identifier: "public.data")
        let secret = try OfferedRepresentation(
            type: type, restriction: Restriction(.team, for: audience), channel: .file)
        let open = try OfferedRepresentation(type: type, channel: .file)
        return try Offer(
            id: 1,
            items: [
                OfferedItem(title: "both", representations: [secret, open]),
                OfferedItem(title: "only for a team", representations: [secret]),
            ])
    }

    /// Files of one name from different sources.
    fileprivate static func presents(_ count: Int, size: UInt64? = nil) throws -> Offer {
        try Offer(
            id: 1,
            items: (0..<count).map { number in
                let source = (0..<16).map { UInt8(truncatingIfNeeded: number >> (8 * ($0 % 2))) }
                return try OfferedItem(
                    title: "present",
                    representations: [
                        OfferedRepresentation(
                            type: OfferedType(identifier: "public.data"), channel: .file, size: size,
                            suggestedName: "present.bin", source: source)
                    ])
            })
    }
}

extension HostilePeer {
    /// The victim's answer, once it has one.
    fileprivate func nextAnswer() throws -> Message.Answer? {
        while let message = try nextMessage() {
            if case .answer(let answer) = message { return answer }
        }
        return nil
    }
}
