import Glibc
import PortolanCrypto
import PortolanDiscovery

@testable import PortolanTransport

/// Two ends of a TCP connection over loopback.
struct SocketPair {
    let initiating: LaneSocket
    let accepted: LaneSocket

    struct Failed: Error {}

    init() throws {
        let listening = try ListeningSocket.open(port: 0, interface: "lo")
        defer { listening.close() }
        let address = NetworkAddress(ip: .v4(0x7F00_0001), port: listening.port)
        initiating = try LaneSocket(to: address)
        try initiating.connect(until: .now + .seconds(120))
        var waiting = pollfd(fd: listening.descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, 30_000) == 1 else { throw Failed() }
        let descriptor = accept(listening.descriptor, nil, nil)
        guard descriptor >= 0 else { throw Failed() }
        accepted = LaneSocket(taking: descriptor)
    }
}

/// A lane over loopback, and the socket at its receiving end.
struct LanePair {
    let sending: SendingLane
    let receiving: ReceivingLane
    let sockets: SocketPair

    static let secret = SecretBytes(copying: Array(repeating: 7, count: 32))

    init(suite: RecordSuite = .chacha20poly1305, broke: @escaping @Sendable (any Error) -> Void = { _ in }) throws {
        sockets = try SocketPair()
        sending = SendingLane(
            socket: sockets.initiating, sealer: RecordSealer(secret: Self.secret, suite: suite), broke: broke)
        receiving = ReceivingLane(
            socket: sockets.accepted, opener: RecordOpener(secret: Self.secret, suite: suite), broke: broke)
    }
}
