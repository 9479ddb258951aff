import Glibc
import PortolanCrypto
import PortolanDiscovery
import PortolanProtocol
import PortolanTrust
import PortolanValues
import TestSupport
import Testing

@testable import PortolanTransport

/// Failed connections, and the messages about them.
@Suite struct ConnectionFaultTests {
    private func address(_ ip: String, port: UInt16 = 47217) throws -> NetworkAddress {
        NetworkAddress(ip: try #require(IPAddress(parsing: ip)), port: port)
    }

    private func fault(
        _ attempts: [(String, AddressReaction)], own: Set<IPAddress> = [], peer: String? = "ben"
    ) throws -> ConnectionFault {
        var fault = ConnectionFault(
            try attempts.map { .init(try address($0.0), $0.1) }, within: .seconds(10), own: own)
        fault.peer = peer
        return fault
    }

    @Test func eachFaultReportsAttemptsAndReactions() throws {
        let cases: [([(String, AddressReaction)], ConnectionFault.Kind, String)] = [
            ([("192.0.2.7", .refused)], .refused, "No connection to “ben”: 192.0.2.7:47217 refused it."),
            (
                [("192.0.2.7", .silent), ("192.0.2.8", .silent)], .silent,
                "No connection to “ben”: nothing came back from 192.0.2.7:47217 and 192.0.2.8:47217 within 10 s."
            ),
            (
                [("192.0.2.7", .hostUnreachable(reason: "No route to host"))], .hostUnreachable,
                "No connection to “ben”: nobody was reached at 192.0.2.7:47217 (No route to host)."
            ),
            (
                [("2001:db8::7", .networkUnreachable(reason: "Network is unreachable"))], .networkUnreachable,
                "No connection to “ben”: there is no way to [2001:db8::7]:47217 (Network is unreachable)."
            ),
            (
                [("192.0.2.7", .failed(reason: "Too many open files"))], .failed,
                "No connection to “ben”: 192.0.2.7:47217 could not be connected to (Too many open files)."
            ),
            ([], .noAddress, "No connection to “ben”: it has no address that can be tried."),
        ]
        for (attempts, kind, sentence) in cases {
            let fault = try fault(attempts)
            #expect(fault.kind == kind)
            #expect("\(fault)" == sentence)
        }
    }

    @Test func mostExplanatoryFaultComesFirst() throws {
        let mixed = try fault([
            ("2001:db8::7", .networkUnreachable(reason: "x")), ("192.0.2.7", .silent), ("192.0.2.8", .refused),
        ])
        #expect(mixed.kind == .refused)
        #expect(
            "\(mixed)" == "No connection to “ben”: 192.0.2.8:47217 refused it; nothing came back from 192.0.2.7:47217 "
                + "within 10 s; others failed otherwise.")
        #expect(mixed.port == 47217)
    }

    @Test func addressOfThisMachineIsNoEvidenceAboutThePeer() throws {
        let bridge = try #require(IPAddress(parsing: "172.17.0.1"))
        let attempts: [(String, AddressReaction)] = [("192.0.2.7", .silent), ("172.17.0.1", .refused)]
        #expect(try fault(attempts, own: [bridge]).kind == .silent)
        #expect("\(try fault(attempts, own: [bridge]))".hasPrefix("No connection to “ben”: nothing came back from "))
        #expect(try fault([("172.17.0.1", .refused)], own: [bridge]).kind == .refused)
    }

    @Test func manyAddressesAreCountedAndListedOnce() throws {
        let many = try fault((1...9).map { ("192.0.2.\($0)", .silent) })
        #expect(
            "\(many)" == "No connection to “ben”: nothing came back from 192.0.2.1:47217, 192.0.2.2:47217, "
                + "192.0.2.3:47217 and 6 more within 10 s.")
        let given = try fault([("192.0.2.7", .refused)], peer: "192.0.2.7:47217")
        #expect("\(given)" == "No connection: 192.0.2.7:47217 refused it.")
        #expect("\(try fault([("192.0.2.7", .refused)], peer: "a\u{1B}[2J"))".contains("\\u{1B}"))
    }

    // MARK: Over the loopback interface

    private func connect(to port: UInt16, within deadline: Duration) async throws -> ConnectionFault? {
        let identity = LocalIdentity(DeviceIdentity(name: try DeviceName("ada"), key: .generate()))
        let connector = Connector(
            identity: identity, timing: SessionDeadlines(offerDeadline: deadline, silence: .seconds(30)))
        do {
            _ = try await connector.connect(to: [address("127.0.0.1", port: port)], opening: .open) { _ in }
            Issue.record("there is a session")
        } catch TransportError.unreachable(let sentence, let fault) {
            #expect(sentence == fault?.description)
            return fault
        }
        return nil
    }

    @Test func unusedPortRefusesConnections() async throws {
        // The port stays bound, so that no other process takes it during the test.
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        let free = try address("127.0.0.1", port: 0)
        try #require(free.withSocketAddress { bind(descriptor, $0, $1) } == 0)
        var bound = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &bound) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        let port = UInt16(bigEndian: bound.sin_port)
        let fault = try await connect(to: port, within: .seconds(60))
        #expect(fault?.kind == .refused)
        #expect(fault?.attempts == [.init(try address("127.0.0.1", port: port), .refused)])
    }

    @Test func droppingMachineIsSilent() async throws {
        let full = try FullListener()
        let fault = try await connect(to: full.port, within: .milliseconds(500))
        #expect(fault?.kind == .silent)
        #expect(fault?.attempts.map(\.address) == [try address("127.0.0.1", port: full.port)])
        withExtendedLifetime(full) {}
    }
}
