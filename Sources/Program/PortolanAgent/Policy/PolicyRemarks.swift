import Portolan

extension OfferPolicy {
    /// Returns remarks about rules without effect, one sentence each: those for contacts and teams that a home does not
    /// know, and those behind a rule that decides about all of their senders. May block.
    package func remarks(in home: HomeDirectory) -> [String] {
        let contacts = try? Set(KnownPeers(home: home).contacts().map(\.name.comparisonKey))
        let teams = try? TeamStore(home: home).all().filter { !$0.isRemoved }.map(\.team)
        func isKnown(_ sender: PolicySender) -> Bool {
            switch sender.kind {
            case .contact(let key): contacts?.contains(key) ?? true
            case .team(let target):
                teams?.contains { team in
                    team.name == target.team && (target.group.map { team.groups.contains($0) } ?? true)
                } ?? true
            case .anyone, .contacts, .members, .strangers: true
            }
        }
        return rules.enumerated().flatMap { index, rule in
            let unknown = rule.senders.filter { !isKnown($0) }.map { sender in
                "\(rule.place) is for “\(sender)”, and this device knows no such contact or team."
            }
            let earlier = rules[..<index].first { before in
                before.conditions == .init()
                    && rule.senders.allSatisfy { sender in before.senders.contains { $0.covers(sender, before, rule) } }
            }
            return unknown + (earlier.map { ["\(rule.place) is never reached: \($0.place) decides before it."] } ?? [])
        }
    }
}

extension PolicyRule {
    fileprivate var place: String { "Rule \(number) (line \(line))" }
}

extension PolicySender {
    /// True if each device of another sender is one of this one, also where its name is doubtful.
    fileprivate func covers(_ other: PolicySender, _ earlier: PolicyRule, _ later: PolicyRule) -> Bool {
        switch (kind, other.kind) {
        // A rule that lets in does not match a doubtful name, and others do.
        case (.anyone, .contacts), (.anyone, .contact): true
        case (.anyone, .members), (.anyone, .team): !earlier.action.letsIn
        case (.anyone, _), (.strangers, .strangers): !earlier.action.letsIn || later.action.letsIn
        case (.contacts, .contact), (.members, .team): true
        case (.team(let all), .team(let part)):
            all.team == part.team && (all.group == nil || all.group == part.group)
        default: kind == other.kind
        }
    }
}
