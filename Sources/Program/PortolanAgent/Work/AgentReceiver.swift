import Portolan
import PortolanFiles
import PortolanProtocol
import PortolanSettings
import PortolanTransport

/// Receives items that the policy accepts, and records each before its sender gets the receipt.
struct AgentReceiver: Sendable {
    let node: Node
    let settings: Settings
    let database: AgentDatabase
    let policy: PolicyStore
    let health: StateHealth
    let journal: EventJournal
    let dispatcher: Dispatcher
    let deadlines: InboxDeadlines
    let underWay = AcceptedItems()
    private let strangers = StrangerEntries(foldedAs: .offersDeclined) { number, whose in
        number == 1
            ? "and 1 more offer of \(whose) was declined" : "and \(number) more offers of \(whose) were declined"
    }
    let offers = StrangerEntries(foldedAs: .offersDecided) { number, whose in
        number == 1 ? "and 1 more offer of \(whose) came" : "and \(number) more offers of \(whose) came"
    }
    private let starts = StrangerEntries(foldedAs: .transfersStarted) { number, whose in
        number == 1 ? "and 1 more item of \(whose) began" : "and \(number) more items of \(whose) began"
    }
    let failures = StrangerEntries(foldedAs: .transfersFailed) { number, whose in
        number == 1 ? "and 1 more item of \(whose) failed" : "and \(number) more items of \(whose) failed"
    }

    private var folders: PolicyFolders { PolicyFolders(settings) }

    /// Receives until the task is cancelled.
    func run() async throws {
        await makeFolders()
        _ = try? await database.write { try $0.quota.giveBackAll() }
        async let _ = strangers.run { journal.append($0) }
        async let _ = offers.run { journal.append($0) }
        async let _ = starts.run { journal.append($0) }
        async let _ = failures.run { journal.append($0) }
        try await node.receive(
            into: folders.inbox, accepting: settings.file.accept, options: settings.receiveOptions(),
            ledger: StateLedger(database: database, health: health), decide: { await decide($0) },
            decideAgain: { await decide($0, isGoingOn: true) }, onStored: record, events: report)
    }

    /// Makes the folders that the policy names, before an item can have the place of one.
    func makeFolders() async {
        let (paths, own) = (policy.current.folders, settings.home.ownFilesForReceiving)
        let problems = await withBlockingThread {
            paths.compactMap { path -> String? in
                do throws(FileError) {
                    _ = try Inbox(path: path, createIfMissing: true, besides: own, isQuarantine: true)
                    return nil
                } catch {
                    return error.description
                }
            }
        }
        for problem in problems {
            journal.append(.init(kind: .nodeWarning, values: ["message": .text(problem)]))
        }
    }

    // MARK: - Decisions

    /// - Parameter isGoingOn: true for items that were accepted before, so that only a person is not asked again.
    private func decide(_ offer: IncomingOffer, isGoingOn: Bool = false) async -> Decision {
        let loaded = policy.loaded
        guard loaded.isInForce else {
            settle(underWay.remember([], for: offer), hasBegun: false)
            return Decision(.unable(because: "No policy is in force: \(loaded.problems.first ?? "none was loaded")"))
        }
        let facts = PolicyOffer(offer, freeSpace: freeSpace, time: PolicyTime(database.now, in: .current))
        let rulings: [ReasonedDecision]
        do {
            rulings = try await decide(
                about: offer, by: loaded.policy.explain(facts, passing: Self.mostPassed), isGoingOn: isGoingOn)
        } catch {
            settle(underWay.remember([], for: offer), hasBegun: false)
            return Decision(
                .postpone(
                    detail: "This device cannot record offers at the moment. Send it again later.",
                    because: "\(error)"))
        }
        if rulings.contains(where: \.waits) { deadlines.look() }
        settle(underWay.remember(rulings, for: offer), hasBegun: false)
        var rest = rulings[...]
        return Decision(for: offer) { _ in rest.removeFirst().answer(in: folders) }
    }

    /// Largest number of earlier rules that are stored with a verdict, to explain it.
    private static let mostPassed = 50

    /// Free bytes where items are stored; nil if unknown.
    private var freeSpace: UInt64? {
        var status = statvfs()
        guard statvfs(folders.inbox, &status) == 0 else { return nil }
        return UInt64(status.f_bavail) * UInt64(status.f_frsize)
    }

    /// Decides by the owner's earlier decisions, else by the policy. Records the decisions in the journal, and
    /// questions in the inbox.
    private func decide(
        about offer: IncomingOffer, by explanations: [PolicyExplanation], isGoingOn: Bool
    ) async throws -> [ReasonedDecision] {
        guard let peer = offer.peer.stateKey else { throw NodeError(.notTrusted, "The sender has no key.") }
        let offered = try zip(offer.items, explanations).map { item, explanation in
            try OfferedItemFacts(item, of: offer, from: peer, explanation, in: folders)
        }
        return try await health.writing {
            try await database.write { change in
                let sender = StrangerEntries.Sender(offer.peer, title: offer.items.last?.title)
                let rulings = try offered.map { facts in
                    try change.decide(about: facts, isGoingOn: isGoingOn) { offers.isTold(of: sender) }
                }
                let isStrangers = offer.peer.standing == .anyone && rulings.allSatisfy(\.isDeclinedByPolicy)
                let telling = (isStrangers ? strangers : offers).telling(of: sender, size: max(1, offered.count))
                guard telling != .folded else { return rulings }
                try change.journal.append(
                    .offerDecided, transfer: offer.parcel?.description, peer: peer,
                    body: DecidedOffer(offer, rulings, isShortened: isStrangers || telling == .short))
                return rulings
            }
        }
    }

    // MARK: - Stored items

    /// Writes ledger, inbox and journal in one transaction.
    private func record(_ item: ReceivedItem) async throws {
        guard let peer = item.peer.stateKey, let key = item.peer.deviceKey else {
            throw NodeError(.notTrusted, "The sender has no key.")
        }
        let ruling = underWay.end(item.transfer, of: item.peer)
        let charges = underWay.takeCharges(of: [item.transfer], in: item.peer.session)
        let file = StoredItemFile(name: item.name, path: item.path, size: Int64(clamping: item.bytes))
        try await health.writing {
            try await database.write { change in
                for charge in charges { try change.quota.begin(charge) }
                let delivered = item.parcelPlace.flatMap { DeliveredItem($0, from: key) }
                if let delivered {
                    try change.ledger.insert(
                        delivered, file, entries: item.entries, receipt: item.receipt?.encoded)
                }
                let inboxItem = InboxRecord(
                    peer: peer, sender: item.peer.localName, parcel: delivered?.parcel, item: item.transfer.item,
                    place: delivered?.item ?? item.transfer.item, title: item.title, rule: ruling?.origin)
                try change.store(
                    inboxItem, file, isQuarantined: item.isQuarantined, accepted: ruling?.accepted,
                    verdict: ruling?.verdict)
            }
        }
    }

    // MARK: - Events

    func report(_ event: ReceiveEvent) {
        switch event {
        case .listening(let port, let name, let discovery):
            journal.append(
                .init(
                    kind: .nodeListening,
                    values: ["port": .number(Int64(port)), "name": .text(name), "discovery": .text(discovery)]))
        case .renamed(let name): journal.append(.init(kind: .nodeRenamed, values: ["name": .text(name)]))
        case .warning(let sentence): journal.append(.init(kind: .nodeWarning, values: ["message": .text(sentence)]))
        case .started(let transfer, let bytes):
            underWay.begin(transfer)
            settle([transfer.id], in: transfer.peer, hasBegun: true)
            guard starts.isTold(of: .init(transfer.peer, title: transfer.title)) else { return }
            append(.transferStarted, transfer, bytes.map { ["bytes": .number(Int64(clamping: $0))] } ?? [:])
        case .failed(let transfer, let reason):
            underWay.end(transfer.id, of: transfer.peer)
            settle([transfer.id], in: transfer.peer, hasBegun: false)
            noteFailure(of: transfer, reason)
            Task { await DeclinedPartials(node: node, database: database).removeIfDeclined(transfer) }
        case .connected(let peer): Task { await dispatcher.meet(peer.fingerprint) }
        case .finished(let peer), .disconnected(let peer, _):
            underWay.forget(peer)
            settle(nil, in: peer, hasBegun: false)
        // Decisions have entries of their own; this case follows an acceptance without room for the items.
        case .declined(let peer, let reason):
            guard let taken = underWay.takeBackOffer(of: peer) else { return }
            settle(taken, in: peer, hasBegun: false)
            guard failures.isTold(of: .init(peer, title: nil)) else { return }
            journal.append(
                .init(
                    kind: .offerRefused, peer: peer.stateKey,
                    values: ["sender": .text(peer.localName), "reason": .text(reason)]))
        case .declinedItem(let transfer, let reason):
            settle([transfer.id], in: transfer.peer, hasBegun: false)
            guard underWay.end(transfer.id, of: transfer.peer, hasBegun: false) != nil else { return }
            noteFailure(of: transfer, reason)
        // Stored items have entries of their own; rejected connections have none, because anyone on the network can
        // cause them.
        case .offered, .resumed, .progress, .found, .stored, .quarantined, .refused: break
        }
    }

    private func noteFailure(of transfer: IncomingTransfer, _ reason: String) {
        guard failures.isTold(of: .init(transfer.peer, title: transfer.title)) else { return }
        append(.transferFailed, transfer, ["reason": .text(reason)])
    }

    /// Keeps or takes back what was charged for items of which nothing had come so far.
    private func settle(_ items: [TransferID]?, in peer: RemotePeer, hasBegun: Bool) {
        settle(underWay.takeCharges(of: items, in: peer.session), hasBegun: hasBegun)
    }

    private func settle(_ charges: [Int64], hasBegun: Bool) {
        guard !charges.isEmpty else { return }
        // A charge that is not settled counts for a day, or until the agent starts again.
        Task { [database] in
            _ = try? await database.write { change in
                guard hasBegun else { return try change.quota.giveBack(charges) }
                for charge in charges { try change.quota.begin(charge) }
            }
        }
    }

    private func append(_ kind: JournalKind, _ transfer: IncomingTransfer, _ values: [String: JournalValue]) {
        let common: [String: JournalValue] = [
            "title": .text(transfer.title), "sender": .text(transfer.peer.localName), "direction": .text("receive"),
        ]
        journal.append(
            .init(
                kind: kind, transfer: transfer.parcelPlace?.parcel.description, peer: transfer.peer.stateKey,
                values: common.merging(values) { _, value in value }))
    }
}
