import Foundation
import NodeTestSupport
import Portolan
import PortolanProtocol
import TestSupport
import Testing

/// Two nodes in this process, over loopback.
@Suite(.serialized) struct SendingTests {
    @Test("a value arrives as a value of the same type")
    func sendsValues() async throws {
        let recipe = Recipe(title: "Pancakes", steps: ["Mix.", "Fry."])
        try await Pair.with { pair in
            let received = try await pair.receive(Recipe.self) { node, peer in
                let delivery = try await node.send(recipe, to: peer)
                #expect(delivery.isStored)
            }
            #expect(received.value.title == recipe.title)
            #expect(received.value.steps == recipe.steps)
            #expect(received.peer.name == "sender")
            #expect(received.restriction == .everyone)
        }
    }

    @Test("a receiver that cannot import the first form takes the next one, and the first is never produced")
    func takesTheFirstImportableForm() async throws {
        try await Pair.with { pair in
            let rich = Note.Counter()
            let received = try await pair.receive(String.self) { node, peer in
                let delivery = try await node.send(Note(text: "plain", counter: rich), to: peer)
                guard case .stored(_, let representation) = delivery.outcome else {
                    Issue.record("\(delivery.outcome)")
                    return
                }
                #expect(representation == 1)
            }
            #expect(received.value == "plain")
            #expect(rich.count == 0)
        }
    }

    @Test("a form that cannot be produced gives way to the next")
    func fallsBackWhenAnExporterFails() async throws {
        try await Pair.with { pair in
            let received = try await pair.receive(String.self) { node, peer in
                let item = Item(
                    title: "note",
                    representations: [
                        .produced(.utf8PlainText) { throw Broken() },
                        .data(Data("second".utf8), contentType: .utf8PlainText),
                    ])
                let events = Events()
                let delivery = try await node.send([item], to: peer) { events.append($0) }[0]
                #expect(delivery.isStored)
                #expect(
                    events.all.contains { event in
                        guard case .broke(let transfer, 0, let reason) = event else { return false }
                        return transfer.item == 0 && reason == "broken"
                    })
            }
            #expect(received.value == "second")
        }
    }

    @Test("a form that the receiver's importer refuses gives way to the next")
    func fallsBackWhenAnImporterFails() async throws {
        try await Pair.with { pair in
            let received = try await pair.receive(Recipe.self) { node, peer in
                let item = Item(
                    title: "recipe",
                    representations: [
                        .data(Data("not JSON".utf8), contentType: Recipe.type),
                        .data(Data(#"{"title":"Soup","steps":[]}"#.utf8), contentType: Recipe.type),
                    ])
                let delivery = try await node.send([item], to: peer)[0]
                #expect(delivery.isStored)
            }
            #expect(received.value.title == "Soup")
        }
    }

    @Test("a refusal reaches the sender with its reason")
    func reportsTheReasonOfADecline() async throws {
        try await Pair.with { pair in
            try await pair.decline("Not today.", String.self) { node, peer in
                let delivery = try await node.send("hello", to: peer)
                guard case .declined(let decline, _) = delivery.outcome else {
                    Issue.record("\(delivery.outcome)")
                    return
                }
                #expect(decline.reason == .notWanted)
                #expect(decline.detail == "Not today.")
            }
        }
    }

    @Test("having nothing in common is told apart from a refusal")
    func reportsThatNoFormIsImportable() async throws {
        try await Pair.with { pair in
            try await pair.decline("", String.self) { node, peer in
                let item = Item(title: "image", representations: [.data(Data([1]), contentType: .png)])
                guard case .declined(let decline, _) = try await node.send([item], to: peer)[0].outcome else { return }
                #expect(decline.reason == .nothingInCommon)
            }
        }
    }

    @Test("a file that vanished after it was offered is the sender's trouble, and is said so")
    func reportsVanishedSources() async throws {
        try await Pair.with { pair in
            let file = pair.root.appending(path: "gone.txt")
            try Data("x".utf8).write(to: file)
            let item = try await Item.file(at: file.path)
            try FileManager.default.removeItem(at: file)
            try await pair.decline("", Data.self, accepting: true) { node, peer in
                guard case .failed(_, let trouble?) = try await node.send([item], to: peer)[0].outcome else {
                    Issue.record("nothing was said of it")
                    return
                }
                #expect(trouble.contains("gone.txt"))
            }
        }
    }

    @Test("a file that shrinks while it is sent is not stored, and is said so")
    func reportsShrinkingSources() async throws {
        try await Pair.with { pair in
            let file = pair.root.appending(path: "shrinking.bin")
            try Data(noise(16 << 20, seed: 6)).write(to: file)
            let item = try await Item.file(at: file.path)
            try await pair.decline("", Data.self, accepting: true) { node, peer in
                var options = Node.SendOptions()
                options.rateLimit = 4 << 20
                let deliveries = try await node.send([item], to: peer, options: options) { event in
                    if case .progress = event { truncate(file.path, 1) }
                }
                guard case .failed(let failure, let trouble?) = deliveries[0].outcome else {
                    Issue.record("\(deliveries[0].outcome)")
                    return
                }
                #expect(failure.cause == .source)
                #expect(trouble.contains("shrinking.bin"))
            }
        }
    }

    @Test("a form that this peer may not see is not offered, and an item without another one is not there at all")
    func hidesItemsForNobody() async throws {
        try await Pair.with { pair in
            let received = try await pair.receive(String.self) { node, peer in
                let secret = Item(
                    title: "secret", representations: [.data(Data(), contentType: .utf8PlainText, visibility: .team)])
                let mixed = Item(
                    title: "mixed",
                    representations: [
                        .data(Data("secret".utf8), contentType: .utf8PlainText, visibility: .ownProcess),
                        .data(Data("open".utf8), contentType: .utf8PlainText),
                    ])
                let deliveries = try await node.send([secret, mixed], to: peer)
                guard case .hidden = deliveries[0].outcome, case .stored(_, representation: 1) = deliveries[1].outcome
                else {
                    Issue.record("\(deliveries)")
                    return
                }
            }
            #expect(received.value == "open")
            #expect(received.title == "mixed")
        }
    }

    @Test("a large value goes through a file and arrives whole")
    func sendsLargeData() async throws {
        try await Pair.with { pair in
            let data = Data((0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            let received = try await pair.receive(Data.self) { node, peer in
                let delivery = try await node.send(data, to: peer)
                #expect(delivery.isStored)
            }
            #expect(received.value == data)
        }
    }
}
