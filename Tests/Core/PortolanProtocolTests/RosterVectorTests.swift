import Foundation
import PortolanCrypto
import PortolanTrust
import PortolanValues
import TestSupport
import Testing

/// The vectors of teams: identifiers, rosters, forks, and refusals.
@Suite struct RosterVectorTests {
    @Test func identifiersCommitmentsAndVouchers() throws {
        for vector in try VectorFile.all(ofKind: "team") {
            let founder = try #require(PinnedKey(bytes: vector.bytes("founder")))
            let id = TeamID(founder: founder, salt: try vector.bytes("salt"))
            #expect(try id.bytes == vector.bytes("id"))
            #expect(try id.description == vector.text("text"))
            let secret = SecretBytes(copying: try vector.bytes("secret"))
            #expect(try Roster.commitment(to: secret) == vector.bytes("secret_commitment"))
            let admin = try #require(PinnedKey(bytes: vector.bytes("admin")))
            let seat = try #require(Seat(bytes: vector.bytes("admin_seat")))
            let issuer = try DeviceKey(seed: vector.bytes("issuer_seed"))
            let made = RosterAdmin(making: admin, of: id, seat: seat, by: issuer)
            #expect(try made.voucher == vector.bytes("voucher"))
            #expect(made.isValid(for: admin, of: id))
        }
    }

    @Test func rostersMatchTheVectors() throws {
        for vector in try VectorFile.all(ofKind: "roster") {
            let heads = try TeamHeads.restored([update(vector)])
            let roster = heads.heads[0].roster
            let team = heads.team
            #expect(roster.encode() == heads.heads[0].signed.bytes, "\(vector.path)")
            #expect(try team.id.bytes == vector.bytes("id"))
            #expect(try team.name.text == vector.text("name"))
            #expect(try team.epoch == vector.long("epoch"))
            #expect(try UInt64(team.issued.timeIntervalSince1970) == vector.long("issued"))
            #expect(try UInt64(team.expires.timeIntervalSince1970) == vector.long("expires"))
            #expect(try roster.signer.bytes == vector.bytes("signer"))
            #expect(try team.digest == vector.bytes("digest"))
            #expect(try view(team) == members(vector), "\(vector.path)")
        }
    }

    @Test func headsMatchTheVectors() throws {
        for vector in try VectorFile.all(ofKind: "heads") {
            let now = Date(timeIntervalSince1970: TimeInterval(try vector.long("now")))
            var heads = try TeamHeads.restored(vector.objects("held").map(update))
            for given in try vector.objects("given") {
                let outcome = try heads.adopt(update(given), now: now)
                #expect(try "\(outcome)" == given.text("outcome"), "\(given.path)")
            }
            let outcome = try vector.object("outcome")
            #expect(
                try Set(heads.heads.map(\.signed.bytes)) == Set(outcome.texts("heads").map { try [UInt8](hex: $0) }))
            #expect(try heads.team.digest == outcome.bytes("digest"), "\(vector.path)")
            #expect(try heads.team.epoch == outcome.long("epoch"))
            #expect(try heads.secret == SecretBytes(copying: outcome.bytes("secret")), "\(vector.path)")
            #expect(try view(heads.team) == members(outcome), "\(vector.path)")
            if outcome.has("remembered") {
                let remembered = try Set(outcome.texts("remembered").map { try [UInt8](hex: $0) })
                #expect(Set(heads.updates.map(\.signed.bytes)) == remembered, "\(vector.path)")
            }
        }
    }

    @Test func leavingsMatchTheVectors() throws {
        for vector in try VectorFile.all(ofKind: "leaving") {
            var heads = try TeamHeads.restored(vector.objects("held").map(update))
            let isTaken = heads.take([try vector.bytes("statement")])
            #expect(try isTaken == vector.flag("taken"), "\(vector.path)")
            #expect(try heads.team.digest == vector.bytes("digest"), "\(vector.path)")
            #expect(try view(heads.team) == members(vector), "\(vector.path)")
        }
    }

    @Test func refusedRostersAreRefusedForTheirReason() throws {
        for vector in try VectorFile.all(ofKind: "roster_refused") {
            let now = Date(timeIntervalSince1970: TimeInterval(try vector.long("now")))
            let held = try vector.objects("held").map(update)
            let given = try update(vector.object("given"))
            let refused = try vector.text("refused")
            do {
                if held.isEmpty {
                    _ = try TeamHeads.joining([given], now: now)
                } else {
                    var heads = try TeamHeads.restored(held)
                    _ = try heads.adopt(given, now: now)
                }
                Issue.record("\(vector.path) is taken")
            } catch {
                #expect(error.word == refused, "\(vector.path)")
            }
        }
    }

    func update(_ vector: VectorObject) throws -> TeamHeads.Update {
        let signed = SignedRoster(bytes: try vector.bytes("roster"), signature: try vector.bytes("signature"))
        let secret = try vector.bytes("secret")
        return .init(signed: signed, secret: secret.isEmpty ? nil : SecretBytes(copying: secret))
    }

    private struct SeenMember: Hashable {
        let key: [UInt8]
        let name: String
        let groups: [String]
        let isAdmin: Bool
    }

    private func view(_ team: Team) -> [SeenMember] {
        team.members.sorted { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) }.map {
            SeenMember(key: $0.key.bytes, name: $0.name.text, groups: $0.groups.map(\.text), isAdmin: $0.isAdmin)
        }
    }

    private func members(_ vector: VectorObject) throws -> [SeenMember] {
        try vector.objects("members").map {
            SeenMember(
                key: try $0.bytes("key"), name: try $0.text("name"), groups: try $0.texts("groups"),
                isAdmin: try $0.flag("admin"))
        }
    }
}

extension RosterError {
    /// The word of the table in the vectors' README.
    fileprivate var word: String {
        switch self {
        case .tooLarge: "too_large"
        case .tooMany: "too_many"
        case .malformed: "malformed"
        case .badName: "bad_name"
        case .duplicate: "duplicate"
        case .notCanonical: "not_canonical"
        case .badSignature: "bad_signature"
        case .otherTeam: "other_team"
        case .signerIsNoAdmin: "signer_is_no_admin"
        case .signerWasRemoved: "signer_was_removed"
        case .signerIsUnknown: "signer_is_unknown"
        case .fromTheFuture: "from_the_future"
        case .wrongSecret: "wrong_secret"
        case .noSecret: "no_secret"
        case .tooManyHeads: "too_many_heads"
        }
    }
}
