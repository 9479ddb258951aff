import Foundation
import PortolanCrypto
import PortolanValues
import SwiftProtobuf
import TestSupport
import Testing

@testable import PortolanTrust

/// Rosters that must be rejected without a change.
@Suite struct RosterRefusalTests {
    /// Reason why a device that holds `heads` rejects an update; `nil` if it does not.
    private func refusal(of update: TeamHeads.Update, at heads: TeamHeads, now: Date = Workshop.now) -> RosterError? {
        var copy = heads
        let error = PortolanTrustTests.refusal { () throws(RosterError) in _ = try copy.adopt(update, now: now) }
        if error != nil { #expect(copy.team.digest == heads.team.digest) }
        return error
    }

    @Test func wrongSignatureIsRefused() throws {
        var workshop = try Workshop()
        let base = try workshop.foundByThree()
        let next = try workshop.changed(base, .renew)
        let (bytes, secret) = (next.update.signed.bytes, next.secret)
        var bad = next.update.signed.signature
        bad[10] ^= 1
        let signatures = [
            bad, [], Array(bad.dropLast()), workshop.second.signature(for: bytes), base.update.signed.signature,
        ]
        for signature in signatures {
            let update = TeamHeads.Update(signed: SignedRoster(bytes: bytes, signature: signature), secret: secret)
            #expect(refusal(of: update, at: base) == .badSignature)
            #expect(
                PortolanTrustTests.refusal { () throws(RosterError) in _ = try TeamHeads.restored([update]) }
                    == .badSignature)
        }
    }

    @Test func anOlderEpochIsNeverTakenAgain() throws {
        var workshop = try Workshop()
        let base = try workshop.found()
        var heads = base
        for _ in 0..<3 { try workshop.change(&heads, .renew) }
        let digest = heads.team.digest
        #expect(try heads.adopt(base.update, now: Workshop.now) == .ignored)
        #expect(try heads.adopt(heads.update, now: Workshop.now) == .ignored)
        #expect(heads.team.digest == digest)
        var behind = base
        #expect(try behind.adopt(heads.update, now: Workshop.now) == .superseded)
        #expect(behind.team == heads.team)
    }

    @Test func aDateInTheFuture() throws {
        var workshop = try Workshop()
        let base = try workshop.found()
        let tomorrow = try workshop.changed(base, .renew, now: Workshop.now + 86_400)
        #expect(refusal(of: tomorrow.update, at: base) == nil)
        let later = try workshop.changed(base, .renew, now: Workshop.now + 86_401)
        #expect(refusal(of: later.update, at: base) == .fromTheFuture)
        #expect(
            PortolanTrustTests.refusal { () throws(RosterError) in
                _ = try TeamHeads.joining([later.update], now: Workshop.now)
            } == .fromTheFuture)
        // A roster that the device already has is kept, and gives no rights.
        let kept = try TeamHeads.restored([later.update])
        #expect(kept.team.validity(now: Workshop.now - 1) == .notYet)
    }

    @Test func expiredRosterIsKeptWithoutRights() throws {
        var workshop = try Workshop()
        var heads = try workshop.found(now: Workshop.now - 400 * 86_400)
        let next = try workshop.changed(heads, .renew, now: Workshop.now - 100 * 86_400)
        #expect(try heads.adopt(next.update, now: Workshop.now) == .superseded)
        #expect(heads.team.validity(now: Workshop.now) == .expired)
    }

    @Test func anotherTeams() throws {
        var workshop = try Workshop()
        let (one, other) = (try workshop.found(), try workshop.found())
        #expect(one.id != other.id)
        #expect(refusal(of: other.update, at: one) == .otherTeam)
        #expect(
            PortolanTrustTests.refusal { () throws(RosterError) in
                _ = try TeamHeads.restored([one.update, other.update])
            } == .otherTeam)
    }

    @Test func wrongSecretIsRefused() throws {
        var workshop = try Workshop()
        let base = try workshop.found()
        let next = try workshop.changed(base, .renew)
        let update = TeamHeads.Update(
            signed: next.update.signed, secret: .random(count: 32, using: &workshop.random))
        #expect(refusal(of: update, at: base) == .wrongSecret)
    }

    /// Checks that a roster does not count.
    private func expectSetAside(
        _ update: TeamHeads.Update, at heads: TeamHeads, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        var next = heads
        #expect(try next.adopt(update, now: Workshop.now) == .setAside, sourceLocation: sourceLocation)
        #expect(next.team == heads.team && next.secret == heads.secret, sourceLocation: sourceLocation)
    }

    @Test func aRemovedAdminsSignature() throws {
        var workshop = try Workshop()
        let base = try workshop.foundByThree()
        let removed = try workshop.changed(base, .remove(workshop.second.pinned))
        let sybil = try workshop.changed(
            base, .add(workshop.somebody(), name: DeviceName("sybil"), groups: []), by: workshop.second)
        try expectSetAside(sybil.update, at: removed)
        // The roster does not count on top of the removing one, either, even if it adds its author again.
        let back = try #require(base.heads[0].roster.member(workshop.second.pinned)?.admin)
        let forged = try workshop.forged(removed, by: workshop.second) {
            $0.epoch += 1
            $0.clock[$0.clock.firstIndex { $0.admin == Data(workshop.second.publicKey.bytes) } ?? 0].count += 1
            let member = WireMember.with {
                $0.key = Data(workshop.second.publicKey.bytes)
                $0.name = "ben"
                $0.seat = Data([9, 9, 9, 9, 9, 9, 9, 9])
                $0.admin = .with {
                    $0.seat = Data(back.seat.bytes)
                    $0.issuer = Data(back.issuer.bytes)
                    $0.voucher = Data(back.voucher)
                }
            }
            $0.members = ($0.members + [member]).sorted { $0.key.lexicographicallyPrecedes($1.key) }
        }
        // The clock has no entry of the second device yet, so the first one's is raised: the roster is newer than all
        // held.
        #expect(refusal(of: forged, at: removed) == .signerWasRemoved)
    }

    @Test func oldVoucherOfAReadmittedMemberIsRefused() throws {
        var workshop = try Workshop()
        let base = try workshop.foundByThree()
        var held = try workshop.changed(base, .remove(workshop.second.pinned))
        try workshop.change(&held, .add(workshop.second.pinned, name: DeviceName("ben"), groups: []))
        let old = try workshop.changed(base, .renew, by: workshop.second)
        try expectSetAside(old.update, at: held)
        // The device is an admin again, on another seat: its earlier roster stays overruled.
        try workshop.change(&held, .promote(workshop.second.pinned))
        try expectSetAside(old.update, at: held)
    }

    @Test func signerWithoutAdminRightIsRefused() throws {
        var workshop = try Workshop()
        var base = try workshop.found()
        try workshop.change(&base, .add(workshop.second.pinned, name: DeviceName("ben"), groups: []))
        let bySecond = try workshop.forged(base, by: workshop.second) {
            $0.epoch += 1; $0.clock[0].count += 1
        }
        #expect(refusal(of: bySecond, at: base) == .signerIsNoAdmin)
        let byStranger = try workshop.forged(base, by: workshop.third) {
            $0.epoch += 1; $0.clock[0].count += 1
        }
        #expect(refusal(of: byStranger, at: base) == .signerIsNoAdmin)
    }

    /// A roster in which the second device made itself an admin, by a voucher that another device signed.
    private func selfMade(
        _ base: TeamHeads, _ workshop: Workshop, issuer: PinnedKey, voucher: [UInt8]
    ) throws -> TeamHeads.Update {
        try workshop.forged(base, by: workshop.second) {
            $0.epoch += 1
            $0.clock[0].count += 1
            for index in $0.members.indices where $0.members[index].key == Data(workshop.second.publicKey.bytes) {
                $0.members[index].admin = .with {
                    $0.seat = Data([1, 2, 3, 4, 5, 6, 7, 8])
                    $0.issuer = Data(issuer.bytes)
                    $0.voucher = Data(voucher)
                }
            }
        }
    }

    @Test func vouchersByNonAdminsAreRefused() throws {
        var workshop = try Workshop()
        var base = try workshop.found()
        try workshop.change(&base, .add(workshop.second.pinned, name: DeviceName("ben"), groups: []))
        let seat = try #require(Seat(bytes: [1, 2, 3, 4, 5, 6, 7, 8]))
        func voucher(by key: DeviceKey, team: TeamID? = nil, for member: DeviceKey) -> [UInt8] {
            RosterAdmin(making: member.pinned, of: team ?? base.id, seat: seat, by: key).voucher
        }
        let founder = workshop.founder.pinned
        let otherTeam = TeamID(founder: founder, salt: [UInt8](repeating: 0, count: 16))
        let forged: [(PinnedKey, [UInt8])] = [
            (workshop.second.pinned, voucher(by: workshop.second, for: workshop.second)),
            (founder, voucher(by: workshop.second, for: workshop.second)),
            (founder, [UInt8](repeating: 0, count: 64)),
            (founder, voucher(by: workshop.founder, for: workshop.third)),
            (founder, voucher(by: workshop.founder, team: otherTeam, for: workshop.second)),
            (workshop.third.pinned, voucher(by: workshop.third, for: workshop.second)),
        ]
        for (issuer, voucher) in forged {
            #expect(
                refusal(of: try selfMade(base, workshop, issuer: issuer, voucher: voucher), at: base)
                    == .signerIsUnknown)
        }
        let good = voucher(by: workshop.founder, for: workshop.second)
        #expect(refusal(of: try selfMade(base, workshop, issuer: founder, voucher: good), at: base) == nil)
    }

    @Test func absentMemberFollowsTheChainOfVouchers() throws {
        var workshop = try Workshop()
        let away = try workshop.found()
        var heads = away
        try workshop.change(&heads, .add(workshop.second.pinned, name: DeviceName("ben"), groups: []))
        try workshop.change(&heads, .promote(workshop.second.pinned))
        try workshop.change(
            &heads, .add(workshop.third.pinned, name: DeviceName("cleo"), groups: []), by: workshop.second)
        try workshop.change(&heads, .promote(workshop.third.pinned), by: workshop.second)
        // The same when the admins between, and the founder, have left meanwhile.
        try workshop.change(&heads, .remove(workshop.second.pinned), by: workshop.third)
        try workshop.change(&heads, .remove(workshop.founder.pinned), by: workshop.third)
        #expect(refusal(of: heads.update, at: away) == nil)
        #expect(try TeamHeads.joining(heads.updates, now: Workshop.now).team == heads.team)
    }

    @Test func vouchersThroughARemovedAdmin() throws {
        var workshop = try Workshop()
        var base = try workshop.found()
        try workshop.change(&base, .add(workshop.second.pinned, name: DeviceName("ben"), groups: []))
        try workshop.change(&base, .promote(workshop.second.pinned))
        let held = try workshop.changed(base, .remove(workshop.second.pinned))
        // The removed admin makes another key an admin, concurrently with its removal; and that key signs.
        var beside = try workshop.changed(
            base, .add(workshop.third.pinned, name: DeviceName("eve"), groups: []), by: workshop.second)
        try workshop.change(&beside, .promote(workshop.third.pinned), by: workshop.second)
        try workshop.change(&beside, .renew, by: workshop.third)
        try expectSetAside(beside.update, at: held)
        #expect(refusal(of: beside.update, at: base) == nil)
        // The roster does not count even if it claims to include all that is held.
        let claiming = try workshop.forged(beside, by: workshop.third) {
            for index in $0.clock.indices { $0.clock[index].count += 9 }
            $0.epoch = $0.clock.reduce(0) { $0 + $1.count }
            $0.removals = [.with { $0.seat = Data(held.heads[0].roster.removals[0].seat.bytes) }]
            $0.members.removeAll { $0.key == Data(workshop.second.publicKey.bytes) }
            $0.removals[0].key = Data(workshop.second.publicKey.bytes)
            let admin = base.heads[0].roster.member(workshop.second.pinned)?.admin
            $0.removals[0].admin = .with {
                $0.seat = Data(admin?.seat.bytes ?? [])
                $0.issuer = Data(workshop.founder.publicKey.bytes)
                $0.voucher = Data(admin?.voucher ?? [])
            }
        }
        try expectSetAside(claiming, at: held)
    }

    @Test func joiningNeedsAChainToTheFounder() throws {
        var workshop = try Workshop()
        let team = try workshop.found()
        // A team that claims the founder's key and salt, but was made by another device.
        let update = try workshop.forged(team, by: workshop.second) {
            $0.members[0].key = Data(workshop.second.publicKey.bytes)
            let seat = Seat(bytes: $0.members[0].admin.seat)!
            let admin = RosterAdmin(making: workshop.second.pinned, of: team.id, seat: seat, by: workshop.second)
            $0.members[0].admin.issuer = Data(admin.issuer.bytes)
            $0.members[0].admin.voucher = Data(admin.voucher)
        }
        #expect(
            PortolanTrustTests.refusal { () throws(RosterError) in
                _ = try TeamHeads.joining([update], now: Workshop.now)
            } == .signerIsUnknown)
        #expect(throws: RosterError.self) { try TeamHeads.joining([], now: Workshop.now) }
    }
}
