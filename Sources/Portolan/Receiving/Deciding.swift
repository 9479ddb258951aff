import PortolanProtocol
import UniformTypeIdentifiers

/// Asks whoever decides, and says it in the words of the protocol.
struct Deciding: Sendable {
    let ask: @Sendable (IncomingOffer) async -> Decision
    let events: @Sendable (ReceiveEvent) -> Void

    /// - Parameters:
    ///   - choices: for each item the representation that would be taken, if any.
    ///   - isAccepted: whether nobody need be asked.
    func decide(
        on offer: Offer, from peer: RemotePeer, choices: [Int?], isAccepted: Bool = false
    ) async -> [ItemDecision] {
        let incoming = IncomingOffer(peer: peer, offer: offer, choices: choices)
        guard !incoming.items.isEmpty else {
            events(.declined(peer, reason: "Nothing of it can be imported here."))
            return choices.map { _ in .decline(Decline(.nothingInCommon)) }
        }
        events(.offered(incoming))
        switch isAccepted ? .accept : await ask(incoming) {
        case .accept:
            return choices.map { $0.map { .take(representation: $0) } ?? .decline(Decline(.nothingInCommon)) }
        case .decline(let detail):
            events(.declined(peer, reason: detail))
            return choices.map {
                .decline($0 == nil ? Decline(.nothingInCommon) : Decline(.notWanted, detail: detail))
            }
        }
    }
}

extension IncomingOffer {
    fileprivate init(peer: RemotePeer, offer: Offer, choices: [Int?]) {
        self.peer = peer
        var items: [Item] = []
        var others: [String] = []
        for (item, choice) in zip(offer.items, choices) {
            guard let choice else {
                others.append(item.title)
                continue
            }
            let taken = item.representations[choice]
            items.append(
                Item(
                    title: item.title, contentType: taken.type.identifier,
                    typeDescription: taken.type.localType?.localizedDescription ?? taken.type.description,
                    suggestedName: taken.suggestedName, representation: choice,
                    representationCount: item.representations.count, size: taken.size, isFolder: taken.isFolder,
                    visibility: taken.visibility, preview: item.preview))
        }
        self.items = items
        notImportable = others
    }
}
