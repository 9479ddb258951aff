import PortolanTrust

extension JSONValue {
    /// The level alone: all, team, group or own-process.
    static func visibility(_ restriction: Restriction) -> JSONValue { .string(restriction.visibility.description) }

    /// Team and groups that a level of team or group is for; null for the other levels.
    static func audience(_ restriction: Restriction) -> JSONValue {
        .optional(restriction.audience) { audience in
            .object(["team": .string(audience.team.description), "groups": .names(audience.groups)])
        }
    }
}
