import PortolanCrypto
import PortolanValues

/// Something that a person can do about a failure, for a program to say in its own words: a command line names the command or the
/// option, a program with windows shows a button. The error's own sentence stands without it.
public enum Advice: Hashable, Sendable {
    /// Give this device a name again.
    case renameDevice
    /// Keep this device's state in another directory.
    case chooseHome
    /// Listen on another port.
    case choosePort
    /// Say where the other device is.
    case giveAddress
    /// Have the other device receive.
    case startReceiver
    /// Have the other device wait for a code.
    case startPairing
    /// Have the other device send with a code.
    case startSending
    /// Have the other device invite to its team.
    case startInvitation
    case listContacts
    case listTeams
    case listMembers
    case makeTeam
    case joinTeam
    case makeOrJoinTeam
    /// Make another team the default.
    case chooseTeam
    /// - Parameter team: nil for the one that the error names.
    case leaveTeam(_ team: TeamID?)
    /// Take others into the team.
    case inviteMembers
    /// Be invited by an admin.
    case askForInvitation
    /// Make another member an admin.
    case promoteMember
    /// Tell which device is meant by a name, since another key answered than the name is known with.
    case tellNamesakesApart(Namesakes)

    /// A known device, and another one of its name.
    public struct Namesakes: Hashable, Sendable {
        /// Name on this device of the one that is known; it can be forgotten if the other is the same device, set up anew.
        public let known: DeviceName
        /// Key of the one that answered, by which it can be named; nil if it is known by another name.
        public let other: Fingerprint?
        /// Whether a key finds that one: it was met by its address, perhaps where it cannot be found, and pairing helps then.
        public let isByAddress: Bool

        /// Name that the other one gets on this device once it is named by its key, or paired with.
        public let otherName: DeviceName?

        package init(known: DeviceName, other: Fingerprint?, isByAddress: Bool, otherName: DeviceName? = nil) {
            self.known = known
            self.other = other
            self.isByAddress = isByAddress
            self.otherName = otherName
        }
    }
}
