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

/// Attacks of a peer that lists and requests, and of a peer that is asked.
@Suite(.serialized) struct ShelfAttackTests {
    /// Runs a node that shares an item with a form for everybody and a second one for its team, and an item for its
    /// team alone.
    private static func withHolder(
        _ body: @Sendable (_ port: UInt16, _ ids: [ItemID]) throws -> Void
    ) async throws {
        let home = try Sender.home()
        defer { try? FileManager.default.removeItem(at: home) }
        let configuration = try Node.Configuration.onLoopback("holder", home: home)
        let node = try Node(blocking: configuration)
        _ = try TeamStore(home: HomeDirectory(override: home.path, environment: [:]))
            .create(name: TeamName("acme"), by: node.identity, now: .now)
        let (ports, port) = AsyncStream.makeStream(of: UInt16.self)
        let ids = Mutex<[ItemID]>([])
        let items = [
            Item(
                title: nil,
                representations: [
                    .data(Data("page".utf8), contentType: .html, visibility: .team, suggestedName: "secret.html"),
                    .data(Data("text".utf8), contentType: .utf8PlainText, suggestedName: "note.txt"),
                ]),
            Item(
                title: "plan",
                representations: [.data(Data("plan".utf8), contentType: .utf8PlainText, visibility: .team)]),
        ]
        let sharing = Task {
            try await node.share(items) { event in
                switch event {
                case .shared(let id, _): ids.withLock { $0.append(id) }
                case .node(.listening(let number, _, _)): port.yield(number)
                default: break
                }
            }
        }
        defer { sharing.cancel() }
        var listening = ports.makeAsyncIterator()
        guard let number = await listening.next() else { throw Victim.NeverListened() }
        let shared = ids.withLock(\.self)
        try await withHostileThread { try body(number, shared) }
        sharing.cancel()
        _ = await sharing.result
    }

    @Test("a hidden item is not listed, and a request for it is answered like one for a missing item")
    func hiddenIsAbsent() async throws {
        try await Self.withHolder { port, ids in
            let peer = try HostilePeer(port: port)
            try peer.shakeHands()
            try peer.send(.list(Message.List(id: 1, after: [], most: 0)))
            guard case .listing(let listing)? = try peer.nextMessage() else {
                Issue.record("no list came")
                return
            }
            #expect(listing.items.map(\.id) == [ids[0]] && listing.next.isEmpty)
            #expect(listing.items.first?.item.representations.count == 1)
            #expect(listing.items.first?.item.title == "note.txt")

            let made = try #require(ItemID((0..<16).map { _ in UInt8.random(in: 0...255) }))
            for (number, id) in [ids[1], made].enumerated() {
                let request = UInt64(number + 2)
                try peer.send(.request(Message.Request(id: request, item: id)))
                #expect(try peer.nextMessage() == .refusal(Message.Refusal(id: request, reason: .gone)))
            }
            // The answer about a visible item does not reveal the number of its hidden forms either.
            try peer.send(.request(Message.Request(id: 9, item: ids[0])))
            guard case .offer(let offer)? = try peer.nextMessage() else {
                Issue.record("no offer came")
                return
            }
            #expect(offer.request == 9 && offer.items.count == 1 && offer.items[0].representations.count == 1)
            let choice = ItemChoice(item: 0, .take(representation: 1))
            try peer.send(.answer(try Message.Answer(offer: offer.id, choices: [choice])))
            #expect(try peer.closeReason() == .badIndex)
        }
    }

    @Test("an invented position in a list is refused, and so is the position of a hidden item")
    func inventedPlaces() async throws {
        try await Self.withHolder { port, ids in
            let peer = try HostilePeer(port: port)
            try peer.shakeHands()
            let places: [[UInt8]] = [
                [0xFF], Array(repeating: 7, count: 32), Array(repeating: 7, count: 16), ids[1].bytes,
            ]
            for (number, place) in places.enumerated() {
                let list = Message.List(id: UInt64(number + 1), after: place, most: 1)
                try peer.send(.list(list))
                #expect(try peer.nextMessage() == .refusal(Message.Refusal(id: list.id, reason: .gone)))
            }
        }
    }

    @Test("sessions that accepted an item and never settle it keep the places of their address until others need them")
    func unsettledItems() async throws {
        try await Self.withHolder { port, ids in
            let takers = try (0..<8).map { _ in
                let taker = try HostilePeer(port: port)
                try taker.shakeHands()
                try taker.send(.request(Message.Request(id: 1, item: ids[0])))
                guard case .offer(let offer)? = try taker.nextMessage() else { throw HostileSocket.Gone() }
                let choice = ItemChoice(item: 0, .take(representation: 0))
                try taker.send(.answer(try Message.Answer(offer: offer.id, choices: [choice])))
                return taker
            }
            // The next one is refused until the first has made no progress for ten seconds.
            let end = ContinuousClock.now + .seconds(300)
            var isServed = false
            while !isServed, .now < end {
                usleep(100_000)
                for taker in takers { try? taker.send(.ping(id: 1)) }
                isServed = (try? Self.isServed(at: port)) ?? false
            }
            #expect(isServed)
            #expect(takers[0].isHungUpOn(within: 300))
        }
    }

    /// True if a stranger gets a list.
    private static func isServed(at port: UInt16) throws -> Bool {
        let peer = try HostilePeer(port: port)
        try peer.shakeHands()
        try peer.send(.list(Message.List(id: 1, after: [], most: 0)))
        if case .listing? = try peer.nextMessage() { return true }
        return false
    }

    @Test("an item whose type differs from its listing is declined, and nothing is stored")
    func refusesATypeOtherThanListed() async throws {
        let home = try Sender.home()
        defer { try? FileManager.default.removeItem(at: home) }
        let node = try Node(blocking: try Node.Configuration.patient(home: home))
        func item(_ type: UTType, _ name: String) throws -> OfferedItem {
            let form = try OfferedRepresentation(
                type: OfferedType(type), channel: .data, size: 4, suggestedName: name)
            return try OfferedItem(title: "photo", representations: [form])
        }
        let (listed, offered) = try (item(.jpeg, "photo.jpg"), item(.shellScript, "run.sh"))
        let id = try #require(ItemID(Array(repeating: 1, count: ItemID.length)))
        let listener = try HostileListener()
        let answered = Mutex<[ItemChoice]>([])
        let finished = listener.serveOne { holder in
            try holder.shakeHands(as: .responder, capabilities: [.serves])
            while let message = try holder.nextMessage() {
                switch message {
                case .list(let list):
                    let entry = Message.Listing.Entry(id: id, item: listed)
                    try holder.send(.listing(try Message.Listing(id: list.id, items: [entry], next: [])))
                case .request(let request):
                    try holder.send(.offer(try Offer(id: 1, items: [offered], request: request.id)))
                case .answer(let answer):
                    answered.withLock { $0 = answer.choices }
                default: break
                }
            }
        }
        let peer = Peer(name: "mallory", fingerprint: nil, address: "127.0.0.1", port: listener.port)
        let folder = home.appending(path: "got")
        let error = await #expect(throws: NodeError.self) {
            _ = try await node.fetch(from: peer, into: folder.path, retry: .zero) { try #require($0.first) }
        }
        #expect(
            error?.kind == .declined && error?.description.contains("another type") == true,
            "\(String(describing: error))")
        try await finished.value
        let choice = answered.withLock(\.first)
        guard case .decline(let decline)? = choice?.decision else {
            Issue.record("it was taken: \(String(describing: choice))")
            return
        }
        #expect(decline.reason == .notWanted)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") }.isEmpty)
    }

    @Test("a peer that disconnects after it listed is reported as an ended session, not as a refusal")
    func withdrawnItemLooksLikeAMissingOne() async throws {
        let home = try Sender.home()
        defer { try? FileManager.default.removeItem(at: home) }
        let node = try Node(blocking: try Node.Configuration.onLoopback("holder", home: home))
        let (events, feed) = AsyncStream.makeStream(of: ReceiveEvent.self)
        let sharing = Task {
            try await node.share([.text("hello", title: "note")]) { event in
                if case .node(let event) = event { feed.yield(event) }
            }
        }
        var seen = events.makeAsyncIterator()
        guard case .listening(let port, _, _) = await seen.next() else { throw Victim.NeverListened() }
        let (received, receivedFeed) = AsyncStream.makeStream(of: ReceiveEvent.self)
        let receiving = Task {
            try await node.receive(into: home.appending(path: "inbox").path, decide: { _ in .accept }) {
                receivedFeed.yield($0)
            }
        }
        var told = received.makeAsyncIterator()
        guard case .listening = await told.next() else { throw Victim.NeverListened() }
        try await withHostileThread {
            let peer = try HostilePeer(port: port)
            try peer.shakeHands()
            try peer.send(.list(Message.List(id: 1, after: [], most: 0)))
            guard case .listing? = try peer.nextMessage() else { throw HostileSocket.Gone() }
            peer.cut()
        }
        guard case .connected? = await told.next(), case .disconnected(let peer, _)? = await told.next() else {
            Issue.record("another event")
            return
        }
        #expect(peer.name == "mallory")
        for task in [sharing, receiving] {
            task.cancel()
            _ = await task.result
        }
    }

    @Test("an endless list is not read to its end")
    func endlessList() async throws {
        let home = try Sender.home()
        defer { try? FileManager.default.removeItem(at: home) }
        let node = try Node(blocking: try Node.Configuration.patient(home: home))
        let listener = try HostileListener()
        let finished = listener.serveOne { holder in
            try holder.shakeHands(as: .responder, capabilities: [.serves])
            while let message = try holder.nextMessage() {
                guard case .list(let list) = message else { return }
                let place = list.after.isEmpty ? [0, 0] : list.after
                let next = place[1] == 255 ? [place[0] + 1, 0] : [place[0], place[1] + 1]
                try holder.send(.listing(try Message.Listing(id: list.id, items: [], next: next)))
            }
        }
        let peer = Peer(name: "mallory", fingerprint: nil, address: "127.0.0.1", port: listener.port)
        let error = await #expect(throws: NodeError.self) { try await node.items(of: peer) }
        #expect(error?.description.contains("does not end") == true)
        try await finished.value
    }
}
