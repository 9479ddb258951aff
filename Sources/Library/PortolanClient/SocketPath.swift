import Glibc
import NIOCore

/// Path of a Unix socket that fits into an address of the system.
package struct SocketPath: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    /// Longest path, in bytes. Linux would allow 107, other systems, and so NIO, 103.
    package static let limit = 103

    /// - Throws: ``AgentClientError/pathTooLong(_:)`` or ``AgentClientError/invalidPath(_:)``
    package init(_ text: String) throws(AgentClientError) {
        guard text.hasPrefix("/"), !text.hasSuffix("/"), !text.utf8.contains(0) else { throw .invalidPath(text) }
        guard text.utf8.count <= Self.limit else { throw .pathTooLong(text) }
        self.text = text
    }

    package var description: String { text }

    package var folder: String {
        let folder = text[..<(text.lastIndex(of: "/") ?? text.startIndex)]
        return folder.isEmpty ? "/" : String(folder)
    }
}

/// User at the other end of a Unix socket.
package struct PeerUser: Hashable, Sendable {
    package let id: uid_t

    package init(id: uid_t) { self.id = id }

    /// True if this user may use an agent of `owner`, or run the agent for a client of `owner`.
    package func isTrusted(by owner: uid_t = geteuid()) -> Bool { id == owner || id == 0 }

    /// `struct ucred` of the system.
    private struct Credentials: Sendable {
        var process: pid_t
        var user: uid_t
        var group: gid_t
    }

    /// Credentials of the process at the other end, at the time when it connected or began to listen.
    package static func of(_ channel: any Channel) -> EventLoopFuture<PeerUser> {
        guard let provider = channel as? any SocketOptionProvider else {
            return channel.eventLoop.makeFailedFuture(ChannelError.operationUnsupported)
        }
        let credentials: EventLoopFuture<Credentials> = provider.unsafeGetSocketOption(
            level: .socket, name: NIOBSDSocket.Option(rawValue: SO_PEERCRED))
        return credentials.map { PeerUser(id: $0.user) }
    }
}
