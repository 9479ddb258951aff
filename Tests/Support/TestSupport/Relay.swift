import Foundation
import Glibc
import Synchronization

/// TCP relay on the loopback interface that can break its connections.
public final class Relay: Sendable {
    /// Port to connect to instead of the target.
    public let port: UInt16

    private struct State {
        var target: UInt16
        /// Number of bytes to the target, over all connections.
        var bytes = 0
        /// Numbers of bytes at which all connections are broken, in ascending order.
        var cuts: [Int]
        var open: [ObjectIdentifier: Connection] = [:]
        var connections = 0
    }

    private let listener: CInt
    private let state: Mutex<State>

    /// - Parameters:
    ///   - target: port on the loopback interface to which connections are relayed.
    ///   - cuts: total numbers of bytes to the target at which every connection is broken.
    public init(to target: UInt16, cutting cuts: [Int]) throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = Self.loopback(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 16) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard isListening else { throw HostsError("no port for a relay: \(String(cString: strerror(errno)))") }
        port = UInt16(bigEndian: address.sin_port)
        state = Mutex(State(target: target, cuts: cuts))
        Thread.detachNewThread { [weak self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0, let relay = self else { return }
                relay.serve(client)
            }
        }
    }

    deinit {
        // This ends the wait for connections before the descriptor's number can be reused.
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    /// Number of accepted connections so far.
    public var connections: Int { state.withLock(\.connections) }

    /// Number of bytes to the target so far, over all connections.
    public var bytes: Int { state.withLock(\.bytes) }

    /// Relays later connections to another port.
    public func redirect(to target: UInt16) {
        state.withLock { $0.target = target }
    }

    /// Number of open connections.
    public var openConnections: Int { state.withLock(\.open.count) }

    /// Keeps the connections open, without relaying further bytes.
    public func mute() {
        for connection in state.withLock({ $0.open.values }) { connection.isMute.store(true, ordering: .relaxed) }
    }

    /// Breaks every connection.
    public func cut() {
        for connection in state.withLock({ $0.open.values }) { connection.end() }
    }

    private func serve(_ client: CInt) {
        let target = state.withLock(\.target)
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = Self.loopback(target)
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else {
            close(server)
            close(client)
            return
        }
        let connection = Connection(client: client, server: server)
        state.withLock { state in
            state.connections += 1
            state.open[ObjectIdentifier(connection)] = connection
        }
        Thread.detachNewThread {
            connection.pump(from: client, to: server) { self.count($0) }
            self.state.withLock { $0.open[ObjectIdentifier(connection)] = nil }
        }
        Thread.detachNewThread { connection.pump(from: server, to: client) { _ in } }
    }

    private func count(_ bytes: Int) {
        let isDue = state.withLock { state in
            state.bytes += bytes
            guard let next = state.cuts.first, state.bytes >= next else { return false }
            state.cuts.removeFirst()
            return true
        }
        if isDue { cut() }
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        return address
    }
}

/// Both ends of a relayed connection; closed when no thread copies any more.
private final class Connection: Sendable {
    private let client: CInt
    private let server: CInt
    let isMute = Atomic(false)

    init(client: CInt, server: CInt) {
        self.client = client
        self.server = server
    }

    deinit {
        close(client)
        close(server)
    }

    func end() {
        shutdown(client, Int32(SHUT_RDWR))
        shutdown(server, Int32(SHUT_RDWR))
    }

    func pump(from source: CInt, to sink: CInt, count: (Int) -> Void) {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let received = recv(source, &buffer, buffer.count, 0)
            guard received > 0 else { break }
            if isMute.load(ordering: .relaxed) { continue }
            var sent = 0
            while sent < received {
                let written = buffer.withUnsafeBytes {
                    send(sink, $0.baseAddress! + sent, received - sent, Int32(MSG_NOSIGNAL))
                }
                guard written > 0 else { return end() }
                sent += written
            }
            count(received)
        }
        end()
    }
}
