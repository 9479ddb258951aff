import Foundation
import HostilePeers
import Portolan
import PortolanProtocol
import Testing

/// Content that a hostile sender sends with its offer. The victim accepts everything by default.
@Suite(.serialized) struct InlineAttackTests {
    /// Offers an item that brings its content.
    private func offer(
        _ form: HostilePeer.Form, size: UInt64? = nil, name: String = "", transfer: UInt32 = 0,
        _ elements: [HostileElement], by peer: HostilePeer
    ) throws {
        let content = form == .data ? [1, 2, 3] : HostileElement.record(elements, transfer: transfer)
        let inline = try InlineContent(representation: 0, name: Array(name.utf8), content: Data(content))
        let offer = try peer.offered(form, size: size).bringing([0: inline])
        try peer.send(.offer(#require(offer)))
    }

    /// - Returns: true if the victim accepted the inline content.
    private func isTaken(by peer: HostilePeer) throws -> Bool {
        guard case .answer(let answer)? = try peer.nextMessage() else { return false }
        return answer.choices.map(\.isInline) == [true]
    }

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
            try offer(.file, name: name, [.whole(0, [1])], by: peer)
            #expect(try isTaken(by: peer))
            #expect(try peer.nextReceipt() == .failed(StoringFailure(.name)))
            #expect(try victim.contents() == [])
            try await victim.stillServes()
        }
    }

    @Test("an entry with such a name, and a link that leaves the item, are left out, and the rest is stored")
    func leavesOut() async throws {
        try await Victim.with { victim in
            let peer = try HostilePeer(port: victim.port)
            try peer.shakeHands()
            let elements: [HostileElement] = [
                .folder(0), .whole(1, name: "../escaped", [1]), .link(2, name: "link", to: "../.."),
                .whole(3, name: "good", [1, 2]),
            ]
            try offer(.folder, name: "tree", elements, by: peer)
            #expect(try isTaken(by: peer))
            let left = [
                Omission(path: Array("../escaped".utf8), reason: .name),
                Omission(path: Array("link".utf8), reason: .linkLeavesFolder),
            ]
            #expect(try peer.nextStored()?.omissions == Omissions(left))
            #expect(try victim.contents() == ["tree"] && victim.contents(of: "tree") == ["good"])
            try await victim.stillServes()
        }
    }

    @Test("an incomplete entry breaks the protocol, and blocks no other session", arguments: 0..<6)
    func refusesIncompleteContent(number: Int) async throws {
        let waiting = (1...70).map { HostileElement.file(UInt32($0), name: "\($0)", size: 1) }
        let elements: [[HostileElement]] = [
            [.folder(0)] + waiting,
            [.folder(0), .mark],
            [.folder(0), .whole(1, name: "a", [1]), .end(1, size: 1)],
            [.folder(0), .whole(1, name: "a", [1]), .hole(1, 0..<10)],
            [.folder(0), .whole(2, name: "a", [1])],
            [.whole(0, [1])],
        ]
        try await Victim.with { victim in
            let peer = try HostilePeer(port: victim.port)
            try peer.shakeHands()
            try offer(.folder, name: "tree", elements[number], by: peer)
            #expect(try isTaken(by: peer))
            #expect(try peer.closeReason() == .protocolViolation)
            #expect(try victim.contents().filter { !$0.hasPrefix(".portolan-partial-") } == [])
            try await victim.stillServes()
        }
    }

    @Test("content beyond the offered size is not stored", arguments: [HostilePeer.Form.data, .file])
    func storesNoMoreThanWasOffered(form: HostilePeer.Form) async throws {
        try await Victim.with { victim in
            let peer = try HostilePeer(port: victim.port)
            try peer.shakeHands()
            try offer(form, size: 2, name: "present", [.whole(0, [1, 2, 3])], by: peer)
            #expect(try isTaken(by: peer))
            guard case .failed(let failure)? = try peer.nextReceipt() else {
                Issue.record("It was stored")
                return
            }
            #expect(failure.cause == .tooLarge)
            #expect(try victim.contents() == [])
        }
    }

    @Test("inline content is not stored before it is accepted, or when it is declined")
    func waitsForConsent() async throws {
        let declining: @Sendable (IncomingOffer) async -> Decision = { _ in .decline(detail: "No, thank you.") }
        try await Victim.with(deciding: declining) { victim in
            let watch = AccessWatch(victim.inbox)
            let peer = try HostilePeer(port: victim.port)
            try peer.shakeHands()
            try offer(.file, name: "present", [.whole(0, [1])], by: peer)
            guard case .answer(let answer)? = try peer.nextMessage(), case .decline = answer.choices.first?.decision
            else {
                Issue.record("It was not declined")
                return
            }
            #expect(watch.count() == AccessWatch.Accesses())
            #expect(try victim.contents() == [])
        }
    }
}
