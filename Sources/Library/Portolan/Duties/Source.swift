/// Permitted senders: by entitlement, or by proved key.
public struct Source: Sendable, Hashable {
    private enum Kind: Sendable, Hashable {
        case team(TeamID, GroupName?)
        case contacts
        case device(Fingerprint)
    }

    private let kind: Kind

    /// Members of a team.
    ///
    /// - Parameter group: only those in this group; nil means the whole team.
    public init(team: TeamID, group: GroupName? = nil) { kind = .team(team, group) }

    private init(_ kind: Kind) { self.kind = kind }

    /// All peers whose keys were confirmed by pairing.
    public static let contacts = Source(.contacts)

    /// The device with this key, under any name.
    public static func device(_ fingerprint: Fingerprint) -> Source { Source(.device(fingerprint)) }

    func includes(_ standing: Standing, _ fingerprint: Fingerprint) -> Bool {
        switch kind {
        case .team(let team, let group):
            guard let membership = standing.membership(in: team) else { return false }
            return group.map { membership.groups.contains($0) } ?? true
        case .contacts: return standing.isContact
        case .device(let device): return fingerprint == device
        }
    }

    /// Group of the team that a member of it is not in; nil for another standing.
    func groupLacked(by standing: Standing) -> GroupName? {
        guard case .team(let team, let group?) = kind, let membership = standing.membership(in: team),
            !membership.groups.contains(group)
        else { return nil }
        return group
    }
}
