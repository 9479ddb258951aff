import PortolanValues

/// Rights of a peer at one moment, computed only from the key that it has proved.
///
/// A standing is computed again for each decision (``PeerStore/standing(of:now:)``), and not kept for a session.
public struct Standing: Sendable, Hashable {
    /// Membership of a peer in a team of this device.
    public struct Membership: Sendable, Hashable {
        public let team: TeamID
        public let teamName: TeamName
        /// Groups of the peer, sorted, each once.
        public let groups: [GroupName]
        /// True if the peer may change the team.
        public let isAdmin: Bool

        package init(team: TeamID, teamName: TeamName, groups: [GroupName], isAdmin: Bool) {
            self.team = team
            self.teamName = teamName
            self.groups = groups
            self.isAdmin = isAdmin
        }
    }

    /// Standing of a peer that proved its own key and has no further rights.
    public static let anyone = Standing(isContact: false, memberships: [])

    /// True if a pairing confirmed the key. A person may decide by it; it does not make content visible.
    public let isContact: Bool
    /// Teams of both this device and the peer that are valid at that moment, each once.
    public let memberships: [Membership]

    package init(isContact: Bool, memberships: [Membership]) {
        self.isContact = isContact
        self.memberships = memberships
    }

    /// Returns the membership in a team; `nil` if there is none.
    public func membership(in team: TeamID) -> Membership? { memberships.first { $0.team == team } }

    /// True if all rights of an earlier standing of the same peer remain: each membership, its groups, and the contact.
    package func includes(_ earlier: Standing) -> Bool {
        (isContact || !earlier.isContact)
            && earlier.memberships.allSatisfy { former in
                membership(in: former.team).map { Set($0.groups).isSuperset(of: former.groups) } ?? false
            }
    }

    /// True if a peer of this standing may learn that a representation exists.
    ///
    /// Only this method decides. With `false` the representation is not listed, not counted and cannot be requested.
    ///
    /// - Parameter restriction: the complete restriction of the representation.
    public func maySee(_ restriction: Restriction) -> Bool { verdict(restriction).maySee }

    /// Reason why a peer of this standing sees, or does not see, a representation: one clause for a person.
    public func explain(_ restriction: Restriction) -> String {
        switch verdict(restriction) {
        case .everyone: "everyone may see it"
        case .nobody: "it never leaves the process that made it"
        case .member(let name): "members of \(name) see it, and this peer is one"
        case .groupMember(let group, let name): "the group \(group) of \(name) sees it, and this peer is in it"
        case .stranger: "only members of its team see it, and this peer is none of them"
        case .otherGroup(let groups, let name):
            "only \(Self.list(groups)) of \(name) \(groups.count == 1 ? "sees" : "see") it, and this peer is in "
                + (groups.count == 1 ? "another group or none" : "none of them")
        }
    }

    private enum Verdict {
        case everyone, nobody, stranger
        case member(of: TeamName)
        case groupMember(GroupName, of: TeamName)
        case otherGroup(not: [GroupName], of: TeamName)

        var maySee: Bool {
            switch self {
            case .everyone, .member, .groupMember: true
            case .nobody, .stranger, .otherGroup: false
            }
        }
    }

    private func verdict(_ restriction: Restriction) -> Verdict {
        guard let audience = restriction.audience else { return restriction == .everyone ? .everyone : .nobody }
        guard let membership = membership(in: audience.team) else { return .stranger }
        guard restriction.visibility == .group else { return .member(of: membership.teamName) }
        let own = Set(membership.groups)
        guard let shared = audience.groups.first(where: own.contains) else {
            return .otherGroup(not: audience.groups, of: membership.teamName)
        }
        return .groupMember(shared, of: membership.teamName)
    }

    private static func list(_ groups: [GroupName]) -> String {
        let shown = groups.prefix(3).map(\.description).joined(separator: ", ")
        let rest = groups.count > 3 ? " and \(groups.count - 3) more" : ""
        return groups.count == 1 ? "the group \(shown)" : "the groups \(shown)\(rest)"
    }
}

extension Standing: CustomStringConvertible {
    /// Short text: `anyone`, `contact`, `member of acme (design), contact`.
    public var description: String {
        let words = memberships.map(\.description) + (isContact ? ["contact"] : [])
        return words.isEmpty ? "anyone" : words.joined(separator: ", ")
    }
}

extension Standing.Membership: CustomStringConvertible {
    /// Short text: `member of acme`, `admin of acme (design, press)`.
    public var description: String {
        let role = "\(isAdmin ? "admin" : "member") of \(teamName)"
        return groups.isEmpty ? role : "\(role) (\(groups.map(\.description).joined(separator: ", ")))"
    }
}
