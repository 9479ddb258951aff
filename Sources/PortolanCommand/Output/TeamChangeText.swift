import Portolan
import PortolanTrust

/// How a change of a team is told.
enum TeamChangeText {
    static func sentence(_ change: TeamChange, _ report: TeamChangeReport) -> String {
        let team = "“\(report.view.team.name)”"
        return switch change {
        case .remove(let name): "“\(name)” is out of \(team), and the secrets are new."
        case .addToGroup(let group, let name): "“\(name)” is in “\(group)” of \(team)."
        case .removeFromGroup(let group, let name): "“\(name)” is not in “\(group)” of \(team) any more."
        case .promote(let name): "“\(name)” is an admin of \(team)."
        case .renew: "\(team) is good until \(Human.day(report.view.team.expires))."
        }
    }

    /// Who knows it.
    static func spreading(_ report: TeamChangeReport) -> [String] {
        var lines: [String] = []
        if !report.told.isEmpty { lines.append("Told: \(list(report.told))") }
        if !report.notReached.isEmpty {
            lines.append(
                "Not reached: \(list(report.notReached)). They learn it when they next meet a member that knows.")
        }
        if !report.removedTold.isEmpty {
            lines.append("Told of its removal: \(list(report.removedTold))")
        }
        if !report.removedNotReached.isEmpty {
            lines.append(
                "Not told of its removal yet: \(list(report.removedNotReached)). Any member that knows tells it when it meets it."
            )
        }
        return lines
    }

    static func event(_ change: TeamChange, _ report: TeamChangeReport) -> Event {
        event(change.word, member: change.member, group: change.group, report)
    }

    /// - Parameter change: the word for it in `--json` output.
    static func event(
        _ change: String, member: DeviceName? = nil, group: GroupName? = nil, _ report: TeamChangeReport
    ) -> Event {
        let team = report.view.team
        return Event(
            .teamChanged,
            [
                "team": .string(team.name.text), "id": .string(team.id.description), "epoch": .unsigned(team.epoch),
                "change": .string(change), "member": .optional(member) { .string($0.text) },
                "group": .optional(group) { .string($0.text) },
                "told": names(report.told), "notReached": names(report.notReached),
                "removedTold": names(report.removedTold), "removedNotReached": names(report.removedNotReached),
            ])
    }

    private static func names(_ names: [DeviceName]) -> JSONValue { .array(names.map { .string($0.text) }) }

    private static func list(_ names: [DeviceName]) -> String { names.map { "“\($0)”" }.joined(separator: ", ") }
}

extension TeamChange {
    /// The word for it in `--json` output.
    fileprivate var word: String {
        switch self {
        case .remove: "remove"
        case .addToGroup: "add-to-group"
        case .removeFromGroup: "remove-from-group"
        case .promote: "promote"
        case .renew: "renew"
        }
    }

    fileprivate var member: DeviceName? {
        switch self {
        case .remove(let name), .promote(let name), .addToGroup(_, let name), .removeFromGroup(_, let name): name
        case .renew: nil
        }
    }

    fileprivate var group: GroupName? {
        switch self {
        case .addToGroup(let group, _), .removeFromGroup(let group, _): group
        case .remove, .promote, .renew: nil
        }
    }
}
