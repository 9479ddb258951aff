import Foundation
import NodeTestSupport
import Portolan
import PortolanControls
import PortolanProtocol
import Synchronization
import Testing

private struct Thumbnail: Transferable {
    var size = 100

    static var transferRepresentation: some TransferRepresentation {
        ProxyRepresentation { (_: Thumbnail) in "not a picture" }
        DataRepresentation(exportedContentType: .tiff) { _ in Data(repeating: 1, count: 1 << 20) }
        DataRepresentation(exportedContentType: .png) { Data(repeating: 2, count: $0.size) }
    }
}

@Suite(.serialized) struct ShareTests {
    @Test("the module brings the Image that a preview is made of")
    func imageComesWithTheModule() {
        #expect(throws: (any Error).self) { SharePreview("A picture", image: try Image(data: Data())) }
    }

    /// Returns the items that the receiver is shown of a sending.
    private func shown(
        _ send: @escaping @Sendable (Node, Peer) async throws -> Void
    ) async throws -> [IncomingOffer.Item] {
        let offers = Mutex<[IncomingOffer]>([])
        try await Pair.with { pair in
            try await pair.whileReceiving { node, events in
                let values = node.receive(String.self) { offer in
                    offers.withLock { $0.append(offer) }
                    return .accept
                } events: {
                    events($0)
                }
                for try await _ in values {}
            } _: { node, peer in
                try await send(node, peer)
            }
        }
        return offers.withLock { $0.flatMap(\.items) }
    }

    @Test("title, words, image and icon are shown before anything is sent")
    func showsThePreview() async throws {
        let items = try await shown { node, peer in
            let link = ShareLink(
                item: Note(text: "hello", counter: Note.Counter()), subject: "Harbour", message: "From this morning",
                preview: SharePreview("A note", image: Thumbnail(), icon: Thumbnail(size: 3)))
            let deliveries = try await node.send(link, to: peer)
            #expect(deliveries.map(\.isStored) == [true])
        }
        let item = try #require(items.first)
        #expect(item.title == "A note")
        #expect(item.preview?.message == "Harbour\nFrom this morning")
        #expect(item.preview?.image?.type == "public.png", "the first picture that is small enough")
        #expect(item.preview?.image?.data == Data(repeating: 2, count: 100))
        #expect(item.preview?.icon?.data.count == 3)
    }

    @Test("a picture that is too large is left out, and the item is sent all the same")
    func leavesOutLargePictures() async throws {
        let items = try await shown { node, peer in
            let link = ShareLink(
                item: Note(text: "hello", counter: Note.Counter()),
                preview: SharePreview("A note", image: Thumbnail(size: Limits.picture + 1)))
            let deliveries = try await node.send(link, to: peer)
            #expect(deliveries.map(\.isStored) == [true])
        }
        #expect(items.first?.title == "A note")
        #expect(items.first?.preview == nil)
    }

    @Test("texts and links show themselves; several values are several items of one offer")
    func needsNoPreviewForTexts() async throws {
        let items = try await shown { node, peer in
            let deliveries = try await node.send(ShareLink(items: ["first\nline", "second"]), to: peer)
            #expect(deliveries.map(\.isStored) == [true, true])
        }
        #expect(items.map(\.title) == ["first", "second"])
        #expect(items.allSatisfy { $0.preview == nil })
    }

    @Test("words that are too long are the caller's mistake, said before a connection is made")
    func refusesTooLongMessages() async throws {
        _ = try await shown { node, peer in
            let link = ShareLink(item: "text", message: String(repeating: "m", count: 1025))
            let error = await #expect(throws: NodeError.self) { try await node.send(link, to: peer) }
            #expect(error?.kind == .badInput)
        }
    }
}
