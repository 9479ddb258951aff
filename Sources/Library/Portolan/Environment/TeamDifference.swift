/// Members of a team that differ between two of its states, as sentences without a full stop.
struct TeamDifference {
    let sentences: [String]

    init(from former: Team, to current: Team) {
        let joined = current.members.filter { former.member($0.key) == nil }.map { "“\($0.name)” is a member" }
        let left = former.members.filter { current.member($0.key) == nil }.map { "“\($0.name)” is out" }
        let changed = current.members.flatMap { member -> [String] in
            guard let before = former.member(member.key) else { return [] }
            let right = before.isAdmin == member.isAdmin ? [] : [member.isAdmin ? "an admin" : "no admin any more"]
            let groups = before.groups == member.groups ? [] : ["in " + Self.list(member.groups)]
            return (right + groups).map { "“\(member.name)” is \($0)" }
        }
        sentences = joined + left + changed
    }

    private static func list(_ groups: [GroupName]) -> String {
        groups.isEmpty ? "no group" : groups.map { "“\($0)”" }.joined(separator: ", ")
    }
}
