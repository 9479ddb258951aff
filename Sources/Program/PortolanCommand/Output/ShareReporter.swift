import Portolan
import PortolanProtocol

/// Reports events of shared items.
final class ShareReporter: Sendable {
    private let console: Console
    private let receiving: ReceiveReporter?

    /// - Parameter node: nil if another reporter reports events of the node itself.
    init(_ console: Console, node: Node?) {
        self.console = console
        receiving = node.map { ReceiveReporter(console, node: $0, inbox: nil) }
    }

    func report(_ event: ShareEvent) {
        switch event {
        case .node(let event): receiving?.report(event)
        case .shared(let id, let title):
            console.remark("“\(DisplayText(title, limit: 100))” can be fetched.")
            console.emit(\.shared, .init(id, title: title))
        case .withdrawn(let id, let title, let reason):
            let sentence = DisplayText(sentence: reason, limit: 500)
            console.diagnose(
                "“\(DisplayText(title, limit: 100))” is withdrawn. \(sentence) Share it anew if that is meant.")
            console.emit(\.withdrawn, .init(id, title: title, reason: reason))
        case .sending(let id, let peer, .settled(let delivery)): settled(id, peer, delivery)
        case .sending(_, _, .broke(_, _, let reason)):
            console.diagnose(DisplayText(sentence: reason, limit: 500).text)
        case .sending: break
        }
    }

    private func settled(_ id: ItemID, _ peer: RemotePeer, _ delivery: Delivery) {
        guard !delivery.isHidden else { return }
        let sentence = delivery.sentence(to: "“\(DisplayText(peer.localName, limit: 63))”")
        if delivery.status == .done { console.say(sentence) } else { console.diagnose(sentence) }
        console.emit(
            \.fetched,
            .init(
                id, by: peer, title: delivery.title, code: delivery.status.rawValue, kind: delivery.status.word))
    }
}
