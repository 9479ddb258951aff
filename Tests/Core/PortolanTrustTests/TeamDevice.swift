import Foundation
import PortolanCrypto
import PortolanValues

@testable import PortolanTrust

/// A device with a home of its own, and the operations for tests of teams.
struct TeamDevice {
    let temporary: TemporaryHome
    let identity: DeviceIdentity
    let teams: TeamStore
    let store: PeerStore

    init(_ name: String) throws {
        temporary = try TemporaryHome()
        identity = DeviceIdentity(name: try DeviceName(name), key: .generate())
        teams = TeamStore(home: temporary.home)
        store = PeerStore(home: temporary.home, own: identity.publicKey)
    }

    var key: DevicePublicKey { identity.publicKey }
    var pin: PinnedKey { PinnedKey(key) }
    var directory: String { temporary.home.data + "/teams" }

    func file(_ id: TeamID) -> String { directory + "/" + TeamFiles.fileName(id) }

    /// Entries of the directory of teams, with hidden files.
    func entries() throws -> Set<String> { Set(try FileManager.default.contentsOfDirectory(atPath: directory)) }

    @discardableResult
    func create(_ name: String, now: Date = .noon) throws -> TeamID {
        try teams.create(name: TeamName(name), by: identity, now: now).id
    }

    @discardableResult
    func change(_ id: TeamID, _ change: RosterChange, now: Date = .noon) throws -> StoredTeam {
        try teams.change(id, change, by: identity, now: now)
    }

    func add(_ other: TeamDevice, to id: TeamID, groups: [String] = [], now: Date = .noon) throws {
        try change(
            id, .add(other.pin, name: other.identity.name, groups: groups.map { try GroupName($0) }), now: now)
    }

    func team(_ id: TeamID) throws -> StoredTeam? { try teams.all().first { $0.id == id } }

    /// Founds a team and invites the others; each of them then has the whole team.
    func found(
        _ name: String, with others: [TeamDevice], groups: [String] = [], admins: [TeamDevice] = []
    ) throws -> TeamID {
        let id = try create(name)
        for other in others { try add(other, to: id, groups: groups) }
        for admin in admins { try change(id, .promote(admin.pin)) }
        for other in others { try other.join(id, of: self) }
        return id
    }

    /// Joins a team by an admin's invitation.
    @discardableResult
    func join(_ id: TeamID, of admin: TeamDevice, now: Date = .noon) throws -> StoredTeam {
        try teams.join(
            admin.team(id)?.updates ?? [], invitedBy: admin.key, own: key, now: now)
    }

    /// Receives the rosters that another device has of a team.
    @discardableResult
    func hear(_ id: TeamID, from other: TeamDevice, now: Date = .noon) throws -> StoredTeam? {
        try teams.adopt(id, other.team(id)?.updates ?? [], own: identity, now: now).team
    }
}

extension Date {
    static let noon = Date(timeIntervalSince1970: 1_700_000_000)

    static func noon(plusDays days: Double) -> Date { noon.addingTimeInterval(days * 86_400) }
}
