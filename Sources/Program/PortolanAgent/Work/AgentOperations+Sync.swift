import PortolanClient
import PortolanSyncFolder
import PortolanSyncPeers
import PortolanValues

/// Operations of the local API on folders that are synchronized.
extension AgentOperations {
    func sync() async throws -> AgentAPI.SyncFolders { try await agent.keeping.folders() }

    /// Sentences about the folders that stand still, for people; none where one sentence is about all of them.
    func standstills() async -> [String] {
        guard agent.keeping.problem == nil, let all = try? await agent.keeping.folders().folders else { return [] }
        return all.filter { $0.state == .halted }.map { one in
            "“\(DisplayText(one.name, limit: 100))” stands still. \(one.problem ?? "")"
        }
    }

    func refreshSync() async throws -> AgentAPI.SyncFolders {
        await agent.keeping.refresh()
        return try await sync()
    }

    func checkSync(_ id: String, _ order: AgentAPI.SyncCheckOrder) async throws -> AgentAPI.SyncCheck {
        let startsOver = order.startsOver ?? false
        let manner = order.repair ?? startsOver ? SyncCheckManner.repairing(startsOver: startsOver) : .comparing
        return AgentAPI.SyncCheck(try await agent.keeping.check(id, manner))
    }

    func forgetSync(_ id: String, _ order: AgentAPI.SyncForgetOrder) async throws -> AgentAPI.SyncFolders {
        try await agent.keeping.forget(order.path, in: id)
        return try await sync()
    }
}

extension AgentAPI.SyncCheck {
    /// Most findings that are named.
    private static let mostFindings = 1000

    package init(_ repair: SyncRepair) {
        func findings(_ check: SyncCheck) -> [Finding] {
            check.findings.prefix(Self.mostFindings).map {
                Finding(kind: $0.kind.rawValue, path: $0.path.text, sentence: $0.sentence)
            }
        }
        self.init(
            found: findings(repair.found), left: findings(repair.left), compared: repair.left.compared,
            waits: repair.left.waits, beganAnew: repair.beganEpoch)
    }
}
