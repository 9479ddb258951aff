import Portolan

/// Rules for answering offers: for each item, the first matching rule decides.
///
/// A rule that cannot be evaluated for an item, such as one on the size of an item of unknown size, never admits it: a
/// rule that accepts or quarantines does not match; a rule that declines or asks matches, and its question ends with a
/// decline.
package struct OfferPolicy: Sendable, Hashable {
    /// Default time for which a question stays open.
    package static let usualWait = Duration.seconds(86400)

    package let rules: [PolicyRule]

    /// Default without rules: contacts and members of teams ask, strangers are declined.
    package init(rules: [PolicyRule] = []) { self.rules = rules }

    /// Returns a verdict for each item of an offer.
    package func verdicts(for offer: PolicyOffer) -> [PolicyVerdict] {
        let candidates = rules.indices.filter { rules[$0].mismatch(offer) == nil }
        return offer.items.map { item in
            let rule = candidates.first { rules[$0].mismatch(item) == nil }
            return rule.map { rules[$0].verdict(offer, item) } ?? Self.usual(offer.peer)
        }
    }

    private static func usual(_ peer: PolicyOffer.Peer) -> PolicyVerdict {
        let action: PolicyVerdict.Action =
            peer.isStranger
            ? .decline(detail: "This device takes nothing from devices that it does not know. Pair the two first.")
            : .ask(wait: usualWait, ending: .decline, into: nil)
        return PolicyVerdict(action: action, rule: nil, line: nil)
    }

    /// Absolute paths of the folders in rules, up to the first field, each once.
    package var folders: [String] {
        var seen: Set<String> = []
        return rules.compactMap(\.action.folder?.fixedPath).filter { seen.insert($0).inserted }
    }

    /// Teams in rules, each once, for a comparison with the teams of this device.
    package var teams: [TeamName] {
        var seen: Set<TeamName> = []
        return rules.lazy.flatMap(\.senders).compactMap { sender in
            guard case .team(let target) = sender.kind, seen.insert(target.team).inserted else { return nil }
            return target.team
        }
    }
}
