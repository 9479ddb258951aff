import Foundation
import PortolanTrust
import PortolanValues

/// A team of this device, as its owner sees it.
public struct TeamView: Sendable {
    public let team: Team
    /// Whether items belong to it for which no team is named.
    public let isDefault: Bool
    /// Whether this device can change it.
    public let isAdmin: Bool
    /// Name of this device in the team; nil if it is no member.
    public let ownName: DeviceName?
    /// The groups of the team that this device is in.
    public let ownGroups: [GroupName]
    /// Whether this device has been removed from it: what is shown is the last that it was told.
    public let isRemoved: Bool
    /// Removal of this device, as far as it was told; nil while it is a member.
    public let removal: TeamRemoval?
    /// What its owner should know, one sentence each; such as that it expires soon.
    public let warnings: [String]
}

extension TeamView {
    init(_ stored: StoredTeam, own: PinnedKey, now: Date) {
        let member = stored.team.member(own)
        self.init(
            team: stored.team, isDefault: stored.isDefault, isAdmin: member?.isAdmin ?? false,
            ownName: member?.name, ownGroups: member?.groups ?? [], isRemoved: stored.isRemoved,
            removal: stored.removal, warnings: stored.warning(now: now).map { ["\($0)"] } ?? [])
    }
}

/// What an admin can do to a team.
public enum TeamChange: Sendable, Hashable {
    case remove(DeviceName)
    case addToGroup(GroupName, DeviceName)
    case removeFromGroup(GroupName, DeviceName)
    /// Makes a member an admin.
    case promote(DeviceName)
    /// Nothing but a new date.
    case renew
}

/// What became of a change: who knows of it.
public struct TeamChangeReport: Sendable {
    public let view: TeamView
    /// Members that have taken it.
    public let told: [DeviceName]
    /// Members that learn it when they next meet one that knows.
    public let notReached: [DeviceName]
    /// Devices that the change has removed, and that know it.
    public let removedTold: [DeviceName]
    /// Devices that the change has removed, and that learn it when they next meet a member that knows.
    public let removedNotReached: [DeviceName]
}
