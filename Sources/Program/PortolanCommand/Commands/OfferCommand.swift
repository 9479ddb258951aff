import ArgumentParser
import Portolan
import PortolanConverters
import PortolanSettings

/// `portolan offer`: shows the offer that a peer would get, without sending it.
struct OfferCommand: NetworkSubcommand {
    static let configuration = CommandConfiguration(
        "offer", "Show the representations that would be offered, in order, to whom each is visible, and why.",
        examples: """
            portolan offer --as public.html@team=n.html --as md=n.md --as txt=n.txt
            portolan offer photo.png --to workstation
            portolan offer --as md@group=n.md --as txt=n.txt --group design --to ben
            """,
        manual: """
            No item is sent. Without --to, it shows the offer to a stranger, who has proved only a key. With --to, the \
            peer is asked to prove its key and both exchange the news of their teams, as 'send' does; then the session \
            ends without an offer. A peer that may see nothing is left before it learns who asks.

            Behind your own representations stand those that converters of this machine can make of them, each by the program that is \
            named, and only when a peer has taken it. 'portolan manual types' says how converters are declared.
            """)

    @OptionGroup var options: ItemOptions

    @Option(
        help: .value("peer", "Show the offer to this peer: a name, a fingerprint's beginning, or host:port."),
        completion: Completions.peers)
    var to: String?

    @OptionGroup var network: NetworkOptions

    func validate() throws {
        try options.checkTitle()
        if let to, TeamTarget.names(to) {
            throw ValidationError(
                "--to names one peer here: its view depends on its key, and not on the team alone.")
        }
    }

    func perform(_ console: Console) async throws {
        let settings = try Settings(shared)
        let node = try await Node(settings.node(network, items: options))
        let items = try await options.items(of: node)
        let views = try await views(of: items, from: node, console)
        for item in views {
            console.say("\(item.item + 1). “\(DisplayText(item.title, limit: 100))”")
            for view in item.representations {
                console.say(RepresentationLine.text(view))
                console.emit(\.representation, .init(view, of: item))
            }
            for picture in item.pictures { console.say(RepresentationLine.text(picture)) }
        }
        if views.contains(where: { $0.representations.contains { $0.converter != nil } }) {
            for shortcoming in Confinement.onThisMachine.shortcomings { console.remark(shortcoming) }
        }
        for item in views where !item.isShown {
            console.remark("Item \(item.item + 1) would not be offered at all.")
        }
    }

    private func views(of items: [Item], from node: Node, _ console: Console) async throws -> [ItemView] {
        guard let to else {
            console.say("To a new device")
            return try await node.preview(items, for: .anyone)
        }
        let peer = try await node.find(to)
        let rehearsal = try await node.rehearse(items, to: peer)
        if let met = rehearsal.peer {
            console.say(
                "To “\(DisplayText(met.localName, limit: 63))”  \(met.isKnown ? "known" : "new")"
                    + "\(rehearsal.standing == .anyone ? "" : ", \(rehearsal.standing)")  "
                    + "\(FingerprintText.text(met.fingerprint, inFull: console.isVerbose || !met.isKnown))  \(met.address)"
            )
        } else {
            console.say("To \(PeerLine.text(peer))")
        }
        return rehearsal.items
    }
}
