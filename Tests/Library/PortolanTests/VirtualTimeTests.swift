import Foundation
import NodeTestSupport
import PortolanCrypto
import PortolanTransport
import PortolanValues
import Testing

@testable import Portolan

/// Parts of a node with a clock that moves only when the test says so.
@Suite struct VirtualTimeTests {
    private let clock = ManualClock()

    private func withNode(
        findWait: Duration = .seconds(300), _ body: (Node, SimulatedLink) async throws -> Void
    ) async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "portolan-time-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        let link = SimulatedLink()
        let runtime = Runtime(clock: clock)
        try await body(link.node("ada", home: root, findWait: findWait, runtime: runtime), link)
    }

    @Test("a node's knowledge of others holds for five seconds, and is read again then")
    func memory() async throws {
        try await withNode { node, link in
            let key = DeviceKey.generate().publicKey
            try link.plant("ben", Fingerprint(of: key), port: 1)
            var snapshots = node.peers().makeAsyncIterator()
            func benIsKnown(among count: Int) async throws -> Bool {
                while let snapshot = await snapshots.next() {
                    guard snapshot.peers.count == count else { continue }
                    return try #require(snapshot.peers.first { $0.name == "ben" }).isKnown
                }
                throw CancellationError()
            }
            #expect(try await !benIsKnown(among: 1))

            _ = try node.store.peers.remember(name: DeviceName("ben"), key: key, now: .now)
            clock.advance(by: .seconds(5))
            try link.plant("cleo", Fingerprint(of: DeviceKey.generate().publicKey), port: 2)
            #expect(try await !benIsKnown(among: 2), "the memory is as old as that, and no older")

            clock.advance(by: .milliseconds(1))
            try link.plant("dora", Fingerprint(of: DeviceKey.generate().publicKey), port: 3)
            #expect(try await benIsKnown(among: 3))
        }
    }

    @Test("a peer that is not there is looked for as long as the configuration says", arguments: [5, 3600])
    func search(seconds: Int) async throws {
        try await withNode(findWait: .seconds(seconds)) { node, _ in
            let search = Task { try await node.find("nobody") }
            // The search is the only sleeper.
            var sleeps = clock.sleeps.makeAsyncIterator()
            #expect(await sleeps.next() == .seconds(seconds))
            clock.advance(by: .seconds(seconds))
            let error = await #expect(throws: NodeError.self) { try await search.value }
            #expect(error?.kind == .unreachable)
            #expect(error?.description.contains("within \(seconds) s") == true)
        }
    }

    @Test("a search that fails because a file is unreadable is reported, and begun again after five seconds")
    func unreadable() async throws {
        try await withNode { node, link in
            let key = DeviceKey.generate().publicKey
            _ = try node.store.peers.remember(name: DeviceName("ben"), key: key, now: .now)
            try link.plant("ben", Fingerprint(of: key), port: 1)
            var snapshots = node.peers().makeAsyncIterator()
            func snapshot(_ isMeant: (PeerSnapshot) -> Bool) async throws -> PeerSnapshot {
                while let snapshot = await snapshots.next() {
                    if isMeant(snapshot) { return snapshot }
                }
                throw CancellationError()
            }
            let first = try await snapshot { $0.peers.count == 1 }
            #expect(first.problem == nil)

            let file = node.configuration.home.data + "/known-peers.json"
            let text = try #require(FileManager.default.contents(atPath: file))
            try FileManager.default.removeItem(atPath: file)
            try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
            clock.advance(by: .seconds(6))
            try link.plant("cleo", Fingerprint(of: DeviceKey.generate().publicKey), port: 2)
            let failed = try await snapshot { $0.problem != nil }
            #expect(failed.peers.isEmpty && failed.isSettled && failed.note == failed.problem)

            // A second attempt fails, too; the third one finds a file again.
            var sleeps = clock.sleeps.makeAsyncIterator()
            #expect(await sleeps.next() == .seconds(5))
            clock.advance(by: .seconds(5))
            #expect(await sleeps.next() == .seconds(10))
            try FileManager.default.removeItem(atPath: file)
            try text.write(to: URL(fileURLWithPath: file))
            #expect(chmod(file, 0o600) == 0)
            clock.advance(by: .seconds(10))
            let whole = try await snapshot { $0.peers.count == 2 }
            #expect(whole.problem == nil && whole.peers.contains { $0.name == "ben" && $0.isKnown })
        }
    }

    @Test("the date of virtual time goes on as its clock does")
    func date() {
        let runtime = Runtime(clock: clock)
        let before = runtime.date
        clock.advance(by: .seconds(366 * 86400))
        #expect(abs(runtime.date.timeIntervalSince(before) - 366 * 86400) < 86400)
    }
}
