import PortolanConcurrency
import PortolanProtocol
import PortolanTransport

/// Changes of this device's teams while sessions run.
extension NodeSessions {
    /// Interval of looks where no change is reported.
    private static let pause = Duration.milliseconds(500)

    /// Passes each change of a team on in all sessions, and ends those with newly removed devices, until the task is
    /// cancelled.
    ///
    /// The change may be made by another process of this home, or come in any session: the files of the teams are
    /// watched.
    ///
    /// - Parameter known: ``removals()`` before the first session.
    func followTeams(since known: Removals) async {
        var known = known
        let changes = HomeFolderWatch(TeamStore.folder(in: environment.configuration.home), pause: Self.pause).changes
        // The first look is for changes before the watch.
        await look(&known)
        for await _ in changes { await look(&known) }
    }

    private func look(_ known: inout Removals) async {
        // After an unreadable file, the next change tells.
        guard let current = await removals(), current != known else { return await tell([:]) }
        let removed = current.filter { known[$0.key]?.isSuperset(of: $0.value) != true }
        known = current
        await tell(removed)
    }

    /// Removed devices that have not joined again, each with the names of the teams.
    typealias Removals = [PinnedKey: Set<TeamName>]

    /// - Returns: nil if the teams cannot be read.
    func removals() async -> Removals? {
        try? await withLookupThread {
            var teams: Removals = [:]
            for stored in try self.environment.store.teams.all() where !stored.isRemoved {
                for key in stored.removedKeys { teams[key, default: []].insert(stored.team.name) }
            }
            return teams
        }
    }

    private func tell(_ removed: Removals) async {
        let sessions = drivers.map { driver in (driver, removed[PinnedKey(driver.session.peer.deviceKey)]) }
        await withLookupThread {
            for (driver, teams) in sessions.filter({ $0.1 != nil }) + sessions.filter({ $0.1 == nil }) {
                driver.tellTeams(ending: teams.map { Self.removal(of: driver.session.peer.name, from: $0) })
            }
        }
    }

    private static func removal(of name: DeviceName, from teams: Set<TeamName>) -> TransportError {
        let names = teams.map { "“\($0)”" }.sorted().joined(separator: ", ")
        return .notEntitled("“\(name)” was removed from \(names), so it may send nothing here and gets nothing.")
    }
}
