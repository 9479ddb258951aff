import ArgumentParser
import Portolan
import PortolanConverters
import PortolanTrust

/// `portolan offer`: what a peer would be shown, without showing it.
struct OfferCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "offer",
        abstract: "Show the representations that would be offered, in order, to whom each is visible, and why.",
        discussion: """
            Nothing is sent. Without --to, it shows what somebody sees who has proved a key and nothing else.

              portolan offer --as public.html@team=n.html --as md=n.md --as txt=n.txt
              portolan offer photo.png --to workstation
              portolan offer --as md@group=n.md --as txt=n.txt --group design --to workstation

            Behind your own representations stand those that converters of this machine can make of them, each by the program that is \
            named, and only when a peer has taken it. 'portolan help types' says how converters are declared.
            """)

    @OptionGroup var options: ItemOptions

    @Option(
        help: ArgumentHelp(
            "Show what this peer would see: a name, a fingerprint's beginning, or host:port.", valueName: "peer"))
    var to: String?

    @OptionGroup var network: NetworkOptions
    @OptionGroup var shared: SharedOptions

    func validate() throws {
        if let to, TeamTarget.names(to) {
            throw ValidationError(
                "--to names one peer here: what it sees depends on what it proves, and not on the team alone.")
        }
    }

    func perform(_ console: Console) async throws {
        let settings = try Settings(shared)
        let node = try Node(settings.node(network, items: options))
        let items = node.withConvertedForms(try await options.items(of: node))
        let peer: Peer? = if let to { try await node.find(to) } else { nil }
        let standing = peer?.standing ?? .anyone
        console.say(peer.map { "To \(PeerLine.text($0))" } ?? "To anyone")
        let views = try node.preview(items, for: standing)
        for (number, item) in items.enumerated() {
            console.say("\(number + 1). “\(DisplayText(item.title, limit: 100))”")
            for view in views where view.item == number {
                let representation = item.representations[view.representation]
                console.say(RepresentationLine.text(representation, view))
                console.emit(RepresentationLine.event(representation, view, title: item.title))
            }
        }
        if items.contains(where: { $0.representations.contains { $0.converter != nil } }) {
            for shortcoming in Confinement.onThisMachine.shortcomings { console.remark(shortcoming) }
        }
        let hidden = Set(items.indices).subtracting(views.filter(\.isShown).map(\.item))
        for number in hidden.sorted() {
            console.remark("Item \(number + 1) would not be offered at all.")
        }
    }
}
