import ArgumentParser
import Portolan
import PortolanClient
import PortolanDiscovery
import PortolanSettings

/// `portolan peers`: peers in sight.
struct PeersCommand: NetworkSubcommand {
    static let configuration = CommandConfiguration(
        "peers", "Show who is there: name, standing, the beginning of the fingerprint, and address.",
        examples: """
            portolan peers
            portolan peers -v                      # whole fingerprints, all addresses
            portolan peers --watch --json
            portolan peers --forget workstation    # set up anew, with another key
            """,
        manual: """
            A peer is there while 'portolan receive' runs on it. Names and fingerprints are claims of the network: \
            they are proved only when a session is opened. The standing of a peer is 'contact', a member of a team, \
            'known' if an item was exchanged before with that fingerprint, under any name, or 'new'.

            A known name means one key. Another device of that name is known as “debian (2)” once an item was \
            exchanged with it: it was named by its fingerprint, a person said yes to its offer, or a code was entered.

            Where an agent runs for this home, it tells whom it has in sight, at once; with --no-agent, --watch, --forget, --interface \
            and --discovery, this process looks.
            """)

    @Flag(help: "Go on until interrupted, and tell who comes and goes.")
    var watch = false

    @Option(
        help: ArgumentHelp(
            "Forget the key of NAME, or the one that begins so: the next device of that name is new.", valueName: "name"
        ),
        completion: Completions.knownPeers, transform: DeviceArgument.parse)
    var forget: DeviceArgument?

    @OptionGroup var agent: AgentOptions
    @OptionGroup var network: NetworkOptions

    func perform(_ console: Console) async throws {
        let settings = try Settings(shared)
        if isForAgent, let client = try await agent.client(settings, console) {
            return try show(try await client.sight(), on: console)
        }
        let node = try await Node(settings.node(network))
        if let forget {
            // A member of a team may have the same name as another known device.
            try await forgetPeer(forget.resolved(among: node.metDevices()), of: node, on: console)
        } else if watch {
            await showChanges(of: node, on: console)
        } else {
            try await showOnce(node, on: console)
        }
    }

    /// True if an agent can do it: an agent uses its own network options, and does not forget peers for a command.
    private var isForAgent: Bool {
        !watch && forget == nil && network.chosenInterfaces == nil && network.discovery == nil
    }

    /// Shows the peers that the agent has in sight.
    private func show(_ sight: AgentAPI.PeerList, on console: Console) throws {
        if let note = sight.note { console.diagnose(DisplayText(sentence: note, limit: 500).text) }
        for news in Self.news(clones: sight.clones ?? [], remarks: sight.remarks ?? []) { say(news, on: console) }
        show(sight.peers.map(PeerRow.init), on: console)
        for peer in sight.peers {
            console.emit(\.peer, try NodeEvent.PeerState(peer))
        }
        if sight.peers.isEmpty { tellThatNobodyIsThere(on: console) }
    }

    /// Shows them as a table, or everything about each where that was asked for.
    private func show(_ rows: [PeerRow], on console: Console) {
        guard !rows.isEmpty else { return }
        for line in console.isVerbose ? rows.map(PeerLine.text) : PeerTable.lines(rows) { console.say(line) }
    }

    private func tellThatNobodyIsThere(on console: Console) {
        if network.chosenInterfaces == nil, LinkAddresses.areOwnAlone {
            return console.remark("No peer is in sight: no interface of this machine is up with an address.")
        }
        console.remark("No peer is in sight. Start 'portolan receive' on another machine of this network.")
    }

    private func forgetPeer(_ name: DeviceName, of node: Node, on console: Console) async throws {
        guard try await node.forget(name) else {
            throw CommandFailure(.unreachable, "No key is known for “\(name)”, so there is nothing to forget.")
        }
        console.remark("The key of “\(name)” is forgotten; the next device of that name is new.")
        console.emit(\.note, .init("The key of “\(name)” is forgotten."))
    }

    /// Waits until the network has had time to answer, then shows all peers.
    private func showOnce(_ node: Node, on console: Console) async throws {
        var latest: PeerSnapshot?
        for await snapshot in node.peers() {
            latest = snapshot
            if snapshot.isSettled { break }
        }
        try Task.checkCancellation()
        if let note = latest?.note { console.diagnose(DisplayText(sentence: note, limit: 500).text) }
        if let latest { for news in Self.news(latest) { say(news, on: console) } }
        let peers = latest?.peers ?? []
        show(peers.map(PeerRow.init), on: console)
        for peer in peers { console.emit(\.peer, .init(peer)) }
        if peers.isEmpty { tellThatNobodyIsThere(on: console) }
    }

    private func showChanges(of node: Node, on console: Console) async {
        var shown: [Peer.ID: Peer] = [:]
        var note: String?
        var told: Set<String> = []
        for await snapshot in node.peers() {
            if snapshot.note != note, let news = snapshot.note {
                say(news, on: console)
            }
            note = snapshot.note
            for news in Self.news(snapshot) where told.insert(news).inserted { say(news, on: console) }
            let present = Dictionary(snapshot.peers.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
            for (id, peer) in shown where present[id] == nil {
                console.say("- \(line(peer, console))")
                console.emit(\.peerGone, .init(peer))
            }
            for peer in snapshot.peers where shown[peer.id] != peer {
                console.say("\(shown[peer.id] == nil ? "+" : "~") \(line(peer, console))")
                console.emit(\.peer, .init(peer))
            }
            shown = present
            if !console.hasReader { return }
        }
    }

    private func line(_ peer: Peer, _ console: Console) -> String {
        console.isVerbose ? PeerLine.text(peer) : PeerTable.line(PeerRow(peer))
    }

    /// Returns warnings about the network, with one or more sentences each.
    private static func news(_ snapshot: PeerSnapshot) -> [String] {
        news(clones: snapshot.clones, remarks: snapshot.remarks)
    }

    private static func news(clones: [String], remarks: [String]) -> [String] {
        clones.map { "\($0) \(CloneAdvice.sentence)" } + remarks
    }

    private func say(_ news: String, on console: Console) {
        console.diagnose(DisplayText(sentence: news, limit: 1000).text)
        console.emit(\.note, .init(news))
    }
}
