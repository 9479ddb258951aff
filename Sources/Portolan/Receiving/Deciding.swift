import PortolanProtocol
import UniformTypeIdentifiers

/// Asks whoever decides, and says it in the words of the protocol.
struct Deciding: Sendable {
    let ask: @Sendable (IncomingOffer) async -> Decision
    let events: @Sendable (ReceiveEvent) -> Void

    /// - Parameters:
    ///   - choices: for each item the representation that would be taken, if any.
    ///   - refusals: declines of items without a choice, by item; by default, nothing of the item can be imported.
    ///   - isAccepted: whether nobody need be asked.
    func decide(
        on offer: Offer, from peer: RemotePeer, choices: [Int?], refusals: [Int: Decline] = [:],
        isAccepted: Bool = false
    ) async -> [ItemDecision] {
        func refusal(_ item: Int) -> Decline { refusals[item] ?? Decline(.nothingInCommon) }
        let incoming = IncomingOffer(peer: peer, offer: offer, choices: choices)
        guard !incoming.items.isEmpty else {
            events(.declined(peer, reason: refusals.first?.value.detail ?? "Nothing of it can be imported here."))
            return choices.indices.map { .decline(refusal($0)) }
        }
        events(.offered(incoming))
        // A partial's acceptance was for this very key, so the name makes no difference.
        switch isAccepted ? .acceptNamesake : Self.judged(await ask(incoming), of: peer) {
        case .accept, .acceptNamesake:
            return choices.enumerated().map { item, choice in
                choice.map { .take(representation: $0) } ?? .decline(refusal(item))
            }
        case .decline(let detail, let reason):
            events(.declined(peer, reason: reason ?? detail))
            return choices.enumerated().map { item, choice in
                .decline(choice == nil ? refusal(item) : Decline(.notWanted, detail: detail))
            }
        }
    }

    /// The decision, or a decline where it was not made for a peer of another key than its name is known with (PORTOLAN.md 3.8-4).
    private static func judged(_ decision: Decision, of peer: RemotePeer) -> Decision {
        guard decision == .accept, let owner = peer.doubtfulNamesakeOf else { return decision }
        return .decline(
            detail: "A device of this name is known here with another key. Give yours another name, or pair the two.",
            because: "a device of this name is known here with the key \(owner), and this one has the key "
                + "\(peer.fingerprint).")
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
                    representationCount: item.representations.count, size: taken.size, apparentSize: taken.apparentSize,
                    mostBytes: item.mostBytes(from: choice),
                    isFolder: taken.isFolder, restriction: taken.restriction, preview: item.preview))
        }
        self.items = items
        notImportable = others
    }
}
