import Foundation
import Glibc
import Portolan
import PortolanProtocol
import PortolanTrust
import Synchronization

/// Receives what the policy accepts, and records it before its sender has the receipt.
struct Reception: Sendable {
    let node: Node
    let settings: Settings
    let database: AgentDatabase
    let policy: PolicyStore
    let health: StateHealth
    let journal: EventJournal
    private let rules = AcceptingRules()

    init(
        node: Node, settings: Settings, database: AgentDatabase, policy: PolicyStore, health: StateHealth,
        journal: EventJournal
    ) {
        self.node = node
        self.settings = settings
        self.database = database
        self.policy = policy
        self.health = health
        self.journal = journal
    }

    private var folders: PolicyFolders {
        PolicyFolders(inbox: settings.inbox, quarantine: settings.home.data + "/quarantine")
    }

    /// Receives until the task is cancelled.
    func run() async throws {
        try await node.receive(
            into: folders.inbox, accepting: settings.file.accept, options: settings.receiveOptions(),
            ledger: StateLedger(database: database, health: health), decide: decide, onStored: record, events: report)
    }

    // MARK: - Decisions

    private func decide(_ offer: IncomingOffer) async -> Decision {
        let facts = PolicyOffer(offer, freeSpace: freeSpace, time: PolicyTime(Date(), in: .current))
        let verdicts = policy.current.verdicts(for: facts)
        do {
            try await note(verdicts, about: offer)
        } catch {
            return .decline(
                detail: "This device cannot record offers at the moment. Send it again later.", because: "\(error)")
        }
        rules.remember(verdicts, for: offer)
        var rest = verdicts[...]
        return Decision(for: offer) { _ in
            let verdict = rest.removeFirst()
            guard case .ask = verdict.action else { return verdict.answer(in: folders) }
            return .decline(
                detail: "The owner of this device will be asked about it. Nothing was taken; send it again later.",
                because: "\(verdict.origin) of the policy asks; the offer is kept in the inbox.")
        }
    }

    /// Bytes that are free where items are stored; nil if unknown.
    private var freeSpace: UInt64? {
        var status = statvfs()
        guard statvfs(folders.inbox, &status) == 0 else { return nil }
        return UInt64(status.f_bavail) * UInt64(status.f_frsize)
    }

    /// Writes the verdicts into the journal, and items to ask about into the inbox.
    private func note(_ verdicts: [PolicyVerdict], about offer: IncomingOffer) async throws {
        guard let peer = offer.peer.stateKey else { throw NodeError(.notTrusted, "The sender has no key.") }
        try await health.writing {
            try await database.write { change in
                try change.journal.append(
                    .offerDecided, transfer: offer.parcel?.description, peer: peer,
                    body: DecidedOffer(offer, verdicts))
                for (item, verdict) in zip(offer.items, verdicts) {
                    guard case .ask(let wait, let ending, _) = verdict.action else { continue }
                    let description = try JSONEncoder().encode(OfferDescription(item))
                    _ = try change.inbox.wait(
                        InboxItem(
                            peer: peer, sender: offer.peer.localName, parcel: offer.parcel.map { StateID($0) },
                            item: item.transfer.item, title: item.title, rule: verdict.origin),
                        InboxOffer(
                            description: String(decoding: description, as: UTF8.self),
                            deadline: change.now.addingTimeInterval(TimeInterval(wait.components.seconds)),
                            fallback: InboxFallback(ending)))
                }
            }
        }
    }

    // MARK: - Stored items

    /// Writes ledger, inbox and journal in one transaction.
    private func record(_ item: ReceivedItem) async throws {
        guard let peer = item.peer.stateKey, let key = item.peer.deviceKey else {
            throw NodeError(.notTrusted, "The sender has no key.")
        }
        let rule = rules.rule(of: item)
        let file = StoredFile(name: item.name, path: item.path, size: Int64(clamping: item.bytes))
        try await health.writing {
            try await database.write { change in
                if let delivered = item.parcelPlace.flatMap({ DeliveredItem($0, from: key) }) {
                    try change.ledger.insert(delivered, file, entries: item.entries)
                }
                _ = try change.inbox.store(
                    InboxItem(
                        peer: peer, sender: item.peer.localName, parcel: item.parcelPlace.map { StateID($0.parcel) },
                        item: item.transfer.item, title: item.title, rule: rule),
                    file, isQuarantined: item.isQuarantined)
            }
        }
    }

    // MARK: - Events

    private func report(_ event: ReceiveEvent) {
        switch event {
        case .listening(let port, let name, let discovery):
            journal.append(
                .init(
                    kind: .nodeListening,
                    values: ["port": .number(Int64(port)), "name": .text(name), "discovery": .text(discovery)]))
        case .renamed(let name): journal.append(.init(kind: .nodeRenamed, values: ["name": .text(name)]))
        case .warning(let sentence): journal.append(.init(kind: .nodeWarning, values: ["message": .text(sentence)]))
        case .started(let transfer, let bytes):
            append(.transferStarted, transfer, bytes.map { ["bytes": .number(Int64(clamping: $0))] } ?? [:])
        case .failed(let transfer, let reason): append(.transferFailed, transfer, ["reason": .text(reason)])
        case .finished(let peer), .disconnected(let peer, _): rules.forget(peer)
        // Decisions and stored items have entries of their own; anybody on the network can have connections refused.
        case .offered, .declined, .declinedItem, .resumed, .progress, .found, .stored, .quarantined, .refused: break
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

/// Rules by which items were accepted whose transfer has not ended yet.
private final class AcceptingRules: Sendable {
    /// By session.
    private let rules = Mutex<[RandomID: [TransferID: String]]>([:])

    func remember(_ verdicts: [PolicyVerdict], for offer: IncomingOffer) {
        rules.withLock { rules in
            for (item, verdict) in zip(offer.items, verdicts) {
                switch verdict.action {
                case .accept, .quarantine: rules[offer.peer.session, default: [:]][item.transfer] = verdict.origin
                case .ask, .decline: continue
                }
            }
        }
    }

    func rule(of item: ReceivedItem) -> String? {
        rules.withLock { $0[item.peer.session]?.removeValue(forKey: item.transfer) }
    }

    func forget(_ peer: RemotePeer) { rules.withLock { $0[peer.session] = nil } }
}

// MARK: - Descriptions

/// Body of an entry of the journal about the decision on an offer.
private struct DecidedOffer: Encodable {
    struct Item: Encodable {
        let title: String
        let type: String
        let bytes: UInt64?
        let action: String
        /// Number and line of the rule; nil for the default.
        let rule: Int?
        let line: Int?
    }

    let sender: String
    let items: [Item]
    let notImportable: [String]

    init(_ offer: IncomingOffer, _ verdicts: [PolicyVerdict]) {
        sender = offer.peer.localName
        items = zip(offer.items, verdicts).map { item, verdict in
            Item(
                title: item.title, type: item.contentType, bytes: item.size,
                action: verdict.action.kind.rawValue, rule: verdict.rule, line: verdict.line)
        }
        notImportable = offer.notImportable
    }
}

/// Description of an offered item that waits for a decision.
private struct OfferDescription: Encodable {
    let title: String
    let types: [String]
    let bytes: UInt64?
    let folder: Bool
    let message: String?

    init(_ item: IncomingOffer.Item) {
        title = item.title
        types = item.forms.map(\.contentType)
        bytes = item.size
        folder = item.isFolder
        message = item.preview?.message
    }
}

extension InboxFallback {
    fileprivate init(_ ending: PolicyEnding) {
        self =
            switch ending {
            case .accept: .accept
            case .quarantine: .quarantine
            case .decline: .decline
            }
    }
}
