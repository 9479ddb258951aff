import Portolan
import PortolanSettings

/// An offer with its expected verdicts, tested whenever its policy file is loaded.
package struct PolicyTest: Sendable, Hashable {
    /// Name; empty if there is none.
    package let name: String
    package let line: Int
    /// From 1, in Unicode scalars; nil if it is not known.
    let column: Int?
    package let offer: PolicyOffer
    /// Expected action for each item.
    package let expected: [PolicyActionKind]

    /// Nil for a test with a defect.
    init?(_ node: ConfigurationNode, noting defects: inout [ConfigurationDefect]) {
        let before = defects.count
        var (name, offer, expected): (String, PolicyOffer?, [PolicyActionKind]?) = ("", nil, nil)
        node.readMembers(noting: &defects) { key, value, defects throws(ConfigurationDefect) in
            switch key.text {
            case "name": name = try value.scalar()
            case "offer": offer = PolicyOffer(value, noting: &defects)
            case "expect":
                expected = value.oneOrMore(noting: &defects, ChoiceSyntax<PolicyActionKind>.parse)
            default: throw key.defect("unknown key; the keys of a test are name, offer and expect")
            }
        }
        guard defects.count == before else { return nil }
        do throws(ConfigurationDefect) {
            guard let offer else { throw node.defect("the test has no “offer”") }
            guard var expected else { throw node.defect("the test has no “expect”") }
            if expected.count == 1 { expected = Array(repeating: expected[0], count: offer.items.count) }
            guard expected.count == offer.items.count else {
                throw node.defect(
                    "the test expects \(expected.count) actions, and its offer has \(offer.items.count) "
                        + (offer.items.count == 1 ? "item" : "items"))
            }
            self.name = name
            line = node.line
            column = node.column
            self.offer = offer
            self.expected = expected
        } catch {
            defects.append(error)
            return nil
        }
    }

    /// Returns a defect for each item with an unexpected verdict.
    func failures(of policy: OfferPolicy) -> [ConfigurationDefect] {
        let title = name.isEmpty ? "the test" : "the test “\(DisplayText(name, limit: 80))”"
        return zip(policy.verdicts(for: offer), expected).enumerated().compactMap { index, pair in
            let (verdict, wanted) = pair
            guard verdict.action.kind != wanted else { return nil }
            let item = expected.count == 1 ? "" : " for item \(index + 1)"
            return ConfigurationDefect(
                line: line, column: column, key: "",
                reason: "\(title) expected \(wanted.rawValue)\(item) and got \(verdict.action.kind.rawValue), by "
                    + "\(verdict.origin)")
        }
    }
}

extension PolicyOffer {
    /// Largest number of items in an offer of a test.
    private static let itemLimit = 100

    /// Parses an offer for a test of a policy, in YAML or JSON.
    ///
    /// - Throws: `ConfigurationDefect` that names the line and the key.
    package static func parse(_ text: String) throws(ConfigurationDefect) -> PolicyOffer {
        guard let root = try PolicyYAML.root(of: text) else {
            throw ConfigurationDefect(line: 1, key: "", reason: "there is no offer in it")
        }
        var defects: [ConfigurationDefect] = []
        let offer = PolicyOffer(root, noting: &defects)
        if let first = defects.first { throw first }
        guard let offer else { preconditionFailure("An offer without a defect is read") }
        return offer
    }

    /// Nil for an offer with a defect.
    init?(_ node: ConfigurationNode, noting defects: inout [ConfigurationDefect]) {
        let before = defects.count
        var (contact, name, teams, isDoubtful): (DeviceName?, DeviceName?, [Team], Bool) = (nil, nil, [], false)
        var (items, freeSpace, time): ([Item]?, UInt64?, PolicyTime?) = (nil, nil, nil)
        func deviceName(_ text: String) throws(DeviceNameError) -> DeviceName { try DeviceName(text) }
        node.readMembers(noting: &defects) { key, value, defects throws(ConfigurationDefect) in
            switch key.text {
            case "contact": contact = try value.converted(deviceName)
            case "name": name = try value.converted(deviceName)
            case "teams":
                teams = value.oneOrMore(noting: &defects, TeamTarget.parse)
                    .map { Team($0.team, groups: $0.group.map { [$0] } ?? []) }
            case "doubtful": isDoubtful = try value.converted(ConfigurationFile.truth)
            case "items":
                items = value.list(most: Self.itemLimit, noting: &defects) { node, _, defects in
                    Item(node, noting: &defects)
                }
            case "free": freeSpace = try value.converted(SizeSyntax.parse)
            case "time": time = try value.converted(PolicyTime.parse)
            default:
                throw key.defect(
                    "unknown key; the keys of an offer are contact, name, teams, doubtful, items, free and time")
            }
        }
        guard defects.count == before else { return nil }
        do throws(ConfigurationDefect) {
            guard contact == nil || name == nil else {
                throw node.defect(
                    "“contact” is the name of a contact, and “name” that of another device; one of them stands here")
            }
            guard contact == nil || !isDoubtful else {
                throw node.defect("the name of a contact is not doubtful: it belongs to its key")
            }
            guard let items, !items.isEmpty else { throw node.defect("the offer has no “items”") }
            self.init(
                peer: Peer(
                    name: contact?.text ?? name?.text ?? "unnamed", isContact: contact != nil, teams: teams,
                    hasDoubtfulName: isDoubtful && teams.isEmpty),
                items: items, freeSpace: freeSpace, time: time)
        } catch {
            defects.append(error)
            return nil
        }
    }
}

extension PolicyOffer.Item {
    /// Nil for an item with a defect.
    fileprivate init?(_ node: ConfigurationNode, noting defects: inout [ConfigurationDefect]) {
        let before = defects.count
        var (name, types, size): (String, [UTType?], UInt64?) = ("", [nil], nil)
        node.readMembers(noting: &defects) { key, value, defects throws(ConfigurationDefect) in
            switch key.text {
            case "name": name = try value.scalar()
            case "type": types = value.oneOrMore(noting: &defects, TypeSyntax.parse)
            case "size": size = try value.converted(SizeSyntax.parse)
            default: throw key.defect("unknown key; the keys of an item are name, type and size")
            }
        }
        guard defects.count == before else { return nil }
        self.init(name: name, types: types, size: size, mostBytes: size)
    }
}
