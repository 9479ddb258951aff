import PortolanClient

/// Operations of the agent in the local API.
///
/// An impossible operation throws an `AgentAPI.Problem`; another error becomes an answer of status 500 without its
/// text.
package protocol AgentActions: Sendable {
    func status() async throws -> AgentAPI.Status
    func peers() async throws -> AgentAPI.PeerList
    /// - Returns: problems for which the old policy stays in force.
    func reload() async throws -> AgentAPI.PolicyCheck
    /// Stops the agent. Returns before it has stopped, so that the request can be answered.
    func stop() async throws

    func outbox(_ query: AgentAPI.Query) async throws -> AgentAPI.ParcelPage
    func parcel(_ id: AgentAPI.ID) async throws -> AgentAPI.Parcel
    /// Returns when the parcel is durable.
    func queue(_ parcel: AgentAPI.NewParcel) async throws -> AgentAPI.Parcel
    func cancel(_ id: AgentAPI.ID) async throws -> AgentAPI.Parcel
    func retry(_ id: AgentAPI.ID) async throws -> AgentAPI.Parcel

    func inbox(_ query: AgentAPI.Query) async throws -> AgentAPI.InboxPage
    func item(_ id: AgentAPI.ID) async throws -> AgentAPI.InboxItem
    func accept(_ id: AgentAPI.ID, _ acceptance: AgentAPI.Acceptance) async throws -> AgentAPI.InboxItem
    func decline(_ id: AgentAPI.ID, _ refusal: AgentAPI.Refusal) async throws -> AgentAPI.InboxItem
    func forget(_ id: AgentAPI.ID) async throws

    func policy() async throws -> AgentAPI.Policy
    func checkPolicy(_ text: AgentAPI.PolicyText) async throws -> AgentAPI.PolicyCheck
    /// - Parameter offer: a JSON object, as in the `tests` of a policy file.
    func testPolicy(_ offer: JSONValue) async throws -> AgentAPI.Explanation
    func explain(_ id: AgentAPI.ID) async throws -> AgentAPI.Explanation

    func shelf() async throws -> [AgentAPI.SharedItem]
    /// Returns when the item is durable.
    func share(_ item: AgentAPI.NewSharedItem) async throws -> AgentAPI.SharedItem
    func unshare(_ id: AgentAPI.ID) async throws

    /// Returns the synchronized folders.
    func sync() async throws -> AgentAPI.SyncFolders
    /// Reads the list of folders again, and starts a round of work in all of them. Waits for a few seconds at most.
    func refreshSync() async throws -> AgentAPI.SyncFolders
    /// Compares a synchronized folder with its index.
    func checkSync(_ id: String, _ order: AgentAPI.SyncCheckOrder) async throws -> AgentAPI.SyncCheck
    /// Ends keeping a file or folder of a synchronized folder alike here. Returns when the folder was looked at.
    func forgetSync(_ id: String, _ order: AgentAPI.SyncForgetOrder) async throws -> AgentAPI.SyncFolders

    /// Returns a page of the journal. It may have fewer entries than `limit`, and has at least one if there are any.
    ///
    /// - Throws: `AgentAPI.Problem.gone` for a cursor that fell out of retention.
    func events(from position: AgentAPI.Position, limit: Int) async throws -> AgentAPI.EventPage
    /// Returns entries from a position on, in batches, with later ones.
    ///
    /// The sequence buffers no entries: a slow reader reads later. It ends when the agent stops and when its task is
    /// cancelled.
    ///
    /// - Throws: `AgentAPI.Problem.gone` for a cursor that fell out of retention; so does the sequence.
    func follow(from position: AgentAPI.Position) async throws -> any AsyncSequence<[AgentAPI.Event], any Error>
        & Sendable
}
