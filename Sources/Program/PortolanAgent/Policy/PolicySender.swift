import Portolan

/// Senders of a rule: `anyone`, `contacts`, `members`, `strangers`, the name of a contact, `@team` or `@team/group`.
package struct PolicySender: Sendable, Hashable, CustomStringConvertible {
    enum Kind: Sendable, Hashable {
        case anyone
        case contacts
        /// Members of any team of this device.
        case members
        /// Neither contacts nor members.
        case strangers
        /// A contact, by the comparison key of its name on this device.
        case contact(String)
        case team(TeamTarget)
    }

    let kind: Kind
    package let description: String

    /// - Throws: `ValueError` that names the accepted forms.
    package static func parse(_ text: String) throws(ValueError) -> PolicySender {
        let kind: Kind
        switch text {
        case "anyone": kind = .anyone
        case "contacts": kind = .contacts
        case "members": kind = .members
        case "strangers": kind = .strangers
        // Mistyped keywords must not be taken for the name of a contact.
        case "everyone", "all", "any", "contact", "member", "stranger", "team", "teams", "nobody":
            throw ValueError(
                "“\(text)” means no sender; write anyone, contacts, members, strangers, the name of a contact, @TEAM or @TEAM/GROUP."
            )
        case let text where TeamTarget.names(text): kind = .team(try TeamTarget.parse(text))
        default:
            kind = try translating(.contact(try DeviceName(text).comparisonKey)) { (error: DeviceNameError) in
                ValueError(error.description)
            }
        }
        return PolicySender(kind: kind, description: DisplayText(text).text)
    }

    func judge(_ peer: PolicyOffer.Peer) -> PolicyJudgement {
        switch kind {
        case .anyone: peer.hasDoubtfulName ? .unknown : .holds
        case .contacts: peer.isContact && !peer.hasDoubtfulName ? .holds : .fails
        case .members: peer.teams.isEmpty ? .fails : .holds
        case .strangers: !peer.isStranger ? .fails : peer.hasDoubtfulName ? .unknown : .holds
        case .contact(let key): peer.contactKey == key ? .holds : .fails
        case .team(let target):
            peer.teams.contains { team in
                team.name == target.team && (target.group.map(team.groups.contains) ?? true)
            } ? .holds : .fails
        }
    }
}

/// Result of evaluating a condition.
enum PolicyJudgement: Sendable {
    case holds, fails
    /// The facts are unknown, or a form that may replace the shown one differs.
    case unknown
}

extension Sequence<PolicyJudgement> {
    /// Combines the results of alternatives.
    func any() -> PolicyJudgement {
        var result = PolicyJudgement.fails
        for judgement in self {
            switch judgement {
            case .holds: return .holds
            case .unknown: result = .unknown
            case .fails: continue
            }
        }
        return result
    }
}
