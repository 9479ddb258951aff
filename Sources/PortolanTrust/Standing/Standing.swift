/// What a peer is entitled to, computed from what it has proved and from nothing it says.
public enum Standing: Sendable, Hashable, CustomStringConvertible {
    /// A peer that proved its own key and nothing else.
    case anyone

    /// Whether a peer of this standing may learn that a representation of that visibility exists.
    ///
    /// The one place that decides. A `false` means the representation is not listed, not counted and cannot be asked for.
    public func maySee(_ visibility: Visibility) -> Bool {
        switch (self, visibility) {
        case (_, .all): true
        case (_, .ownProcess): false
        case (.anyone, .team), (.anyone, .group): false
        }
    }

    public var description: String {
        switch self {
        case .anyone: "anyone"
        }
    }

    /// Why a peer of this standing sees, or does not see, a representation of that visibility: one clause for a person.
    public func explain(_ visibility: Visibility) -> String {
        switch (self, visibility) {
        case (_, .all): "everyone may see it"
        case (_, .ownProcess): "it never leaves the process that made it"
        case (.anyone, .team): "only members of the team see it, and this peer is in no team of yours"
        case (.anyone, .group): "only members of the group see it, and this peer is in no group of yours"
        }
    }
}
