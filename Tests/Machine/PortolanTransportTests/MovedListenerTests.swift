import PortolanCrypto
import PortolanDiscovery
import PortolanProtocol
import PortolanTrust
import PortolanValues
import Testing

@testable import PortolanTransport

/// A listener whose port changes while it has sessions.
@Suite(.timeLimit(.minutes(20))) struct MovedListenerTests {
    @Test("a port that the listener left still accepts lanes but no sessions, and is closed with the last session")
    func sessionContinuesOnTheFormerPort() async throws {
        try await SessionPair.with { pair in
            let former = pair.listener.port
            try pair.listener.move(to: 0, interfaces: ["lo"])
            let port = pair.listener.port
            #expect(port != former)
            try await connect(to: former).close(Message.Close(.cancelled))
            pair.listener.leaveFormerPorts()

            let (sending, receiving) = try await pair.lane(0)
            await #expect(throws: (any Error).self) { try await connect(to: former) }
            let other = try await connect(to: port)
            withExtendedLifetime((sending, receiving)) {}

            pair.sender.close(Message.Close(.cancelled))
            pair.receiver.close(Message.Close(.cancelled))
            try await ListeningSocket.awaitFree(former)
            other.close(Message.Close(.cancelled))
        }
    }

    @Test("a listener can return to a port that it left, while a session still uses the port for lanes")
    func comesBack() async throws {
        try await SessionPair.with { pair in
            let former = pair.listener.port
            try pair.listener.move(to: 0, interfaces: ["lo"])
            pair.listener.leaveFormerPorts()
            let between = pair.listener.port
            try pair.listener.move(to: former, interfaces: ["lo"])
            #expect(pair.listener.port == former)
            pair.listener.leaveFormerPorts()
            try await connect(to: former).close(Message.Close(.cancelled))
            // Only the other port is closed when the sessions of its first time at that port end.
            pair.sender.close(Message.Close(.cancelled))
            pair.receiver.close(Message.Close(.cancelled))
            try await ListeningSocket.awaitFree(between)
            try await connect(to: former).close(Message.Close(.cancelled))
        }
    }

    @Test("a listener stays where it is when the other port is taken, or is its own")
    func listenerStaysIfThePortIsTaken() async throws {
        let socket = try ListeningSocket.open(port: 0, interface: "lo")
        defer { socket.close() }
        try await SessionPair.with { pair in
            let port = pair.listener.port
            let error = #expect(throws: TransportError.self) {
                try pair.listener.move(to: socket.port, interfaces: ["lo"])
            }
            #expect(error?.description.contains("Port \(socket.port) is taken") == true)
            try pair.listener.move(to: port, interfaces: ["lo"])
            pair.listener.leaveFormerPorts()
            #expect(pair.listener.port == port)
            try await connect(to: port).close(Message.Close(.cancelled))
        }
    }

    private var timing: SessionDeadlines { SessionDeadlines(offerDeadline: .seconds(600), silence: .seconds(600)) }

    private func connect(to port: UInt16) async throws -> Session {
        try await Connector(identity: identity("other"), timing: timing).connect(
            to: [NetworkAddress(ip: .v4(0x7F00_0001), port: port)], opening: .open
        ) { _ in }
    }

    private func identity(_ name: String) throws -> LocalIdentity {
        LocalIdentity(DeviceIdentity(name: try DeviceName(name), key: .generate()))
    }
}

extension ListeningSocket {
    /// Waits until no process listens on a port.
    fileprivate static func awaitFree(_ port: UInt16) async throws {
        while true {
            do {
                return try open(port: port, interface: "lo").close()
            } catch TransportError.portUnavailable {
                try await Task.sleep(for: .milliseconds(5))
            }
        }
    }
}
