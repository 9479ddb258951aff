import PortolanValues
import UniformTypeIdentifiers

/// Rule of a policy: conditions, which must all hold, and an action.
package struct PolicyRule: Sendable, Hashable {
    /// Position in the list, from 1.
    package let number: Int
    /// Line of the file, from 1.
    package let line: Int
    /// Senders, of which any may match.
    let senders: [PolicySender]
    let action: PolicyAction
    var conditions = Conditions()

    /// Conditions besides the sender.
    struct Conditions: Sendable, Hashable {
        /// Types, of which any may match; nil for all.
        var types: [UTType]?
        /// Size of an item, in bytes.
        var size: ClosedRange<UInt64>?
        /// Number of items in the offer.
        var count: ClosedRange<UInt64>?
        /// Free bytes.
        var freeSpace: ClosedRange<UInt64>?
        /// Times of the day, of which any may match.
        var hours: [PolicyHours]?
        var days: Set<PolicyDay>?
        /// Bytes that the sender may send in a day (``Quota``).
        var most: UInt64?
    }
}

/// Action of a rule on an item.
package enum PolicyAction: Sendable, Hashable {
    case accept(PolicyFolder?)
    /// Asks a person; `ending` applies if there is no answer within `wait`.
    case ask(wait: Duration, ending: QuestionFallback, PolicyFolder?)
    case quarantine(PolicyFolder?)
    /// - Parameter detail: a sentence for the sender.
    case decline(detail: String)

    /// Folder for the item; nil for the default, or if the item is not stored.
    var folder: PolicyFolder? {
        switch self {
        case .accept(let folder), .ask(_, _, let folder), .quarantine(let folder): folder
        case .decline: nil
        }
    }

    var isQuarantine: Bool {
        if case .quarantine = self { true } else { false }
    }

    /// True if the action stores an item without a question.
    var letsIn: Bool {
        switch self {
        case .accept, .quarantine: true
        case .ask, .decline: false
        }
    }
}

/// Ending of a question without an answer.
package enum QuestionFallback: String, CaseIterable, Sendable, Hashable {
    case decline, accept, quarantine
}

/// Parts of a rule that an offer can differ in, in the order in which they are compared.
package enum PolicyCondition: Sendable, Hashable {
    case sender, count, freeSpace, hours, days
    case type, size

    static let ofOffer: [PolicyCondition] = [.sender, .count, .freeSpace, .hours, .days]
    static let ofItem: [PolicyCondition] = [.type, .size]
}

/// First failed condition of a rule.
package struct PolicyMismatch: Sendable, Hashable {
    package let condition: PolicyCondition
    /// True if the condition could not be evaluated.
    package let isUnknown: Bool
}

extension PolicyRule {
    /// Returns the first failed condition on the whole offer.
    func mismatch(_ offer: PolicyOffer) -> PolicyMismatch? {
        for condition in PolicyCondition.ofOffer {
            if let mismatch = mismatch(condition, judge(condition, offer)) { return mismatch }
        }
        return nil
    }

    /// Returns the first failed condition on a single item.
    func mismatch(_ item: PolicyOffer.Item) -> PolicyMismatch? {
        for condition in PolicyCondition.ofItem {
            if let mismatch = mismatch(condition, judge(condition, item)) { return mismatch }
        }
        return nil
    }

    /// Evaluates a condition. A condition without a known result never admits an item; in a rule that declines or asks,
    /// it counts as met.
    private func mismatch(_ condition: PolicyCondition, _ judgement: PolicyJudgement) -> PolicyMismatch? {
        switch judgement {
        case .holds: nil
        case .fails: PolicyMismatch(condition: condition, isUnknown: false)
        case .unknown: action.letsIn ? PolicyMismatch(condition: condition, isUnknown: true) : nil
        }
    }

    /// True if all conditions hold, and each can be evaluated.
    private func isCertain(_ offer: PolicyOffer, _ item: PolicyOffer.Item) -> Bool {
        PolicyCondition.ofOffer.allSatisfy { judge($0, offer) == .holds }
            && PolicyCondition.ofItem.allSatisfy { judge($0, item) == .holds }
    }

    /// Returns the verdict on an item that matches the rule.
    func verdict(_ offer: PolicyOffer, _ item: PolicyOffer.Item) -> PolicyVerdict {
        let action: PolicyVerdict.Action =
            switch action {
            case .accept(let folder): .accept(into: folder?.path(for: item, in: offer))
            case .ask(let wait, let ending, let folder):
                .ask(
                    wait: wait, ending: isCertain(offer, item) ? ending : .decline,
                    into: folder?.path(for: item, in: offer))
            case .quarantine(let folder): .quarantine(into: folder?.path(for: item, in: offer))
            case .decline(let detail): .decline(detail: detail)
            }
        return PolicyVerdict(
            action: action, rule: number, line: line, types: conditions.types,
            most: conditions.most, owners: self.action.folder?.owners(in: offer) ?? [])
    }

    private func judge(_ condition: PolicyCondition, _ offer: PolicyOffer) -> PolicyJudgement {
        switch condition {
        case .sender: senders.lazy.map { $0.judge(offer.peer) }.any()
        case .count: judge(UInt64(offer.count), in: conditions.count)
        case .freeSpace: judge(offer.freeSpace, in: conditions.freeSpace)
        case .hours:
            judge(conditions.hours, offer.time) { hours, time in hours.contains { $0.contains(time.minute) } }
        case .days: judge(conditions.days, offer.time) { days, time in days.contains(time.weekday) }
        case .type, .size: .holds
        }
    }

    private func judge(_ condition: PolicyCondition, _ item: PolicyOffer.Item) -> PolicyJudgement {
        switch condition {
        case .type: judgeType(item)
        case .size: judgeSize(item)
        case .sender, .count, .freeSpace, .hours, .days: .holds
        }
    }

    private func judge(_ value: UInt64?, in range: ClosedRange<UInt64>?) -> PolicyJudgement {
        judge(range, value) { range, value in range.contains(value) }
    }

    private func judge<Wanted, Fact>(
        _ wanted: Wanted?, _ fact: Fact?, _ holds: (Wanted, Fact) -> Bool
    ) -> PolicyJudgement {
        guard let wanted else { return .holds }
        guard let fact else { return .unknown }
        return holds(wanted, fact) ? .holds : .fails
    }

    /// Judges the type. The sender chooses the form that arrives.
    private func judgeType(_ item: PolicyOffer.Item) -> PolicyJudgement {
        guard let types = conditions.types else { return .holds }
        var (some, others) = (false, item.types.isEmpty)
        for type in item.types {
            guard let type else { return .unknown }
            if types.contains(where: type.conforms) { some = true } else { others = true }
        }
        return some && !others ? .holds : some || item.types.isEmpty ? .unknown : .fails
    }

    private func judgeSize(_ item: PolicyOffer.Item) -> PolicyJudgement {
        guard let range = conditions.size else {
            // A limit needs a size that is known beforehand.
            return conditions.most == nil || item.mostBytes != nil ? .holds : .unknown
        }
        // A form that replaces another may be smaller.
        let least = item.types.count > 1 ? 0 : item.size ?? 0
        let most = max(least, item.mostBytes ?? .max)
        if range.contains(least), range.contains(most) {
            return conditions.most == nil || item.mostBytes != nil ? .holds : .unknown
        }
        return range.overlaps(least...most) ? .unknown : .fails
    }
}
