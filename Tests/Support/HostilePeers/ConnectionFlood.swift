import Foundation
import Synchronization

/// Connections that say nothing, from many addresses, opened in rounds on a thread of its own.
package final class ConnectionFlood: Sendable {
    /// Descriptors that it has at a time.
    private static let atOnce = 200

    private struct State {
        var opened = 0
        var isStopped = false
    }

    private let state = Mutex(State())
    private let done = DispatchSemaphore(value: 0)

    /// - Parameter count: how many it opens in all.
    package init(at port: UInt16, count: Int) {
        Thread.detachNewThread { [self] in
            while let round = begin(count) {
                let connections = (0..<Self.atOnce).compactMap { number in
                    try? HostileSocket(port: port, from: UInt32(0x20_0000 | round % 0xFFFF << 4 | number % 16))
                }
                state.withLock { $0.opened += connections.count }
            }
            done.signal()
        }
    }

    /// - Returns: the number of a round; nil when there is none any more.
    private func begin(_ count: Int) -> Int? {
        state.withLock { state in
            state.isStopped || state.opened >= count ? nil : state.opened / Self.atOnce
        }
    }

    /// How many it has opened.
    package var opened: Int { state.withLock(\.opened) }

    /// Waits until all of them were opened.
    package func finish() {
        done.wait()
        done.signal()
    }

    /// Opens no more.
    package func stop() {
        state.withLock { $0.isStopped = true }
        finish()
    }
}
