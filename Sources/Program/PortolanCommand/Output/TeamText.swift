import Portolan

/// Text about a team. Its members chose the names in it; the types of the names allow only safe text.
enum TeamText {
    /// - Parameters:
    ///   - own: fingerprint of this device, which is marked among the members.
    ///   - inFull: true to show complete keys.
    static func full(_ view: TeamView, own: Fingerprint, now: Date, inFull: Bool = false) -> String {
        let team = view.team
        var lines = ["\(team.name)\(view.isDefault ? "  (the default team)" : "")"]
        func line(_ name: String, _ value: String) {
            lines.append("  \(name)\(String(repeating: " ", count: 9 - name.count))\(value)")
        }
        line("id", team.id.description)
        line(
            "version",
            "\(team.epoch)\(team.headCount > 1 ? ", put together from \(team.headCount) changes at once" : "")"
        )
        line("issued", Human.minute(team.issued))
        line("expires", expiry(team, now: now))
        line("you", role(view))
        if view.isRemoved { lines += whatRemains(of: view) }
        line("groups", team.groups.isEmpty ? "none" : list(team.groups))
        line("members", "\(team.members.count)")
        lines += team.members.map { "    " + member($0, own: own, inFull: inFull) }
        return lines.joined(separator: "\n")
    }

    /// Lines about a removal: the age of the following text, and how to return to the team.
    private static func whatRemains(of view: TeamView) -> [String] {
        var lines = ["           All else here is of that moment: a removed device is not told of later changes."]
        lines.append(
            view.removal?.isFounder == true
                ? "           This device founded the team and can take it back: portolan team reclaim "
                    + DisplayText.shellWord(view.team.name.text)
                : "           An admin can take it in again with a code: portolan team invite")
        return lines
    }

    static func line(_ view: TeamView, now: Date) -> String {
        let team = view.team
        return "\(view.isDefault ? "*" : " ") \(team.name)  \(Human.count(team.members.count, "member"))  "
            + "you: \(role(view))  until \(expiry(team, now: now))"
    }

    static func list(_ groups: [GroupName]) -> String { groups.map(\.description).joined(separator: ", ") }

    static func list(_ members: [DeviceName]) -> String { members.map { "“\($0)”" }.joined(separator: ", ") }

    private static func member(_ member: Member, own: Fingerprint, inFull: Bool) -> String {
        let groups = member.groups.isEmpty ? "" : "  \(list(member.groups))"
        return
            "“\(member.name)”  \(FingerprintText.text(member.key.fingerprint, inFull: inFull))\(member.isAdmin ? "  admin" : "")\(groups)"
            + (member.key.fingerprint == own ? "  (this device)" : "")
    }

    private static func role(_ view: TeamView) -> String {
        if view.isRemoved {
            guard let removal = view.removal else { return "removed" }
            let signer = removal.signer.map { "by “\($0)” " } ?? ""
            return "removed, as a roster says that was signed \(signer)on \(Human.minute(removal.signed))"
        }
        let groups = view.ownGroups.isEmpty ? "" : ", in \(list(view.ownGroups))"
        return (view.isAdmin ? "admin" : "member") + groups
    }

    private static func expiry(_ team: Team, now: Date) -> String {
        let day = Human.day(team.expires)
        let distance = Human.distance(team.expires.timeIntervalSince(now))
        return switch team.validity(now: now) {
        case .valid: "\(day), in \(distance)"
        case .expired: "\(day), EXPIRED \(distance) ago"
        case .notYet: "\(day); signed in the FUTURE by this device's clock"
        }
    }

    /// Warning to a device without which the team cannot be changed; nil for others.
    static func onlyAdmin(_ view: TeamView) -> String? {
        guard view.isOnlyAdmin else { return nil }
        return
            "This device is the only admin of “\(view.team.name)”. Without it no device can be taken in or removed, and the team "
            + "ends when its time is over. To make another one: portolan team promote NAME"
    }

    /// Returns warnings for the owner of the device, with the command that helps.
    static func warnings(_ view: TeamView, now: Date = .now) -> [String] {
        let help = "To be rid of it here, too: portolan team leave \(DisplayText.shellWord(view.team.name.text))"
        return view.warnings.map { warning in
            let sentence = DisplayText(sentence: warning, limit: 500).text
            if view.isAdmin, view.team.expiresSoon(now: now) {
                return "\(sentence) \(Advice.renewTeam(view.team.name).sentence)"
            }
            return view.isRemoved ? "\(sentence) \(help)" : sentence
        }
    }
}
