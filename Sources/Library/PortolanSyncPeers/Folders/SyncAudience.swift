import Portolan
import PortolanCrypto
import PortolanTrust
import PortolanValues

/// Devices with which a folder is synchronized: the members of a team, those of one of its groups, or one contact.
package struct SyncAudience: Hashable, Codable, Sendable {
    /// Text of a `TeamID`; nil for a contact.
    private var team: String?
    private var group: String?
    /// Key of a contact, in hexadecimal digits; nil for a team.
    private var key: String?
    /// Name of the team or contact at the time of the choice. Shown to people; no decision depends on it.
    private var name: String

    package init(team: TeamID, _ target: TeamTarget) {
        self.team = "\(team)"
        group = target.group?.text
        name = "\(target)"
    }

    package init(contact key: PinnedKey, name: DeviceName) {
        self.key = Hexadecimal.text(key.bytes)
        self.name = name.text
    }

    /// Text for people; safe to print.
    package var text: DisplayText { DisplayText(name, limit: 100) }

    /// True if a device belongs to the audience.
    ///
    /// - Parameters:
    ///   - group: false to include all members of the team of a group.
    ///   - is: true for the key of the device.
    package func includes(_ standing: Standing, inGroup: Bool = true, is: (PinnedKey) -> Bool) -> Bool {
        if let key = contact { return standing.isContact && `is`(key) }
        guard let membership = teamID.flatMap({ standing.membership(in: $0) }) else { return false }
        return inGroup ? group.map { group in membership.groups.contains { $0.text == group } } ?? true : true
    }

    /// True if a folder of this audience is meant for the team or group.
    package func isMeant(by audience: FolderAudience) -> Bool {
        audience.parts.allSatisfy { parts in
            parts.contains { part in
                guard case .team(let team, _, let theirs) = part, team == teamID else { return false }
                return group == nil || theirs == nil || theirs?.text == group
            }
        }
    }

    /// The same as a part of a statement; nil for names that no longer are any.
    package var part: FolderStatement.Part? {
        if let key = contact { return (try? DeviceName(name)).map { .contact(key, $0) } }
        guard let team = teamID, let target = try? TeamTarget.parse(name) else { return nil }
        return .team(team, target.team, target.group)
    }

    private var contact: PinnedKey? {
        key.flatMap { Hexadecimal.bytes(inEitherCase: $0) }.flatMap { PinnedKey(bytes: $0) }
    }

    private var teamID: TeamID? { team.flatMap { TeamID($0) } }

    /// Returns the keys of the devices in the audience now, without this one.
    package func members(by node: Node) async throws -> [PinnedKey] {
        if let key = contact { return [key] }
        guard let team = teamID else { return [] }
        return try await node.members(of: team, in: group.flatMap { try? GroupName($0) })
    }
}
