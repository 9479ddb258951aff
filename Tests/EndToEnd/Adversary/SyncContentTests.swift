import Foundation
import HostilePeers
import NodeTestSupport
import PortolanCrypto
import PortolanProtocol
import PortolanSyncPlan
import PortolanTrust
import Testing

/// Contents of a folder that come as requested items (SYNC.md 7.4), asked for by a peer without a right to them.
@Suite(.serialized) struct SyncWantTests {
    @Test("a SyncWant of a stranger and of a removed member is refused like one for a folder that is not there")
    func refusesWhoHasNoRight() async throws {
        try await SyncScene.withFolder { scene in
            let friend = try HostilePeer(port: scene.port, identity: scene.friend)
            try friend.shakeHands(capabilities: [.syncs])
            try friend.waitUntilTold()
            let stranger = try HostilePeer(port: scene.port)
            try stranger.shakeHands(capabilities: [.syncs])
            for (number, folder) in [(1 as UInt64, scene.id), (2, SyncFolderID())] {
                try stranger.send(.syncWant(scene.want(number, ["secret"], of: folder)))
                #expect(try stranger.nextContents() == .refusal(.init(id: number, reason: .gone)))
            }
            var number: UInt64 = 1
            try friend.send(.syncWant(scene.want(number, ["secret"])))
            var answer = try friend.nextContents()
            try scene.shareOnly(with: .made(named: "another"))
            // The device reads its list of folders from time to time.
            while case .offer(let offer)? = answer {
                let choice = ItemChoice(item: 0, .decline(Decline(.notWanted)))
                try friend.send(.answer(Message.Answer(offer: offer.id, choices: [choice])))
                number += 1
                try friend.send(.syncWant(scene.want(number, ["secret"])))
                answer = try friend.nextContents()
            }
            #expect(number > 1)
            #expect(answer == .refusal(.init(id: number, reason: .gone)))
        }
    }

    @Test(
        "a marked file that a member may not see is not offered to it, and others are",
        .enabled(if: FolderScene.keepsAttributes, "the file system keeps no extended attributes"))
    func refusesMarkedContent() async throws {
        let files = ["a.txt": Array("secret".utf8), "b.txt": Array("open".utf8)]
        try await SyncScene.withFolder(of: files, hidden: ["a.txt"]) { scene in
            let friend = try HostilePeer(port: scene.port, identity: scene.friend)
            try friend.shakeHands(capabilities: [.syncs])
            try friend.waitUntilTold()
            try friend.send(.syncWant(scene.want(1, ["secret"])))
            #expect(try friend.nextContents() == .refusal(.init(id: 1, reason: .gone)))
            try friend.send(.syncWant(scene.want(2, ["open", "secret"])))
            guard case .offer(let offer)? = try friend.nextContents() else {
                Issue.record("no offer came")
                return
            }
            #expect(offer.items[0].representations[0].size == 4)
        }
    }

    @Test("a member that is removed while it leaves an offer open gets no other one")
    func looksAtRightsAgain() async throws {
        try await SyncScene.withFolder { scene in
            let friend = try HostilePeer(port: scene.port, identity: scene.friend)
            try friend.shakeHands(capabilities: [.syncs])
            try friend.waitUntilTold()
            for number in 1...2 as ClosedRange<UInt64> { try friend.send(.syncWant(scene.want(number, ["secret"]))) }
            guard case .offer(let offer)? = try friend.nextContents() else {
                Issue.record("no offer came")
                return
            }
            try scene.shareOnly(with: .made(named: "another"))
            while let message = try friend.nextMessage() {
                if case .syncFolders(let told) = message, told.folders.isEmpty { break }
            }
            let choice = ItemChoice(item: 0, .decline(Decline(.notWanted)))
            try friend.send(.answer(Message.Answer(offer: offer.id, choices: [choice])))
            // The two wants are worked on at once.
            let other: UInt64 = offer.request == 1 ? 2 : 1
            #expect(try friend.nextContents() == .refusal(.init(id: other, reason: .gone)))
        }
    }

    @Test("a content that the folder does not have is left out of the offer, and told by nothing else")
    func leavesMissingContentOut() async throws {
        try await SyncScene.withFolder { scene in
            let friend = try HostilePeer(port: scene.port, identity: scene.friend)
            try friend.shakeHands(capabilities: [.syncs])
            try friend.waitUntilTold()
            try friend.send(.syncWant(scene.want(1, ["missing", "secret"])))
            guard case .offer(let offer)? = try friend.nextContents() else {
                Issue.record("no offer came")
                return
            }
            #expect(offer.request == 1 && offer.items.count == 1 && offer.items[0].title.isEmpty)
            let form = offer.items[0].representations[0]
            #expect(offer.items[0].representations.count == 1 && form.isFolder && form.size == 6)
            #expect(form.source == scene.id.bytes && form.suggestedName == nil)
        }
    }

    @Test("a seventeenth SyncWant without an answer ends the session")
    func limitsUnansweredWants() async throws {
        try await SyncScene.withFolder { scene in
            let friend = try HostilePeer(port: scene.port, identity: scene.friend)
            try friend.shakeHands(capabilities: [.syncs])
            try friend.waitUntilTold()
            try friend.send(.syncWant(scene.want(1, ["secret"])))
            guard case .offer? = try friend.nextContents() else {
                Issue.record("no offer came")
                return
            }
            // No other offer is made before this one has an answer.
            for number in 2...18 as ClosedRange<UInt64> { try friend.send(.syncWant(scene.want(number, ["secret"]))) }
            #expect(try friend.closeReason() == .limit)
        }
    }
}

/// Contents of a folder that a hostile member offers.
@Suite(.serialized) struct SyncContentTests {
    private static let good = Array("good".utf8)
    private static let file = SyncScene.record("good", 1, .file, good)

    /// Changes of the member: a file whose content it offers.
    private static let news = SyncScene.News(
        records: [file], contents: [good], latest: SyncPosition(epoch: 5, sequence: 10))

    private static func folder(_ name: String, _ number: UInt64) -> SyncScene.News {
        let replica = ReplicaID(device: DeviceID(77), epoch: 5)
        var record = NodeRecord(id: NodeID(Dot(replica, number)), kind: .folder)
        record.move(Dot(replica, number), to: NodePlace(.root, SyncName(name)))
        return SyncScene.News(records: [record], latest: SyncPosition(epoch: 5, sequence: number))
    }

    private static func member(of scene: SyncScene) throws -> HostilePeer {
        let peer = try HostilePeer(port: scene.port, identity: scene.friend)
        try peer.shakeHands(capabilities: [.syncs])
        return peer
    }

    private static func told(_ news: SyncScene.News, in scene: SyncScene) throws -> Message {
        try .syncFolders(.init([.init(id: scene.id, name: "notes", latest: news.latest, taken: nil)]))
    }

    /// Tells of changes, and takes part in the session until a message comes.
    private static func tell(
        _ news: SyncScene.News, _ peer: HostilePeer, _ contents: HostileContents? = nil, in scene: SyncScene,
        until isOver: (Message) -> Bool
    ) throws {
        try peer.send(told(news, in: scene))
        while let message = try peer.nextMessage() {
            if case .syncSince(let since) = message { try scene.send(news, answering: since.question, peer) }
            try contents?.take(message)
            if isOver(message) { return }
        }
        throw HostileSocket.Gone()
    }

    private static let name = HostileContents.name(good)

    /// Trees in which no entry is the content that was asked for. They have no more bytes than that.
    private static let others: [[HostileElement]] = [
        [
            .folder(0), .whole(1, name: "good", [1]), .whole(2, name: name, [1, 2, 3]),
            .link(3, name: name, to: "../../a.txt"), .whole(4, name: "../escaped", []), .folder(5, name: name),
        ] + (6..<10_000).map { .whole($0, name: "\($0)", []) },
        [.folder(0), .whole(1, name: name.uppercased(), good)],
        [.folder(0), .folder(1, name: "inner"), .whole(2, in: 1, name: name, good)],
        [.folder(0), .whole(1, name: "../" + name, good)],
        [.folder(0)],
    ]

    @Test(
        "entries that were not asked for are left out, nothing is outside of the folder, and the session goes on",
        arguments: others.indices)
    func leavesOtherEntriesOut(number: Int) async throws {
        try await SyncScene.withFolder { scene in
            let root = scene.folder.deletingLastPathComponent().path
            let around = try FileManager.default.contentsOfDirectory(atPath: root).sorted()
            let peer = try Self.member(of: scene)
            let contents = HostileContents(peer) { _ in Self.others[number] }
            #expect(try scene.announce(Self.news, peer, contents) == .taken)
            #expect(contents.count(of: Self.good) >= 1 && contents.declined == 0)
            #expect(try scene.names() == ["a.txt"])
            #expect(try scene.announce(Self.folder("later", 21), peer, contents) == .taken)
            #expect(try scene.names() == ["a.txt", "later"])
            #expect(try FileManager.default.contentsOfDirectory(atPath: root).sorted() == around)
            let control = scene.folder.appending(path: ".portolan-sync").path
            let stored = FileManager.default.enumerator(atPath: control)?.compactMap { $0 as? String } ?? []
            #expect(!stored.contains { $0.contains(Self.name) || $0.hasSuffix("escaped") })
        }
    }

    @Test("more bytes than were offered fail the item, nothing of them is in the folder, and the session goes on")
    func refusesMoreThanOffered() async throws {
        try await SyncScene.withFolder { scene in
            let peer = try Self.member(of: scene)
            let contents = HostileContents(peer) { _ in
                [.folder(0), .whole(1, name: "large", [UInt8](repeating: 7, count: 1000))]
            }
            try Self.tell(Self.news, peer, contents, in: scene) { _ in !contents.receipts.isEmpty }
            guard case .failed? = contents.receipts.first else {
                Issue.record("it was stored")
                return
            }
            let later = Self.folder("later", 21)
            try Self.tell(later, peer, contents, in: scene) { message in
                if case .syncHeard(let heard) = message { heard.position == later.latest } else { false }
            }
            while try !scene.names().contains("later") { usleep(10_000) }
            #expect(try scene.names() == ["a.txt", "later"])
        }
    }

    @Test("a member that sends wrong bytes is asked no more than twice while the folder goes on")
    func asksNoMoreForWrongContent() async throws {
        try await SyncScene.withFolder { scene in
            let peer = try Self.member(of: scene)
            let contents = HostileContents(peer) { _ in
                [.folder(0), .whole(1, name: HostileContents.name(Self.good), Array("evil".utf8))]
            }
            #expect(try scene.announce(Self.news, peer, contents) == .taken)
            for number in 21...25 as ClosedRange<UInt64> {
                #expect(try scene.announce(Self.folder("\(number)", number), peer, contents) == .taken)
            }
            #expect(1...2 ~= contents.count(of: Self.good))
            #expect(try scene.names() == ["a.txt", "21", "22", "23", "24", "25"])
        }
    }

    @Test("a second entry of the same name does not change a content that was verified")
    func verifiedContentStays() async throws {
        try await SyncScene.withFolder { scene in
            let peer = try Self.member(of: scene)
            // The bytes of another content leave room for the second entry.
            let other = SyncScene.record("other", 11, .file, Array("never sent".utf8))
            let news = SyncScene.News(records: [Self.file, other], latest: Self.news.latest)
            let contents = HostileContents(peer) { _ in
                [.folder(0), .file(1, name: Self.name, size: 4), .file(2, name: Self.name, size: 4)]
            }
            contents.end = { lane, transfer in
                try lane.sendPayload(Self.good, of: 1, transfer: transfer)
                try lane.send(.end(1, size: 4), transfer: transfer)
                try lane.sendPayload(Array("evil".utf8), of: 2, transfer: transfer)
                lane.cut()
            }
            // The session ends with the lane.
            _ = try? scene.announce(news, peer, contents)
            while try !scene.names().contains("good") { usleep(10_000) }
            #expect(try Data(contentsOf: scene.folder.appending(path: "good")) == Data(Self.good))
        }
    }

    @Test("a member that never offers the wanted contents does not hold up the changes of another one")
    func silentMemberHoldsNothingUp() async throws {
        let other = try DeviceIdentity.made(named: "other")
        try await SyncScene.withFolder(others: [other]) { scene in
            let silent = try Self.member(of: scene)
            try Self.tell(Self.news, silent, in: scene) { if case .syncWant = $0 { true } else { false } }

            let peer = try HostilePeer(port: scene.port, identity: other)
            try peer.shakeHands(capabilities: [.syncs])
            let news = Self.folder("of another", 21)
            try Self.tell(news, peer, in: scene) { message in
                if case .syncHeard(let heard) = message { heard.position == news.latest } else { false }
            }
            while try !scene.names().contains("of another") { usleep(10_000) }
            #expect(try scene.names() == ["a.txt", "of another"])
            silent.cut()
        }
    }

    @Test("an offer of other contents than a SyncWant asks for is declined", arguments: 0..<7)
    func declinesOtherOffers(number: Int) async throws {
        try await SyncScene.withFolder { scene in
            let folder = scene.id.bytes
            func form(
                _ type: String = "public.folder", channel: PortolanProtocol.Channel = .file, size: UInt64? = 4,
                isFolder: Bool = true, source: [UInt8]? = nil
            ) throws -> OfferedRepresentation {
                try OfferedRepresentation(
                    type: OfferedType(identifier: type), channel: channel, size: size, isFolder: isFolder,
                    source: source ?? folder)
            }
            let forms: [[OfferedRepresentation]] = try [
                [form(size: 5)], [form(size: nil)], [form("public.data")], [form("public.data", isFolder: false)],
                [form(source: [])], [form(source: SyncFolderID().bytes)], [form(), form()],
            ]
            let peer = try Self.member(of: scene)
            let contents = HostileContents(peer, of: [Self.good])
            contents.offered = { _ in forms[number] }
            #expect(try scene.announce(Self.news, peer, contents) == .taken)
            #expect(contents.declined >= 1 && contents.receipts.isEmpty)
            contents.offered = { [$0] }
            #expect(try scene.announce(Self.folder("later", 21), peer, contents) == .taken)
            #expect(try scene.names().isSubset(of: ["a.txt", "later", "good"]))
        }
    }
}
