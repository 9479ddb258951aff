import Foundation
import HostilePeers
import NodeTestSupport
import Portolan
import PortolanCrypto
import PortolanProtocol
import PortolanTrust
import Synchronization
import Testing
import UniformTypeIdentifiers

/// Attacker between two honest nodes, which forwards, exchanges, repeats and sends back their messages.
@Suite(.serialized) struct RelayAttackTests {
    /// An honest sending node, and its results.
    private final class Ada: Sendable {
        let node: Node
        /// Keys that peers have proved.
        let met = Mutex<[String]>([])
        private let home: URL

        init() throws {
            home = try Sender.home()
            var configuration = try Node.Configuration.onLoopback("ada’s laptop", home: home)
            configuration.converters = false
            node = try Node(blocking: configuration)
        }

        deinit { try? FileManager.default.removeItem(at: home) }

        var fingerprint: Fingerprint { node.identity.fingerprint }

        /// A file that is too large for its offer, so that it uses a lane.
        func file(_ content: String) async throws -> Item {
            let path = home.appending(path: "plan.txt")
            try (Data(content.utf8) + Data(count: 200_000)).write(to: path)
            return try await .file(at: path.path)
        }

        func send(_ item: Item, through port: UInt16, expecting: Fingerprint? = nil) async throws -> Bool {
            let peer = Peer(name: "ben", fingerprint: expecting, address: "127.0.0.1", port: port)
            let deliveries = try await node.send([item], to: peer, options: .once) { event in
                if case .connected(let peer) = event { self.met.withLock { $0.append(peer.fingerprint.description) } }
            }
            return deliveries.map(\.isStored) == [true]
        }
    }

    private static let secret = "attack at dawn, by the northern gate"

    @Test("a relay that forwards everything can read nothing, and each side knows the other's key")
    func readsNothing() async throws {
        try await Victim.with { victim in
            let ada = try Ada()
            let fingerprint = ada.fingerprint
            let relay = try Intermediary(to: { _ in victim.port })
            #expect(try await ada.send(.text(Self.secret, title: "a plan"), through: relay.port))
            #expect(try await ada.send(ada.file(Self.secret), through: relay.port))
            #expect(
                try await victim.waits(for: 2) {
                    if case .stored(let item) = $0 { item.peer.fingerprint == fingerprint } else { false }
                })
            #expect(ada.met.withLock(\.self) == [victim.fingerprint, victim.fingerprint])
            let seen = relay.everything
            #expect(relay.connections >= 3, "a file goes on a lane")
            for words in [Self.secret, "a plan", "plan.txt", "ada’s laptop", "victim"] {
                #expect(!seen.contains(sequence: Array(words.utf8)), "\(words) was to be read")
            }
            #expect(!seen.contains(sequence: ada.node.identity.publicKey.bytes))
        }
    }

    @Test("a relay to another node is not accepted as the requested node")
    func relayCannotPoseAsTheOtherSide() async throws {
        let mallory = try DeviceIdentity.made(named: "mallory")
        try await Victim.with { victim in
            let ada = try Ada()
            let name = ada.node.identity.name.text
            let relay = try Intermediary(to: { _ in victim.port })
            // The attacker advertises itself, and relays the answers of an honest node.
            let error = await #expect(throws: NodeError.self) {
                try await ada.send(.text(Self.secret), through: relay.port, expecting: mallory.fingerprint)
            }
            #expect(error?.kind == .notTrusted, "\(String(describing: error))")
            #expect(error?.description.contains(victim.fingerprint) == true)
            // The victim has not learned the initiator's identity.
            #expect(try await victim.waits { if case .refused = $0 { true } else { false } })
            #expect(!victim.complaints.joined().contains(name))
            #expect(!victim.complaints.joined().contains(ada.fingerprint.description))
            #expect(try victim.contents() == [])
        }
    }

    @Test("a relay that takes part in both sessions appears under its own key, and so do the items that it forwards")
    func relayCanOnlyActUnderItsOwnKey() async throws {
        let asked = Mutex<[String]>([])
        let mallory = try DeviceIdentity.made(named: "mallory")
        try await Victim.with(deciding: { offer in
            asked.withLock { $0.append(offer.peer.fingerprint.description) }
            return .decline(detail: "No.")
        }) { victim in
            let port = victim.port
            let error = try await Sender.fails(
                sending: Item(
                    title: "forms",
                    representations: [
                        .data(Data("for the team".utf8), contentType: .html, visibility: .team),
                        .data(Data("for all".utf8), contentType: .utf8PlainText),
                    ])
            ) { caller in
                try caller.shakeHands(as: .responder)
                let called = try HostilePeer(port: port, identity: mallory)
                try called.shakeHands()
                while let message = try caller.nextMessage() {
                    guard case .offer(let offer) = message else { continue }
                    // Forms that the sender would show to the victim only are missing.
                    #expect(
                        offer.items.map { $0.representations.map(\.type.identifier) } == [["public.utf8-plain-text"]])
                    try called.send(message)
                    guard case .answer(let answer)? = try called.nextMessage() else { throw HostileSocket.Gone() }
                    #expect(answer.choices.map(\.decision) == [.decline(Decline(.notWanted, detail: "No."))])
                    return
                }
            }
            #expect(error.kind != .notTrusted)
            #expect(asked.withLock(\.self) == [mallory.fingerprint.description])
        }
    }

    /// Offsets of changed bytes in a handshake and the first records.
    private static let places = [0, 7, 8, 9, 12, 13, 14, 40, 60, 90, 130, 200, 300]

    @Test(
        "every bit changed in transit is detected", arguments: [Intermediary.Direction.toTarget, .toCaller],
        places)
    func noticesChanges(direction: Intermediary.Direction, place: Int) async throws {
        try await Victim.with { victim in
            let ada = try Ada()
            let relay = try Intermediary(to: { _ in victim.port }) { piece in
                var bytes = piece.bytes
                let index = place - piece.offset
                if piece.connection == 0, piece.direction == direction, bytes.indices.contains(index) {
                    bytes[index] ^= 1
                }
                return (on: bytes, back: [])
            }
            let watch = relay.cutOnceMeddled()
            let isStored = try? await ada.send(.text(Self.secret), through: relay.port)
            watch.cancel()
            #expect(isStored != true)
            #expect(relay.hasMeddled, "it did not come to that")
            // Only an item that had arrived completely before the answer was changed may be stored.
            #expect(try victim.contents().allSatisfy { $0 == "\(Self.secret).txt" && direction == .toCaller })
        }
    }

    @Test("a peer that gets its own bytes back establishes no session", arguments: [0, 60, 200])
    func noticesReflections(from place: Int) async throws {
        try await Victim.with { victim in
            for reflected in [Intermediary.Direction.toTarget, .toCaller] {
                let ada = try Ada()
                let relay = try Intermediary(to: { _ in victim.port }) { piece in
                    guard piece.direction == reflected else { return (on: piece.bytes, back: []) }
                    let kept = max(0, min(piece.bytes.count, place - piece.offset))
                    return (on: Array(piece.bytes[..<kept]), back: Array(piece.bytes[kept...]))
                }
                let watch = relay.cutOnceMeddled()
                let isStored = try? await ada.send(.text(Self.secret), through: relay.port)
                watch.cancel()
                #expect(isStored != true)
                #expect(relay.hasMeddled, "it did not come to that")
                #expect(try victim.contents() == [])
            }
            try await victim.stillServes()
        }
    }

    @Test("a recorded session cannot be replayed")
    func noticesReplays() async throws {
        try await Victim.with { victim in
            let ada = try Ada()
            let relay = try Intermediary(to: { _ in victim.port })
            #expect(try await ada.send(.text(Self.secret), through: relay.port))
            #expect(try await victim.hasFinishedASession())
            let recorded = relay.bytes(.toTarget)
            for bytes in [recorded, recorded + recorded] {
                let socket = try HostileSocket(port: victim.port)
                try? socket.send(bytes)
                #expect(socket.isHungUpOn(within: 300))
            }
            // The replay also fails if a new session precedes it, and if it ends with the recorded end mark.
            let fresh = try HostilePeer(port: victim.port)
            try fresh.shakeHands()
            let last = Array(recorded.suffix(20))
            #expect(last.starts(with: [RecordType.end.rawValue, 0, 0, 16]))
            try? fresh.send(last)
            #expect(fresh.isHungUpOn(within: 300))
            #expect(try victim.contents() == ["\(Self.secret).txt"])
            try await victim.stillServes()
        }
    }

    @Test("a lane that is redirected to another node carries nothing")
    func noticesLanesElsewhere() async throws {
        try await Victim.with { victim in
            try await Victim.with { other in
                let ada = try Ada()
                let relay = try Intermediary(to: { $0 == 0 ? victim.port : other.port })
                // Both sides wait for the content of the lane until one ends the session.
                let watch = Task {
                    while relay.connections < 2 { try await Task.sleep(for: .milliseconds(10)) }
                    try await Task.sleep(for: .seconds(1))
                    relay.cut()
                }
                let isStored = try? await ada.send(ada.file(Self.secret), through: relay.port)
                watch.cancel()
                #expect(isStored != true)
                #expect(relay.connections > 1, "there was no lane")
                #expect(try other.contents() == [])
                #expect(try await victim.waits { if case .disconnected = $0 { true } else { false } })
                #expect(try victim.contents().allSatisfy { $0.hasPrefix(".portolan-partial-") })
                for name in try victim.contents() {
                    try? FileManager.default.removeItem(at: victim.inbox.appending(path: name))
                }
            }
        }
    }
}

extension [UInt8] {
    fileprivate func contains(sequence: [UInt8]) -> Bool {
        indices.contains { self[$0...].starts(with: sequence) }
    }
}
