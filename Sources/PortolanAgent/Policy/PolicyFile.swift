import Foundation
import Portolan
import PortolanConfiguration
import PortolanValues
import UniformTypeIdentifiers

/// Rules and tests of a policy file. `Config/policy.example.yaml` explains each key.
///
/// Every unknown key is an error, so that a mistyped rule is not ignored.
package struct PolicyFile: Sendable, Hashable {
    package let policy: OfferPolicy
    package let tests: [PolicyTest]

    /// Largest file, in bytes.
    package static let sizeLimit = 1 << 20
    package static let ruleLimit = 10_000
    package static let testLimit = 1_000

    private static let version = "1"

    /// Reads rules and tests, without running the tests.
    ///
    /// - Parameter userHome: path that `~` stands for.
    /// - Throws: `ConfigurationDefect` that names the line and the key.
    package static func parse(
        _ text: String, userHome: String = NSHomeDirectory()
    ) throws(ConfigurationDefect) -> PolicyFile {
        guard let root = try PolicyYAML.root(of: text) else {
            throw ConfigurationDefect(line: 1, key: "version", reason: "it is missing; the first line is “version: 1”")
        }
        var (hasVersion, rules, tests): (Bool, [PolicyRule], [PolicyTest]) = (false, [], [])
        for (key, value) in try root.members() {
            switch key.text {
            case "version":
                guard try value.scalar() == version else {
                    throw value.defect("this program reads version 1 and no other; a newer one is needed for it")
                }
                hasVersion = true
            case "rules":
                rules = try value.list(most: ruleLimit) { node, index throws(ConfigurationDefect) in
                    try PolicyRule(node, number: index + 1, userHome: userHome)
                }
            case "tests":
                tests = try value.list(most: testLimit) { node, _ throws(ConfigurationDefect) in try PolicyTest(node) }
            default: throw key.defect("unknown key; the keys are version, rules and tests")
            }
        }
        guard hasVersion else { throw root.defect("the version is missing; the first line is “version: 1”") }
        return PolicyFile(policy: OfferPolicy(rules: rules), tests: tests)
    }

    /// Failed tests, one sentence each.
    package var failures: [String] { tests.flatMap { $0.failures(of: policy) } }
}

extension PolicyRule {
    private static let keys =
        "unknown key; the keys of a rule are from, type, max-size, min-size, max-items, min-items, max-free, min-free, hours, "
        + "days, action, into, wait, then and say"
    /// Longest sentence for a sender, in bytes.
    private static let longestSentence = 500
    private static let waits = Duration.seconds(10)...Duration.seconds(30 * 86400)

    init(_ node: ConfigurationNode, number: Int, userHome: String) throws(ConfigurationDefect) {
        var senders: [PolicySender]?
        var conditions = Conditions()
        var (size, count, freeSpace) = (Bounds(), Bounds(), Bounds())
        var action = ActionKeys()
        for (key, value) in try node.members() {
            switch key.text {
            case "from": senders = try value.oneOrMore(PolicySender.parse)
            case "type": conditions.types = try value.oneOrMore(TypeSyntax.parse)
            case "max-size": size.most = try value.converted(SizeSyntax.parse)
            case "min-size": size.least = try value.converted(SizeSyntax.parse)
            case "max-items": count.most = try value.converted(Self.wholeNumber)
            case "min-items": count.least = try value.converted(Self.wholeNumber)
            case "max-free": freeSpace.most = try value.converted(SizeSyntax.parse)
            case "min-free": freeSpace.least = try value.converted(SizeSyntax.parse)
            case "hours": conditions.hours = try value.oneOrMore(PolicyHours.parse)
            case "days":
                conditions.days = try value.oneOrMore(PolicyDays.parse).reduce(PolicyDays()) { $0.union($1) }
            case "action": action.kind = try value.converted(ChoiceSyntax<PolicyActionKind>.parse)
            case "into":
                action.folder = (
                    key,
                    try value.converted { text throws(ValueError) in try PolicyFolder.parse(text, userHome: userHome) }
                )
            case "wait":
                action.wait = (
                    key,
                    try value.converted { text throws(ValueError) in try DurationSyntax.parse(text, within: Self.waits)
                    }
                )
            case "then": action.ending = (key, try value.converted(ChoiceSyntax<QuestionFallback>.parse))
            case "say": action.sentence = (key, try value.converted(Self.sentence))
            default: throw key.defect(Self.keys)
            }
        }
        // A missing key must not apply the rule to all senders.
        guard let senders else { throw node.defect("the rule has no “from”; write “from: anyone” if it is for all") }
        conditions.size = try size.range(in: node, "size")
        conditions.count = try count.range(in: node, "items")
        conditions.freeSpace = try freeSpace.range(in: node, "free")
        self.init(
            number: number, line: node.line, senders: senders, action: try action.action(of: node),
            conditions: conditions)
    }

    private static func sentence(_ text: String) throws(ValueError) -> String {
        guard text.utf8.count <= longestSentence, DisplayText.isHarmless(text) else {
            throw ValueError(
                "A sentence for the sender has at most \(longestSentence) bytes, and nothing invisible in it.")
        }
        return text
    }

    private static func wholeNumber(_ text: String) throws(ValueError) -> UInt64 {
        guard let match = text.wholeMatch(of: /[0-9]{1,9}/), let number = UInt64(match.0) else {
            throw ValueError("“\(DisplayText(text, limit: 40))” is no whole number.")
        }
        return number
    }

    /// Bounds of a number, each optional.
    private struct Bounds {
        var least: UInt64?
        var most: UInt64?

        func range(in node: ConfigurationNode, _ word: String) throws(ConfigurationDefect) -> ClosedRange<UInt64>? {
            guard least != nil || most != nil else { return nil }
            let (lower, upper) = (least ?? 0, most ?? .max)
            guard lower <= upper else { throw node.defect("min-\(word) is more than max-\(word)") }
            return lower...upper
        }
    }

    /// Keys of the action, in any order.
    private struct ActionKeys {
        typealias Key = ConfigurationNode.Key

        var kind: PolicyActionKind?
        var folder: (key: Key, value: PolicyFolder)?
        var wait: (key: Key, value: Duration)?
        var ending: (key: Key, value: QuestionFallback)?
        var sentence: (key: Key, value: String)?

        func action(of node: ConfigurationNode) throws(ConfigurationDefect) -> PolicyAction {
            guard let kind else {
                throw node.defect("the rule has no “action”; the actions are accept, ask, quarantine and decline")
            }
            if kind != .ask, let key = wait?.key ?? ending?.key { throw key.defect("it belongs to “action: ask”") }
            if kind != .decline, let key = sentence?.key { throw key.defect("it belongs to “action: decline”") }
            switch kind {
            case .accept: return .accept(folder?.value)
            case .ask:
                return .ask(
                    wait: wait?.value ?? OfferPolicy.usualWait, ending: ending?.value ?? .decline, folder?.value)
            case .quarantine: return .quarantine(folder?.value)
            case .decline:
                if let key = folder?.key { throw key.defect("nothing is stored by “action: decline”") }
                return .decline(detail: sentence?.value ?? "The policy of this device declines it.")
            }
        }
    }
}
