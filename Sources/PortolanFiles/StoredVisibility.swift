import CPortolanLinux
import Glibc
import PortolanTrust

/// Remembers with a stored file who may see it, so that this is honoured when the file is passed on.
///
/// A level below ``Visibility/all`` is the extended attribute `user.portolan.visibility`, holding the level's name. No
/// attribute means `all`. Beside `team` and `group`, the attribute `user.portolan.audience` holds whom it is for: the team's
/// identifier and, for `group`, the names of the groups in order, one a line. Both are on each file and folder of an item, and
/// a folder's cover what lies in it, so that an editor which replaces a file does not open it to everyone. A level that this
/// version does not know, and an audience that is missing or not exactly as it is written, count as nobody. Symbolic links
/// cannot have such attributes and keep none.
package enum StoredVisibility {
    package static var attribute: String { "\(levelName)" }
    package static var audienceAttribute: String { "\(audienceName)" }

    // For each file of a tree the system is asked by name, which costs nothing to pass on when it is no `String`.
    private static let levelName: StaticString = "user.portolan.visibility"
    private static let audienceName: StaticString = "user.portolan.audience"

    /// What restricts a file or folder: its own and those of the folders it lies in (``Restriction/and(_:)``).
    ///
    /// - Parameter path: followed where it is a symbolic link; the restriction is that of what it leads to.
    /// - Throws: ``FileError`` where the path leads nowhere or its attributes cannot be read.
    package static func read(_ path: String) throws(FileError) -> Restriction {
        guard let resolved = realpath(path, nil) else { throw .reading(DisplayText(path), .last) }
        defer { free(resolved) }
        var restriction = Restriction.everyone
        let whole = strlen(resolved)
        var end = whole
        while end > 0 {
            resolved[end] = 0
            do throws(SystemFailure) {
                restriction = restriction.and(try read { portolan_get_attribute_of_path(resolved, $0, $1, $2) })
            } catch {
                // A folder above that may be passed and not read is none that we made, so it keeps nothing of ours.
                if end == whole || error.number != EACCES { throw .reading(DisplayText(path), error) }
            }
            repeat { end -= 1 } while end > 0 && resolved[end] != CChar(UInt8(ascii: "/"))
        }
        return restriction
    }

    /// What is kept with an open file itself.
    static func read(_ file: Descriptor) throws(SystemFailure) -> Restriction {
        try read { portolan_get_attribute(file.number, $0, $1, $2) }
    }

    /// What is kept with `name` in a directory itself, without opening it; needs ``KernelFeatures/attributesByName``.
    static func read(_ name: UnsafePointer<CChar>, in directory: Descriptor) throws(SystemFailure) -> Restriction {
        try read { portolan_get_attribute_below(directory.number, name, $0, $1, UInt32(clamping: $2)) }
    }

    /// Keeps a restriction with an open file or folder; ``Restriction/everyone`` needs nothing kept.
    static func keep(
        _ restriction: Restriction, on file: Descriptor, by storage: any Storage = KernelStorage()
    ) throws(SystemFailure) {
        guard restriction != .everyone else { return }
        // The level first: without its audience it is for nobody, and without the level the audience would say nothing.
        try storage.setAttribute(attribute, Array(restriction.visibility.description.utf8), of: file)
        if let audience = restriction.audience {
            try storage.setAttribute(audienceAttribute, StoredAudience.text(of: audience), of: file)
        }
    }

    // MARK: - The attributes

    /// Reads an attribute of a file: its name, room for the value, and how much.
    private typealias Reading = (UnsafePointer<CChar>, UnsafeMutableRawPointer?, UInt64) -> Int64

    private static func read(_ getAttribute: Reading) throws(SystemFailure) -> Restriction {
        guard let level = try value(of: levelName, limit: 16, getAttribute) else { return .everyone }
        let visibility = Visibility(String(decoding: level, as: UTF8.self)) ?? .ownProcess
        guard visibility == .team || visibility == .group else { return Restriction(visibility, for: nil) }
        let text = try value(of: audienceName, limit: StoredAudience.maximumBytes, getAttribute)
        return Restriction(visibility, for: text.flatMap { StoredAudience.audience(in: $0) })
    }

    /// What an attribute holds: nil where there is none, and nothing where it is larger than `limit` bytes.
    private static func value(
        of name: StaticString, limit: Int, _ getAttribute: Reading
    ) throws(SystemFailure) -> [UInt8]? {
        let (value, failure) = withUnsafeTemporaryAllocation(byteCount: limit, alignment: 1) { room in
            let name = UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
            let length = getAttribute(name, room.baseAddress, UInt64(room.count))
            return length >= 0 ? (Array(room[..<Int(length)]), 0) : ([UInt8]?.none, errno)
        }
        switch failure {
        case 0: return value
        case ENODATA, ENOTSUP: return nil
        case ERANGE: return []
        default: throw SystemFailure(failure)
        }
    }
}

/// The text that an audience is kept as: the team, then its groups in order, one a line and nothing after the last.
private enum StoredAudience {
    /// The team's 26 characters, and a line of the longest name for as many groups as there may be.
    static let maximumBytes = 26 + Audience.maximumGroups * (1 + RosterNameError.maximumBytes)

    static func text(of audience: Audience) -> [UInt8] {
        Array(([audience.team.description] + audience.groups.map(\.text)).joined(separator: "\n").utf8)
    }

    /// Exactly what ``text(of:)`` writes is an audience; whatever was cut or changed is not.
    static func audience(in text: [UInt8]) -> Audience? {
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard lines.count <= 1 + Audience.maximumGroups, let team = TeamID(lines[0]) else { return nil }
        let groups = lines.dropFirst().compactMap { try? GroupName($0) }
        guard let audience = try? Audience(team: team, groups: groups), self.text(of: audience) == text else {
            return nil
        }
        return audience
    }
}
