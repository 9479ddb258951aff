import Glibc
import PortolanCrypto
import PortolanDiscovery
import PortolanProtocol
import PortolanTrust
import PortolanValues
import Testing

@testable import PortolanTransport

/// Connections that send nothing, in competition with one that sends.
@Suite struct SilentConnectionTests {
    /// A connection that sends nothing, closed when the object is released.
    private final class Silent: Sendable {
        let descriptor: CInt

        /// - Parameter source: the address to come from.
        init(from source: String, to port: UInt16) throws {
            descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
            try #require(descriptor >= 0)
            let own = NetworkAddress(ip: try #require(IPAddress(parsing: source)), port: 0)
            let place = NetworkAddress(ip: .v4(0x7F00_0001), port: port)
            try #require(own.withSocketAddress { bind(descriptor, $0, $1) } == 0)
            try #require(place.withSocketAddress { connect(descriptor, $0, $1) } == 0)
        }

        deinit { close(descriptor) }

        /// True if the other side has closed the connection.
        var isOver: Bool {
            var byte: UInt8 = 0
            return recv(descriptor, &byte, 1, CInt(MSG_DONTWAIT)) == 0
        }
    }

    @Test(
        "sixty silent connections do not block others, whether they come from one address, many or the same as others",
        arguments: ["one", "many", "the same"])
    func aSessionGetsIn(origin: String) async throws {
        // Deadlines play no part: a connection is closed only to make room for another.
        let timing = SessionDeadlines(offerDeadline: .seconds(600), silence: .seconds(600))
        let budget = DescriptorBudget(limit: 64, inUse: 24)
        let listener = try await Listener(
            sockets: ListeningSocket.open(port: 0, interfaces: ["lo"]), identity: identity("receiver"), door: .open,
            timing: timing, budget: budget)
        var silent: [Silent] = []
        for number in 0..<60 {
            let source = ["one": "127.0.0.2", "many": "127.0.0.\(2 + number)"][origin] ?? "127.0.0.1"
            silent.append(try Silent(from: source, to: listener.port))
        }
        let address = NetworkAddress(ip: .v4(0x7F00_0001), port: listener.port)
        let session = try await Connector(identity: identity("sender"), timing: timing).connect(
            to: [address], opening: .open
        ) { _ in }
        var arrivals = listener.arrivals.makeAsyncIterator()
        guard case .session? = await arrivals.next() else {
            Issue.record("the session did not arrive")
            return
        }
        let end = ContinuousClock.now + .seconds(120)
        let places = origin == "many" ? budget.halfOpen : budget.halfOpenPerAddress
        while silent.count(where: { !$0.isOver }) > places, .now < end { try await Task.sleep(for: .milliseconds(5)) }
        #expect(silent.count { !$0.isOver } <= places)
        #expect(silent[0].isOver, "the oldest goes first")
        session.close(Message.Close(.cancelled))
        await listener.close()
    }

    @Test("silent connections to a port that is about to be left make room for those to the new one")
    func twoPorts() async throws {
        let timing = SessionDeadlines(offerDeadline: .seconds(600), silence: .seconds(600))
        let budget = DescriptorBudget(limit: 64, inUse: 24)
        let listener = try await Listener(
            sockets: ListeningSocket.open(port: 0, interfaces: ["lo"]), identity: identity("receiver"), door: .open,
            timing: timing, budget: budget)
        let port = listener.port
        let former = try (0..<budget.halfOpen).map { _ in try Silent(from: "127.0.0.2", to: port) }
        try listener.move(to: 0, interfaces: ["lo"])
        let present = try (0..<budget.halfOpen).map { _ in try Silent(from: "127.0.0.2", to: listener.port) }
        let end = ContinuousClock.now + .seconds(120)
        var later: [Silent] = []
        while former.contains(where: { !$0.isOver }), .now < end {
            // Their acceptor notices it when something happens to them.
            later.append(try Silent(from: "127.0.0.2", to: port))
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(former.allSatisfy { $0.isOver })
        withExtendedLifetime((present, later)) {}
        await listener.close()
    }

    @Test(
        "places follow from the descriptors that are left",
        arguments: [(1024, 30, 485), (65536, 30, 768), (256, 40, 96), (64, 24, 8), (64, 64, 4), (16, 20, 4)])
    func places(limit: Int, inUse: Int, places: Int) {
        let budget = DescriptorBudget(limit: limit, inUse: inUse)
        #expect(budget.halfOpen == min(256, max(4, places / 3)) && budget.sessions.all == places)
        #expect(budget.halfOpenPerAddress >= 2 && budget.halfOpenPerAddress <= 8)
    }

    private func identity(_ name: String) throws -> LocalIdentity {
        LocalIdentity(DeviceIdentity(name: try DeviceName(name), key: .generate()))
    }
}
