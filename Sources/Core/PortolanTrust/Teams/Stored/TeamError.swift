import PortolanValues

/// Reason why a team could not be made, joined or changed.
package enum TeamError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A file of this device's state cannot be used.
    case store(StoreError)
    /// A received roster is rejected.
    case roster(RosterError)
    /// The change is impossible, or not allowed to this device.
    case change(RosterChangeError)
    /// This device is in another team of that name.
    case nameTaken(TeamName)
    /// This device is not in the team.
    case unknown(TeamID)
    /// The joined team does not contain this device, or its inviter is not an admin of it.
    case notInvited(TeamName)
    /// This device was removed from the team.
    case removed(TeamName)

    package var description: String {
        switch self {
        case .store(let error): error.description
        case .roster(let error): error.description
        case .change(let error): error.description
        case .nameTaken(let name):
            "This device is already in a team called \(name), and two could not be told apart. "
                + "Leave that one first, or give the team another name."
        case .unknown(let id): "This device is in no team \(id)."
        case .notInvited(let name):
            "What was sent as the team \(name) does not have this device in it, or comes from somebody who may not invite. "
                + "Ask an admin of the team for another code."
        case .removed(let name): "An admin removed this device from the team \(name)."
        }
    }

    /// Action that a program can offer.
    package var advice: Advice? {
        switch self {
        case .store(let error): error.advice
        case .change(let error): error.advice
        case .nameTaken: .leaveTeam(nil)
        default: nil
        }
    }
}

extension TeamError {
    /// Wraps an error of a step inside this target.
    init(_ error: any Error) {
        switch error {
        case let error as TeamError: self = error
        case let error as StoreError: self = .store(error)
        case let error as RosterError: self = .roster(error)
        case let error as RosterChangeError: self = .change(error)
        default: preconditionFailure("A team's files gave an error of another kind: \(error)")
        }
    }
}
