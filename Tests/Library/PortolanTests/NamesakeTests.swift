import Foundation
import NodeTestSupport
import Portolan
import PortolanCrypto
import PortolanProtocol
import PortolanTrust
import PortolanValues
import Synchronization
import Testing

/// Devices with the same name, over loopback.
@Suite(.serialized) struct NamesakeTests {
    /// A receiver of texts, which records them by the sender's fingerprint.
    private final class Receiver: Sendable {
        let node: Node
        private let task: Mutex<Task<Void, any Error>?> = Mutex(nil)
        private let offers = Mutex<[RemotePeer]>([])
        private let ports = AsyncStream.makeStream(of: UInt16.self)

        var asked: [RemotePeer] { offers.withLock(\.self) }

        init(_ node: Node) { self.node = node }

        func start(_ answer: @escaping @Sendable (RemotePeer) -> Decision) async throws -> Peer {
            let values = node.receive(String.self) { offer in
                self.offers.withLock { $0.append(offer.peer) }
                return answer(offer.peer)
            } events: { event in
                if case .listening(let port, _, _) = event { self.ports.continuation.yield(port) }
            }
            task.withLock { $0 = Task { for try await _ in values {} } }
            var iterator = ports.stream.makeAsyncIterator()
            let port = try #require(await iterator.next())
            return try await node.find("127.0.0.1:\(port)")
        }

        func stop() { task.withLock { $0?.cancel() } }
    }

    private func withRoot(_ body: (URL) async throws -> Void) async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "portolan-namesakes-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        try await body(root)
    }

    private func node(_ name: String, in folder: String, below root: URL) throws -> Node {
        try Node(blocking: .onLoopback(name, home: root.appending(path: folder)))
    }

    @Test func decisionSeesTheOtherKeyAndAcceptingStoresBoth() async throws {
        try await withRoot { root in
            let receiver = Receiver(try node("hub", in: "hub", below: root))
            let place = try await receiver.start { _ in .acceptNamesake }
            defer { receiver.stop() }
            let senders = try (1...3).map { try node("debian", in: "\($0)", below: root) }
            for sender in senders + [senders[1]] {
                #expect(try await sender.send("hello", to: place).isStored)
            }
            let keys = senders.map(\.identity.fingerprint)
            #expect(receiver.asked.map(\.fingerprint) == keys + [keys[1]])
            #expect(receiver.asked.map(\.namesakeOf) == [nil, keys[0], keys[0], nil])
            #expect(receiver.asked.map(\.isKnown) == [false, false, false, true])
            #expect(receiver.asked.map(\.localName) == ["debian", "debian (2)", "debian (3)", "debian (2)"])
            let known = try KnownPeers(home: receiver.node.configuration.home).all()
            #expect(known.map(\.fingerprint) == keys)
            #expect(known.map(\.name.text) == ["debian", "debian (2)", "debian (3)"])
        }
    }

    @Test func plainAcceptanceTakesNothingFromANamesake() async throws {
        try await withRoot { root in
            let receiver = Receiver(try node("hub", in: "hub", below: root))
            let place = try await receiver.start { _ in .accept }
            defer { receiver.stop() }
            let senders = try (1...2).map { try node("debian", in: "\($0)", below: root) }
            #expect(try await senders[0].send("hello", to: place).isStored)
            let refused = try await senders[1].send("hello", to: place)
            #expect("\(refused.outcome)".contains("another key"), "\(refused)")
            #expect(try KnownPeers(home: receiver.node.configuration.home).all().count == 1)
        }
    }

    @Test func declinedNamesakeIsNotStoredAndGetsTheReason() async throws {
        try await withRoot { root in
            let receiver = Receiver(try node("hub", in: "hub", below: root))
            let place = try await receiver.start { $0.namesakeOf == nil ? .accept : .decline(detail: "another key") }
            defer { receiver.stop() }
            let senders = try (1...2).map { try node("debian", in: "\($0)", below: root) }
            #expect(try await senders[0].send("hello", to: place).isStored)
            guard case .declined(let decline, _) = try await senders[1].send("hello", to: place).outcome else {
                Issue.record("it was not declined")
                return
            }
            #expect(decline.detail == "another key")
            #expect(try KnownPeers(home: receiver.node.configuration.home).all().count == 1)
        }
    }

    @Test func aSenderByAddressRefusesTheOtherKeyUntilTheTwoArePaired() async throws {
        try await withRoot { root in
            let sender = try node("ada", in: "ada", below: root)
            let receivers = try (1...2).map { Receiver(try node("debian", in: "\($0)", below: root)) }
            let places = [
                try await receivers[0].start { _ in .accept }, try await receivers[1].start { _ in .accept },
            ]
            defer { for receiver in receivers { receiver.stop() } }
            #expect(try await sender.send("hello", to: places[0]).isStored)
            let error = try await #require(throws: NodeError.self) { try await sender.send("hello", to: places[1]) }
            #expect(error.kind == .notTrusted)
            let keys = receivers.map(\.node.identity.fingerprint)
            for key in keys { #expect(error.description.contains("\(key)"), "\(error)") }
            // The whole sentence is only a few lines long.
            #expect(error.description.count < 240)
            let debian = try DeviceName("debian")
            #expect(
                error.advice
                    == .tellNamesakesApart(
                        .init(
                            known: debian, other: keys[1], isByAddress: true, otherName: try DeviceName("debian (2)"))))
            #expect(receivers[1].asked.isEmpty)

            let code = try PairingCode("7-walnut-harbor")
            let (ports, feed) = AsyncStream.makeStream(of: UInt16.self)
            async let waiting = sender.waitForPairing(code, valid: .seconds(300)) {
                if case .waiting(let port, _) = $0 { feed.yield(port) }
            }
            var iterator = ports.makeAsyncIterator()
            let port = try #require(await iterator.next())
            let seen = try await receivers[1].node.pair(with: code, at: "127.0.0.1:\(port)", wait: .seconds(300))
            #expect(seen.name.text == "ada")
            let contact = try await waiting
            #expect(contact.name.text == "debian (2)" && contact.announcedName.text == "debian")
            #expect(contact.fingerprint == keys[1])
            for place in places { #expect(try await sender.send("hello", to: place).isStored) }
            // The two contacts are distinguished by their names here.
            try await sender.renameContact(DeviceName("debian (2)"), to: DeviceName("rack"))
            await #expect(throws: NodeError.self) {
                try await sender.renameContact(DeviceName("debian"), to: DeviceName("x"))
            }
            #expect(try await sender.forgetContact(DeviceName("rack")).fingerprint == keys[1])
        }
    }

    @Test func fiveNamesakesJoinATeamThroughOneAdmin() async throws {
        try await withRoot { root in
            let admin = try node("debian", in: "admin", below: root)
            _ = try await admin.createTeam(TeamName("acme"))
            let code = try PairingCode("7-walnut-harbor")
            let (ports, feed) = AsyncStream.makeStream(of: UInt16.self)
            let inviting = Task {
                try await admin.invite(
                    to: "acme", uses: 5, code: code, valid: .seconds(300),
                    events: { if case .waiting(let port, _) = $0 { feed.yield(port) } })
            }
            defer { inviting.cancel() }
            var iterator = ports.makeAsyncIterator()
            let port = try #require(await iterator.next())
            for number in 1...5 {
                let guest = try node("debian", in: "\(number)", below: root)
                let view = try await guest.join(with: code, at: "127.0.0.1:\(port)", wait: .seconds(300))
                #expect(view.ownName?.text == "debian (\(number + 1))")
            }
            try await inviting.value
            let names = try await admin.team("acme").team.members.map(\.name.text)
            #expect(Set(names) == Set(["debian"] + (2...6).map { "debian (\($0))" }))
            #expect(try await admin.contacts().map(\.name.text) == ["debian"] + (2...5).map { "debian (\($0))" })
        }
    }
}
