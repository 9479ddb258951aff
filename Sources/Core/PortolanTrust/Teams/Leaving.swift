import PortolanCrypto
import PortolanValues

/// Statement of a member that it has left its team, with the seat that it gives up (TEAMS.md 8.5.2).
package struct Leaving: Hashable, Sendable {
    /// Length of the encoding, in bytes: key, seat, signature.
    package static let length = DevicePublicKey.length + Seat.length + DevicePublicKey.signatureLength
    /// Largest number that a device remembers of one team.
    package static let limit = 64

    package let key: PinnedKey
    let seat: Seat
    private let signature: [UInt8]

    /// Makes the statement of this device.
    init(_ seat: Seat, of team: TeamID, by key: DeviceKey) {
        self.key = PinnedKey(key.publicKey)
        self.seat = seat
        signature = key.signature(for: Self.statement(team, seat))
    }

    /// Decodes a statement without a check of its signature.
    ///
    /// - Returns: nil for another length.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.length,
            let key = PinnedKey(bytes: Array(bytes.prefix(DevicePublicKey.length))),
            let seat = Seat(bytes: bytes.dropFirst(DevicePublicKey.length).prefix(Seat.length))
        else { return nil }
        (self.key, self.seat, signature) = (key, seat, Array(bytes.suffix(DevicePublicKey.signatureLength)))
    }

    /// True if the signature is the member's for this team.
    func isValid(for team: TeamID) -> Bool {
        guard let device = try? DevicePublicKey(bytes: key.bytes) else { return false }
        return device.isValidSignature(signature, for: Self.statement(team, seat))
    }

    package var bytes: [UInt8] { key.bytes + seat.bytes + signature }

    /// Signed text: "portolan/1 leave" ‖ team ‖ seat.
    private static func statement(_ team: TeamID, _ seat: Seat) -> [UInt8] {
        Array("portolan/1 leave".utf8) + team.bytes + seat.bytes
    }
}

extension TeamHeads {
    /// Takes statements of members that they have left. Those that are forged, or about seats that nobody has, are
    /// passed over.
    ///
    /// - Returns: true if one was new.
    package mutating func take(_ statements: [[UInt8]]) -> Bool {
        let known = Set(leavings.map(\.seat))
        let new = statements.prefix(Leaving.limit).compactMap { Leaving($0) }.filter { leaving in
            draft.seat(of: leaving.key) == leaving.seat && !known.contains(leaving.seat) && leaving.isValid(for: id)
        }
        guard !new.isEmpty else { return false }
        let next = TeamHeads(remembered, leavings: leavings + new)
        guard next.leavings.map(\.seat) != leavings.map(\.seat) else { return false }
        self = next
        return true
    }

    /// Has this device say that it leaves; nothing changes for a device that is in no roster.
    mutating func leave(by key: DeviceKey) {
        guard let seat = draft.seat(of: PinnedKey(key.publicKey)) else { return }
        _ = take([Leaving(seat, of: id, by: key).bytes])
    }

    /// True if a roster lists the key as a member, also after it has said that it leaves.
    func lists(_ key: PinnedKey) -> Bool { draft.seat(of: key) != nil }
}
