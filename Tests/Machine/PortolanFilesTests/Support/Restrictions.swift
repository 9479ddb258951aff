import Glibc
import PortolanValues

@testable import FilesTestSupport
@testable import PortolanFiles

extension TeamID {
    /// Two teams.
    static let acme = made(1)
    static let other = made(2)

    private static func made(_ byte: UInt8) -> TeamID {
        guard let team = TeamID(bytes: [UInt8](repeating: byte, count: length)) else {
            fatalError("16 bytes are a team")
        }
        return team
    }
}

extension Restriction {
    static func team(_ team: TeamID) -> Restriction { made(.team, team, []) }

    static func group(_ team: TeamID, _ groups: String...) -> Restriction { made(.group, team, groups) }

    private static func made(_ visibility: Visibility, _ team: TeamID, _ groups: [String]) -> Restriction {
        do {
            return Restriction(visibility, for: try Audience(team: team, groups: groups.map { try GroupName($0) }))
        } catch {
            fatalError("\(error)")
        }
    }
}

enum ExtendedAttributes {
    static let areKept: Bool = {
        let folder = TemporaryFolder()
        let descriptor = Descriptor(owning: open(folder.path, O_RDONLY))
        return (try? StoredVisibility.keep(.team(.acme), on: descriptor)) != nil
    }()
}

/// Keeps a restriction with the file or folder at a path.
func keep(_ restriction: Restriction, on path: String) throws {
    try StoredVisibility.keep(restriction, on: Descriptor(owning: open(path, O_RDONLY)))
}
