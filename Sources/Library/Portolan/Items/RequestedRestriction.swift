/// Restriction as requested by the maker of a representation, before this device's teams are looked up.
public enum RequestedRestriction: Hashable, Sendable {
    /// Level alone. For `team` and `group` the audience is this device's default team, and in it this device's own
    /// groups; without a default team it is empty.
    case level(Visibility)
    /// Complete restriction: nothing is filled in.
    case exactly(Restriction)

    /// True if the restriction depends on this device's default team.
    package var lacksAudience: Bool {
        switch self {
        case .level(.team), .level(.group): true
        case .level, .exactly: false
        }
    }

    /// The restriction, with `audience` where a level lacks one.
    package func completed(with audience: Audience?) -> Restriction {
        switch self {
        case .level(let visibility): Restriction(visibility, for: audience)
        case .exactly(let restriction): restriction
        }
    }
}
