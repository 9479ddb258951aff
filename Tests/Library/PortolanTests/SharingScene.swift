import Foundation
import NodeTestSupport
import Synchronization
import Testing

@testable import Portolan

/// A node that shares two files separately, and one that fetches.
struct SharingScene: Sendable {
    let root: URL
    let holder: Node
    let requester: Node
    /// Shares the first file.
    let sharing: Task<Void, any Error>
    private let other: Task<Void, any Error>
    private let peer: Peer
    private let told = Withdrawals()

    private final class Withdrawals: Sendable {
        let titles = Mutex<[String]>([])
    }

    /// Titles of the items of which the holder got the event that they were withdrawn.
    var withdrawn: [String] { told.titles.withLock(\.self) }

    var file: URL { root.appending(path: "a.txt") }

    static func with(_ body: (SharingScene) async throws -> Void) async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "portolan-listed-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: root) }
        let scene = try await SharingScene(below: root)
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
        let tasks = try ["a.txt", "b.txt"].map { [holder, told] name in
            let file = root.appending(path: name)
            try Data("See you at five.".utf8).write(to: file)
            return Task {
                try await holder.share([.file(at: file.path)]) { event in
                    switch event {
                    case .node(.listening(let port, _, _)): feed.yield(port)
                    case .withdrawn(_, let title, _): told.titles.withLock { $0.append(title) }
                    default: break
                    }
                }
            }
        }
        (sharing, other) = (tasks[0], tasks[1])
        var iterator = ports.makeAsyncIterator()
        let port = try #require(await iterator.next())
        // Both shares report the port.
        _ = await iterator.next()
        peer = try await requester.find("127.0.0.1:\(port)")
    }

    func fetch(
        _ options: Node.ReceiveOptions = Node.ReceiveOptions(),
        choose: @escaping @Sendable ([SharedItem]) throws -> SharedItem
    ) async throws -> ReceivedItem {
        try await requester.fetch(from: peer, into: root.path + "/got", options: options, choose: choose)
    }

    var fetched: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: root.path + "/got").filter { !$0.hasPrefix(".") }
        }
    }
}
