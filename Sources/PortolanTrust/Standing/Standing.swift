import PortolanValues

/// What a peer is entitled to: computed from the key it has proved and from nothing it says, for one moment.
///
/// It is asked for again whenever it matters (``PeerStore/standing(of:now:)``), not kept for as long as a session lasts.
public struct Standing: Sendable, Hashable {
    /// What a peer's place in one team of this device is.
    public struct Membership: Sendable, Hashable {
        public let team: TeamID
        public let teamName: TeamName
        /// The groups it is in, sorted, each once.
        public let groups: [GroupName]
        /// Whether it may change the team.
        public let isAdmin: Bool

        package init(team: TeamID, teamName: TeamName, groups: [GroupName], isAdmin: Bool) {
            self.team = team
            self.teamName = teamName
            self.groups = groups
            self.isAdmin = isAdmin
        }
    }

    /// A peer that proved its own key and nothing else.
    public static let anyone = Standing(isContact: false, memberships: [])

    /// Whether its key was confirmed by pairing. A person may decide by it; it makes nothing more visible.
    public let isContact: Bool
    /// The teams that both it and this device are in and that are valid at that moment, each once.
    public let memberships: [Membership]

    package init(isContact: Bool, memberships: [Membership]) {
        self.isContact = isContact
        self.memberships = memberships
    }

    /// What it is in a team; `nil` if it is nothing there.
    public func membership(in team: TeamID) -> Membership? { memberships.first { $0.team == team } }

    /// Whether everything that an earlier standing of the same peer gave is still given: each membership, its groups, and the contact.
    package func includes(_ earlier: Standing) -> Bool {
        (isContact || !earlier.isContact)
            && earlier.memberships.allSatisfy { former in
                membership(in: former.team).map { Set($0.groups).isSuperset(of: former.groups) } ?? false
            }
    }

    /// Whether a peer of this standing may learn that a representation exists.
    ///
    /// The one place that decides. A `false` means the representation is not listed, not counted and cannot be asked for.
    ///
    /// - Parameter restriction: of the representation, whole.
    public func maySee(_ restriction: Restriction) -> Bool { verdict(restriction).maySee }

    /// Why a peer of this standing sees, or does not see, a representation: one clause for a person.
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
    /// In a few words: `anyone`, `contact`, `member of acme (design), contact`.
    public var description: String {
        let words = memberships.map(\.description) + (isContact ? ["contact"] : [])
        return words.isEmpty ? "anyone" : words.joined(separator: ", ")
    }
}

extension Standing.Membership: CustomStringConvertible {
    /// In a few words: `member of acme`, `admin of acme (design, press)`.
    public var description: String {
        let role = "\(isAdmin ? "admin" : "member") of \(teamName)"
        return groups.isEmpty ? role : "\(role) (\(groups.map(\.description).joined(separator: ", ")))"
    }
}
