import Foundation
import Synchronization

/// Silent connections, each from another address, opened in rounds on a thread until stopped.
package final class ConnectionFlood: Sendable {
    /// Number of simultaneous descriptors: more than a node's limit for connections without a handshake.
    private static let atOnce = 300
    private static let addresses = 0xF_0000
    /// Time between two rounds, in microseconds.
    private static let pause: useconds_t = 100_000

    private struct State {
        var opened = 0
        var isStopped = false
    }

    private let state = Mutex(State())
    private let done = DispatchSemaphore(value: 0)

    package init(at port: UInt16) {
        Thread.detachNewThread { [self] in
            var next = 0
            while !state.withLock(\.isStopped) {
                let connections = (0..<Self.atOnce).compactMap { number in
                    try? HostileSocket(port: port, from: UInt32(0x20_0000 + (next + number) % Self.addresses))
                }
                next += Self.atOnce
                state.withLock { $0.opened += connections.count }
                // The rate is limited to a few thousand a second, to leave processor time to others.
                usleep(Self.pause)
            }
            done.signal()
        }
    }

    /// Number of opened connections.
    package var opened: Int { state.withLock(\.opened) }

    /// Stops opening connections, and returns afterwards.
    package func stop() {
        state.withLock { $0.isStopped = true }
        done.wait()
        done.signal()
    }
}
