import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// Client of the agent that runs on this machine.
///
/// ```swift
/// let client = try AgentClient(socket: "/run/user/1000/portolan/api.sock")
/// let parcel = try await client.queue(AgentAPI.NewParcel(target: "laptop", paths: ["/home/anna/report.pdf"]))
/// try await client.follow(from: .newest) { event in
///     event.transfer != parcel.id.description || event.kind != "outbox.delivered"
/// }
/// ```
///
/// Each call makes a connection of its own. It throws ``AgentClientError``, or the ``AgentAPI/Problem`` that the
/// agent answers with.
public struct AgentClient: Sendable {
    let path: SocketPath
    let group: any EventLoopGroup
    let timeout: Duration

    /// - Parameters:
    ///   - socket: absolute path of the agent's socket.
    ///   - timeout: time for an answer.
    /// - Throws: ``AgentClientError`` for a path that no socket can have.
    public init(socket: String, timeout: Duration = .seconds(60)) throws(AgentClientError) {
        try self.init(socket: socket, timeout: timeout, group: MultiThreadedEventLoopGroup.singleton)
    }

    package init(socket: String, timeout: Duration, group: any EventLoopGroup) throws(AgentClientError) {
        path = try SocketPath(socket)
        self.group = group
        self.timeout = timeout
    }

    public func status() async throws -> AgentAPI.Status { try await get("status") }

    public func peers() async throws -> [AgentAPI.Peer] { try await sight().peers }

    /// Returns the peers that are visible at the moment, and the state of discovery, without waiting.
    public func sight() async throws -> AgentAPI.PeerList { try await get("peers") }

    /// Loads the policy again.
    ///
    /// - Returns: problems for which the old policy stays in force.
    public func reload() async throws -> AgentAPI.PolicyCheck { try await post("reload") }

    /// Stops the agent. It may still run when this returns.
    public func stop() async throws { try await send(.POST, "stop") }
}

extension AgentClient {
    // MARK: Outbox

    public func outbox(_ query: AgentAPI.Query = AgentAPI.Query()) async throws -> AgentAPI.ParcelPage {
        try await get("outbox" + query.text)
    }

    public func parcel(_ id: AgentAPI.ID) async throws -> AgentAPI.Parcel { try await get("outbox/\(id)") }

    /// Queues a parcel. It is durable when this returns.
    public func queue(_ parcel: AgentAPI.NewParcel) async throws -> AgentAPI.Parcel { try await post("outbox", parcel) }

    public func cancel(_ id: AgentAPI.ID) async throws -> AgentAPI.Parcel { try await post("outbox/\(id)/cancel") }

    public func retry(_ id: AgentAPI.ID) async throws -> AgentAPI.Parcel { try await post("outbox/\(id)/retry") }

    // MARK: Inbox

    public func inbox(_ query: AgentAPI.Query = AgentAPI.Query()) async throws -> AgentAPI.InboxPage {
        try await get("inbox" + query.text)
    }

    public func item(_ id: AgentAPI.ID) async throws -> AgentAPI.InboxItem { try await get("inbox/\(id)") }

    /// Accepts an item: moves one in quarantine; stores a waiting one when its sender offers it again.
    ///
    /// - Parameter folder: an absolute path; nil for the folder of the policy.
    public func accept(_ id: AgentAPI.ID, into folder: String? = nil) async throws -> AgentAPI.InboxItem {
        try await post("inbox/\(id)/accept", AgentAPI.Acceptance(into: folder))
    }

    /// - Parameter detail: a sentence for the sender.
    public func decline(_ id: AgentAPI.ID, detail: String? = nil) async throws -> AgentAPI.InboxItem {
        try await post("inbox/\(id)/decline", AgentAPI.Refusal(detail: detail))
    }

    /// Removes an item from the list; the stored file stays.
    public func forget(_ id: AgentAPI.ID) async throws { try await send(.POST, "inbox/\(id)/forget") }

    // MARK: Policy

    public func policy() async throws -> AgentAPI.Policy { try await get("policy") }

    /// - Parameter text: nil for the file as it is on disk.
    public func checkPolicy(_ text: String? = nil) async throws -> AgentAPI.PolicyCheck {
        try await post("policy/check", AgentAPI.PolicyText(text: text))
    }

    /// - Parameter offer: an offer as in the `tests` of a policy file.
    public func testPolicy(_ offer: JSONValue) async throws -> AgentAPI.Explanation {
        try await post("policy/test", offer)
    }

    /// Explains the verdict about an item of the inbox.
    public func explain(_ id: AgentAPI.ID) async throws -> AgentAPI.Explanation {
        try await get("policy/explain/\(id)")
    }

    // MARK: Shelf

    public func shelf() async throws -> [AgentAPI.SharedItem] { try await get("shelf", as: AgentAPI.Shelf.self).items }

    /// Shares an item, durably.
    public func share(_ item: AgentAPI.NewSharedItem) async throws -> AgentAPI.SharedItem {
        try await post("shelf", item)
    }

    public func unshare(_ id: AgentAPI.ID) async throws { try await send(.DELETE, "shelf/\(id)") }

    // MARK: Sync

    /// Returns the synchronized folders.
    public func sync() async throws -> AgentAPI.SyncFolders { try await get("sync") }

    /// Reads the list of folders again, and starts a round of work in all of them.
    public func refreshSync() async throws -> AgentAPI.SyncFolders { try await post("sync/refresh") }

    /// Compares a synchronized folder with its index. All of its files are read, which may take long.
    ///
    /// - Parameter id: ``AgentAPI/SyncFolder/id``.
    public func checkSync(
        _ id: String, _ order: AgentAPI.SyncCheckOrder = AgentAPI.SyncCheckOrder()
    ) async throws -> AgentAPI.SyncCheck { try await post("sync/\(id)/check", order) }

    /// Ends keeping a file or folder alike on this device; for others it is deleted. Returns when the folder was looked
    /// at.
    ///
    /// - Parameters:
    ///   - path: path in the folder.
    ///   - id: ``AgentAPI/SyncFolder/id``.
    @discardableResult
    public func forgetSync(_ path: String, in id: String) async throws -> AgentAPI.SyncFolders {
        try await post("sync/\(id)/forget", AgentAPI.SyncForgetOrder(path: path))
    }
}

extension AgentAPI.Query {
    /// Query part of a URL, such as `?state=waiting&limit=10`.
    package var text: String {
        let parts = states.map { "state=\($0)" } + (after.map { ["after=\($0)"] } ?? []) + ["limit=\(limit)"]
        return "?" + parts.joined(separator: "&")
    }
}
