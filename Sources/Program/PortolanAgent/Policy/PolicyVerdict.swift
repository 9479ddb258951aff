import Portolan

/// Action on one item, with the rule that decided.
package struct PolicyVerdict: Sendable, Hashable {
    package enum Action: Sendable, Hashable {
        /// - Parameter into: a path, absolute or relative to the inbox folder; nil for that folder itself.
        case accept(into: String?)
        /// Asks a person. If there is no answer within `wait`, `ending` applies.
        case ask(wait: Duration, ending: QuestionFallback, into: String?)
        /// - Parameter into: a path, absolute or relative to the quarantine folder; nil for that folder itself.
        case quarantine(into: String?)
        /// - Parameter detail: a sentence for the sender.
        case decline(detail: String)

        /// Keyword of the action in a policy.
        package var kind: PolicyActionKind {
            switch self {
            case .accept: .accept
            case .ask: .ask
            case .quarantine: .quarantine
            case .decline: .decline
            }
        }
    }

    package let action: Action
    /// Position of the rule in the list, from 1; nil for the default.
    package let rule: Int?
    /// Line of the rule in the file, from 1; nil for the default.
    package let line: Int?
    /// Types that the rule is for; nil if it is for all.
    package var types: [UTType]?
    /// Bytes that the rule takes from the sender in a day; nil for no limit.
    package var most: UInt64?
    /// Owners of the last components of the path (`ReceivingPlace`).
    package var owners: [String?] = []

    /// Text for a person: `rule 3 (line 12)`.
    package var origin: String {
        guard let rule, let line else { return "the default" }
        return "rule \(rule) (line \(line))"
    }
}

/// Keywords of a policy for actions.
package enum PolicyActionKind: String, CaseIterable, Sendable, Hashable {
    case accept, ask, quarantine, decline
}

/// Folders for relative paths of a policy.
package struct PolicyFolders: Sendable, Hashable {
    /// Absolute path of the inbox folder.
    package let inbox: String
    /// Absolute path of the quarantine folder.
    package let quarantine: String
}

extension PolicyVerdict {
    /// Answer to the item, for the node that received the offer.
    package func answer(in folders: PolicyFolders) -> Decision.Answer {
        switch action {
        case .accept(let path): .take(into: inbox(path, folders), types: types)
        case .ask: .ask
        case .quarantine(let path): .take(into: quarantine(path, folders), types: types)
        case .decline(let detail): .decline(detail: detail, because: "\(origin) of the policy declines it.")
        }
    }

    /// Answer to an item that a person has accepted.
    package func agreed(in folders: PolicyFolders) -> Decision.Answer {
        guard case .ask(_, _, let path) = action else { return answer(in: folders) }
        return .take(into: inbox(path, folders), types: types)
    }

    /// Answer to an item after a question without an answer.
    package func unanswered(in folders: PolicyFolders) -> Decision.Answer {
        guard case .ask(_, let ending, let path) = action else { return answer(in: folders) }
        switch ending {
        case .accept: return .take(into: inbox(path, folders), types: types)
        case .quarantine: return .take(into: quarantine(nil, folders), types: types)
        case .decline:
            return .decline(
                detail: "Nobody answered in time.",
                because: "\(origin) of the policy asks, and nobody answered in time.")
        }
    }

    private func inbox(_ path: String?, _ folders: PolicyFolders) -> Destination {
        path.map { .folder(Self.resolved($0, in: folders.inbox)).owned(by: owners) } ?? .inbox
    }

    private func quarantine(_ path: String?, _ folders: PolicyFolders) -> Destination {
        guard let path else { return .quarantine(folders.quarantine) }
        return .quarantine(Self.resolved(path, in: folders.quarantine)).owned(by: owners)
    }

    private static func resolved(_ path: String, in folder: String) -> String {
        path.hasPrefix("/") ? path : folder + "/" + path
    }
}

extension Decision {
    /// - Parameter verdicts: one for each item of the offer.
    package init(_ verdicts: [PolicyVerdict], for offer: IncomingOffer, in folders: PolicyFolders) {
        precondition(verdicts.count == offer.items.count, "Each item has a verdict")
        var rest = verdicts[...]
        self.init(for: offer) { _ in rest.removeFirst().answer(in: folders) }
    }
}
