import Foundation
import HostilePeers
import NodeTestSupport
import Portolan
import PortolanCrypto
import PortolanDiscovery
import PortolanTrust
import PortolanValues
import Testing
import UniformTypeIdentifiers

/// A node that tries to send to any listener.
enum Sender {
    struct Succeeded: Error {}

    static func home() throws -> URL {
        let home = FileManager.default.temporaryDirectory.appending(path: "portolan-sender-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        return home
    }

    /// Returns the error of sending one item to a receiver that does `hostile`.
    ///
    /// - Parameters:
    ///   - given: the item; otherwise one with a second representation that is hidden.
    ///   - expecting: the fingerprint under which the receiver was advertised.
    static func fails(
        sending item: Item? = nil, home given: URL? = nil, deadline: Duration? = nil,
        answerWait: Duration = .seconds(300), stallWait: Duration = .seconds(300),
        expecting fingerprint: Fingerprint? = nil, _ hostile: @escaping @Sendable (HostilePeer) throws -> Void
    ) async throws -> NodeError {
        let home = try given ?? Self.home()
        defer { if given == nil { try? FileManager.default.removeItem(at: home) } }
        var configuration = try Node.Configuration.patient(home: home)
        configuration.name = try DeviceName("sender")
        if let deadline { configuration.offerDeadline = deadline }
        configuration.answerWait = answerWait
        configuration.stallWait = stallWait
        let node = try Node(blocking: configuration)

        let listener = try HostileListener()
        let finished = listener.serveOne(hostile)
        let item =
            item
            ?? Item(
                title: "secret",
                representations: [
                    .data(Data("for all".utf8), contentType: .utf8PlainText),
                    .data(Data("for the team".utf8), contentType: .html, visibility: .team),
                ])
        let peer = Peer(
            name: "mallory", fingerprint: fingerprint, address: "127.0.0.1", port: listener.port)
        var failure: NodeError?
        do {
            _ = try await node.send([item], to: peer, options: .once)
        } catch let error as NodeError {
            failure = error
        }
        try await finished.value
        guard let failure else { throw Succeeded() }
        return failure
    }
}

extension Node.SendOptions {
    /// Options without retries, because a hostile peer does not come back.
    static var once: Node.SendOptions {
        var options = Node.SendOptions()
        options.retry = .zero
        return options
    }
}

/// Listens on loopback for one connection.
final class HostileListener: Sendable {
    let port: UInt16
    private let socket: CInt
    private let identity: DeviceIdentity?

    /// - Parameter identity: identity of the sender; nil makes a new one.
    init(as identity: DeviceIdentity? = nil) throws {
        self.identity = identity
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in.loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let socket = socket
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(socket, pointer, length) == 0 && listen(socket, 1) == 0
                    && getsockname(socket, pointer, &length) == 0
            }
        }
        guard result else { throw HostileSocket.Gone() }
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit { Glibc.close(socket) }

    /// Stops accepting connections.
    func stop() { shutdown(socket, Int32(SHUT_RDWR)) }

    /// Runs `hostile` with the first connection, on a separate thread.
    func serveOne(_ hostile: @escaping @Sendable (HostilePeer) throws -> Void) -> Task<Void, any Error> {
        let socket = socket
        let identity = identity
        return Task {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                Thread {
                    continuation.resume(
                        with: Result {
                            let connection = accept(socket, nil, nil)
                            guard connection >= 0 else { throw HostileSocket.Gone() }
                            try hostile(HostilePeer(accepted: connection, by: socket, identity: identity))
                        })
                }.start()
            }
        }
    }
}

extension Peer {
    /// A peer as discovery would have found it.
    init(name: String, fingerprint: Fingerprint?, address: String, port: UInt16) {
        let ip = IPAddress(parsing: address) ?? .v4(0)
        self.init(
            name: name, fingerprint: fingerprint,
            addresses: [NetworkAddress(ip: ip, port: port)], foundBy: "address")
    }
}
