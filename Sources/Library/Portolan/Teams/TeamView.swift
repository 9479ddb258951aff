/// Team of this device, for display.
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
    /// True if this device was removed from it: the view shows the last roster that it received.
    public let isRemoved: Bool
    /// Removal of this device, as far as known; nil while it is a member.
    public let removal: TeamRemoval?
    /// Warnings for the owner of the device, one sentence each; such as that the roster expires soon.
    public let warnings: [String]

    /// True if nobody else can change the team.
    public var isOnlyAdmin: Bool { isAdmin && team.members.count(where: \.isAdmin) == 1 }
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
    /// Takes an admin's right back; the member stays.
    case demote(DeviceName)
    /// Renews the roster: only its date changes.
    case renew
}

/// Outcome of a change: the members that have the new roster.
public struct TeamChangeReport: Sendable {
    public let view: TeamView
    /// Changes of members by rosters of other admins that came meanwhile, one sentence each.
    public let byOthers: [String]
    /// Members that have taken it.
    public let told: [DeviceName]
    /// Members that get the roster when they next meet a member that has it.
    public let notReached: [DeviceName]
    /// Removed devices that have the new roster.
    public let removedTold: [DeviceName]
    /// Removed devices that get the roster when they next meet a member that has it.
    public let removedNotReached: [DeviceName]
}
