import PortolanValues
import UniformTypeIdentifiers

/// Explanation of the verdict on one item.
package struct PolicyExplanation: Sendable, Hashable {
    /// A rule that did not match.
    package struct Passed: Sendable, Hashable, CustomStringConvertible {
        package let rule: Int
        package let line: Int
        package let mismatch: PolicyMismatch
        /// Reason, a clause for a person: “its sender is not laptop”.
        package let reason: String

        package var description: String { "rule \(rule) (line \(line)) does not match: \(reason)" }
    }

    /// Number of the item in the offer, from 0.
    package let item: Int
    package let verdict: PolicyVerdict
    /// All rules before the matching one.
    package let passed: [Passed]
}

extension OfferPolicy {
    /// Returns for each item its verdict, and for each earlier rule the first condition that failed.
    ///
    /// - Parameter limit: largest number of earlier rules, of which the last are taken.
    package func explain(_ offer: PolicyOffer, passing limit: Int = .max) -> [PolicyExplanation] {
        zip(offer.items.indices, verdicts(for: offer)).map { index, verdict in
            let earlier = (verdict.rule.map { rules.prefix($0 - 1) } ?? rules[...]).suffix(limit)
            return PolicyExplanation(
                item: index, verdict: verdict, passed: earlier.compactMap { $0.passed(offer, offer.items[index]) })
        }
    }
}

extension PolicyRule {
    fileprivate func passed(_ offer: PolicyOffer, _ item: PolicyOffer.Item) -> PolicyExplanation.Passed? {
        guard let mismatch = mismatch(offer) ?? mismatch(item) else { return nil }
        return PolicyExplanation.Passed(
            rule: number, line: line, mismatch: mismatch, reason: reason(mismatch, offer, item))
    }

    private func reason(_ mismatch: PolicyMismatch, _ offer: PolicyOffer, _ item: PolicyOffer.Item) -> String {
        switch (mismatch.condition, mismatch.isUnknown) {
        case (.sender, true): "the name of its sender belongs to another key here"
        case (.sender, false): "its sender is not \(senders.prefix(5).map(\.description).joined(separator: ", nor "))"
        case (.count, _): "the offer has \(offer.count) \(offer.count == 1 ? "item" : "items")"
        case (.freeSpace, _):
            offer.freeSpace.map { "\($0) bytes are free" } ?? "the free space is not known"
        case (.hours, _): offer.time.map { "it is \($0.clock)" } ?? "the time is not known"
        case (.days, _): offer.time.map { "it is \($0.weekday.rawValue)" } ?? "the time is not known"
        case (.type, let isUnknown): typeReason(item, isUnknown)
        case (.size, true): "its size is not known for sure"
        case (.size, false): "it has \(item.size ?? item.mostBytes ?? 0) bytes"
        }
    }

    private func typeReason(_ item: PolicyOffer.Item, _ isUnknown: Bool) -> String {
        let other = item.types.first { type in
            guard let type else { return true }
            return conditions.types?.contains(where: type.conforms) == false
        }
        guard let other, let type = other else { return "its type is not known" }
        return "it \(isUnknown ? "may come as" : "is") \(DisplayText(type.identifier, limit: 80))"
    }
}
