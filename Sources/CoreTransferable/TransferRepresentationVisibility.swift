/// Who may see a representation.
public struct TransferRepresentationVisibility: Sendable, Equatable {
    /// 0 for everybody; a higher level is seen by fewer.
    package let level: UInt8

    package init(level: UInt8) {
        self.level = level
    }

    /// Everybody.
    public static let all = TransferRepresentationVisibility(level: 0)

    /// Programs and people of the same team.
    public static let team = TransferRepresentationVisibility(level: 1)

    /// Members of the same group.
    public static let group = TransferRepresentationVisibility(level: 2)

    /// This process alone.
    public static let ownProcess = TransferRepresentationVisibility(level: 3)

    /// Of two levels that both apply, the one that fewer see.
    func narrowed(to other: TransferRepresentationVisibility) -> TransferRepresentationVisibility {
        level < other.level ? other : self
    }
}
