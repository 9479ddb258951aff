import Foundation
import NodeTestSupport
import Testing

@testable import Portolan

/// Items that change, or are gone, between the moment in which they are listed and that in which they are requested.
@Suite(.timeLimit(.minutes(20))) struct ChangedSinceListedTests {
    @Test("an item that has become larger than it was listed is not fetched")
    func hasGrown() async throws {
        try await Scene.with { scene in
            let error = await #expect(throws: NodeError.self) {
                try await scene.fetch { items in
                    try Data(count: 100_000).write(to: scene.file)
                    return try #require(items.first { $0.title == "a.txt" })
                }
            }
            #expect(error?.kind == .declined, "\(String(describing: error))")
            let fetched = try scene.fetched
            #expect(fetched.isEmpty)
        }
    }

    @Test("an item that has become smaller is fetched as it is")
    func hasShrunk() async throws {
        try await Scene.with { scene in
            let item = try await scene.fetch { items in
                try Data("s".utf8).write(to: scene.file)
                return try #require(items.first { $0.title == "a.txt" })
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: item.path)) == Data("s".utf8))
        }
    }

    @Test("an item that is not shared any more is gone, and the others are still there")
    func isGone() async throws {
        try await Scene.with { scene in
            let error = await #expect(throws: NodeError.self) {
                try await scene.fetch { items in
                    scene.sharing.cancel()
                    while scene.holder.shelf.entries.count > 1 { usleep(1000) }
                    return try #require(items.first { $0.title == "a.txt" })
                }
            }
            #expect(error?.kind == .noInput, "\(String(describing: error))")
            _ = try await scene.fetch { items in try #require(items.count == 1 ? items.first : nil) }
            #expect(try scene.fetched == ["b.txt"])
        }
    }

    /// A node that shares two files, each by itself, and one that fetches.
    private struct Scene: Sendable {
        let root: URL
        let holder: Node
        let requester: Node
        /// Shares the first file.
        let sharing: Task<Void, any Error>
        private let other: Task<Void, any Error>
        private let peer: Peer

        var file: URL { root.appending(path: "a.txt") }

        static func with(_ body: (Scene) async throws -> Void) async throws {
            let root = FileManager.default.temporaryDirectory.appending(path: "portolan-listed-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: root) }
            let scene = try await Scene(below: root)
            defer {
                scene.sharing.cancel()
                scene.other.cancel()
            }
            try await body(scene)
        }

        private init(below root: URL) async throws {
            self.root = root
            holder = try Node(blocking: .onLoopback("holder", home: root.appending(path: "holder")))
            requester = try Node(blocking: .onLoopback("requester", home: root.appending(path: "requester")))
            let (ports, feed) = AsyncStream.makeStream(of: UInt16.self)
            let tasks = try ["a.txt", "b.txt"].map { [holder] name in
                let file = root.appending(path: name)
                try Data("See you at five.".utf8).write(to: file)
                return Task {
                    try await holder.share([.file(at: file.path)]) { event in
                        if case .node(.listening(let port, _, _)) = event { feed.yield(port) }
                    }
                }
            }
            (sharing, other) = (tasks[0], tasks[1])
            var iterator = ports.makeAsyncIterator()
            let port = try #require(await iterator.next())
            // Both shares tell the port.
            _ = await iterator.next()
            peer = try await requester.find("127.0.0.1:\(port)")
        }

        func fetch(choose: @escaping @Sendable ([SharedItem]) throws -> SharedItem) async throws -> ReceivedItem {
            try await requester.fetch(from: peer, into: root.path + "/got", choose: choose)
        }

        var fetched: [String] {
            get throws {
                try FileManager.default.contentsOfDirectory(atPath: root.path + "/got").filter { !$0.hasPrefix(".") }
            }
        }
    }
}
