import Foundation
import NodeTestSupport
import PortolanCrypto
import PortolanDiscovery
import PortolanTransport
import PortolanTrust
import PortolanValues
import Synchronization
import Testing

@testable import Portolan

/// Several processes of one device, and records at whose address no process listens.
@Suite(.serialized) struct InstanceTests {
    private func withRoot(_ body: (URL) async throws -> Void) async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "portolan-instances-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        try await body(root)
    }

    /// Events of a node that receives or shares.
    private final class Said: Sendable {
        private let lines = Mutex<[String]>([])
        private let ports = AsyncStream.makeStream(of: UInt16.self)

        var warnings: [String] { lines.withLock(\.self) }

        func hear(_ event: ReceiveEvent) {
            switch event {
            case .listening(let port, _, _): ports.continuation.yield(port)
            case .warning(let line): lines.withLock { $0.append(line) }
            default: break
            }
        }

        func port() async throws -> UInt16 {
            var iterator = ports.stream.makeAsyncIterator()
            return try #require(await iterator.next())
        }
    }

    private func receive(at node: Node, into folder: URL, _ said: Said) async throws -> Task<Void, any Error> {
        let task = Task {
            try await node.receive(into: folder.path, decide: { _ in .acceptNamesake }) { said.hear($0) }
        }
        _ = try await said.port()
        return task
    }

    private func share(_ title: String, at node: Node, _ said: Said) async throws -> Task<Void, any Error> {
        let task = Task {
            try await node.share([.text("text of \(title)", title: title)]) { event in
                if case .node(let event) = event { said.hear(event) }
            }
        }
        _ = try await said.port()
        return task
    }

    /// A port of this machine at which connections are refused, or are taken and never answered.
    private final class DeadPort: Sendable {
        private let descriptor: CInt
        let port: UInt16

        /// - Parameter isSilent: whether connections are taken.
        init(isSilent: Bool) throws {
            let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
            self.descriptor = descriptor
            let anyPort = NetworkAddress(ip: .v4(0x7F00_0001), port: 0)
            try #require(anyPort.withSocketAddress { bind(descriptor, $0, $1) } == 0)
            if isSilent { try #require(listen(descriptor, 64) == 0) }
            var address = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isKnown = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    getsockname(descriptor, $0, &length) == 0
                }
            }
            try #require(isKnown)
            port = UInt16(bigEndian: address.sin_port)
        }

        deinit { close(descriptor) }
    }

    @Test(
        "a record with the receiver's fingerprint and a dead port does not keep a sender from the receiver, which is heard later",
        arguments: [false, true])
    func deadPort(isSilent: Bool) async throws {
        try await withRoot { root in
            let link = SimulatedLink()
            let receiver = try link.node("ben", home: root.appending(path: "ben"))
            let fingerprint = receiver.identity.fingerprint
            let dead = try DeadPort(isSilent: isSilent)
            try link.plant("ben", fingerprint, port: dead.port)
            link.hold()
            let said = Said()
            let receiving = try await receive(at: receiver, into: root.appending(path: "inbox"), said)
            defer { receiving.cancel() }
            // The sender receives the receiver's record after it has begun to look again.
            let sender = try link.node("ada", home: root.appending(path: "ada")) { if $0 == 2 { link.release() } }
            let peer = try await sender.find("\(fingerprint)")
            #expect(peer.addresses.map(\.port) == [dead.port])
            #expect(try await sender.send("hello", to: peer).isStored)
        }
    }

    @Test("an instance that has ended a moment ago, and whose record is still there, is passed over")
    func goneInstance() async throws {
        try await withRoot { root in
            let link = SimulatedLink()
            let home = root.appending(path: "ben")
            let first = try link.node("ben", home: home, at: "127.0.0.2")
            let second = try link.node("ben", home: home, at: "127.0.0.1", leavesRecords: true)
            let (said, other) = (Said(), Said())
            let receiving = try await receive(at: first, into: root.appending(path: "inbox"), said)
            defer { receiving.cancel() }
            let ending = try await receive(at: second, into: root.appending(path: "other"), other)
            ending.cancel()
            _ = await ending.result

            let sender = try link.node("ada", home: root.appending(path: "ada"))
            let peer = try await sender.find("\(first.identity.fingerprint)")
            #expect(peer.instances(doing: .takes).count == 2, "both are advertised")
            #expect(try await sender.send("hello", to: peer).isStored)
        }
    }

    @Test(
        "the receiving one of two processes of a device gets the items, and the shelves of both are one",
        arguments: [true, false])
    func twoProcesses(saysActivities: Bool) async throws {
        try await withRoot { root in
            let link = SimulatedLink(saysActivities: saysActivities)
            let home = root.appending(path: "ben")
            // The sender tries the address of the instance that only shares first.
            let second = try link.node("ben", home: home, at: "127.0.0.1")
            let first = try link.node("ben", home: home, at: "127.0.0.2")
            let (said, other) = (Said(), Said())
            let receiving = try await receive(at: first, into: root.appending(path: "inbox"), said)
            defer { receiving.cancel() }
            let sharing = try await share("one", at: first, said)
            defer { sharing.cancel() }
            let sharingMore = try await share("two", at: second, other)
            defer { sharingMore.cancel() }
            // The activities of an instance are advertised when they change.
            if saysActivities { await link.hear("ben", "takes,serves") }

            let peerNode = try link.node("ada", home: root.appending(path: "ada"))
            let peer = try await peerNode.find("\(first.identity.fingerprint)", withEveryInstance: true)
            #expect(peer.name == "ben" && peer.clones == nil)
            #expect(peer.instances(doing: .takes).count == (saysActivities ? 1 : 2))

            #expect(try await peerNode.send("hello", to: peer).isStored)
            #expect(try await Set(peerNode.items(of: peer).map(\.title)) == ["one", "two"])
            for title in ["one", "two"] {
                let folder = root.appending(path: title)
                _ = try await peerNode.fetch(from: peer, into: folder.path) { items in
                    try #require(items.first { $0.title == title })
                }
                let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                let name = try #require(names.first { !$0.hasPrefix(".") })
                #expect(try String(contentsOf: folder.appending(path: name), encoding: .utf8) == "text of \(title)")
            }
            #expect(said.warnings.isEmpty && other.warnings.isEmpty, "\(said.warnings) \(other.warnings)")
        }
    }

    @Test("a process whose record comes late is waited for where the shelves of all are listed")
    func lateRecord() async throws {
        try await withRoot { root in
            let link = SimulatedLink()
            let home = root.appending(path: "ben")
            let first = try link.node("ben", home: home)
            let receiving = try await receive(at: first, into: root.appending(path: "inbox"), Said())
            defer { receiving.cancel() }
            link.hold()
            let sharing = try await share("one", at: try link.node("ben", home: home), Said())
            defer { sharing.cancel() }
            let clock = HeldClock(Neighbourhood.answerWait)
            let peerNode = try link.node(
                "ada", home: root.appending(path: "ada"), runtime: Runtime(clock: clock))
            var snapshots = peerNode.peers().makeAsyncIterator()
            func see(_ isMeant: ([Peer]) -> Bool) async throws {
                while !isMeant(try #require(await snapshots.next()).peers) {}
            }
            try await see { $0.first?.addresses.count == 1 }
            async let found = peerNode.find("ben", withEveryInstance: true)
            for await _ in clock.sleeps { break }
            // A record that was multicast just before the query comes with the next one.
            link.release()
            try await see { $0.first?.addresses.count == 2 }
            // The search has a look of its own, which two more records give time to catch up with this one.
            for (count, name) in [(2, "cleo"), (3, "dora")] {
                try link.plant(name, Fingerprint(of: DeviceKey.generate().publicKey), port: 1)
                try await see { $0.count == count }
            }
            clock.end()
            #expect(try await peerNode.items(of: found).map(\.title) == ["one"])
        }
    }

    @Test("a member whose record comes late is told of a change of its team")
    func lateMember() async throws {
        try await withRoot { root in
            let link = SimulatedLink()
            let clock = HeldClock(Neighbourhood.answerWait)
            let (browsings, browsing) = AsyncStream.makeStream(of: Void.self)
            let admin = try link.node(
                "ada", home: root.appending(path: "ada"), runtime: Runtime(clock: clock)
            ) { _ in browsing.yield() }
            let member = try link.node("ben", home: root.appending(path: "ben"))
            let team = try admin.store.teams.create(name: TeamName("acme"), by: admin.identity, now: .now)
            let key = member.identity.publicKey
            let with = try admin.store.teams.change(
                team.id, .add(PinnedKey(key), name: member.identity.name, groups: []), by: admin.identity, now: .now)
            _ = try member.store.teams.join(with.updates, invitedBy: admin.identity.publicKey, own: key, now: .now)
            link.hold()
            let receiving = try await receive(at: member, into: root.appending(path: "inbox"), Said())
            defer { receiving.cancel() }
            async let change = admin.changeTeam("acme", .renew)
            for await _ in browsings { break }
            for await _ in clock.sleeps { break }
            link.release()
            let report = try await change
            #expect(report.told.map(\.text) == ["ben"] && report.notReached.isEmpty)
        }
    }

    @Test("a process that goes by another name for now is no impostor")
    func otherName() async throws {
        try await withRoot { root in
            let link = SimulatedLink()
            let home = root.appending(path: "ben")
            let sharing = try await share("one", at: try link.node("ben", home: home), Said())
            defer { sharing.cancel() }
            let sharingMore = try await share("two", at: try link.node("desk", home: home), Said())
            defer { sharingMore.cancel() }
            let peerNode = try link.node("ada", home: root.appending(path: "ada"))
            let peer = try await peerNode.find("ben", withEveryInstance: true)
            #expect(try await Set(peerNode.items(of: peer).map(\.title)) == ["one", "two"])
        }
    }

    @Test("a code is waited with beside a process that has the configured port")
    func codeBesideReceiver() async throws {
        try await withRoot { root in
            let home = root.appending(path: "ben")
            let receiver = try SimulatedLink().node("ben", home: home)
            let (ports, feed) = AsyncStream.makeStream(of: UInt16.self)
            let receiving = Task {
                try await receiver.receive(into: root.appending(path: "inbox").path, decide: { _ in .accept }) {
                    event in
                    if case .listening(let port, _, _) = event { feed.yield(port) }
                }
            }
            defer { receiving.cancel() }
            var iterator = ports.makeAsyncIterator()
            var configuration = try Node.Configuration.onLoopback("ben", home: home)
            let taken = try #require(await iterator.next())
            configuration.port = taken
            configuration.takesOtherPorts = true
            let second = try Node(blocking: configuration)
            let code = try PairingCode("7-walnut-harbor")
            async let waiting = second.waitForPairing(code, valid: .seconds(300)) {
                if case .waiting(let port, _) = $0 { feed.yield(port) }
            }
            let port = try #require(await iterator.next())
            #expect(port != taken)
            let other = try Node(blocking: .onLoopback("ada", home: root.appending(path: "ada")))
            let contact = try await other.pair(with: code, at: "127.0.0.1:\(port)", wait: .seconds(300))
            #expect(contact.fingerprint == receiver.identity.fingerprint)
            #expect(try await waiting.name.text == "ada")
        }
    }

    @Test("a device of which no process receives says so itself")
    func nobodyReceives() async throws {
        try await withRoot { root in
            let link = SimulatedLink()
            let holder = try link.node("ben", home: root.appending(path: "ben"))
            let sharing = try await share("one", at: holder, Said())
            defer { sharing.cancel() }
            let sender = try link.node("ada", home: root.appending(path: "ada"))
            let peer = try await sender.find("\(holder.identity.fingerprint)")
            let error = try await #require(throws: NodeError.self) { try await sender.send("hello", to: peer) }
            #expect(error.kind == .declined)
        }
    }
}
