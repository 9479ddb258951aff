import PortolanProtocol
import PortolanValues

/// Lines about the parts of an item that could not be sent or stored: first the counts, then single entries. No
/// omission is dropped silently.
enum OmissionLine {
    /// Most omissions that are listed; the first ones show the kind of trouble.
    private static let shown = 20
    /// Most omissions without a summary.
    private static let few = 3

    /// - Parameter named: number of unnamed omissions that this side names elsewhere.
    static func sentences(_ omissions: Omissions, named: UInt64 = 0) -> [String] {
        var lines = omissions.count > few ? [summary(omissions)] : []
        lines += omissions.listed.prefix(shown).map { omission in
            let path = omission.path.isEmpty ? "the item itself" : "“\(DisplayText(bytes: omission.path))”"
            // Its content has arrived.
            let verdict = isBeside(omission.reason) ? "not replaced" : "not carried"
            return "\(verdict): \(path), \(why(omission.reason))"
        }
        let rest = omissions.count - UInt64(min(omissions.listed.count, shown)) - min(named, omissions.further)
        if rest > 0 {
            let number = Human.number(rest)
            let parts =
                rest == 1
                ? "1 file or folder that has no name here" : "\(number) files or folders that have no names here"
            lines.append("not carried: " + (omissions.listed.isEmpty ? parts : "\(number) more"))
        }
        return lines
    }

    /// `2 files or folders are missing, 1 file or folder is not as it was`; nil if nothing was left out.
    static func clause(_ omissions: Omissions) -> String? {
        let (missing, changed) = (omissions.missing, omissions.count - omissions.missing)
        func parts(_ count: UInt64) -> String {
            "\(Human.number(count)) \(count == 1 ? "file or folder is" : "files or folders are")"
        }
        let clauses = [
            missing == 0 ? nil : "\(parts(missing)) missing",
            changed == 0 ? nil : "\(parts(changed)) not as \(changed == 1 ? "it was" : "they were")",
        ].compactMap(\.self)
        return clauses.isEmpty ? nil : clauses.joined(separator: ", ")
    }

    /// Summary in one line: `not everything could be carried: 3 lost their extended attributes; 1 device, socket or
    /// pipe was left out`.
    private static func summary(_ omissions: Omissions) -> String {
        let counts = omissions.listed.reduce(into: [Omission.Reason: Int]()) { $0[$1.reason, default: 0] += 1 }
        var clauses = Omission.Reason.allCases.compactMap { reason in counts[reason].map { clause(reason, $0) } }
        if omissions.further > 0 { clauses.append("\(Human.number(omissions.further)) more are only counted") }
        let areConflicts = omissions.further == 0 && counts.keys.allSatisfy(isBeside)
        return "not everything could be \(areConflicts ? "replaced" : "carried"): " + clauses.joined(separator: "; ")
    }

    /// True if the received entry is stored beside an existing one.
    private static func isBeside(_ reason: Omission.Reason) -> Bool { reason == .conflict || reason == .taken }

    private static func clause(_ reason: Omission.Reason, _ count: Int) -> String {
        let number = Human.number(count)
        let isOne = count == 1
        return switch reason {
        case .unspecified: "\(number) for a reason that was not given"
        case .specialFile:
            isOne ? "1 device, socket or pipe was left out" : "\(number) devices, sockets or pipes were left out"
        case .linkLeavesFolder: isOne ? "1 symbolic link was left out" : "\(number) symbolic links were left out"
        case .unreadable: "\(number) cannot be read"
        case .name: isOne ? "1 has a name that cannot be carried" : "\(number) have names that cannot be carried"
        case .tooDeep: isOne ? "1 lies too deep" : "\(number) lie too deep"
        case .changed: "\(number) changed or vanished while being sent"
        case .attribute: "\(number) lost something that belongs to them"
        case .mode: "\(number) lost some of their permissions"
        case .modified: "\(number) lost their modification time"
        case .attributes: "\(number) lost extended attributes"
        case .sparse: "\(number) lost their holes and take up more space"
        case .hardLink: "\(number) lost being another name of a file"
        case .conflict: "\(number) had been changed there and stay as they are; the new ones lie beside them"
        case .visibility: "\(number) are restricted, which cannot be kept there"
        case .grown: "\(number) grew while being sent, and lack the added bytes"
        case .taken:
            isOne
                ? "1 has its name taken there by something else, and lies beside that"
                : "\(number) have their names taken there by something else, and lie beside that"
        case .notPermitted: "\(number) cannot be stored or changed there, for want of permission"
        case .noSpace: "\(number) found no room there"
        }
    }

    private static func why(_ reason: Omission.Reason) -> String {
        switch reason {
        case .unspecified: "for a reason that was not given"
        case .specialFile: "a device, socket or pipe"
        case .linkLeavesFolder: "a symbolic link that leads out of the folder, or that the file system does not take"
        case .unreadable: "it cannot be read"
        case .name: "its name cannot be carried or stored safely"
        case .tooDeep: "too many folders inside one another"
        case .changed: "it changed or vanished while it was being sent"
        case .attribute: "only something that belongs to it, such as its time, is missing"
        case .mode: "only its permissions are not those it had"
        case .modified: "only its modification time is not the one it had"
        case .attributes: "only extended attributes of it are missing"
        case .sparse: "only its holes are not, which take up space"
        case .hardLink: "a second name of a file, which could not be made"
        case .conflict: "it was changed there, and stays as it is; the new one lies beside it"
        case .visibility: "it is restricted, and the file system there cannot remember who may see it"
        case .grown: "it grew while it was being sent: only the bytes added since it was offered are missing"
        case .taken:
            "something of another kind, or a link that leads elsewhere, has its name there and stays; the new entry lies beside it"
        case .notPermitted:
            "nothing can be stored or changed there: it belongs to another user, or its file system does not allow it"
        case .noSpace: "there is no room for it there, or its file system takes no file of that size"
        }
    }
}
