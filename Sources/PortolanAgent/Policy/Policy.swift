import Portolan
import PortolanValues

/// The rules by which a device answers offers: for each item, the first that matches decides.
///
/// A rule that cannot be evaluated for an item, as one on the size of an item without a known size, never lets it in: as a rule that accepts
/// or quarantines it does not match. As a rule that declines or asks it matches, and its question ends with a decline.
package struct Policy: Sendable, Hashable {
    /// How long a question stays open where no rule says so.
    package static let usualWait = Duration.seconds(86400)

    package let rules: [PolicyRule]

    /// Without rules: contacts and members of teams ask, strangers are declined.
    package init(rules: [PolicyRule] = []) { self.rules = rules }

    /// One for each item of an offer.
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

    /// Absolute paths of the folders that rules name, without what follows a field, each once.
    package var folders: [String] {
        var seen: Set<String> = []
        return rules.compactMap(\.action.folder?.fixedPath).filter { seen.insert($0).inserted }
    }

    /// Teams that rules name, each once, to be compared with those that this device is in.
    package var teams: [TeamName] {
        var seen: Set<TeamName> = []
        return rules.lazy.flatMap(\.senders).compactMap { sender in
            guard case .team(let target) = sender.kind, seen.insert(target.team).inserted else { return nil }
            return target.team
        }
    }
}
