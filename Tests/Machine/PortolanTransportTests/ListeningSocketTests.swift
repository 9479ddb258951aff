import Testing

@testable import PortolanTransport

@Suite(.serialized) struct ListeningSocketTests {
    @Test("the default port is taken if it is free, and another one if not")
    func fallsBack() throws {
        let first = try ListeningSocket.open(port: nil, interfaces: ["lo"])
        let second = try ListeningSocket.open(port: nil, interfaces: ["lo"])
        defer { for socket in first + second { socket.close() } }
        #expect(second[0].port != ListeningSocket.defaultPort)
        #expect(second[0].port != first[0].port)
        #expect(second[0].port != 0)
    }

    @Test("a requested port that is taken is an error that names the port")
    func insistsOnItsPort() throws {
        let holder = try ListeningSocket.open(port: 0, interface: "lo")
        defer { holder.close() }
        #expect(throws: TransportError.self) {
            for socket in try ListeningSocket.open(port: holder.port, interfaces: ["lo"]) { socket.close() }
        }
        do {
            _ = try ListeningSocket.open(port: holder.port, interfaces: ["lo"])
        } catch {
            #expect("\(error)".contains("\(holder.port)"))
        }
    }

    @Test("a port that is only preferred and is taken is replaced by another one")
    func prefersItsPort() throws {
        let holder = try ListeningSocket.open(port: 0, interface: "lo")
        defer { holder.close() }
        let sockets = try ListeningSocket.open(port: holder.port, orOthers: true, interfaces: ["lo"])
        defer { for socket in sockets { socket.close() } }
        #expect(sockets[0].port != holder.port && sockets[0].port != 0)
    }

    @Test("an interface that does not exist is an error that names it")
    func namesMissingInterfaces() {
        do {
            _ = try ListeningSocket.open(port: 0, interfaces: ["no-such-if0"])
            Issue.record("it listens on an interface that does not exist")
        } catch {
            #expect("\(error)".contains("no-such-if0"))
        }
    }
}
