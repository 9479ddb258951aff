import PortolanCrypto
import PortolanValues

/// Action that a person can take after a failure; each program has its own words for it: a command line names the
/// command or the option, a program with windows shows a button. The error's own sentence is complete without it.
public enum Advice: Hashable, Sendable {
    /// Rename this device.
    case renameDevice
    /// Keep this device's state in another directory.
    case chooseHome
    /// Listen on another port.
    case choosePort
    /// Give the address of the other device.
    case giveAddress
    /// Start receiving on the other device.
    case startReceiver
    /// Start waiting for a code on the other device.
    case startPairing
    /// Have the other device send with a code.
    case startSending
    /// Start an invitation to the team on the other device.
    case startInvitation
    case listContacts
    case listTeams
    case listMembers
    case makeTeam
    case joinTeam
    case makeOrJoinTeam
    /// Make another team the default.
    case chooseTeam
    /// - Parameter team: nil for the team that the error names.
    case leaveTeam(_ team: TeamID?)
    /// Invite other devices to the team.
    case inviteMembers
    /// Ask an admin for an invitation.
    case askForInvitation
    /// Make another member an admin.
    case promoteMember
    /// Sign the team anew.
    case renewTeam(TeamName)
    /// Name one of two devices by its key, since another key answered than the one known for the name.
    case tellNamesakesApart(Namesakes)

    /// Known device, and another one of the same name.
    public struct Namesakes: Hashable, Sendable {
        /// Local name of the known device; it can be forgotten if the other is the same device, reinstalled.
        public let known: DeviceName
        /// Key of the device that answered, by which the user can name it; nil if it has another local name.
        public let other: Fingerprint?
        /// True if discovery finds the device by its key. False if it was met by its address, perhaps outside the range
        /// of discovery; pairing helps then.
        public let isByAddress: Bool

        /// Local name that the other device gets after it is named by its key, or paired.
        public let otherName: DeviceName?

        package init(known: DeviceName, other: Fingerprint?, isByAddress: Bool, otherName: DeviceName? = nil) {
            self.known = known
            self.other = other
            self.isByAddress = isByAddress
            self.otherName = otherName
        }
    }
}
