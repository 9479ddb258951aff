/// The answer to an offer, item by item.
///
/// ```swift
/// .accept                                                       // everything, in the forms that were shown
/// Decision(for: offer) { item in
///     if item.contentType == "public.html" { return .take(into: .quarantine("/srv/apart")) }
///     return item.size ?? .max < 1 << 20 ? .take() : .ask
/// }
/// ```
public struct Decision: Sendable, Hashable {
    /// The answer to one item.
    public enum Answer: Sendable, Hashable {
        /// Takes the item. It is declined nevertheless if the peer's name belongs to another key
        /// (``RemotePeer/namesakeOf``) and no team roster confirms the peer's key.
        ///
        /// - Parameters:
        ///   - representation: number of the form (``IncomingOffer/Item/forms``); nil takes the one that was shown. If
        ///     the sender cannot produce it, a later form may replace it, never an earlier one.
        ///   - into: the folder. Only
        ///     ``Node/receive(into:accepting:from:options:ledger:decide:decideAgain:onStored:events:)`` accepts a
        ///     folder other than the inbox.
        ///   - asNamesake: true to take it from such a peer as well: the answer of a person who was shown both keys.
        ///   - types: types because of which it is taken, if it is because of them: a file is then not executable, and
        ///     has the extension of its type.
        case take(
            representation: Int? = nil, into: Destination = .inbox, asNamesake: Bool = false, types: [UTType]? = nil)
        /// A person has to be asked (``Decision/asking(about:_:)``). Declined if no person was asked.
        case ask
        /// - Parameters:
        ///   - detail: a sentence for the sender.
        ///   - because: sentence for the user of this device, if it differs.
        case decline(detail: String, because: String? = nil)
        /// Declines the offer for now, with the reason that it was not decided in time. Its sender may offer it again
        /// later.
        ///
        /// - Parameters:
        ///   - detail: a sentence for the sender.
        ///   - because: sentence for the user of this device, if it differs.
        case postpone(detail: String, because: String? = nil)
        /// Ends the session without a decision: this device cannot decide at the moment, and its sender tries again.
        ///
        /// - Parameter because: sentence for the user of this device.
        case unable(because: String)
    }

    /// Answers to single items.
    private var answers: [TransferID: Answer]
    /// Answer for all other items.
    private let others: Answer

    /// Gives all items the same answer.
    public init(_ answer: Answer) {
        answers = [:]
        others = answer
    }

    /// An answer to each item.
    public init(for offer: IncomingOffer, _ answer: (IncomingOffer.Item) throws -> Answer) rethrows {
        answers = [:]
        others = .ask
        for item in offer.items { answers[item.transfer] = try answer(item) }
    }

    /// Takes all items, but none from a peer whose name belongs to another key (``RemotePeer/namesakeOf``).
    public static let accept = Decision(.take())

    /// Takes all items, also from a peer whose name belongs to another key: the answer of a person who was shown both
    /// keys.
    public static let acceptNamesake = Decision(.take(asNamesake: true))

    /// Declines all items.
    ///
    /// - Parameters:
    ///   - detail: a sentence for the sender.
    ///   - because: sentence for the user of this device, if it differs.
    public static func decline(detail: String, because: String? = nil) -> Decision {
        Decision(.decline(detail: detail, because: because))
    }

    public func answer(to item: IncomingOffer.Item) -> Answer { answers[item.transfer] ?? others }

    /// Returns the decision with a person's answers in place of ``Answer/ask``.
    ///
    /// - Parameter ask: called with an offer of the items to ask about; not called if there are none.
    public func asking(
        about offer: IncomingOffer, _ ask: (IncomingOffer) async throws -> Decision
    ) async rethrows -> Decision {
        let open = offer.items.filter { answer(to: $0) == .ask }
        guard !open.isEmpty else { return self }
        let reply = try await ask(
            IncomingOffer(
                peer: offer.peer, items: open, notImportable: offer.notImportable, parcel: offer.parcel))
        var decision = self
        for item in open { decision.answers[item.transfer] = reply.answer(to: item) }
        return decision
    }
}

/// Folder for an item.
public struct Destination: Sendable, Hashable {
    /// Path of the folder; nil means the inbox.
    public let folder: String?
    /// True if the folder is a quarantine. Its items are complete and durable, and their sender gets receipts. This
    /// device does not count them as received: the event is ``ReceiveEvent/quarantined(_:)``, and the peer is not
    /// stored as known.
    public let isQuarantine: Bool
    /// Owners of the last components of the path, as `ReceivingPlace` knows them; the actual folder may have a numbered
    /// name.
    package var owners: [String?] = []

    /// The folder that is received into.
    public static let inbox = Destination(folder: nil, isQuarantine: false)

    /// Another folder, made if it is not there.
    public static func folder(_ path: String) -> Destination { Destination(folder: path, isQuarantine: false) }

    /// A quarantine folder, made if it is not there.
    public static func quarantine(_ path: String) -> Destination { Destination(folder: path, isQuarantine: true) }

    package func owned(by owners: [String?]) -> Destination {
        var destination = self
        if folder != nil { destination.owners = owners }
        return destination
    }
}
