import Foundation
import NodeTestSupport
import PortolanCrypto
import PortolanFiles
import PortolanProtocol
import PortolanTrust
import Synchronization
import TestSupport
import Testing

@testable import Portolan

/// Answers to single items of an offer, and where the items end up.
@Suite(.serialized) struct DecisionTests {
    private final class Log: Sendable {
        private let seen = Mutex<[ReceiveEvent]>([])
        private let offers = Mutex<[IncomingOffer]>([])

        func append(_ event: ReceiveEvent) { seen.withLock { $0.append(event) } }
        func append(_ offer: IncomingOffer) { offers.withLock { $0.append(offer) } }
        var asked: [IncomingOffer] { offers.withLock(\.self) }

        var stored: [ReceivedItem] {
            seen.withLock { $0.compactMap { if case .stored(let item) = $0 { item } else { nil } } }
        }
        var quarantined: [ReceivedItem] {
            seen.withLock { $0.compactMap { if case .quarantined(let item) = $0 { item } else { nil } } }
        }
        /// Sessions of peers that connected.
        var connected: Set<RandomID> {
            seen.withLock { Set($0.compactMap { if case .connected(let peer) = $0 { peer.session } else { nil } }) }
        }
        var declined: [String] {
            seen.withLock { events in
                events.compactMap { event in
                    switch event {
                    case .declined(_, let reason): "all: \(reason)"
                    case .declinedItem(let transfer, let reason): "\(transfer.title): \(reason)"
                    default: nil
                    }
                }
            }
        }
        var failed: [String] {
            seen.withLock { $0.compactMap { if case .failed(let transfer, _) = $0 { transfer.title } else { nil } } }
        }
    }

    /// Receives with `decide` while `send` runs.
    private func withReceiver(
        accepting types: [UTType]? = nil,
        deciding decide: @escaping @Sendable (IncomingOffer, URL) async -> Decision,
        again: (@Sendable (IncomingOffer) async -> Decision)? = nil,
        _ send: (Node, Peer, URL, Log) async throws -> Void
    ) async throws {
        try await Pair.with { pair in
            let (root, log) = (pair.root, Log())
            try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
            try await pair.whileReceiving { node, events in
                try await node.receive(into: root.appending(path: "inbox").path, accepting: types) { offer in
                    log.append(offer)
                    return await decide(offer, root)
                } decideAgain: {
                    await again?($0) ?? Decision(.ask)
                } events: { event in
                    log.append(event)
                    events(event)
                }
            } _: { node, peer in
                try await send(node, peer, root, log)
            }
        }
    }

    private func names(_ folder: URL) -> [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        return (names ?? []).filter { !$0.hasPrefix(".portolan-partial") }.sorted()
    }

    private static func text(_ title: String) -> Item {
        Item(
            title: title,
            representations: [.data(Data(title.utf8), contentType: .utf8PlainText, suggestedName: title + ".txt")])
    }

    @Test("each item goes where its own answer says, and only that")
    func everyItemHasItsAnswer() async throws {
        try await withReceiver { offer, root in
            Decision(for: offer) { item in
                switch item.title {
                case "inbox": .take()
                case "other": .take(into: .folder(root.appending(path: "deep/other").path))
                case "apart": .take(into: .quarantine(root.appending(path: "apart").path))
                case "open": .ask
                default: .decline(detail: "Not this one.", because: "it is not wanted here.")
                }
            }
        } _: { node, peer, root, log in
            let deliveries = try await node.send(
                ["inbox", "other", "apart", "open", "no"].map(Self.text), to: peer)
            #expect(deliveries.map(\.isStored) == [true, true, true, false, false])
            guard case .declined(let decline, _) = deliveries[4].outcome else {
                Issue.record("\(deliveries[4])")
                return
            }
            #expect(decline.reason == .notWanted && decline.detail == "Not this one.")
            #expect(names(root.appending(path: "inbox")) == ["inbox.txt"])
            #expect(names(root.appending(path: "deep/other")) == ["other.txt"])
            #expect(names(root.appending(path: "apart")) == ["apart.txt"])
            #expect(
                log.stored.map(\.path)
                    == ["inbox/inbox.txt", "deep/other/other.txt"].map { root.appending(path: $0).path })
            #expect(log.quarantined.map(\.path) == [root.appending(path: "apart/apart.txt").path])
            #expect(log.declined == ["open: There is no person to ask.", "no: it is not wanted here."])
            let offered = try #require(log.asked.first)
            #expect(log.stored.map(\.transfer) == [0, 1].map { offered.items[$0].transfer })
        }
    }

    @Test("an undecided item is declined so that it can be offered again, by a peer whose coming is told first")
    func undecidedItemsStayOpen() async throws {
        try await withReceiver { _, _ in
            Decision(.postpone(detail: "It waits.", because: "it waits in the inbox."))
        } _: { node, peer, root, log in
            let delivery = try await node.send([Self.text("a")], to: peer)[0]
            guard case .declined(let decline, _) = delivery.outcome else {
                Issue.record("\(delivery)")
                return
            }
            #expect(decline == Decline(.notInTime, detail: "It waits."))
            #expect(log.declined == ["all: it waits in the inbox."])
            #expect(names(root.appending(path: "inbox")).isEmpty)
            #expect(log.asked.allSatisfy { log.connected.contains($0.peer.session) })
        }
    }

    @Test("a session in which nothing is offered tells the receiver that the peer is there")
    func connectionIsReported() async throws {
        try await withReceiver { _, _ in
            .accept
        } _: { node, peer, root, log in
            let home = try HomeDirectory(override: root.appending(path: "receiver").path, environment: [:])
            let receiver = try DeviceIdentity.loadOrCreate(in: home, defaultName: .ofThisAccount)
            try await node.exchangeRosters(with: peer, expecting: PinnedKey(receiver.publicKey))
            let deadline = ContinuousClock.now + .seconds(120)
            while log.connected.isEmpty, .now < deadline { try await Task.sleep(for: .milliseconds(10)) }
            #expect(log.connected.count == 1 && log.asked.isEmpty)
            await #expect(throws: (any Error).self) {
                let other = PinnedKey(node.identity.publicKey)
                try await node.exchangeRosters(with: peer, expecting: other)
            }
        }
    }

    @Test("an item in quarantine makes no acquaintance, and the sender does not learn of it")
    func quarantineIsNoReceipt() async throws {
        try await withReceiver { _, root in
            Decision(.take(into: .quarantine(root.appending(path: "apart").path)))
        } _: { node, peer, root, log in
            for _ in 0..<2 { #expect(try await node.send([Self.text("a")], to: peer)[0].isStored) }
            #expect(log.stored.isEmpty && log.quarantined.count == 2)
            #expect(log.asked.map(\.peer.isKnown) == [false, false])
            let home = try HomeDirectory(override: root.appending(path: "receiver").path, environment: [:])
            #expect(try KnownPeers(home: home).all().isEmpty)
            #expect(names(root.appending(path: "inbox")).isEmpty)
            #expect(names(root.appending(path: "apart")) == ["a (2).txt", "a.txt"])
        }
    }

    @Test("a form can be chosen, and one that is not offered or not accepted is declined")
    func chosenForms() async throws {
        func item(_ title: String) -> Item {
            Item(
                title: title,
                representations: [
                    .data(Data("0".utf8), contentType: .html, suggestedName: "0.html"),
                    .data(Data("1".utf8), contentType: .png, suggestedName: "1.png"),
                    .data(Data("2".utf8), contentType: .utf8PlainText, suggestedName: "2.txt"),
                ])
        }
        try await withReceiver(accepting: [.text]) { offer, _ in
            Decision(for: offer) { .take(representation: Int($0.title)) }
        } _: { node, peer, root, log in
            let deliveries = try await node.send(["first", "0", "2", "1", "99", "-1"].map(item), to: peer)
            let taken = deliveries.map { delivery -> Int? in
                if case .stored(_, let representation) = delivery.outcome { representation } else { nil }
            }
            #expect(taken == [0, 0, 2, nil, nil, nil])
            for delivery in deliveries.suffix(3) {
                guard case .declined(let decline, _) = delivery.outcome else {
                    Issue.record("\(delivery)")
                    continue
                }
                #expect(decline.reason == .nothingInCommon)
            }
            #expect(log.declined.count == 3 && log.declined.allSatisfy { $0.contains("The form that was chosen") })
            let forms = try #require(log.asked.first?.items.first?.forms)
            // The own forms are followed by those that converters of this machine can make.
            #expect(forms.map(\.contentType).starts(with: ["public.html", "public.png", "public.utf8-plain-text"]))
            #expect(forms.map(\.size).starts(with: [1, 1, 1]))
            #expect(names(root.appending(path: "inbox")) == ["0 (2).html", "0.html", "2.txt"])
        }
    }

    @Test("a form behind the chosen one comes in its place when that cannot be produced, and none before it")
    func fallingBack() async throws {
        func item(_ title: String, last: Bool) -> Item {
            Item(
                title: title,
                representations: [
                    .data(Data("0".utf8), contentType: .data), .produced(.data) { throw Broken() },
                ] + (last ? [.data(Data("2".utf8), contentType: .data, suggestedName: "2.txt")] : []))
        }
        try await withReceiver { _, _ in
            Decision(.take(representation: 1))
        } _: { node, peer, root, log in
            let deliveries = try await node.send([item("a", last: true), item("b", last: false)], to: peer)
            guard case .stored(_, representation: 2) = deliveries[0].outcome, case .failed = deliveries[1].outcome
            else {
                Issue.record("\(deliveries)")
                return
            }
            #expect(names(root.appending(path: "inbox")) == ["2.txt"] && log.failed == ["b"])
        }
    }

    @Test("a folder that cannot be used fails its own items")
    func unusableFolder() async throws {
        try await withReceiver { offer, root in
            Decision(for: offer) { item in
                item.title == "a" ? .take() : .take(into: .folder(root.appending(path: "file/below").path))
            }
        } _: { node, peer, root, log in
            try Data().write(to: root.appending(path: "file"))
            let deliveries = try await node.send(["a", "b"].map(Self.text), to: peer)
            #expect(deliveries[0].isStored)
            guard case .failed = deliveries[1].outcome else {
                Issue.record("\(deliveries[1])")
                return
            }
            #expect(log.failed == ["b"] && names(root.appending(path: "inbox")) == ["a.txt"])
        }
    }

    @Test(
        "an item goes on in the folder in which it began, apart or not, without another question",
        arguments: [false, true])
    func resumedItemStaysInItsFolder(isApart: Bool) async throws {
        try await withReceiver { offer, root in
            let path = root.appending(path: "other").path
            return Decision(.take(into: isApart ? .quarantine(path) : .folder(path)))
        } _: { node, peer, root, log in
            let file = root.appending(path: "a.bin")
            // Bytes that the receiver's system has not handed on when the connection is cut are lost: some mebibytes at
            // most.
            let data = Data(noise(16 << 20, seed: 3))
            try data.write(to: file)
            let port = try #require(peer.name.split(separator: ":").last.flatMap { UInt16($0) })
            let relay = try Relay(to: port, cutting: [12 << 20])
            var options = Node.SendOptions()
            options.retry = .zero
            let through = try await node.find("127.0.0.1:\(relay.port)")
            await #expect(throws: NodeError.self) {
                _ = try await node.send([.file(at: file.path)], to: through, options: options)
            }
            let delivery = try await node.send([.file(at: file.path)], to: through)[0]
            guard case .stored(let stored, _) = delivery.outcome else {
                Issue.record("\(delivery)")
                return
            }
            #expect(stored.keptBytes > 0)
            #expect(log.asked.count == 1)
            #expect((isApart ? log.quarantined : log.stored).map(\.name) == ["a.bin"])
            #expect((isApart ? log.stored : log.quarantined).isEmpty)
            #expect(try Data(contentsOf: root.appending(path: "other/a.bin")) == data)
            #expect(names(root.appending(path: "inbox")).isEmpty)
        }
    }

    @Test("an interrupted item is no permit: the decision is asked for again, and may decline it")
    func resumedItemIsAskedAgain() async throws {
        try await withReceiver { _, _ in
            .accept
        } again: { offer in
            #expect(offer.items.map(\.title) == ["a.bin"])
            return .decline(detail: "Not any more.")
        } _: { node, peer, root, log in
            let file = root.appending(path: "a.bin")
            try Data(noise(16 << 20, seed: 3)).write(to: file)
            let port = try #require(peer.name.split(separator: ":").last.flatMap { UInt16($0) })
            let relay = try Relay(to: port, cutting: [12 << 20])
            var options = Node.SendOptions()
            options.retry = .zero
            let through = try await node.find("127.0.0.1:\(relay.port)")
            await #expect(throws: NodeError.self) {
                _ = try await node.send([.file(at: file.path)], to: through, options: options)
            }
            let delivery = try await node.send([.file(at: file.path)], to: peer)[0]
            guard case .declined(let decline, _) = delivery.outcome else {
                Issue.record("\(delivery)")
                return
            }
            #expect(decline.detail == "Not any more.")
            #expect(names(root.appending(path: "inbox")).isEmpty)
        }
    }

    @Test(
        "an item comes under the name that was accepted, after beginning under any other",
        arguments: [
            ("public.jpeg", "holiday.jpg", "run.sh", "holiday.jpg"),
            ("public.data", "holiday.jpg", "run", "holiday.jpg"),
            ("public.jpeg", nil, "run.sh", "run.sh.jpeg"), ("public.jpeg", nil, "holiday.jpg", "holiday.jpg"),
            ("public.data", nil, "liar", "liar"),
        ] as [(String, String?, String, String)])
    func acceptedNames(type: String, offered: String?, begun: String, stored: String) throws {
        let form = try OfferedRepresentation(
            type: OfferedType(identifier: type), channel: .file, size: 1, suggestedName: offered)
        #expect(try FileName(begun).accepted(with: form).text == stored)
    }

    @Test("a question has only the items that are to be asked about")
    func asking() async throws {
        try await withReceiver { offer, _ in
            let policy = Decision(for: offer) { $0.title == "b" ? .ask : .take() }
            let none = await Decision.accept.asking(about: offer) { _ in
                Issue.record("there was nothing to ask about")
                return .accept
            }
            #expect(none == .accept)
            return await policy.asking(about: offer) { asked in
                #expect(asked.items.map(\.title) == ["b"])
                return .decline(detail: "The person there said no.")
            }
        } _: { node, peer, root, _ in
            let deliveries = try await node.send(["a", "b", "c"].map(Self.text), to: peer)
            #expect(deliveries.map(\.isStored) == [true, false, true])
            #expect(names(root.appending(path: "inbox")) == ["a.txt", "c.txt"])
        }
    }

    @Test("an item of a peer with another's name is taken only by a person's decision for that very key")
    func namesakes() async throws {
        try await withReceiver { offer, root in
            Decision(for: offer) { item in
                switch item.title {
                case "seen": .take(asNamesake: true)
                case "apart": .take(into: .quarantine(root.appending(path: "apart").path))
                default: .take()
                }
            }
        } _: { node, peer, root, log in
            #expect(try await node.send([Self.text("first")], to: peer)[0].isStored)
            let other = try Node(blocking: .onLoopback("sender", home: root.appending(path: "other-sender")))
            let deliveries = try await other.send(["a", "seen", "apart"].map(Self.text), to: peer)
            #expect(deliveries.map(\.isStored) == [false, true, false])
            #expect(log.declined.count == 2 && log.declined.allSatisfy { $0.contains("known here with the key") })
            #expect(names(root.appending(path: "inbox")) == ["first.txt", "seen.txt"])
            #expect(names(root.appending(path: "apart")).isEmpty)
        }
    }

    @Test("values lie in no folder, so a decision that names one takes nothing")
    func valuesHaveNoFolder() async throws {
        try await Pair.with { pair in
            let apart = pair.root.appending(path: "apart")
            let (declines, feed) = AsyncStream.makeStream(of: String.self)
            try await pair.whileReceiving { node, events in
                let values = node.receive(
                    String.self, decide: { _ in Decision(.take(into: .quarantine(apart.path))) },
                    events: { event in
                        if case .declined(_, let reason) = event { feed.yield(reason) }
                        events(event)
                    })
                for try await _ in values { Issue.record("a value came") }
            } _: { node, peer in
                let delivery = try await node.send("hello", to: peer)
                #expect(!delivery.isStored)
                for await reason in declines {
                    #expect(reason.contains("folder"))
                    break
                }
                #expect(!FileManager.default.fileExists(atPath: apart.path))
            }
        }
    }

    @Test(
        "an item that is taken for its type is no folder, has the type's extension, and cannot be run",
        arguments: [false, true])
    func takenByType(isDecided: Bool) async throws {
        try await withReceiver(accepting: isDecided ? nil : [.image]) { _, _ in
            Decision(.take(types: isDecided ? [.image] : nil))
        } _: { node, peer, root, _ in
            let program = root.appending(path: "evil.sh")
            try Data("#!/bin/sh\n".utf8).write(to: program)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
            var items: [Item] = []
            for type in [UTType.png, .image] {
                items.append(Item(title: "x", representations: [try await .file(at: program.path, contentType: type)]))
            }
            if !isDecided {
                let folder = root.appending(path: "folder")
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                items.append(Item(title: "x", representations: [try await .file(at: folder.path, contentType: .png)]))
            }
            let deliveries = try await node.send(items, to: peer)
            #expect(deliveries.map(\.isStored) == [true, true] + (isDecided ? [] : [false]))
            let inbox = root.appending(path: "inbox")
            #expect(names(inbox) == ["evil.sh.data", "evil.sh.png"])
            for name in names(inbox) {
                let path = inbox.appending(path: name).path
                let attributes = try FileManager.default.attributesOfItem(atPath: path)
                #expect((attributes[.posixPermissions] as? Int ?? 0o111) & 0o111 == 0, "\(name)")
            }
        }
    }
}
