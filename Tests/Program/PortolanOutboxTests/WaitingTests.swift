import Foundation
import NodeTestSupport
import PortolanTransport
import PortolanTrust
import Synchronization
import Testing

@testable import Portolan
@testable import PortolanOutbox

/// Sends to an absent peer, with a clock that the test moves.
@Suite struct WaitingTests {
    private let clock = ManualClock()
    /// Port on which nothing listens.
    private let target = "127.0.0.1:1"

    private final class Log: Sendable {
        private let counts = Mutex((absent: 0, found: 0))

        var absent: Int { counts.withLock { $0.absent } }
        var found: Int { counts.withLock { $0.found } }

        func add(_ event: RegisteredSender.Event) {
            counts.withLock { counts in
                switch event {
                case .absent: counts.absent += 1
                case .found: counts.found += 1
                case .peer, .member, .kept: break
                }
            }
        }
    }

    private func withSending(_ body: (RegisteredSender, Log) async throws -> Void) async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "portolan-waiting-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        var configuration = try Node.Configuration.onLoopback("ada", home: root)
        configuration.offerDeadline = .seconds(10)
        configuration.runtime = Runtime(clock: clock)
        let node = try Node(blocking: configuration)
        let items = [Item(title: "it", representations: [.data(Data("it".utf8), contentType: .utf8PlainText)])]
        let running = TransferRegister(configuration.home).begin(items, to: target, as: nil, from: "/")
        let sending = RegisteredSender(
            .items(items, batch: .random()), to: ParcelTarget(target), from: node, options: .init(), as: running,
            patience: .seconds(600))
        // Waits are over at once.
        let time = Task { [clock] in for await length in clock.sleeps { clock.advance(by: max(length, .zero)) } }
        defer { time.cancel() }
        try await body(sending, Log())
    }

    @Test("the search and the connection have one time")
    func oneTime() async throws {
        try await withSending { sending, log in
            let peer = try await sending.find { _ in }
            clock.advance(by: .seconds(600))
            let error = await #expect(throws: NodeError.self) { try await sending.run(at: peer) { log.add($0) } }
            #expect(error?.description.hasPrefix("After waiting for 10m: ") == true)
            #expect(log.absent == 0 && log.found == 1)
        }
    }

    @Test("a peer that is found again and again, and does not answer, is told of once")
    func toldOnce() async throws {
        try await withSending { sending, log in
            let error = await #expect(throws: NodeError.self) { try await sending.run { log.add($0) } }
            #expect(error?.description.hasPrefix("After waiting for 10m: ") == true)
            #expect(log.absent == 1 && log.found == 1)
        }
    }
}
