import PortolanTrust

extension TrustStore {
    /// Names of this device's teams. May block.
    func teamNames() throws -> [TeamID: TeamName] {
        Dictionary(try teams().map { ($0.id, $0.team.name) }, uniquingKeysWith: { first, _ in first })
    }
}
