import Portolan

/// Text about a change of a team.
enum TeamChangeText {
    static func sentence(_ change: TeamChange, _ report: TeamChangeReport) -> String {
        let team = "“\(report.view.team.name)”"
        return switch change {
        case .remove(let name): "“\(name)” is out of \(team), and the secrets are new."
        case .addToGroup(let group, let name): "“\(name)” is in “\(group)” of \(team)."
        case .removeFromGroup(let group, let name): "“\(name)” is not in “\(group)” of \(team) any more."
        case .promote(let name): "“\(name)” is an admin of \(team)."
        case .demote(let name): "“\(name)” is no admin of \(team) any more, and stays a member."
        case .renew: "\(team) is good until \(Human.day(report.view.team.expires))."
        }
    }

    /// Returns lines about the members that have the new roster.
    static func spreading(_ report: TeamChangeReport) -> [String] {
        var lines = report.byOthers.map { "By another admin's signature: \(DisplayText(sentence: $0, limit: 500))." }
        if !report.told.isEmpty { lines.append("Told: \(TeamText.list(report.told))") }
        if !report.notReached.isEmpty {
            lines.append(
                "Not reached: \(TeamText.list(report.notReached)). They learn it when they next meet a member that knows."
            )
        }
        if !report.removedTold.isEmpty {
            lines.append("Told of its removal: \(TeamText.list(report.removedTold))")
        }
        if !report.removedNotReached.isEmpty {
            lines.append(
                "Not told of its removal yet: \(TeamText.list(report.removedNotReached)). Any member that knows tells it when it meets it."
            )
        }
        return lines
    }
}
