import Foundation
import NodeTestSupport
import Portolan
import PortolanClient
import PortolanConcurrency
import PortolanCrypto
import PortolanProtocol
import PortolanSettings
import PortolanTrust
import PortolanValues
import Synchronization
import Testing

@testable import PortolanAgent
@testable import PortolanSyncPeers

/// Access of each device of ``AccessCell/Who`` by each way to each content. All that a device has afterwards is
/// searched.
@Suite(
    .enabled(if: FolderScene.keepsAttributes, "the file system keeps no extended attributes"), .timeLimit(.minutes(20)))
struct AccessMatrixTests {
    @Test("each cell of the matrix is run, or has a reason why it has no meaning")
    func cells() {
        let named = AccessCell.all.filter(\.isMeaningless)
        let run = AccessCell.Way.allCases.flatMap(AccessCell.run)
        #expect(AccessCell.all.count == 9 * 7 * 5)
        #expect(named.count == 13 * 5 && run.count == 50 * 5)
        #expect(Set(named + run) == Set(AccessCell.all))
        #expect(AccessCell.meaningless.allSatisfy { !$0.reason.isEmpty })
        for way in AccessCell.Way.allCases {
            for who in AccessCell.Who.allCases {
                let cells = AccessCell.run(by: way).filter { $0.who == who }
                #expect(cells.contains { $0.what == .plain } && cells.count >= 4, "\(way), \(who)")
            }
        }
    }

    /// Runs `body` in a world of its own.
    private func withWorld(isRemoved: Bool = true, _ body: (AccessWorld) async throws -> Void) async throws {
        let world = try AccessWorld(isRemoved: isRemoved)
        do {
            try await body(world)
        } catch {
            await world.close()
            throw error
        }
        await world.close()
    }

    /// Sends what was named before a private file took its place. Refusals are no errors of a test: bytes are judged.
    private func sendSwapped(_ piece: AccessWorld.Piece, to peer: Peer, of world: AccessWorld) async throws {
        let node = world.holder.node
        let items = try await node.holding([.file(at: piece.path)])
        try world.swap(piece)
        _ = try? await node.send(items, to: peer, options: .once)
    }

    @Test("items that are sent")
    func send() async throws {
        try await withWorld { world in
            var all: [AccessWorld.Piece] = []
            try await world.withReceivers { who, _, peer in
                // Each device is sent its own ones, since a file is swapped once.
                for piece in try world.makePieces(for: .send, to: who) {
                    try await sendSwapped(piece, to: peer, of: world)
                    all.append(piece)
                }
            }
            try world.judge(all, .send)
            world.confirmAll(of: .send)
        }
    }

    @Test("items sent to a device that was met by a code")
    func code() async throws {
        try await withWorld { world in
            var all: [AccessWorld.Piece] = []
            let holder = world.holder.node
            try await world.withReceivers { who, device, peer in
                let code = try await holder.makePairingCode()
                let (ports, feed) = AsyncStream.makeStream(of: UInt16.self)
                let meeting = Task {
                    defer { feed.finish() }
                    _ = try await holder.waitForMeeting(code, valid: .seconds(600)) { event in
                        if case .waiting(let port, _) = event { feed.yield(port) }
                    }
                }
                var iterator = ports.makeAsyncIterator()
                let port = try #require(await iterator.next())
                _ = try await device.node.meet(with: code, at: "127.0.0.1:\(port)", wait: .seconds(600))
                try await meeting.value
                for piece in try world.makePieces(for: .code, to: who) {
                    try await sendSwapped(piece, to: peer, of: world)
                    all.append(piece)
                }
            }
            try world.judge(all, .code)
            world.confirmAll(of: .code)
        }
    }

    @Test("items that are shared, listed and fetched")
    func share() async throws {
        try await withWorld { world in
            let pieces = try world.makePieces(for: .share)
            let holder = world.holder.node
            var items: [Item] = []
            for piece in pieces { items.append(try await .file(at: piece.path)) }
            let (ports, feed) = AsyncStream.makeStream(of: UInt16.self)
            let shared = items
            let sharing = Task {
                defer { feed.finish() }
                try await holder.share(shared) { event in
                    if case .node(.listening(let port, _, _)) = event { feed.yield(port) }
                }
            }
            defer { sharing.cancel() }
            var iterator = ports.makeAsyncIterator()
            let port = try #require(await iterator.next())
            for piece in pieces { try world.swap(piece) }
            for device in world.devices.values {
                let peer = try await device.node.find("127.0.0.1:\(port)")
                let listed = try await device.node.items(of: peer)
                device.note(listed)
                for item in listed {
                    _ = try? await device.node.fetch(
                        from: peer, into: device.inbox, retry: .zero, events: { device.note($0) },
                        choose: { all in
                            device.note(all)
                            return try #require(all.first { $0.id == item.id })
                        })
                }
            }
            try world.judge(pieces, .share)
            world.confirmAll(of: .share)
            sharing.cancel()
            _ = await sharing.result
        }
    }

    @Test("items of a parcel that is written down, and is sent when it is read again")
    func outbox() async throws {
        try await withWorld { world in
            var all: [AccessWorld.Piece] = []
            let holder = world.holder.node
            try await world.withReceivers { who, _, peer in
                for piece in try world.makePieces(for: .outbox, to: who) {
                    let parcel = try await holder.parcel([.file(at: piece.path)], to: "somebody")
                    let document = try parcel.document()
                    try world.swap(piece)
                    if let contents = try? await holder.open(Parcel(document: document)) {
                        _ = try? await holder.send(contents, to: peer, options: .once)
                    }
                    all.append(piece)
                }
            }
            try world.judge(all, .outbox)
            world.confirmAll(of: .outbox)
        }
    }

    @Test("items in the queue of the agent")
    func queue() async throws {
        try await withWorld { world in
            var all: [AccessWorld.Piece] = []
            try await withAgent(of: world) { agent in
                for who in AccessCell.Who.allCases {
                    try await world.receiving(try #require(world.devices[who])) { port in
                        for piece in try world.makePieces(for: .queue, to: who) {
                            try await deliver(piece, to: "127.0.0.1:\(port)", by: agent, of: world)
                            all.append(piece)
                        }
                    }
                }
            }
            try world.judge(all, .queue)
            world.confirmAll(of: .queue)
        }
    }

    /// Queues what is named before a private file takes its place, and waits until the agent has tried to send it.
    private func deliver(
        _ piece: AccessWorld.Piece, to target: String, by agent: Agent, of world: AccessWorld
    ) async throws {
        let parcel = try await agent.node.parcel([.file(at: piece.path)], to: target)
        let id = StateID(parcel.id)
        let queued = try await agent.database.write { try $0.outbox.add(parcel) }
        try world.swap(piece)
        await agent.dispatcher.add(queued)
        while true {
            let now = try await agent.database.read { try $0.outbox.show(id) }
            if now.state != .running, now.state != .waiting || now.attempts > 0 { break }
            try await Task.sleep(for: .milliseconds(20))
        }
        await agent.dispatcher.remove(id)
    }

    /// Runs `body` while the holder's agent runs, which is found only by its address.
    private func withAgent(of world: AccessWorld, _ body: (Agent) async throws -> Void) async throws {
        let settings = try Settings(home: world.holder.node.configuration.home)
        var overrides = Settings.Overrides()
        (overrides.interfaces, overrides.discovery, overrides.port) = (["lo"], .off, 0)
        let agent = try await Agent(settings: settings, node: settings.node(overrides), version: "1.0") { _ in }
        let socket = world.root.path + "/api.sock"
        let (readiness, ready) = AsyncStream.makeStream(of: Void.self)
        let running = Task {
            defer { ready.finish() }
            try await agent.run(socket: socket) { ready.yield() }
        }
        var iterator = readiness.makeAsyncIterator()
        guard await iterator.next() != nil else { return try await running.value }
        let outcome = await Result { try await body(agent) }
        agent.stop()
        try await running.value
        try outcome.get()
    }

    @Test("items that go on after a break, in which they were marked or replaced, or their receiver was removed")
    func resume() async throws {
        try await withWorld(isRemoved: false) { world in
            let holder = world.holder.node
            // The text that is searched for is at the end, which the first session does not reach.
            let filler = AccessMatrixTests.filler(3 << 20)
            var all: [AccessWorld.Piece] = []
            var parcels: [(document: [UInt8], peer: Peer)] = []
            try await withReceiversAtOnce(of: world) { peers in
                for (who, peer) in peers {
                    for what in AccessCell.contents(of: .resume) {
                        var piece = try world.makePiece(what, after: filler)
                        piece.recipient = who
                        let parcel = try await holder.parcel([.file(at: piece.path)], to: "somebody")
                        try await breakOff(parcel, to: peer, by: holder)
                        all.append(piece)
                        parcels.append((try parcel.document(), peer))
                    }
                }
                try world.removeMember()
                for piece in all {
                    try world.mark(piece)
                    try world.swap(piece)
                }
                for (document, peer) in parcels {
                    guard let contents = try? await holder.open(Parcel(document: document)) else { continue }
                    _ = try? await holder.send(contents, to: peer, options: .once)
                }
            }
            // The names were told before.
            try world.judge(all, .resume, names: false)
            world.confirmAll(of: .resume)
        }
    }

    /// Sends a parcel until some of it has gone.
    private func breakOff(_ parcel: Parcel, to peer: Peer, by node: Node) async throws {
        var slow = Node.SendOptions.once
        slow.rateLimit = 512 << 10
        let options = slow
        let contents = try await node.open(parcel)
        let (going, feed) = AsyncStream.makeStream(of: Void.self)
        let sending = Task {
            defer { feed.finish() }
            return try await node.send(contents, to: peer, options: options) { event in
                if case .progress(_, let done, _) = event, done > 0 { feed.yield() }
            }
        }
        for await _ in going { break }
        sending.cancel()
        let deliveries = try? await sending.value
        #expect(deliveries?.contains(where: \.isStored) != true)
    }

    @Test("the next version of an item that was sent, of which the difference goes")
    func difference() async throws {
        try await withWorld { world in
            let holder = world.holder.node
            let filler = AccessMatrixTests.filler(1 << 20)
            var all: [AccessWorld.Piece] = []
            try await world.withReceivers { who, _, peer in
                for what in AccessCell.contents(of: .difference) {
                    var piece = try world.makePiece(what, after: filler)
                    piece.recipient = who
                    let file = URL(fileURLWithPath: piece.path)
                    let next = try Data(contentsOf: file)
                    try filler.write(to: file)
                    try #require(chmod(piece.path, 0o644) == 0)
                    let first = try await holder.send([.file(at: piece.path)], to: peer, options: .once)
                    #expect(first[0].isStored)
                    try next.write(to: file)
                    try #require(chmod(piece.path, 0o644) == 0)
                    try world.mark(piece)
                    let items = try await holder.holding([.file(at: piece.path)])
                    try world.swap(piece)
                    _ = try? await holder.send(items, to: peer, options: .once)
                    all.append(piece)
                }
            }
            // The names were told with the first version.
            try world.judge(all, .difference, names: false)
            world.confirmAll(of: .difference)
        }
    }

    @Test("the answers about the receiver's files to a device that sends others of their names")
    func receipts() async throws {
        try await withWorld { world in
            let holder = world.holder
            let inbox = URL(fileURLWithPath: holder.inbox)
            let pieces = try AccessCell.contents(of: .receipts).map { what in
                // The own files are where they are.
                let piece = try what == .own ? world.makePiece(what) : world.makePiece(what, in: inbox)
                try world.mark(piece)
                return piece
            }
            try await world.receiving(holder) { port in
                for device in world.devices.values {
                    let peer = try await device.node.find("127.0.0.1:\(port)")
                    for piece in pieces {
                        let name = piece.what == .own ? "device.key" : "\(piece.name).txt"
                        let folder = device.root.appending(path: "mine")
                        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                        let file = folder.appending(path: name)
                        try Data("another".utf8).write(to: file)
                        let deliveries = try await device.node.send(
                            [.file(at: file.path)], to: peer, options: .once
                        ) { device.note($0) }
                        #expect(deliveries[0].isStored)
                        device.note(deliveries)
                    }
                }
            }
            for piece in pieces where piece.what != .own {
                #expect(FileManager.default.contents(atPath: piece.path) == piece.content)
            }
            // Each device has used the names itself.
            try world.judge(pieces, .receipts, names: false) { _, _ in false }
            world.confirmAll(of: .receipts)
        }
    }

    @Test("files in folders that are kept alike: for the contact and the team, for the team, for its group")
    func sync() async throws {
        try await withWorld { world in
            let scene = try AccessFolders(world)
            try await scene.run()
            for folder in AccessFolder.allCases {
                try world.judge(scene.pieces[folder] ?? [], .sync) { AccessCell.mayHave($0, $1, in: folder) }
            }
            world.confirmAll(of: .sync)
        }
    }

    /// Runs `body` while all devices receive at once.
    private func withReceiversAtOnce(
        of world: AccessWorld, _ body: ([(AccessCell.Who, Peer)]) async throws -> Void
    ) async throws {
        let holder = world.holder.node
        func open(_ rest: ArraySlice<AccessCell.Who>, _ peers: [(AccessCell.Who, Peer)]) async throws {
            guard let who = rest.first else { return try await body(peers) }
            try await world.receiving(try #require(world.devices[who])) { port in
                try await open(rest.dropFirst(), peers + [(who, holder.find("127.0.0.1:\(port)"))])
            }
        }
        try await open(AccessCell.Who.allCases[...], [])
    }

    /// Bytes that do not pack.
    private static func filler(_ count: Int) -> Data {
        var random = SystemRandomNumberGenerator()
        var data = Data(capacity: count)
        while data.count < count { withUnsafeBytes(of: random.next()) { data.append(contentsOf: $0) } }
        return data
    }
}
