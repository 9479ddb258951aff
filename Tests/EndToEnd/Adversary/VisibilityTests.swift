import Foundation
import HostilePeers
import NodeTestSupport
import Portolan
import PortolanProtocol
import PortolanValues
import Testing
import UniformTypeIdentifiers

/// The level of a received item stays with it.
@Suite(.serialized) struct VisibilityTests {
    @Test("an item received for the team is not offered to others", arguments: [Visibility.team, .group])
    func keepsTheLevel(level: Visibility) async throws {
        try await Victim.with { victim in
            let peer = try HostilePeer(port: victim.port)
            try peer.shakeHands()
            let team = try #require(TeamID(bytes: Array(1...16)))
            let audience = try Audience(team: team, groups: level == .group ? [GroupName("design")] : [])
            try peer.send(
                .offer(
                    Offer(
                        id: 1,
                        items: [
                            OfferedItem(
                                title: "plans",
                                representations: [
                                    OfferedRepresentation(
                                        type: OfferedType(identifier: "public.data"),
                                        restriction: Restriction(level, for: audience), channel: .file)
                                ])
                        ])))
            guard case .answer? = try peer.nextMessage() else { throw HostileSocket.Gone() }
            try peer.begin(.file, name: Array("plans.bin".utf8))
            try peer.sendWholeFile(Array("plans".utf8))
            guard case .stored? = try peer.nextReceipt() else {
                // A file system without extended attributes cannot keep the level, and must then refuse the item.
                #expect(try victim.contents() == [])
                return
            }
            let received = victim.inbox.appending(path: "plans.bin").path
            let item = try await Item.file(at: received)
            #expect(item.representations.map(\.kept) == [Restriction(level, for: audience)])

            let home = victim.root.appending(path: "home/passing-on")
            let node = try Node(blocking: .patient(home: home))
            let deliveries = try await node.send(
                [item], to: node.find("127.0.0.1:\(victim.port)"), options: .once)
            guard case .hidden = deliveries[0].outcome else {
                Issue.record("it was passed on: \(deliveries[0].outcome)")
                return
            }
        }
    }

    @Test("an unknown type is treated as the kind that the peer claims")
    func placesUnknownTypes() async throws {
        try await Victim.with(accepting: [.json]) { victim in
            let peer = try HostilePeer(port: victim.port)
            try peer.shakeHands()
            let unknown = try OfferedType(
                identifier: "com.example.never-heard-of", ancestors: ["public.json", "public.text", "public.data"])
            try peer.send(
                .offer(
                    Offer(
                        id: 1,
                        items: [
                            OfferedItem(
                                title: "recipe",
                                representations: [OfferedRepresentation(type: unknown, channel: .data)])
                        ])))
            guard case .answer(let answer)? = try peer.nextMessage() else { throw HostileSocket.Gone() }
            #expect(answer.choices == [ItemChoice(item: 0, .take(representation: 0))])
        }
    }

    @Test("a peer cannot change the kind of a known type")
    func judgesKnownTypesByLocalDeclarations() async throws {
        try await Victim.with(accepting: [.image]) { victim in
            let peer = try HostilePeer(port: victim.port)
            try peer.shakeHands()
            let disguised = try OfferedType(identifier: "public.shell-script", ancestors: ["public.image"])
            try peer.send(
                .offer(
                    Offer(
                        id: 1,
                        items: [
                            OfferedItem(
                                title: "kitten",
                                representations: [OfferedRepresentation(type: disguised, channel: .data)])
                        ])))
            guard case .answer(let answer)? = try peer.nextMessage() else { throw HostileSocket.Gone() }
            #expect(answer.choices == [ItemChoice(item: 0, .decline(Decline(.nothingInCommon)))])
        }
    }
}
