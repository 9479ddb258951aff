import Foundation
import PortolanAgent
import PortolanClient

/// An agent in memory that records its calls.
actor FakeAgent: AgentActions {
    static let date = Date(timeIntervalSince1970: 1_800_000_000.25)
    static let parcel = AgentAPI.Parcel(
        id: AgentAPI.ID(0xab), target: "laptop", titles: ["report.pdf"], state: .waiting, created: date, changed: date)
    static let item = AgentAPI.InboxItem(
        id: AgentAPI.ID(7), state: .waiting, at: date, changed: date, peer: String(repeating: "0f", count: 32),
        sender: "laptop", title: "report.pdf", deadline: date)
    static let shared = AgentAPI.SharedItem(id: AgentAPI.ID(9), title: "plan.html", created: date)

    private(set) var calls: [String] = []
    /// Number of pages of events that were read.
    private(set) var pages = 0
    private var events: [AgentAPI.Event] = []
    private var oldest: Int64 = 1
    private var signals: [Int: AsyncStream<Void>.Continuation] = [:]
    private var followers = 0
    private let fault: (any Error)?

    /// - Parameter fault: is thrown by every operation on the outbox.
    init(events: ClosedRange<Int64>? = nil, fault: (any Error)? = nil) {
        self.events = events?.map { Self.event($0) } ?? []
        self.fault = fault
    }

    static func event(_ cursor: Int64, bytes: Int = 0) -> AgentAPI.Event {
        AgentAPI.Event(
            cursor: cursor, at: date, kind: "outbox.queued", transfer: AgentAPI.ID(UInt128(cursor)).description,
            body: .object(bytes == 0 ? [:] : ["text": .string(String(repeating: "x", count: bytes))]))
    }

    func append(_ event: AgentAPI.Event) {
        events.append(event)
        for signal in signals.values { signal.yield() }
    }

    /// Forgets all entries before this one.
    func retain(from cursor: Int64) {
        oldest = cursor
        events.removeAll { $0.cursor < cursor }
        for signal in signals.values { signal.yield() }
    }

    /// Followers that have not ended.
    var followerCount: Int { signals.count }

    private func note(_ call: String) throws {
        calls.append(call)
        if let fault { throw fault }
    }

    func status() -> AgentAPI.Status {
        AgentAPI.Status(
            version: "1.0", process: 1, started: Self.date, name: "desk", fingerprint: "aaaa", state: "/state",
            receiving: true, journal: AgentAPI.JournalRange(oldest: oldest, newest: 0))
    }

    func peers() throws -> AgentAPI.PeerList {
        AgentAPI.PeerList(
            peers: [
                AgentAPI.Peer(
                    name: "laptop", fingerprint: nil, known: true, contact: true, teams: ["@acme"], addresses: [],
                    foundBy: "embedded")
            ], remarks: ["The network is flooded."])
    }

    func reload() throws -> AgentAPI.PolicyCheck { AgentAPI.PolicyCheck(problems: ["line 3: unknown key."]) }
    func stop() throws { try note("stop") }

    func outbox(_ query: AgentAPI.Query) throws -> AgentAPI.ParcelPage {
        try note("outbox \(query.states) \(query.after?.description ?? "-") \(query.limit)")
        return AgentAPI.ParcelPage(parcels: [Self.parcel], next: Self.parcel.id)
    }

    func parcel(_ id: AgentAPI.ID) throws -> AgentAPI.Parcel {
        try note("parcel \(id)")
        guard id == Self.parcel.id else { throw AgentAPI.Problem.notFound("There is no parcel \(id).") }
        return Self.parcel
    }

    func queue(_ parcel: AgentAPI.NewParcel) throws -> AgentAPI.Parcel {
        try note("queue \(parcel.target) \(parcel.paths ?? []) \(parcel.text?.utf8.count ?? 0)")
        return Self.parcel
    }

    func cancel(_ id: AgentAPI.ID) throws -> AgentAPI.Parcel {
        try note("cancel \(id)")
        throw AgentAPI.Problem.conflict("The parcel is delivered.")
    }

    func retry(_ id: AgentAPI.ID) throws -> AgentAPI.Parcel {
        try note("retry \(id)")
        return Self.parcel
    }

    func inbox(_ query: AgentAPI.Query) throws -> AgentAPI.InboxPage {
        try note("inbox \(query.states)")
        return AgentAPI.InboxPage(items: [Self.item])
    }

    func item(_ id: AgentAPI.ID) throws -> AgentAPI.InboxItem {
        try note("item \(id)")
        return Self.item
    }

    func accept(_ id: AgentAPI.ID, _ acceptance: AgentAPI.Acceptance) throws -> AgentAPI.InboxItem {
        try note("accept \(id) \(acceptance.into ?? "-")")
        return Self.item
    }

    func decline(_ id: AgentAPI.ID, _ refusal: AgentAPI.Refusal) throws -> AgentAPI.InboxItem {
        try note("decline \(id) \(refusal.detail ?? "-")")
        return Self.item
    }

    func forget(_ id: AgentAPI.ID) throws { try note("forget \(id)") }

    func policy() throws -> AgentAPI.Policy {
        AgentAPI.Policy(path: "/policy.yaml", text: "version: 1\n", loaded: Self.date, rules: 0)
    }

    func checkPolicy(_ text: AgentAPI.PolicyText) throws -> AgentAPI.PolicyCheck {
        try note("check \(text.text ?? "-")")
        return AgentAPI.PolicyCheck(problems: [])
    }

    func testPolicy(_ offer: JSONValue) throws -> AgentAPI.Explanation {
        guard case .object(let keys) = offer else { throw AgentAPI.Problem.invalid("It is not an object.") }
        try note("test \(keys.keys.sorted())")
        return AgentAPI.Explanation(verdicts: [AgentAPI.Verdict(item: 0, action: "accept", rule: 1, line: 3)])
    }

    func explain(_ id: AgentAPI.ID) throws -> AgentAPI.Explanation {
        try note("explain \(id)")
        return AgentAPI.Explanation(verdicts: [])
    }

    func shelf() throws -> [AgentAPI.SharedItem] { [Self.shared] }

    func share(_ item: AgentAPI.NewSharedItem) throws -> AgentAPI.SharedItem {
        try note("share \(item.path ?? "-") \(item.audience ?? "-")")
        return Self.shared
    }

    func unshare(_ id: AgentAPI.ID) throws { try note("unshare \(id)") }

    static let folder = AgentAPI.SyncFolder(
        id: "0123456789abcdef", name: "notes", path: "/notes", with: ["@acme"], state: .halted, isIdle: false,
        waits: ["It waits."],
        lacks: [.init(path: "a", reason: "It waits.", needsPerson: true)],
        skipped: [.init(path: nil, reason: "It is a pipe.", needsPerson: true)],
        deletions: [.init(mark: "0a0b0c0d", count: 3, isOwn: false, by: "laptop", paths: ["b"])], conflicts: ["c"],
        coming: .init(files: 2, bytes: 10, doneFiles: 1, doneBytes: 5, from: ["laptop"]),
        going: [.init(files: 2, bytes: 10, doneFiles: 1, doneBytes: 5, to: "phone")],
        others: [
            .init(
                by: "phone", kind: "deletion", mark: "0a0b0c0e", count: 3, paths: ["d"], reason: "It is held there.",
                needsPerson: true)
        ], peers: ["laptop"],
        problem: "It is away.")

    func sync() throws -> AgentAPI.SyncFolders { AgentAPI.SyncFolders(folders: [Self.folder]) }

    func refreshSync() throws -> AgentAPI.SyncFolders {
        try note("refresh")
        return AgentAPI.SyncFolders(folders: [Self.folder], problem: "The list is damaged.")
    }

    static let check = AgentAPI.SyncCheck(
        found: [.init(kind: "missing", path: "a/b", sentence: "The index has it, and the disk does not.")], left: [],
        compared: 7, waits: ["It waits."], beganAnew: false)

    func checkSync(_ id: String, _ order: AgentAPI.SyncCheckOrder) throws -> AgentAPI.SyncCheck {
        try note("check \(id) \(order.repair ?? false) \(order.startsOver ?? false)")
        return Self.check
    }

    func forgetSync(_ id: String, _ order: AgentAPI.SyncForgetOrder) throws -> AgentAPI.SyncFolders {
        try note("forget \(id) \(order.path)")
        return AgentAPI.SyncFolders(folders: [Self.folder])
    }

    func events(from position: AgentAPI.Position, limit: Int) throws -> AgentAPI.EventPage {
        pages += 1
        let cursor = try cursor(position)
        let found = Array(events.drop { $0.cursor <= cursor }.prefix(limit))
        return AgentAPI.EventPage(events: found, next: found.last?.cursor ?? cursor)
    }

    private func cursor(_ position: AgentAPI.Position) throws -> Int64 {
        let newest = events.last?.cursor ?? oldest - 1
        switch position {
        case .oldest: return oldest - 1
        case .newest: return newest
        case .after(let cursor):
            guard cursor >= oldest - 1 else { throw AgentAPI.Problem.gone(oldest: oldest) }
            guard cursor <= newest else { throw AgentAPI.Problem.unknownCursor(newest: newest) }
            return cursor
        }
    }

    func follow(
        from position: AgentAPI.Position
    ) throws -> any AsyncSequence<[AgentAPI.Event], any Error> & Sendable {
        let cursor = try cursor(position)
        followers += 1
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = followers
        signals[number] = continuation
        continuation.onTermination = { _ in Task { await self.forget(follower: number) } }
        return FakeFeed(agent: self, cursor: cursor, signals: stream)
    }

    private func forget(follower: Int) { signals[follower] = nil }
}

/// Entries of a fake agent, in batches of few.
struct FakeFeed: AsyncSequence, Sendable {
    let agent: FakeAgent
    let cursor: Int64
    let signals: AsyncStream<Void>

    func makeAsyncIterator() -> Iterator {
        Iterator(agent: agent, cursor: cursor, signals: signals.makeAsyncIterator())
    }

    struct Iterator: AsyncIteratorProtocol {
        let agent: FakeAgent
        var cursor: Int64
        var signals: AsyncStream<Void>.Iterator

        mutating func next() async throws -> [AgentAPI.Event]? {
            while !Task.isCancelled {
                let page = try await agent.events(from: .after(cursor), limit: 3)
                cursor = page.next
                if !page.events.isEmpty { return page.events }
                guard await signals.next() != nil else { return nil }
            }
            return nil
        }
    }
}
