import Foundation
import PortolanCrypto
import PortolanValues
import SwiftProtobuf

// Hello and TeamUpdate: messages about the teams that two devices share, before any offer.

extension Message {
    /// The first message of each side: the teams in which the other is a member, as far as the sender knows, and the
    /// parts of the protocol that it takes.
    package struct Hello: Hashable, Sendable {
        /// At most ``Limits/teams``, and no team twice.
        package let teams: [TeamDigest]
        package let capabilities: Capabilities

        package init(teams: [TeamDigest], capabilities: Capabilities = []) throws(InvalidValue) {
            try InvalidValue.checkCount(teams.count, "teams in one Hello", maximum: Limits.teams)
            try InvalidValue.check(Set(teams.map(\.team)).count == teams.count, "A Hello names one team twice.")
            self.teams = teams
            self.capabilities = capabilities
        }
    }

    /// Head of a team's roster.
    package struct TeamUpdate: Hashable, Sendable {
        package let team: TeamID
        /// Index of the head.
        package let index: UInt32
        /// Number of heads: 1 to ``Limits/heads``.
        package let count: UInt32
        package let head: RosterHead

        package init(team: TeamID, index: UInt32, count: UInt32, head: RosterHead) throws(InvalidValue) {
            try InvalidValue.check(
                count <= Limits.heads, limit: "A team has at most \(Limits.heads) heads; this one has \(count).")
            guard index < count else { throw InvalidValue("Head \(index) of \(count) of a team.") }
            self.team = team
            self.index = index
            self.count = count
            self.head = head
        }
    }
}

/// A team, and which state of its roster a device holds.
package struct TeamDigest: Hashable, Sendable {
    /// The digest of all heads that are held, in bytes.
    package static let digestLength = 32
    /// Digest of no heads: with it, a device is sent everything.
    package static let none = [UInt8](repeating: 0, count: digestLength)

    package let team: TeamID
    package let digest: [UInt8]

    package init(team: TeamID, digest: [UInt8]) throws(InvalidValue) {
        try InvalidValue.check(
            digest.count == Self.digestLength,
            "The digest of a team has \(Self.digestLength) bytes; this one has \(digest.count).")
        self.team = team
        self.digest = digest
    }
}

/// Head of a roster on the wire: signed bytes that are not checked yet, and the secret that goes with them.
package struct RosterHead: Equatable, Sendable {
    /// The secret, in bytes.
    package static let secretLength = 32

    /// 1 to ``Limits/roster`` bytes.
    package let roster: [UInt8]
    package let signature: [UInt8]
    /// Secret of the team; nil for a removed device.
    package let secret: SecretBytes?
    /// Statements of members that they have left, ``leavingLength`` bytes each; beside the first head only.
    package let leavings: [[UInt8]]

    /// Length of one statement, in bytes: key, seat, signature.
    package static let leavingLength = 104

    package init(
        roster: [UInt8], signature: [UInt8], secret: SecretBytes?, leavings: [[UInt8]] = []
    ) throws(InvalidValue) {
        guard !roster.isEmpty else { throw InvalidValue("A head of a team has no roster.") }
        try InvalidValue.check(
            roster.count <= Limits.roster,
            limit: "A roster has at most \(Limits.roster) bytes; this one has \(roster.count).")
        try InvalidValue.check(
            signature.count == DevicePublicKey.signatureLength, "A roster has a signature of \(signature.count) bytes.")
        if let secret, secret.count != Self.secretLength { throw Self.wrongSecret(secret.count) }
        self.roster = roster
        self.signature = signature
        try InvalidValue.checkCount(leavings.count, "statements of leaving", maximum: Limits.leavings)
        try InvalidValue.check(
            leavings.allSatisfy({ $0.count == Self.leavingLength }),
            "A statement of leaving has \(Self.leavingLength) bytes.")
        self.secret = secret
        self.leavings = leavings
    }

    fileprivate static func wrongSecret(_ count: Int) -> InvalidValue {
        InvalidValue("A team's secret has \(secretLength) bytes; this one has \(count).")
    }
}

extension RosterHead: Hashable {
    // Of the secret nothing goes anywhere, a hash included.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(roster)
        hasher.combine(signature)
    }
}

// MARK: - Wire

extension Message.Hello {
    init(_ wire: WireHello) throws(InvalidValue) {
        try InvalidValue.checkCount(wire.teams.count, "teams in one Hello", maximum: Limits.teams)
        var teams: [TeamDigest] = []
        for team in wire.teams {
            teams.append(try TeamDigest(team: TeamID(wire: team.team), digest: Array(team.digest)))
        }
        try self.init(teams: teams, capabilities: Capabilities(wire: wire.capabilities))
    }

    var wire: WireHello {
        .with {
            $0.teams = teams.map { team in
                .with {
                    $0.team = team.team.wire
                    $0.digest = Data(team.digest)
                }
            }
            $0.capabilities = capabilities.rawValue
        }
    }
}

extension Message.TeamUpdate {
    init(_ wire: WireTeamUpdate) throws(InvalidValue) {
        // Looked at before any memory is guarded for it.
        guard [0, RosterHead.secretLength].contains(wire.secret.count) else {
            throw RosterHead.wrongSecret(wire.secret.count)
        }
        let head = try RosterHead(
            roster: Array(wire.roster), signature: Array(wire.signature),
            secret: wire.secret.isEmpty ? nil : SecretBytes(copying: wire.secret),
            leavings: wire.leavings.map { Array($0) })
        try InvalidValue.check(
            head.leavings.isEmpty || wire.index == 0, "Statements of leaving came with head \(wire.index).")
        try self.init(team: TeamID(wire: wire.team), index: wire.index, count: wire.count, head: head)
    }

    // The secret leaves its guarded memory here; `wipeSecret()` follows once it is serialized.
    var wire: WireTeamUpdate {
        .with {
            $0.team = team.wire
            $0.index = index
            $0.count = count
            $0.roster = Data(head.roster)
            $0.signature = Data(head.signature)
            $0.leavings = head.leavings.map { Data($0) }
            if let secret = head.secret { $0.secret = secret.withUnsafeBytes { Data($0) } }
        }
    }
}

extension WireControlMessage {
    /// Overwrites the secret where it lies, also for copies that share its memory: for a message that is read no more.
    func wipeSecret() {
        guard case .teamUpdate(let update)? = message else { return }
        update.secret.withUnsafeBytes { wipe(UnsafeMutableRawBufferPointer(mutating: $0)) }
    }
}
