import Portolan

/// The name of a group.
enum GroupArgument {
    static func parse(_ text: String) throws(ValueError) -> GroupName {
        try translating(GroupName(text)) { (error: RosterNameError) in ValueError(error.description) }
    }
}

/// Senders to take items from, as `--from` names them.
enum SourceArgument: Sendable, Hashable {
    case contacts
    case team(TeamTarget)
    case device(DeviceArgument)
    case key(Fingerprint)

    static func parse(_ text: String) throws(ValueError) -> SourceArgument {
        if text == "@contacts" { return .contacts }
        if TeamTarget.names(text) { return .team(try TeamTarget.parse(text)) }
        if let key = Fingerprint(parsing: text) { return .key(key) }
        return .device(try DeviceArgument.parse(text))
    }
}
