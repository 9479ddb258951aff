import PortolanProtocol
import PortolanTrust

/// What of a folder could not be carried, told file by file: it is never dropped in silence.
enum OmissionLine {
    /// More than this many are only counted: the first ones say what kind of trouble it is.
    private static let shown = 20

    static func sentences(_ omissions: Omissions) -> [String] {
        var lines = omissions.listed.prefix(shown).map { omission in
            "not carried: “\(DisplayText(bytes: omission.path))”, \(why(omission.reason))"
        }
        let rest = omissions.count - UInt64(lines.count)
        if rest > 0 { lines.append("not carried: \(rest) more") }
        return lines
    }

    private static func why(_ reason: Omission.Reason) -> String {
        switch reason {
        case .unspecified: "for a reason that was not given"
        case .specialFile: "a device, socket or pipe"
        case .linkLeavesFolder: "a symbolic link that leads out of the folder"
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
        case .conflict: "it was changed there, and stays as it is; what came lies beside it"
        }
    }
}
