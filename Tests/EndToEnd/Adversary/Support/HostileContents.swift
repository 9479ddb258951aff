import HostilePeers
import PortolanCrypto
import PortolanProtocol
import PortolanSyncPlan
import PortolanValues

/// Answers of a hostile member to SyncWants: one offer after the other, each with a tree of the test's choice.
final class HostileContents {
    private let peer: HostilePeer
    private let make: (Message.SyncWant) -> [HostileElement]
    /// Changes what the next offer claims.
    var offered: (_ form: OfferedRepresentation) throws -> [OfferedRepresentation] = { [$0] }
    /// Sends what follows the tree; otherwise the transfer ends.
    var end: ((_ lane: HostileLane, _ transfer: UInt32) throws -> Void)?
    private var waiting: [Message.SyncWant] = []
    private var isOpen = false
    private var offers: UInt64 = 0
    private var transfers: UInt32 = 0
    private(set) var wants: [Message.SyncWant] = []
    private(set) var declined = 0
    private(set) var receipts: [Message.Receipt.Outcome] = []

    /// - Parameter make: the tree that is sent for a SyncWant, with its root.
    init(_ peer: HostilePeer, _ make: @escaping (Message.SyncWant) -> [HostileElement]) {
        self.peer = peer
        self.make = make
    }

    /// Offers those of the wanted contents that it has.
    convenience init(_ peer: HostilePeer, of contents: [[UInt8]]) {
        self.init(peer) { want in
            Self.tree(want.contents.compactMap { one in contents.first { sha256([$0]) == one.digest.bytes } })
        }
    }

    static func name(_ content: [UInt8]) -> String { Hexadecimal.text(sha256([content])) }

    /// Tree of whole contents, under their digests.
    static func tree(_ contents: [[UInt8]]) -> [HostileElement] {
        [.folder(0)] + contents.enumerated().map { .whole(UInt32($0 + 1), name: name($1), $1) }
    }

    /// Number of SyncWants so far that ask for a content.
    func count(of content: [UInt8]) -> Int {
        wants.filter { $0.contents.contains { $0.digest.bytes == sha256([content]) } }.count
    }

    func take(_ message: Message) throws {
        switch message {
        case .syncWant(let want):
            wants.append(want)
            waiting.append(want)
            try offerNext()
        case .answer(let answer):
            if case .take? = answer.choices.first?.decision, let want = waiting.first {
                try send(make(want))
            } else {
                declined += 1
                try settle()
            }
        case .receipt(let receipt):
            receipts.append(receipt.outcome)
            try settle()
        default: break
        }
    }

    private func settle() throws {
        isOpen = false
        waiting.removeFirst()
        try offerNext()
    }

    private func offerNext() throws {
        guard !isOpen, let want = waiting.first else { return }
        isOpen = true
        offers += 1
        let form = try OfferedRepresentation(
            type: OfferedType(identifier: "public.folder"), channel: .file,
            size: want.contents.reduce(0) { $0 + $1.size }, isFolder: true, source: want.folder.bytes)
        let item = try OfferedItem(title: "", representations: offered(form))
        try peer.send(.offer(try Offer(id: offers, items: [item], request: want.id)))
    }

    private func send(_ tree: [HostileElement]) throws {
        transfers += 1
        try peer.send(
            .begin(
                Message.Begin(
                    transfer: transfers, offer: offers, item: 0, representation: 0, channel: .file,
                    name: Array("contents".utf8), size: nil)))
        let lane = try peer.lane()
        var rest = tree[...]
        while !rest.isEmpty {
            try lane.sendTree(Array(rest.prefix(2000)), transfer: transfers)
            rest = rest.dropFirst(2000)
        }
        if let end { return try end(lane, transfers) }
        try lane.send(.mark, transfer: transfers)
        try peer.send(
            .end(
                Message.End(
                    transfer: transfers, entries: UInt32(tree.filter(\.isEntry).count),
                    bytes: tree.reduce(0) { $0 + $1.bytes }, lanes: [0])))
    }
}

extension HostileElement {
    fileprivate var isEntry: Bool {
        switch self {
        case .file, .whole, .folder, .link: true
        case .content, .hole, .end, .mark: false
        }
    }

    /// Bytes of content.
    fileprivate var bytes: UInt64 {
        switch self {
        case .whole(_, _, _, let content), .content(_, let content): UInt64(content.count)
        default: 0
        }
    }
}
