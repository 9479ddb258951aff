import Portolan
import PortolanCrypto
import PortolanTrust
import PortolanValues

/// Devices with which a folder is synchronized: the members of a team, those of one of its groups, or one contact.
package struct SyncAudience: Hashable, Codable, Sendable {
    /// Text of a `TeamID`; nil for a contact.
    private var team: String?
    private var group: String?
    /// Key of a contact, in hexadecimal digits; nil for a team.
    private var key: String?
    /// Name of the team or contact at the time of the choice. Shown to people; no decision depends on it.
    private var name: String

    package init(team: TeamID, _ target: TeamTarget) {
        self.team = "\(team)"
        group = target.group?.text
        name = "\(target)"
    }

    package init(contact key: PinnedKey, name: DeviceName) {
        self.key = Hexadecimal.text(key.bytes)
        self.name = name.text
    }

    /// Text for people; safe to print.
    package var text: DisplayText { DisplayText(name, limit: 100) }

    /// True if a device that has proved a key belongs to the audience.
    package func includes(_ device: DevicePublicKey, _ standing: Standing) -> Bool {
        if let key { return standing.isContact && key == Hexadecimal.text(device.bytes) }
        guard let team = team.flatMap({ TeamID($0) }), let membership = standing.membership(in: team) else {
            return false
        }
        return group.map { group in membership.groups.contains { $0.text == group } } ?? true
    }

    /// True if a visible device may belong to the audience, subject to the key that it proves.
    package func mayInclude(_ peer: Peer) -> Bool {
        if let key { return peer.standing.isContact && peer.fingerprint == fingerprint(key) }
        guard let team = team.flatMap({ TeamID($0) }), let membership = peer.standing.membership(in: team) else {
            return false
        }
        return group.map { group in membership.groups.contains { $0.text == group } } ?? true
    }

    /// Returns the keys of the devices in the audience now, without this one.
    package func members(by node: Node) async throws -> [PinnedKey] {
        if let key { return Hexadecimal.bytes(inEitherCase: key).flatMap { PinnedKey(bytes: $0) }.map { [$0] } ?? [] }
        guard let team = team.flatMap({ TeamID($0) }) else { return [] }
        return try await node.members(of: team, in: group.flatMap { try? GroupName($0) })
    }

    private func fingerprint(_ key: String) -> Fingerprint? {
        Hexadecimal.bytes(inEitherCase: key).flatMap { PinnedKey(bytes: $0) }?.fingerprint
    }
}
