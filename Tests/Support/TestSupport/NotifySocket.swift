import Foundation
import Glibc

/// Socket of a service manager, for sd_notify(3).
public final class NotifySocket: Sendable {
    /// Value of NOTIFY_SOCKET for this socket.
    public let name: String
    private let socket: Int32

    public struct Failure: Error {
        public let code: Int32
    }

    /// - Parameter path: path of the socket; nil for the abstract namespace.
    public init(at path: String?) throws {
        name = path ?? "@portolan-test-\(UUID())"
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var bytes = Array(name.utf8)
        if path == nil { bytes[0] = 0 }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count + (path == nil ? 0 : 1))
        let result = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, length) }
        }
        guard result == 0 else { throw Failure(code: errno) }
    }

    deinit { close(socket) }

    /// Returns the lines of the next datagram; nil if there is none.
    public func next() -> [String]? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(socket, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        guard count >= 0 else { return nil }
        return String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Returns all pending datagrams.
    public func drain() -> [[String]] {
        var all: [[String]] = []
        while let lines = next() { all.append(lines) }
        return all
    }
}
