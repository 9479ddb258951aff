/// Name of a team, as in `--to @acme`. A name proves nothing; the ``TeamID`` does.
///
/// 1 to 63 bytes of UTF-8 in Unicode's composed form (NFC), without invisible characters, spaces, `/`, `@` and `,`.
/// Names that differ in nothing but case are the same name.
public struct TeamName: Sendable {
    /// The name, spelled as its author wrote it.
    public let text: String
    /// Form in which names are compared: without case.
    package let comparisonKey: String

    /// - Throws: ``RosterNameError`` when the text cannot be a name.
    public init(_ text: String) throws(RosterNameError) {
        (self.text, comparisonKey) = try RosterName.checked(text)
    }
}

/// Name of a group within a team, as in `--to @acme/design`.
///
/// The rules are those of ``TeamName``.
public struct GroupName: Sendable {
    /// The name, spelled as its author wrote it.
    public let text: String
    /// Form in which names are compared: without case.
    package let comparisonKey: String

    /// - Throws: ``RosterNameError`` when the text cannot be a name.
    public init(_ text: String) throws(RosterNameError) {
        (self.text, comparisonKey) = try RosterName.checked(text)
    }
}

extension TeamName: Hashable, Comparable, CustomStringConvertible {
    /// The name, fit to be shown between quotation marks.
    public var description: String { DisplayText(text).text }
    public static func == (one: TeamName, other: TeamName) -> Bool { one.comparisonKey == other.comparisonKey }
    public static func < (one: TeamName, other: TeamName) -> Bool { one.comparisonKey < other.comparisonKey }
    public func hash(into hasher: inout Hasher) { hasher.combine(comparisonKey) }
}

extension GroupName: Hashable, Comparable, CustomStringConvertible {
    /// The name, fit to be shown between quotation marks.
    public var description: String { DisplayText(text).text }
    public static func == (one: GroupName, other: GroupName) -> Bool { one.comparisonKey == other.comparisonKey }
    public static func < (one: GroupName, other: GroupName) -> Bool { one.comparisonKey < other.comparisonKey }
    public func hash(into hasher: inout Hasher) { hasher.combine(comparisonKey) }
}

/// The rules that names of teams and groups share.
private enum RosterName {
    /// Characters that separate names in a list: `@team/group,group`.
    static let separators: Set<Unicode.Scalar> = ["/", "@", ","]

    static func checked(_ candidate: String) throws(RosterNameError) -> (text: String, comparisonKey: String) {
        let composed = candidate.composed
        if composed.isEmpty { throw .empty }
        if composed.utf8.count > RosterNameError.maximumBytes { throw .tooLong(bytes: composed.utf8.count) }
        guard DisplayText.isHarmless(composed) else { throw .unprintable(shown: DisplayText(composed)) }
        // Checks code points: a slash with an accent is a different character, but still contains a slash.
        let isSeparated = composed.unicodeScalars.contains { $0.properties.isWhitespace || separators.contains($0) }
        guard !isSeparated else {
            throw .separator(shown: DisplayText(composed))
        }
        return (composed, composed.lowercased().composed)
    }
}

/// Reason why a text cannot be the name of a team or a group.
public enum RosterNameError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The longest name in bytes of UTF-8.
    public static let maximumBytes = DeviceName.maximumBytes

    case empty
    case tooLong(bytes: Int)
    case unprintable(shown: DisplayText)
    /// The text contains a space or one of `/`, `@` and `,`.
    case separator(shown: DisplayText)

    public var description: String {
        switch self {
        case .empty: "A name of a team or group cannot be empty."
        case .tooLong(let bytes):
            "A name of a team or group has at most \(Self.maximumBytes) bytes; this one has \(bytes). Choose a shorter one."
        case .unprintable(let shown):
            "A name of a team or group cannot hold invisible or control characters: “\(shown)”. Leave them out."
        case .separator(let shown):
            "A name of a team or group cannot hold spaces, “/”, “@” or “,”: “\(shown)”. Use a hyphen instead."
        }
    }
}
