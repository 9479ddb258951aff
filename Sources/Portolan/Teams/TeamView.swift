import Foundation
import PortolanTrust
import PortolanValues

/// A team of this device, as its owner sees it.
public struct TeamView: Sendable {
    public let team: Team
    /// True if the team is the default one, for items that name none.
    public let isDefault: Bool
    /// True if this device can change the team.
    public let isAdmin: Bool
    /// Name of this device in the team; nil if it is no member.
    public let ownName: DeviceName?
    /// The groups of the team that this device is in.
    public let ownGroups: [GroupName]
    /// True if this device has been removed from it: the view shows the last roster that it was told.
    public let isRemoved: Bool
    /// Removal of this device, as far as it was told; nil while it is a member.
    public let removal: TeamRemoval?
    /// Warnings for the owner of the device, one sentence each; such as that the roster expires soon.
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

/// Change that an admin can make to a team.
public enum TeamChange: Sendable, Hashable {
    case remove(DeviceName)
    case addToGroup(GroupName, DeviceName)
    case removeFromGroup(GroupName, DeviceName)
    /// Makes a member an admin.
    case promote(DeviceName)
    /// Renewal that changes nothing but the date.
    case renew
}

/// Outcome of a change: the members that know of it.
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
