import Foundation
import PortolanCrypto
import PortolanValues
import Testing

@testable import PortolanTrust

/// Visibility of each kind of representation to each kind of peer, by one device's files.
@Suite struct StandingMatrixTests {
    enum Who: String, CaseIterable, CustomTestStringConvertible {
        case stranger, contact, member, groupMember, otherGroupMember, memberAndContact, removedMember
        /// A member of this device's other team.
        case otherTeamsMember
        /// Of a team that this device is not in.
        case foreignTeamsMember
        case memberWithExpiredRoster, memberWithRosterFromTheFuture
        /// An admin of the team, asked about by a device that was removed from it.
        case adminOfTeamThatRemovedThisDevice

        var testDescription: String { rawValue }
    }

    /// Audiences of representations, as `team` or `team/group,group`.
    static let audiences = ["-", "acme", "acme/design", "acme/law", "acme/law,design", "home", "home/design"]

    /// Visible combinations, except for `all` (visible to everyone) and `ownProcess` (visible to no peer).
    static let seen: [Who: Set<String>] = [
        .member: ["team acme", "team acme/design", "team acme/law", "team acme/law,design"],
        .memberAndContact: ["team acme", "team acme/design", "team acme/law", "team acme/law,design"],
        .groupMember: [
            "team acme", "team acme/design", "team acme/law", "team acme/law,design", "group acme/design",
            "group acme/law,design",
        ],
        .otherGroupMember: ["team acme", "team acme/design", "team acme/law", "team acme/law,design"],
        .otherTeamsMember: ["team home", "team home/design", "group home/design"],
    ]

    @Test("every cell", arguments: Who.allCases)
    func matrix(who: Who) throws {
        let (ada, peer) = (try TeamDevice("ada"), try TeamDevice("peer"))
        let acme = try ada.create("acme")
        let home = try ada.create("home")
        var holder = ada
        var asked = peer.key
        var now = Date.noon
        let contacts = KnownPeers(home: ada.temporary.home)
        switch who {
        case .stranger: break
        case .contact: try contacts.confirm(name: peer.identity.name, key: peer.key, now: .noon)
        case .member: try ada.add(peer, to: acme)
        case .groupMember: try ada.add(peer, to: acme, groups: ["Design"])
        case .otherGroupMember: try ada.add(peer, to: acme, groups: ["press"])
        case .memberAndContact:
            try ada.add(peer, to: acme)
            try contacts.confirm(name: peer.identity.name, key: peer.key, now: .noon)
        case .removedMember:
            try ada.add(peer, to: acme, groups: ["design"])
            try ada.change(acme, .remove(peer.pin))
        case .otherTeamsMember: try ada.add(peer, to: home, groups: ["design"])
        case .foreignTeamsMember: try peer.create("acme")
        case .memberWithExpiredRoster:
            try ada.add(peer, to: acme, groups: ["design"])
            now = .noon(plusDays: 90)
        case .memberWithRosterFromTheFuture:
            try ada.add(peer, to: acme, groups: ["design"])
            now = .noon(plusDays: -365)
        case .adminOfTeamThatRemovedThisDevice:
            try ada.add(peer, to: acme, groups: ["design"])
            try peer.join(acme, of: ada)
            #expect(try peer.store.standing(of: ada.key, now: .noon).memberships.count == 1)
            try ada.change(acme, .remove(peer.pin))
            try peer.hear(acme, from: ada)
            (holder, asked) = (peer, ada.key)
        }

        let standing = try holder.store.standing(of: asked, now: now)
        let presumed = try holder.store.presumedStanding(of: asked.fingerprint, now: now)
        #expect(presumed == standing)
        #expect(standing.isContact == [.contact, .memberAndContact].contains(who))
        for visibility in Visibility.allCases {
            for text in Self.audiences {
                let audience = try Self.audience(text, acme: acme, home: home)
                let expected =
                    switch visibility {
                    case .all: true
                    case .ownProcess: false
                    case .team, .group: Self.seen[who, default: []].contains("\(visibility) \(text)")
                    }
                #expect(standing.maySee(Restriction(visibility, for: audience)) == expected, "\(visibility) \(text)")
                #expect(!standing.explain(Restriction(visibility, for: audience)).isEmpty)
            }
        }
    }

    private static func audience(_ text: String, acme: TeamID, home: TeamID) throws -> Audience? {
        guard text != "-" else { return nil }
        let parts = text.split(separator: "/")
        let groups = try parts.dropFirst().flatMap { try $0.split(separator: ",").map { try GroupName(String($0)) } }
        return try Audience(team: parts[0] == "acme" ? acme : home, groups: groups)
    }
}
