import PortolanConcurrency
import PortolanTransport

extension NodeEnvironment {
    /// Renews rosters that expire if this device is an admin, tells the other members, and warns of rosters that need
    /// another admin; until the task is cancelled.
    func keepTeams(warn: @escaping @Sendable (String) -> Void) async {
        var told: Set<String> = []
        while !Task.isCancelled {
            do {
                let (renewed, warnings) = try await withLookupThread {
                    let renewed = try store.teams.renewIfDue(by: identity, now: runtime.date)
                    return (
                        renewed,
                        try store.teams.all().compactMap { team in
                            team.warning(now: runtime.date).map { "Team “\(team.team.name)”: \($0)" }
                        }
                    )
                }
                for warning in warnings where told.insert(warning).inserted { warn(warning) }
                for team in renewed { _ = await spread(team) }
            } catch {
                if told.insert("\(error)").inserted { warn("\(error)") }
            }
            try? await runtime.sleep(for: .seconds(3600))
        }
    }
}
