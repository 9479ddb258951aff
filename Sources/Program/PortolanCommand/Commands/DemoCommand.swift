import ArgumentParser
import Portolan
import PortolanDiscovery

/// `portolan demo`: sends and receives an item on this machine.
struct DemoCommand: Subcommand {
    static let configuration = CommandConfiguration(
        "demo", "Watch one item travel: two peers on this machine, real mDNS, a real encrypted transfer.",
        examples: """
            portolan demo
            portolan demo --json
            portolan demo --quiet
            """,
        manual: """
            No packet leaves this machine: both peers stay on the loopback interface, keep their state in a temporary \
            folder, and are gone afterwards. Your own device key is not touched.
            """)

    @Flag(help: "Leave the temporary folder behind, and say where it is.")
    var keep = false

    @OptionGroup var shared: SharedOptions

    func perform(_ console: Console) async throws {
        let folder = try temporaryFolder()
        defer {
            if keep {
                console.say("Left behind: \(folder)")
            } else {
                try? FileManager.default.removeItem(atPath: folder)
            }
        }
        let demo = Demo(
            console: console, inbox: folder + "/harbour-inbox", harbour: try await node("harbour", below: folder),
            ship: try await node("ship", below: folder))
        try await demo.run()
        console.emit(.end(.done))
    }

    private func node(_ name: String, below folder: String) async throws -> Node {
        var configuration = Node.Configuration(
            home: try HomeDirectory(override: "\(folder)/\(name)", environment: [:]))
        configuration.name = try DeviceName(name)
        configuration.interfaces = ["lo"]
        configuration.discovery = .embedded
        return try await Node(configuration)
    }

    private func temporaryFolder() throws -> String {
        let folder = FileManager.default.temporaryDirectory.path + "/portolan-demo-" + UUID().uuidString
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        } catch {
            throw CommandFailure(
                .cannotCreate, "The temporary folder \(folder) cannot be made. Set TMPDIR to another place.")
        }
        return folder
    }
}

/// Demonstration that sends one item from `ship` to `harbour` and prints each step.
private struct Demo {
    let console: Console
    let inbox: String
    let harbour: Node
    let ship: Node

    func run() async throws {
        step("Two peers start on this machine. Each makes a key of its own; people compare the fingerprints.")
        show("harbour  \(harbour.identity.fingerprint)")
        show("ship     \(ship.identity.fingerprint)")
        let (events, feed) = AsyncStream.makeStream(of: ReceiveEvent.self)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            defer { tasks.cancelAll() }
            tasks.addTask { [harbour, inbox] in
                defer { feed.finish() }
                try await harbour.receive(into: inbox, accepting: [.text]) { _ in
                    .accept
                } events: {
                    feed.yield($0)
                }
            }
            tasks.addTask { try await travel(events) }
            try await tasks.next()
        }
        step("Done. Now for real: 'portolan receive' on one machine, 'portolan send FILE --to NAME' on another.")
    }

    private func travel(_ events: AsyncStream<ReceiveEvent>) async throws {
        var incoming = events.makeAsyncIterator()
        let peer = try await find(at: try await waitUntilListening(&incoming))
        let item = Self.item
        try await offer(item)
        let delivery = try await ship.send([item], to: peer, events: tell)[0]
        guard delivery.isStored else { throw CommandFailure(delivery.status, delivery.sentence(to: "harbour")) }
        try await showWhatArrived(&incoming)
    }

    /// - Returns: the port.
    private func waitUntilListening(_ events: inout AsyncStream<ReceiveEvent>.Iterator) async throws -> UInt16 {
        while let event = await events.next() {
            switch event {
            case .listening(let port, let name, let discovery):
                step("harbour receives: it listens on port \(port) and announces “\(name)” by mDNS (\(discovery)).")
                return port
            case .warning(let message):
                throw CommandFailure(.unreachable, DisplayText(sentence: message, limit: 500).text)
            default: continue
            }
        }
        throw CommandFailure(.unreachable, "harbour did not start to listen.")
    }

    /// Finds the peer by a port of this machine, since another demonstration on the network has the same names.
    private func find(at port: UInt16) async throws -> Peer {
        step("ship asks the network for “harbour”.")
        let start = ContinuousClock.now
        let found = try await withThrowingTaskGroup(of: Peer?.self) { tasks in
            defer { tasks.cancelAll() }
            tasks.addTask { [ship] in
                for await snapshot in ship.peers() {
                    let peer = snapshot.peers.first { $0.addresses.contains { $0.port == port } }
                    if let peer { return peer }
                    if snapshot.isSettled, let note = snapshot.note { throw CommandFailure(.unreachable, note) }
                }
                return nil
            }
            tasks.addTask {
                try await Task.sleep(for: .seconds(20))
                return nil
            }
            return try await tasks.next() ?? nil
        }
        guard let peer = found else { throw CommandFailure(.unreachable, "harbour is not in sight.") }
        let milliseconds = Int(((ContinuousClock.now - start).inSeconds * 1000).rounded())
        let address = peer.addresses.first?.description ?? "no address"
        show("found after \(milliseconds) ms at \(address). The key of harbour is not proved yet.")
        return peer
    }

    private func offer(_ item: Item) async throws {
        step("ship offers one item, in three representations, the best first. Its content is not sent yet.")
        for view in try await ship.preview([item], for: .anyone).flatMap(\.representations) {
            show(RepresentationLine.text(view))
        }
        step(
            "harbour takes text of any kind. HTML is text, but only for ship's team: harbour does not learn that it exists."
        )
    }

    private func tell(_ event: SendEvent) {
        switch event {
        case .connected(let peer):
            step("The session is open: Noise XX, both sides have proved their keys.")
            show("it is \(peer.fingerprint)")
        case .started(_, let representation, let name, _):
            let type = Self.item.representations[representation].contentType
            step("harbour takes “\(type.identifier)”, which is a kind of public.text. Only now ship produces it.")
            show("“\(DisplayText(name))” is on its way")
        default: break
        }
    }

    private func showWhatArrived(_ events: inout AsyncStream<ReceiveEvent>.Iterator) async throws {
        while let event = await events.next() {
            guard case .stored(let stored) = event else { continue }
            step("The receipt came: harbour holds it durably, and made it visible in one step.")
            show(stored.path)
            let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: stored.path)), as: UTF8.self)
            for line in text.split(separator: "\n") { show("| \(DisplayText(line))") }
            return
        }
    }

    private static let item = Item(
        title: "Sailing directions",
        representations: [
            .data(
                Data("<h1>Sailing directions</h1><p>Keep the light to port.</p>\n".utf8), contentType: .html,
                visibility: .team, suggestedName: "directions.html"),
            .data(
                Data("# Sailing directions\n\nKeep the light *to port*.\n".utf8),
                contentType: UTType(filenameExtension: "md") ?? .plainText, suggestedName: "directions.md"),
            .data(
                Data("Sailing directions: keep the light to port.\n".utf8), contentType: .utf8PlainText,
                suggestedName: "directions.txt"),
        ])

    private func step(_ message: String) {
        console.remark("\n" + message)
        console.emit(\.step, .init(message))
    }

    private func show(_ detail: String) {
        console.remark("   " + detail)
        console.emit(\.step, .init(detail))
    }
}
