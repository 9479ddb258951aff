import PortolanTrust

/// Everybody in a team, or in one group of it, as `--to` and `--from` name them: `@acme`, `@acme/design`.
struct TeamTarget: Sendable, Hashable, CustomStringConvertible {
    let team: TeamName
    let group: GroupName?

    var description: String { "@\(team)" + (group.map { "/\($0)" } ?? "") }

    /// Whether a text means a team and no peer: no name of a peer on a command line needs to begin so, since its
    /// fingerprint names it as well.
    static func names(_ text: String) -> Bool { text.hasPrefix("@") }

    /// - Throws: `ArgumentFailure` that says what would have been understood.
    static func parse(_ text: String) throws(ArgumentFailure) -> TeamTarget {
        guard names(text) else {
            throw ArgumentFailure("“\(DisplayText(text, limit: 80))” is no team; write @TEAM or @TEAM/GROUP.")
        }
        let parts = text.dropFirst().split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init)
        do throws(RosterNameError) {
            return TeamTarget(
                team: try TeamName(parts[0]),
                group: try parts.dropFirst().first.map { part throws(RosterNameError) in try GroupName(part) })
        } catch {
            throw ArgumentFailure(error.description)
        }
    }
}

/// The name of a team where nothing else can stand; `@acme` is understood as well.
enum TeamArgument {
    static func parse(_ text: String) throws(ArgumentFailure) -> TeamName {
        do throws(RosterNameError) {
            return try TeamName(text.hasPrefix("@") ? String(text.dropFirst()) : text)
        } catch {
            throw ArgumentFailure(error.description)
        }
    }
}

/// The name of a group.
enum GroupArgument {
    static func parse(_ text: String) throws(ArgumentFailure) -> GroupName {
        do throws(RosterNameError) {
            return try GroupName(text)
        } catch {
            throw ArgumentFailure(error.description)
        }
    }
}

/// The name of a device.
enum DeviceArgument {
    static func parse(_ text: String) throws(ArgumentFailure) -> DeviceName {
        do throws(DeviceNameError) {
            return try DeviceName(text)
        } catch {
            throw ArgumentFailure(error.description)
        }
    }
}
