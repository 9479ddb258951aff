import Foundation
import HostilePeers
import NodeTestSupport
import Portolan
import PortolanCrypto
import PortolanValues
import Synchronization
import Testing
import UniformTypeIdentifiers

/// A node that receives into its own folder, with a sentinel beside the folder that must never change.
final class Victim: Sendable {
    let port: UInt16
    let fingerprint: String
    let root: URL
    let inbox: URL
    private let log: Log
    private let task: Task<Void, any Error>

    struct NeverListened: Error {}

    /// Runs `body` with a victim, which accepts everything by default. Checks afterwards that nothing outside its inbox
    /// has changed.
    static func with(
        accepting types: [UTType]? = nil, offerDeadline: Duration? = nil, silence: Duration? = nil,
        options: Node.ReceiveOptions = Node.ReceiveOptions(),
        preparing prepare: (URL) throws -> Void = { _ in },
        from sources: @Sendable (Node) throws -> [Source]? = { _ in nil },
        deciding decide: @escaping @Sendable (IncomingOffer) async -> Decision = { _ in .accept },
        _ body: @Sendable (Victim) async throws -> Void
    ) async throws {
        let victim = try await Victim(
            types, offerDeadline: offerDeadline, silence: silence, options, preparing: prepare, from: sources,
            deciding: decide)
        let result = await Result {
            try await withHostileThread { try await body(victim) }
            try victim.checkSurroundings()
        }
        await victim.stop()
        try result.get()
    }

    private init(
        _ types: [UTType]?, offerDeadline: Duration?, silence: Duration?, _ options: Node.ReceiveOptions,
        preparing prepare: (URL) throws -> Void, from sources: @Sendable (Node) throws -> [Source]?,
        deciding decide: @escaping @Sendable (IncomingOffer) async -> Decision
    ) async throws {
        root = FileManager.default.temporaryDirectory.appending(path: "portolan-victim-\(UUID().uuidString)")
        inbox = root.appending(path: "inbox")
        try FileManager.default.createDirectory(at: inbox, withIntermediateDirectories: true)
        try prepare(inbox)
        try Data("untouched".utf8).write(to: root.appending(path: "sentinel"))

        var configuration = try Node.Configuration.onLoopback("victim", home: root.appending(path: "home"))
        if let offerDeadline { configuration.offerDeadline = offerDeadline }
        if let silence { configuration.silence = silence }
        let node = try Node(blocking: configuration)
        fingerprint = node.identity.fingerprint.description

        let (ports, feed) = AsyncStream.makeStream(of: UInt16.self)
        let log = Log()
        self.log = log
        let path = inbox.path
        let accepted = try sources(node)
        task = Task {
            try await node.receive(into: path, accepting: types, from: accepted, options: options, decide: decide) {
                event in
                if case .listening(let port, _, _) = event { feed.yield(port) }
                log.append(event)
            }
        }
        var iterator = ports.makeAsyncIterator()
        guard let port = await iterator.next() else { throw NeverListened() }
        self.port = port
    }

    private final class Log: Sendable {
        private let events = Mutex<[ReceiveEvent]>([])
        func append(_ event: ReceiveEvent) { events.withLock { $0.append(event) } }
        var all: [ReceiveEvent] { events.withLock(\.self) }
    }

    private func stop() async {
        task.cancel()
        _ = await task.result
        try? FileManager.default.removeItem(at: root)
    }

    /// Returns all entries of the inbox, hidden ones included.
    func contents() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: inbox.path).sorted()
    }

    /// The names in a folder of an item.
    func contents(of folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: inbox.appending(path: folder).path).sorted()
    }

    /// True if an event that `isMeant` has been reported.
    func hasReported(_ isMeant: (ReceiveEvent) -> Bool) -> Bool { log.all.contains(where: isMeant) }

    /// Waits for an event that `isMeant` accepts, or for `count` of them.
    func waits(
        for count: Int = 1, of isMeant: (ReceiveEvent) -> Bool, within seconds: Double = 300
    ) async throws -> Bool {
        let end = Date.now + seconds
        while Date.now < end {
            if log.all.count(where: isMeant) >= count { return true }
            try await Task.sleep(for: .milliseconds(10))
        }
        return false
    }

    /// Waits until the node has ended a session early, and removed its partial content.
    ///
    /// - Parameter count: number of sessions.
    func hasEndedASession(count: Int = 1) async throws -> Bool {
        try await waits(for: count, of: { if case .disconnected = $0 { true } else { false } })
    }

    /// Waits until the node has ended a session in order.
    func hasFinishedASession() async throws -> Bool {
        try await waits { if case .finished = $0 { true } else { false } }
    }

    /// Waits until the node has reported this sentence to its user.
    func hasComplained(_ sentence: String) async throws -> Bool {
        try await waits { $0.complaint == sentence }
    }

    /// Complaints that were reported to the victim's user.
    var complaints: [String] { log.all.compactMap(\.complaint) }

    private func checkSurroundings() throws {
        let here = try FileManager.default.contentsOfDirectory(atPath: root.path).sorted()
        #expect(here == ["home", "inbox", "sentinel"])
        #expect(try String(contentsOf: root.appending(path: "sentinel"), encoding: .utf8) == "untouched")
        #expect(try contents().filter { $0.hasPrefix(".portolan-partial") } == [], "a partial was left")
    }
}

extension ReceiveEvent {
    fileprivate var complaint: String? {
        switch self {
        case .failed(_, let reason), .disconnected(_, let reason), .refused(_, let reason), .warning(let reason):
            reason
        default: nil
        }
    }
}
