/// Level of peers that may see a representation. The level is sent with it, and each device that stores the
/// representation honours it when passing it on.
///
/// The raw value is the one in the protocol. A greater value is more secret, and `<` means "is seen by more people
/// than".
public enum Visibility: UInt8, Sendable, Hashable, Comparable, CaseIterable, LosslessStringConvertible {
    /// Every peer that can connect.
    case all = 0
    /// Members of the team the item belongs to.
    case team = 1
    /// Members of the item's groups within its team.
    case group = 2
    /// Only the process that holds the representation; never sent.
    case ownProcess = 3

    public var description: String {
        switch self {
        case .all: "all"
        case .team: "team"
        case .group: "group"
        case .ownProcess: "own-process"
        }
    }

    public init?(_ description: String) {
        guard let match = Self.allCases.first(where: { $0.description == description }) else { return nil }
        self = match
    }

    public static func < (less: Visibility, more: Visibility) -> Bool { less.rawValue < more.rawValue }
}
