import PortolanValues

/// Encoded restriction of an entry: a level, the team, and for the level `group` the names of the groups.
enum TreeRestriction {
    /// Level byte. Other levels are never sent: an entry for everyone has no restriction.
    private enum Level {
        static let team = Visibility.team.rawValue
        static let group = Visibility.group.rawValue
    }

    private static func audience(of restriction: Restriction) -> Audience {
        guard let audience = restriction.audience else { preconditionFailure("A level that does not travel") }
        return audience
    }

    /// Returns the number of bytes that ``put(_:_:)`` writes.
    static func size(of restriction: Restriction) -> Int {
        let audience = audience(of: restriction)
        let groups = audience.groups.reduce(1) { $0 + 1 + $1.text.utf8.count }
        return 1 + TeamID.length + (audience.groups.isEmpty ? 0 : groups)
    }

    /// Writes a restriction, byte by byte.
    static func put(_ restriction: Restriction, _ put: (UInt8) -> Void) {
        let audience = audience(of: restriction)
        put(restriction.visibility.rawValue)
        for byte in audience.team.bytes { put(byte) }
        guard !audience.groups.isEmpty else { return }
        put(UInt8(audience.groups.count))
        for group in audience.groups {
            put(UInt8(group.text.utf8.count))
            for byte in group.text.utf8 { put(byte) }
        }
    }

    /// Reads a restriction.
    ///
    /// - Parameter take: returns the next bytes of the record; throws if there are fewer.
    static func read(
        _ take: (Int) throws(ProtocolViolation) -> UnsafeRawBufferPointer
    ) throws(ProtocolViolation) -> Restriction {
        let level = try take(1)[0]
        try ProtocolViolation.check(
            level == Level.team || level == Level.group, .malformed,
            "An entry is restricted to a level that does not travel.")
        guard let team = TeamID(bytes: Array(try take(TeamID.length))) else {
            preconditionFailure("\(TeamID.length) bytes are a team")
        }
        var groups: [String] = []
        if level == Level.group {
            let count = Int(try take(1)[0])
            guard count > 0 else { throw ProtocolViolation(.malformed, "An entry is for groups and names none.") }
            try ProtocolViolation.check(count <= Audience.maximumGroups, .limit, "An entry for \(count) groups.")
            for _ in 0..<count { groups.append(try name(take)) }
        }
        do throws(InvalidValue) {
            let audience = try Audience(team: team, groupsOfPeer: groups)
            return Restriction(level == Level.team ? .team : .group, for: audience)
        } catch {
            throw error.violation
        }
    }

    private static func name(
        _ take: (Int) throws(ProtocolViolation) -> UnsafeRawBufferPointer
    ) throws(ProtocolViolation) -> String {
        let bytes = try take(Int(try take(1)[0]))
        guard let name = String(validating: bytes, as: UTF8.self) else {
            throw ProtocolViolation(.malformed, "The name of a group is not UTF-8.")
        }
        return name
    }
}
