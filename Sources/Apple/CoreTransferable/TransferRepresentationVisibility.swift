/// Readers of a representation.
public struct TransferRepresentationVisibility: Sendable, Equatable {
    /// Level; 0 for everybody, greater levels for fewer readers.
    package let level: UInt8

    package init(level: UInt8) {
        self.level = level
    }

    /// All readers.
    public static let all = TransferRepresentationVisibility(level: 0)

    /// Programs and people of the same team.
    public static let team = TransferRepresentationVisibility(level: 1)

    /// Members of the same group.
    public static let group = TransferRepresentationVisibility(level: 2)

    /// This process alone.
    public static let ownProcess = TransferRepresentationVisibility(level: 3)

    /// Returns the stricter of two levels that both apply.
    func narrowed(to other: TransferRepresentationVisibility) -> TransferRepresentationVisibility {
        level < other.level ? other : self
    }
}
