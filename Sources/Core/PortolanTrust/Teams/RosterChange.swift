import PortolanValues

/// Change of a team by an admin.
public enum RosterChange: Hashable, Sendable {
    case add(PinnedKey, name: DeviceName, groups: [GroupName])
    /// Removes the device, and replaces the team's secret.
    case remove(PinnedKey)
    case addToGroup(PinnedKey, GroupName)
    case removeFromGroup(PinnedKey, GroupName)
    /// Allows the member to change the roster, until it is removed or demoted.
    case promote(PinnedKey)
    /// Takes that right back; the member stays, on another seat.
    case demote(PinnedKey)
    case rename(PinnedKey, DeviceName)
    /// Extends the validity of the team without another change.
    case renew
    /// Merges concurrent rosters into one.
    case settle
}

/// Reason why a team cannot be changed.
public enum RosterChangeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// This device is not an admin of the team.
    case notAdmin
    case noSuchMember
    /// The device is already in the team, under this name.
    case alreadyMember(DeviceName)
    /// Another device of the team has this name.
    case nameTaken(DeviceName)
    case alreadyInGroup(GroupName)
    case notInGroup(GroupName)
    case alreadyAdmin
    /// The member is no admin.
    case noAdmin
    /// Only the founder can make itself an admin.
    case notFounder
    /// The founder is still an admin, so there is nothing to reclaim.
    case isAdmin
    /// No roster is left from which the founder could take the team back.
    case nothingToReclaim
    /// An admin cannot sign a roster in which it is none.
    case cannotRemoveItself
    /// Another roster rules out what this device would sign.
    case overruled
    /// The roster would be rejected by every device: usually because it would be too large.
    case unsignable(RosterError)

    public var description: String {
        switch self {
        case .notAdmin: "This device is no admin of the team. Ask one who is."
        case .noSuchMember: "No such device is in the team."
        case .alreadyMember(let name): "This device is in the team already, as “\(name)”."
        case .nameTaken(let name): "Another device in the team is called “\(name)”. Choose another name."
        case .alreadyInGroup(let group): "This member is in the group “\(group)” already."
        case .notInGroup(let group): "This member is not in the group “\(group)”."
        case .alreadyAdmin: "This member is an admin already."
        case .noAdmin: "This member is no admin."
        case .notFounder:
            "Only the device that founded the team can take it back. Ask an admin for an invitation."
        case .isAdmin: "This device is an admin of the team; there is nothing to take back."
        case .nothingToReclaim:
            "This device has no roster from before it was removed, so the team cannot be taken back. Make another one."
        case .cannotRemoveItself:
            "An admin cannot remove or demote itself; another admin has to, or leave the team instead."
        case .overruled:
            "The change does not count: another admin's roster rules out what this device would sign. Ask that admin."
        case .unsignable(let reason): "This change would make a roster that nobody takes. \(reason)"
        }
    }

    /// Action that a program can offer.
    public var advice: Advice? {
        switch self {
        case .notFounder: .askForInvitation
        case .nothingToReclaim: .makeTeam
        default: nil
        }
    }
}
