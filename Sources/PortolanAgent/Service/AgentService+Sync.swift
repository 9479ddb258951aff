import PortolanClient

/// Operations of the local API on folders that are synchronized.
extension AgentService {
    func sync() async throws -> AgentAPI.SyncFolders {
        do { return try await agent.keeping.folders() } catch { throw AgentAPI.Problem.of(error) }
    }

    func refreshSync() async throws -> AgentAPI.SyncFolders {
        await agent.keeping.refresh()
        return try await sync()
    }
}
