import PortolanCrypto
import PortolanDiscovery
import Testing

@testable import Portolan

/// The order in which a peer's addresses are tried.
@Suite struct PlaceChoiceTests {
    private func place(_ port: UInt16, _ activities: Activities) -> PeerPlace {
        PeerPlace(NetworkAddress(ip: .v4(0xC000_0207), port: port), doing: activities)
    }

    private func peer(_ places: [PeerPlace]) throws -> Peer {
        Peer(
            name: "ben", fingerprint: Fingerprint(bytes: Array(repeating: 7, count: 20)),
            addresses: places.map(\.address), foundBy: "embedded", places: places)
    }

    @Test("instances with the wanted role come first, each place once, and the rest on request")
    func order() throws {
        var choice = PlaceChoice(wanting: .takes, avoiding: [4])
        let peer = try peer([place(1, .serves), place(2, .takes), place(3, .any), place(4, .any)])
        #expect(choice.take(of: peer).map(\.address.port) == [2, 3])
        #expect(choice.take(of: peer).isEmpty)
        let later = try self.peer([place(3, .any), place(5, .takes)])
        #expect(choice.take(of: later).map(\.address.port) == [5])
        #expect(choice.takeRest(of: peer).map(\.address.port) == [1])
        #expect(choice.takeRest(of: peer).isEmpty)
    }

    @Test("a port is an instance, and one of which the records said no is replaced by none")
    func instances() throws {
        let peer = try peer([place(1, .serves), place(2, .takes), place(3, .any)])
        #expect(peer.instances(doing: .serves).map { $0.places.map(\.address.port) } == [[1], [3]])
        #expect(peer.instances(doing: .serves).allSatisfy { !$0.canBeFoundAgain })
        #expect(peer.mayBeReplaced(at: 3, doing: .takes) && peer.mayBeReplaced(at: 9, doing: .takes))
        #expect(!peer.mayBeReplaced(at: 1, doing: .takes))
        let given = Peer(name: "192.0.2.7:1", fingerprint: nil, addresses: peer.addresses, foundBy: "address")
        #expect(given.instances(doing: .serves) == [given] && !given.mayBeReplaced(at: 1, doing: .takes))
    }

    @Test("an instance that does not say it does is tried when the network has answered, and only then")
    func seeking() async throws {
        let known = try peer([place(1, .serves)])
        let found = try peer([place(1, .serves), place(2, .takes)])
        for (snapshots, ports) in [
            ([(known, false), (known, true)], [[1]]), ([(known, false), (found, false), (found, true)], [[2], [1]]),
        ] as [([(Peer, Bool)], [[UInt16]])] {
            let (stream, feed) = AsyncStream.makeStream(of: PeerSnapshot.self)
            for (peer, isSettled) in snapshots {
                feed.yield(PeerSnapshot(peers: [peer], isSettled: isSettled, note: nil))
            }
            feed.finish()
            var choice = PlaceChoice(wanting: .takes)
            #expect(choice.take(of: known).isEmpty)
            var tried: [[UInt16]] = []
            await PlaceSeeker.look(for: known, choice, among: stream, isBrief: false) {
                tried.append($0.map(\.address.port))
            }
            #expect(tried.filter { !$0.isEmpty } == ports)
        }
    }
}
