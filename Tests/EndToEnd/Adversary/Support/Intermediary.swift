import Foundation
import Glibc
import HostilePeers
import Synchronization

/// Relay between two nodes, which every byte passes, and which keeps, changes, drops or sends back bytes.
final class Intermediary: Sendable {
    /// Direction of bytes.
    enum Direction: Hashable, Sendable {
        case toTarget, toCaller
    }

    /// Bytes in transit.
    struct Piece: Sendable {
        /// Number of the connection; 0 is the session, others are its lanes.
        let connection: Int
        let direction: Direction
        /// Number of earlier bytes in the same direction.
        let offset: Int
        let bytes: [UInt8]
    }

    /// Bytes to pass on in place of a piece, and bytes to send back to its sender.
    typealias Meddling = @Sendable (Piece) -> (on: [UInt8], back: [UInt8])

    /// Port to connect to instead of the target.
    let port: UInt16
    private let listener: CInt
    private let target: @Sendable (Int) -> UInt16
    private let meddling: Meddling
    private let state = Mutex(State())

    private struct State {
        var connections = 0
        var open: [CInt] = []
        var seen: [Piece] = []
        var hasMeddled = false
    }

    /// - Parameter target: port on this machine for each connection, by its number.
    init(
        to target: @escaping @Sendable (Int) -> UInt16, meddling: @escaping Meddling = { (on: $0.bytes, back: []) }
    ) throws {
        self.target = target
        self.meddling = meddling
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in.loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 64) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard isListening else { throw HostileSocket.Gone() }
        self.listener = listener
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [weak self] in
            while case let caller = accept(listener, nil, nil), caller >= 0 {
                guard let self else { return _ = close(caller) }
                serve(caller)
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
        for descriptor in state.withLock(\.open) { close(descriptor) }
    }

    /// All bytes in one direction of a connection, before they were changed.
    func bytes(_ direction: Direction, of connection: Int = 0) -> [UInt8] {
        state.withLock { $0.seen.filter { $0.connection == connection && $0.direction == direction }.flatMap(\.bytes) }
    }

    /// All bytes that passed, in either direction.
    var everything: [UInt8] { state.withLock { $0.seen.flatMap(\.bytes) } }

    var connections: Int { state.withLock(\.connections) }

    /// Ends all connections.
    func cut() { for descriptor in state.withLock(\.open) { shutdown(descriptor, Int32(SHUT_RDWR)) } }

    /// True if bytes were changed, dropped or sent back.
    var hasMeddled: Bool { state.withLock(\.hasMeddled) }

    /// Ends all connections a second after a change: after a change of a length, one side would wait for ever.
    func cutOnceMeddled() -> Task<Void, any Error> {
        Task {
            while !hasMeddled { try await Task.sleep(for: .milliseconds(10)) }
            try await Task.sleep(for: .seconds(1))
            cut()
        }
    }

    private func serve(_ caller: CInt) {
        let number = state.withLock { state in
            defer { state.connections += 1 }
            return state.connections
        }
        let called = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in.loopback(port: target(number))
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(called, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        state.withLock { $0.open += [caller, called] }
        guard isConnected else { return _ = shutdown(caller, Int32(SHUT_RDWR)) }
        Thread.detachNewThread { self.pass(.toTarget, number, from: caller, to: called) }
        Thread.detachNewThread { self.pass(.toCaller, number, from: called, to: caller) }
    }

    private func pass(_ direction: Direction, _ number: Int, from source: CInt, to sink: CInt) {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        var offset = 0
        while case let count = recv(source, &buffer, buffer.count, 0), count > 0 {
            let piece = Piece(
                connection: number, direction: direction, offset: offset, bytes: Array(buffer[..<count]))
            offset += count
            let (on, back) = meddling(piece)
            state.withLock { state in
                state.seen.append(piece)
                if on != piece.bytes || !back.isEmpty { state.hasMeddled = true }
            }
            guard Self.send(on, to: sink), Self.send(back, to: source) else {
                for descriptor in [source, sink] { shutdown(descriptor, Int32(SHUT_RDWR)) }
                return
            }
        }
        shutdown(sink, Int32(SHUT_WR))
    }

    private static func send(_ bytes: [UInt8], to descriptor: CInt) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }
}
