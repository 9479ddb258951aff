import Portolan
import PortolanFiles
import PortolanSettings

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
    /// - Parameters:
    ///   - userHome: path that `~` stands for.
    ///   - defects: gets all that are found, in the order of the file; one if it is no YAML or of another version.
    /// - Returns: nil for a file with a defect.
    package static func parse(
        _ text: String, userHome: String, noting defects: inout [ConfigurationDefect]
    ) -> PolicyFile? {
        do throws(ConfigurationDefect) {
            guard let root = try PolicyYAML.root(of: text) else {
                throw ConfigurationDefect(
                    line: 1, key: "version", reason: "it is missing; the first line is “version: 1”")
            }
            let file = try PolicyFile(root, userHome: userHome, noting: &defects)
            defects.sort { ($0.line, $0.column ?? 0) < ($1.line, $1.column ?? 0) }
            return defects.isEmpty ? file : nil
        } catch {
            defects = [error]
            return nil
        }
    }

    /// - Throws: the first defect.
    package static func parse(
        _ text: String, userHome: String = NSHomeDirectory()
    ) throws(ConfigurationDefect) -> PolicyFile {
        var defects: [ConfigurationDefect] = []
        let file = parse(text, userHome: userHome, noting: &defects)
        if let first = defects.first { throw first }
        guard let file else { preconditionFailure("A file without a defect is read") }
        return file
    }

    /// - Throws: a defect of the version, with which no other counts.
    private init(
        _ root: ConfigurationNode, userHome: String, noting defects: inout [ConfigurationDefect]
    ) throws(ConfigurationDefect) {
        var (hasVersion, rules, tests): (Bool, [PolicyRule], [PolicyTest]) = (false, [], [])
        for (key, value) in root.members(noting: &defects) {
            switch key.text {
            case "version":
                guard try value.scalar() == Self.version else {
                    throw value.defect("this program reads version 1 and no other; a newer one is needed for it")
                }
                hasVersion = true
            case "rules":
                rules = value.list(most: Self.ruleLimit, noting: &defects) { node, index, defects in
                    PolicyRule(node, number: index + 1, userHome: userHome, noting: &defects)
                }
            case "tests":
                tests = value.list(most: Self.testLimit, noting: &defects) { node, _, defects in
                    PolicyTest(node, noting: &defects)
                }
            default: defects.append(key.defect("unknown key; the keys are version, rules and tests"))
            }
        }
        if !hasVersion, !defects.contains(where: { $0.key.isEmpty }) {
            defects.append(root.defect("the version is missing; the first line is “version: 1”"))
        }
        policy = OfferPolicy(rules: rules)
        self.tests = tests
    }

    /// Mistakes in a text; in one without any, its failed tests.
    ///
    /// - Parameters:
    ///   - userHome: path that `~` stands for.
    ///   - own: files of the program, among which nothing is received.
    package static func mistakes(
        in text: String, userHome: String, besides own: OwnFiles = .none
    ) -> [ConfigurationDefect] {
        var defects: [ConfigurationDefect] = []
        let file = parse(text, userHome: userHome, noting: &defects)
        guard let file else { return defects }
        return file.misplaced(besides: own) + file.failures
    }

    /// Rules with a folder among the program's own files. Blocks.
    package func misplaced(besides own: OwnFiles) -> [ConfigurationDefect] {
        policy.rules.compactMap { rule in
            guard let path = rule.action.folder?.fixedPath, own.hold(path, lent: !rule.action.isQuarantine) else {
                return nil
            }
            return ConfigurationDefect(
                line: rule.line, key: "into",
                reason: "“\(DisplayText(path, limit: 200))” is among the program's own files, where nothing is received"
            )
        }
    }

    /// Failed tests.
    package var failures: [ConfigurationDefect] { tests.flatMap { $0.failures(of: policy) } }
}

extension PolicyRule {
    private static let keys =
        "unknown key; the keys of a rule are from, type, max-size, min-size, max-items, min-items, max-free, min-free, hours, "
        + "days, most, action, into, wait, then and say"
    /// Longest sentence for a sender, in bytes.
    private static let longestSentence = 500
    private static let waits = Duration.seconds(10)...Duration.seconds(30 * 86400)

    /// Nil for a rule with a defect.
    init?(
        _ node: ConfigurationNode, number: Int, userHome: String, noting defects: inout [ConfigurationDefect]
    ) {
        let before = defects.count
        var senders: [PolicySender]?
        var conditions = Conditions()
        var (size, count, freeSpace) = (Bounds(), Bounds(), Bounds())
        var action = ActionKeys()
        node.readMembers(noting: &defects) { key, value, defects throws(ConfigurationDefect) in
            switch key.text {
            case "from": senders = value.oneOrMore(noting: &defects, PolicySender.parse)
            case "type": conditions.types = value.oneOrMore(noting: &defects, TypeSyntax.parse)
            case "max-size": size.most = try value.converted(SizeSyntax.parse)
            case "min-size": size.least = try value.converted(SizeSyntax.parse)
            case "max-items": count.most = try value.converted(Self.wholeNumber)
            case "min-items": count.least = try value.converted(Self.wholeNumber)
            case "max-free": freeSpace.most = try value.converted(SizeSyntax.parse)
            case "min-free": freeSpace.least = try value.converted(SizeSyntax.parse)
            case "hours": conditions.hours = value.oneOrMore(noting: &defects, PolicyHours.parse)
            case "days":
                let days = value.oneOrMore(noting: &defects, PolicyDays.parse)
                conditions.days = days.reduce([]) { $0.union($1) }
            case "most": action.most = (key, try value.converted(SizeSyntax.parse))
            case "action": action.kind = try value.converted(ChoiceSyntax<PolicyActionKind>.parse)
            case "into":
                let folder = try value.converted { text throws(ValueError) in
                    try PolicyFolder.parse(text, userHome: userHome)
                }
                action.folder = (key, folder)
            case "wait":
                let wait = try value.converted { text throws(ValueError) in
                    try DurationSyntax.parse(text, within: Self.waits)
                }
                action.wait = (key, wait)
            case "then": action.ending = (key, try value.converted(ChoiceSyntax<QuestionFallback>.parse))
            case "say": action.sentence = (key, try value.converted(Self.sentence))
            default: throw key.defect(Self.keys)
            }
        }
        // A mistyped key may be the one that would be missing.
        guard defects.count == before else { return nil }
        do throws(ConfigurationDefect) {
            // A missing key must not apply the rule to all senders.
            guard let senders else {
                throw node.defect("the rule has no “from”; write “from: anyone” if it is for all")
            }
            conditions.most = action.most?.value
            conditions.size = try size.range(in: node, "size")
            conditions.count = try count.range(in: node, "items")
            conditions.freeSpace = try freeSpace.range(in: node, "free")
            self.init(
                number: number, line: node.line, senders: senders, action: try action.action(of: node),
                conditions: conditions)
        } catch {
            defects.append(error)
            return nil
        }
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
        var most: (key: Key, value: UInt64)?

        func action(of node: ConfigurationNode) throws(ConfigurationDefect) -> PolicyAction {
            guard let kind else {
                throw node.defect("the rule has no “action”; the actions are accept, ask, quarantine and decline")
            }
            if kind != .ask, let key = wait?.key ?? ending?.key { throw key.defect("it belongs to “action: ask”") }
            if kind == .ask || kind == .decline, let key = most?.key {
                throw key.defect("it belongs to “action: accept” and “action: quarantine”")
            }
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
