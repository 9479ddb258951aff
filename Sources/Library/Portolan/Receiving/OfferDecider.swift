import PortolanConcurrency
import PortolanProtocol
import PortolanTransport

/// The answer to an offer.
struct DecisionReply: Sendable {
    /// Decisions, one for each item.
    var decisions: [ItemDecision]
    /// Destinations of taken items that are not for the inbox.
    var destinations: [Int: Destination] = [:]
    /// Types because of which items are taken, for those that are.
    var types: [Int: [UTType]] = [:]
    /// True if the session ends instead.
    var isUnable = false

    func destination(of item: Int) -> Destination { destinations[item] ?? .inbox }
}

/// Asks for a decision, and translates it into the words of the protocol.
struct OfferDecider: Sendable {
    /// Largest offer, in bytes, that is shown without waiting for other offers.
    private static let small = 64 << 10
    private static let turn = TaskLock()

    let ask: @Sendable (IncomingOffer) async -> Decision
    /// Asked about items that were accepted before, and go on where the answer is ``Decision/Answer/ask``; nil lets
    /// all of them go on.
    var askAgain: (@Sendable (IncomingOffer) async -> Decision)?
    let events: @Sendable (ReceiveEvent) -> Void

    /// Destination of a receiver's items: folders, or something else.
    enum Placing {
        case inFolders
        /// A decision may name no folder.
        case elsewhere
    }

    /// - Parameters:
    ///   - choices: the representation of each item that would be taken; nil for none.
    ///   - refusals: declines of items without a choice, by item; `.nothingInCommon` by default.
    ///   - destinations: destination of each resumed item, if all were accepted before, so that no decision is needed.
    ///   - canTake: true if the receiver can import a representation that a decision names.
    func decide(
        on open: OpenOffer, choices: [Int?], refusals: [Int: Decline] = [:],
        goingOnIn destinations: [Int: Destination]? = nil, placing: Placing = .elsewhere,
        canTake: (OfferedItem, Int) -> Bool
    ) async -> DecisionReply {
        func refusal(_ item: Int) -> Decline { refusals[item] ?? Decline(.nothingInCommon) }
        var decided = DecisionReply(decisions: choices.indices.map { .decline(refusal($0)) })
        // The sender has disconnected, so the choices are incomplete.
        guard !Task.isCancelled else { return decided }
        guard choices.contains(where: { $0 != nil }) else {
            let reason = refusals.first?.value.detail ?? "Nothing of it can be imported here."
            events(.declined(open.peer, reason: reason))
            return decided
        }
        guard let incoming = try? await show(open, choices) else { return decided }
        let decision = destinations == nil ? await ask(incoming) : await askAgain?(incoming) ?? Decision(.ask)
        var declined: [(item: Int, reason: String)] = []
        for offered in incoming.items {
            let item = offered.transfer.item
            let answer: Decision.Answer =
                if let destinations {
                    decision.answer(to: offered).goingOn(in: destinations[item] ?? .inbox)
                } else {
                    Self.judged(decision.answer(to: offered), of: open.peer)
                }
            switch answer {
            case .take(let named, let destination, _, let types):
                let representation = named ?? offered.representation
                let candidate = open.offer.items[item]
                let isOffered = candidate.representations.indices.contains(representation)
                guard named == nil || isOffered && canTake(candidate, representation) else {
                    decided.decisions[item] = .decline(Decline(.nothingInCommon))
                    declined.append((item, "The form that was chosen cannot be taken here."))
                    continue
                }
                guard destination == .inbox || placing == .inFolders else {
                    decided.decisions[item] = .decline(Decline(.notWanted))
                    declined.append((item, "It was to be stored in a folder, and nothing is here."))
                    continue
                }
                decided.decisions[item] = .take(representation: representation)
                if destination != .inbox { decided.destinations[item] = destination }
                if let types { decided.types[item] = types }
            case .ask:
                decided.decisions[item] = .decline(Decline(.notWanted, detail: "There is no person to ask."))
                declined.append((item, "There is no person to ask."))
            case .decline(let detail, let reason):
                decided.decisions[item] = .decline(Decline(.notWanted, detail: detail))
                declined.append((item, reason ?? detail))
            case .postpone(let detail, let reason):
                decided.decisions[item] = .decline(Decline(.notInTime, detail: detail))
                declined.append((item, reason ?? detail))
            case .unable(let reason):
                decided.decisions[item] = .decline(Decline(.notInTime))
                decided.isUnable = true
                declined.append((item, reason))
            }
        }
        tell(declined, of: open, isAll: declined.count == incoming.items.count)
        return decided
    }

    /// Reports an offer. Large offers are reported one at a time in the whole process, since a report temporarily takes
    /// many times the memory of its offer.
    ///
    /// - Throws: `CancellationError`
    private func show(_ open: OpenOffer, _ choices: [Int?]) async throws -> IncomingOffer {
        func report() -> IncomingOffer {
            let incoming = IncomingOffer(open, choices: choices)
            events(.offered(incoming))
            return incoming
        }
        guard open.offer.footprint > Self.small else { return report() }
        return try await Self.turn.withLock(report)
    }

    /// Reports declines: a decline of the whole offer as one event, others separately.
    func tell(_ declined: [(item: Int, reason: String)], of open: OpenOffer, isAll: Bool) {
        guard let first = declined.first else { return }
        if isAll, declined.allSatisfy({ $0.reason == first.reason }) {
            return events(.declined(open.peer, reason: first.reason))
        }
        for (item, reason) in declined { events(.declinedItem(open.transfer(of: item), reason: reason)) }
    }

    /// Reports an event of an arriving item. The receiver itself reports a stored item.
    func report(_ event: ReceivingEvent, of open: OpenOffer) {
        switch event {
        case .began(let item, let representation, let size):
            let bytes = size ?? open.offer.items[item].representations[representation].size
            events(.started(open.transfer(of: item), bytes: bytes))
        case .resumed(let item, let kept): events(.resumed(open.transfer(of: item), kept: kept))
        case .received(let item, let advance):
            events(.progress(open.transfer(of: item), done: advance.done, transferred: advance.transferred))
        case .found(let item, let bytes, let isAll):
            events(.found(open.transfer(of: item), bytes: bytes, isAll: isAll))
        case .stored: break
        case .failed(let item, let sentence): events(.failed(open.transfer(of: item), reason: sentence))
        }
    }

    /// Returns the answer; a decline instead if the peer's name belongs to another key and the answer does not allow
    /// for that (HANDSHAKE.md 3.8-4).
    private static func judged(_ answer: Decision.Answer, of peer: RemotePeer) -> Decision.Answer {
        guard case .take(_, _, let asNamesake, _) = answer, !asNamesake, let owner = peer.doubtfulNamesakeOf else {
            return answer
        }
        return .decline(
            detail: "A device of this name is known here with another key. Give yours another name, or pair the two.",
            because: "a device of this name is known here with the key \(owner), and this one has the key "
                + "\(peer.fingerprint).")
    }
}

extension Decision.Answer {
    /// Answer to an item that a person accepted before, and that was begun in a folder.
    fileprivate func goingOn(in folder: Destination) -> Decision.Answer {
        // The partial was accepted from this very key, so a name conflict does not matter.
        switch self {
        case .ask: .take(into: folder, asNamesake: true)
        case .take(let representation, let destination, _, let types):
            .take(
                representation: representation,
                into: destination.isQuarantine == folder.isQuarantine ? folder : destination, asNamesake: true,
                types: types)
        case .decline, .postpone, .unable: self
        }
    }
}

extension IncomingOffer {
    fileprivate init(_ open: OpenOffer, choices: [Int?]) {
        peer = open.peer
        var items: [Item] = []
        var others: [String] = []
        for (number, (item, choice)) in zip(open.offer.items, choices).enumerated() {
            guard let choice else {
                others.append(item.title)
                continue
            }
            let taken = item.representations[choice]
            items.append(
                Item(
                    transfer: open.id(of: number), title: item.title, contentType: taken.type.identifier,
                    typeDescription: taken.type.shownDescription, suggestedName: taken.suggestedName,
                    representation: choice,
                    representationCount: item.representations.count, size: taken.size, apparentSize: taken.apparentSize,
                    mostBytes: item.mostBytes(from: choice), estimatedSize: taken.estimatedSize,
                    isFolder: taken.isFolder, restriction: taken.restriction, preview: item.preview,
                    forms: item.representations.map(Form.init),
                    parcelPlace: open.offer.parcelPlace(of: number)))
        }
        self.items = items
        notImportable = others
        parcel = open.offer.parcel.map(RandomID.init)
    }
}

extension IncomingOffer.Form {
    fileprivate init(_ offered: OfferedRepresentation) {
        self.init(
            contentType: offered.type.identifier, typeDescription: offered.type.shownDescription,
            suggestedName: offered.suggestedName, size: offered.size, apparentSize: offered.apparentSize,
            isFolder: offered.isFolder, restriction: offered.restriction, fitsItsType: offered.fitsItsType)
    }
}

extension OfferedType {
    /// Description for people: this device's for a type that is declared here, else the peer's.
    var shownDescription: String? { localType?.localizedDescription ?? description }
}

extension Set<Int> {
    /// These representations and all before the first of them: an earlier form that was not chosen must not replace the
    /// chosen one.
    var andAllBefore: Set<Int> { union(0..<(self.min() ?? 0)) }
}
