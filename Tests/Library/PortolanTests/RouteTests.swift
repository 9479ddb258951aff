import Foundation
import NodeTestSupport
import Portolan
import Testing
import UniformTypeIdentifiers

/// Several receptions in one node.
@Suite struct RouteTests {
    @Test("two receptions share a port, and each item goes to the first that can take it")
    func shareAPort() async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "portolan-routes-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: root) }
        let node = try Node(blocking: Node.Configuration.onLoopback("receiver", home: root.appending(path: "receiver")))
        let sender = try Node(blocking: Node.Configuration.patient(home: root.appending(path: "sender")))
        let images = try await start(at: node, into: root.appending(path: "images"), [.image])
        let texts = try await start(at: node, into: root.appending(path: "texts"), [.text])
        #expect(images.port == texts.port)

        let peer = try await sender.find("127.0.0.1:\(images.port)")
        let picture = Item(
            title: "picture",
            representations: [.data(Data([1, 2, 3]), contentType: .png, suggestedName: "picture.png")])
        let items = [Item.text("hello", title: "note"), picture, Item.text("again", title: "other")]
        let deliveries = try await sender.send(items, to: peer)
        #expect(deliveries.map(\.isStored) == [true, true, true])
        #expect(try names(in: root.appending(path: "images")) == ["picture.png"])
        #expect(try names(in: root.appending(path: "texts")) == ["note.txt", "other.txt"])

        // The first reception ends; the other one continues at the same port.
        images.task.cancel()
        _ = await images.task.result
        let others = try await sender.send([picture, Item.text("more", title: "more")], to: peer)
        #expect(others.map(\.isStored) == [false, true])
        texts.task.cancel()
        _ = await texts.task.result
    }

    private func start(
        at node: Node, into folder: URL, _ types: [UTType]
    ) async throws -> (port: UInt16, task: Task<Void, any Error>) {
        let (ports, feed) = AsyncStream.makeStream(of: UInt16.self)
        let task = Task {
            try await node.receive(into: folder.path, accepting: types, decide: { _ in .accept }) { event in
                if case .listening(let port, _, _) = event { feed.yield(port) }
            }
        }
        var iterator = ports.makeAsyncIterator()
        return (try #require(await iterator.next()), task)
    }

    private func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") }.sorted()
    }
}
