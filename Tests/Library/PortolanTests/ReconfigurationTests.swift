import Foundation
import NodeTestSupport
import PortolanDiscovery
import PortolanProtocol
import PortolanTransport
import PortolanValues
import Testing

@testable import Portolan

/// A node whose configuration changes while it receives.
@Suite(.timeLimit(.minutes(20))) struct ReconfigurationTests {
    @Test("a node that gets another name is found by that, proves it, and goes on with running transfers")
    func name() async throws {
        try await Stage.with { stage in
            let sending = try await stage.beginSending()
            try await stage.ada.reconfigure(name: DeviceName("cleo"))
            try await stage.sees(["cleo"])
            #expect(stage.ada.identity.name.text == "cleo")
            #expect(stage.ada.configuration.name?.text == "cleo")
            stage.release()
            #expect(try await sending.value.map(\.isStored) == [true])

            let events = Events()
            let sent = try await stage.ben.send(
                [.text("for cleo", title: "second")], to: stage.ben.find("cleo"), events: { events.append($0) })
            #expect(sent.map(\.isStored) == [true])
            let names = events.all.compactMap { if case .connected(let peer) = $0 { peer.name } else { nil } }
            #expect(names == ["cleo"])
        }
    }

    @Test("a node that hides is not found any more, goes on with running transfers, and can be found again")
    func discoverability() async throws {
        try await Stage.with { stage in
            #expect(try await stage.listening().line == "ada embedded")
            let sending = try await stage.beginSending()
            try await stage.ada.reconfigure(discoverability: .nobody)
            #expect(try await stage.listening().line == "ada off")
            try await stage.sees([])
            stage.release()
            #expect(try await sending.value.map(\.isStored) == [true])
            try await stage.ada.reconfigure(discoverability: .everyone)
            #expect(try await stage.listening().line == "ada embedded")
            try await stage.sees(["ada"])
        }
    }

    @Test("a node that gets another port is found there, goes on with running transfers, and leaves the former port")
    func port() async throws {
        try await Stage.with { stage in
            let former = try await stage.listening().port
            let sending = try await stage.beginSending()
            try await stage.ada.reconfigure(port: 0)
            let port = try await stage.listening().port
            #expect(port != former)
            for await snapshot in stage.ben.peers() {
                if snapshot.peers.flatMap(\.places).map(\.address.port) == [port] { break }
            }
            let sent = try await stage.ben.send(
                [.text("there", title: "second")], to: stage.ben.find("127.0.0.1:\(port)"), options: Stage.once)
            #expect(sent.map(\.isStored) == [true])
            stage.release()
            #expect(try await sending.value.map(\.isStored) == [true])
            while true {
                do {
                    try ListeningSocket.open(port: former, interface: "lo").close()
                    break
                } catch TransportError.portUnavailable {
                    try await Task.sleep(for: .milliseconds(5))
                }
            }
        }
    }

    @Test("a node stays as it was when the port that it is to have is taken")
    func takenPort() async throws {
        let socket = try ListeningSocket.open(port: 0, interface: "lo")
        defer { socket.close() }
        try await Stage.with { stage in
            let port = try await stage.listening().port
            let configured = stage.ada.configuration.port
            let error = await #expect(throws: NodeError.self) {
                try await stage.ada.reconfigure(name: DeviceName("cleo"), port: socket.port)
            }
            #expect(error?.description.contains("Port \(socket.port) is taken") == true)
            #expect(error?.advice == .choosePort)
            #expect(stage.ada.identity.name.text == "ada")
            #expect(stage.ada.configuration.port == configured)
            let sent = try await stage.ben.send(
                [.text("here", title: "first")], to: stage.ben.find("127.0.0.1:\(port)"), options: Stage.once)
            #expect(sent.map(\.isStored) == [true])
        }
    }

    @Test("a code that is waited with is good at the other port of a node that gets one")
    func codeElsewhere() async throws {
        try await Stage.with(receiving: false) { stage in
            let code = try PairingCode("7-walnut-harbor")
            let (ports, feed) = AsyncStream.makeStream(of: UInt16.self)
            async let waiting = stage.ada.waitForPairing(code, valid: .seconds(300)) {
                if case .waiting(let port, _) = $0 { feed.yield(port) }
            }
            var heard = ports.makeAsyncIterator()
            let former = try #require(await heard.next())
            try await stage.ada.reconfigure(port: 0)
            let port = try #require(await heard.next())
            #expect(port != former)
            _ = try await stage.ben.pair(with: code, at: "127.0.0.1:\(port)", wait: .seconds(300))
            _ = try await waiting
        }
    }

    @Test("a node that does not listen finds out that its port is taken when it does")
    func portAtRest() async throws {
        let socket = try ListeningSocket.open(port: 0, interface: "lo")
        defer { socket.close() }
        try await Stage.with(receiving: false) { stage in
            try await stage.ada.reconfigure(port: socket.port)
            #expect(stage.ada.configuration.port == socket.port)
            let error = await #expect(throws: NodeError.self) {
                _ = try await stage.ada.waitForPairing(PairingCode("7-walnut-harbor"))
            }
            #expect(error?.description.contains("Port \(socket.port) is taken") == true)
        }
    }

    @Test("a node in no team cannot hide from all but its teams, and stays as it was")
    func noTeam() async throws {
        try await Stage.with { stage in
            let error = await #expect(throws: NodeError.self) {
                try await stage.ada.reconfigure(name: DeviceName("cleo"), discoverability: .team)
            }
            #expect(error?.kind == .badInput)
            #expect(stage.ada.identity.name.text == "ada")
            #expect(stage.ada.configuration.discoverability == .everyone)
        }
    }

    @Test("a node in a team that hides from all others answers members only, until it does not hide any more")
    func team() async throws {
        try await Stage.with { stage in
            _ = try await stage.ada.createTeam(TeamName("acme"))
            let port = try await stage.listening().port
            try await stage.ada.reconfigure(discoverability: .team)
            // Its door is another one before its record is.
            try await stage.sees([])
            let peer = try await stage.ben.find("127.0.0.1:\(port)")
            await #expect(throws: NodeError.self) {
                try await stage.ben.send([.text("hidden", title: "hidden")], to: peer, options: Stage.once)
            }
            try await stage.ada.reconfigure(discoverability: .everyone)
            try await stage.sees(["ada"])
            let sent = try await stage.ben.send([.text("open", title: "open")], to: peer, options: Stage.once)
            #expect(sent.map(\.isStored) == [true])
        }
    }
}

/// Two nodes on one link, of which the first receives.
private struct Stage {
    let ada: Node
    let ben: Node
    private let gate = AsyncStream.makeStream(of: Void.self)
    /// Events of the first node on its discovery by others.
    private let heard: AsyncStream<Listening>

    struct Listening {
        let port: UInt16
        /// Name and discovery.
        let line: String
    }

    static var once: SendOptions {
        var options = SendOptions()
        options.retry = .zero
        return options
    }

    static func with(receiving: Bool = true, _ body: (Stage) async throws -> Void) async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "portolan-change-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        let link = SimulatedLink()
        let (heard, feed) = AsyncStream.makeStream(of: Listening.self)
        let ada = try link.node("ada", home: root.appending(path: "ada"))
        let task = Task {
            guard receiving else { return }
            try await ada.receive(into: root.appending(path: "inbox").path, decide: { _ in .accept }) { event in
                guard case .listening(let port, let name, let discovery) = event else { return }
                feed.yield(Listening(port: port, line: "\(name) \(discovery)"))
            }
        }
        defer { task.cancel() }
        let stage = Stage(ada: ada, ben: try link.node("ben", home: root.appending(path: "ben")), heard: heard)
        try await stage.sees(receiving ? ["ada"] : [])
        try await body(stage)
        task.cancel()
        _ = await task.result
    }

    private init(ada: Node, ben: Node, heard: AsyncStream<Listening>) {
        self.ada = ada
        self.ben = ben
        self.heard = heard
    }

    /// Returns the first node's next event on its discovery by others.
    func listening() async throws -> Listening {
        var heard = heard.makeAsyncIterator()
        return try #require(await heard.next())
    }

    /// Waits until the second node sees peers of these names and no others.
    func sees(_ names: [String]) async throws {
        for await snapshot in ben.peers() where snapshot.isSettled && snapshot.peers.map(\.name) == names { return }
        throw CancellationError()
    }

    /// Begins to send an item to the first node, which gets no content before ``release()``. Returns when the transfer
    /// has begun.
    func beginSending() async throws -> Task<[Delivery], any Error> {
        let (taken, feed) = AsyncStream.makeStream(of: Void.self)
        let item = Item(
            title: "slow",
            representations: [
                .produced(.utf8PlainText) { [gate] in
                    feed.yield()
                    for await _ in gate.stream { break }
                    return Data("slow".utf8)
                }
            ])
        let peer = try await ben.find("ada")
        let task = Task { [ben] in try await ben.send([item], to: peer, options: Self.once) }
        for await _ in taken { break }
        return task
    }

    func release() { gate.continuation.yield() }
}
