import PortolanCrypto
import PortolanFiles
import PortolanProtocol
import PortolanValues
import Testing

@testable import Portolan

/// Identity of offered representations: the ones that are the same item to a receiver.
@Suite struct ItemIdentityTests {
    private let peer = RemotePeer(
        name: "ada", fingerprint: Fingerprint(of: DeviceKey.generate().publicKey), address: "192.0.2.7:1",
        isKnown: true,
        standing: .anyone)

    private func identity(_ groups: String...) throws -> ItemIdentity {
        let team = try #require(TeamID(bytes: [UInt8](repeating: 1, count: TeamID.length)))
        let audience = try Audience(team: team, groups: groups.map { try GroupName($0) })
        let representation = try OfferedRepresentation(
            type: OfferedType(identifier: "public.data"), restriction: Restriction(.group, for: audience),
            channel: .file,
            source: [UInt8](repeating: 7, count: 16))
        return try #require(ItemIdentity(of: representation, from: peer))
    }

    @Test func groupsThatLookAlikeHaveDifferentIdentities() throws {
        #expect("\(try GroupName("a”"))" == "\(try GroupName("a\\u{201D}"))")
        #expect(try identity("a”") != identity("a\\u{201D}"))
        #expect(try identity("a", "b") != identity("a-or-b"))
        #expect(try identity("a”") == identity("a”"))
    }
}
