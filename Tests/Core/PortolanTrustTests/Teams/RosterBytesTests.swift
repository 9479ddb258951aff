import Foundation
import PortolanCrypto
import PortolanValues
import SwiftProtobuf
import TestSupport
import Testing

@testable import PortolanTrust

/// There is only one encoding of a roster; every other one is refused before its content is used.
@Suite struct RosterBytesTests {
    private static func sample() throws -> [UInt8] {
        var workshop = try Workshop()
        var heads = try workshop.foundByThree()
        let key = workshop.somebody()
        try workshop.change(
            &heads, .add(key, name: DeviceName("eve"), groups: [GroupName("design"), GroupName("sales")]))
        try workshop.change(&heads, .remove(workshop.third.pinned))
        try workshop.change(&heads, .removeFromGroup(key, GroupName("sales")))
        return heads.heads[0].signed.bytes
    }

    private func refusal(of bytes: [UInt8]) -> RosterError? {
        PortolanTrustTests.refusal { () throws(RosterError) in _ = try Roster(decoding: bytes) }
    }

    /// The sample after `edit`, still encoded in order.
    private func edited(_ edit: (inout WireRoster) -> Void) throws -> [UInt8] {
        var wire = try WireRoster(serializedBytes: Self.sample())
        edit(&wire)
        return try wire.serializedBytes()
    }

    @Test func rosterRoundTrips() throws {
        let bytes = try Self.sample()
        let roster = try Roster(decoding: bytes)
        #expect(roster.encode() == bytes)
        #expect(roster.members.count == 3 && roster.removals.count == 2 && roster.epoch == 8)
    }

    @Test func tooManyBytesAreNotEvenLookedAt() {
        // 100,000 members, once of two bytes each, and once of the length of real ones.
        let empty = [UInt8](repeating: 0, count: 0) + (0..<100_000).flatMap { _ in [0x4A, 0x00] as [UInt8] }
        #expect(refusal(of: empty) == .tooMany("members", count: 100_000, limit: 4096))
        let full = [UInt8](repeating: 0x4A, count: 100_000 * 60)
        #expect(refusal(of: full) == .tooLarge(bytes: 6_000_000))
    }

    @Test func exceededLimitsAreRefused() throws {
        func many(_ count: Int, _ edit: (inout WireRoster, Int) -> Void) throws -> RosterError? {
            refusal(of: try edited { edit(&$0, count) })
        }
        #expect(
            try many(4097) { $0.members = Array(repeating: WireMember(), count: $1) }
                == .tooMany("members", count: 4097, limit: 4096))
        #expect(
            try many(8193) { $0.removals = Array(repeating: WireRemoval(), count: $1) }
                == .tooMany("removed seats", count: 8193, limit: 8192))
        #expect(
            try many(257) { $0.clock = Array(repeating: WireTick(), count: $1) }
                == .tooMany("admins that signed", count: 257, limit: 256))
        #expect(
            try many(65) { $0.members[0].groups = Array(repeating: WireGroupSeat(), count: $1) }
                == .tooMany("groups of one member", count: 65, limit: 64))
    }

    @Test func repeatedPartsAreRefused() throws {
        #expect(refusal(of: try edited { $0.members.insert($0.members[0], at: 0) }) == .duplicate("seat"))
        #expect(
            refusal(
                of: try edited {
                    var second = $0.members[0]
                    second.seat = Data([1, 2, 3, 4, 5, 6, 7, 8])
                    second.groups = []
                    second.clearAdmin()
                    $0.members.insert(second, at: 0)
                }) == .duplicate("key"))
        #expect(refusal(of: try edited { $0.members[1].seat = $0.members[0].seat }) == .duplicate("seat"))
        #expect(refusal(of: try edited { $0.removals[0].seat = $0.members[0].seat }) == .duplicate("seat"))
        #expect(
            refusal(
                of: try edited {
                    $0.clock.append($0.clock[0])
                    $0.epoch += $0.clock[0].count
                }) == .duplicate("admin in the clock"))
    }

    @Test(
        "hostile names are refused, of the team, of members and of groups",
        arguments: ["", "a\u{1B}[2J", "a\u{202E}b", "a\nb", " a", String(repeating: "a", count: 64), "a\u{200B}"])
    func hostileNames(name: String) throws {
        let refused = RosterError.badName(shown: DisplayText(name))
        #expect(refusal(of: try edited { $0.name = name }) == refused)
        #expect(refusal(of: try edited { $0.members[0].name = name }) == refused)
        #expect(
            refusal(of: try edited { $0.members[0].groups = [.with { $0.name = name }] }) == refused)
        #expect(!refused.description.unicodeScalars.contains { DisplayText.isHarmful($0) })
    }

    @Test func invalidPartsAreRefused() throws {
        let edits: [(inout WireRoster) -> Void] = [
            { $0.version = 2 }, { $0.version = 0 }, { $0.salt.removeLast() }, { $0.founder.removeLast() },
            { $0.signer = Data() }, { $0.secretCommitment.append(0) }, { $0.epoch += 1 }, { $0.clock = [] },
            { $0.clock[0].count = 0 }, { $0.clock[0].count = .max }, { $0.clock[0].admin.append(0) },
            { $0.issued = -1 }, { $0.expires = $0.issued }, { $0.expires = $0.issued + 367 * 86_400 },
            { $0.expires = .max }, { $0.issued = .min }, { $0.members[0].key = Data() },
            { $0.members[0].seat = Data() },
            { $0.members[0].seat.append(0) }, { $0.members[0].groups = [.with { $0.name = "x" }] },
            { $0.members[0].admin.seat = Data([0]) }, { $0.members[0].admin.voucher = Data([0]) },
            { $0.members[0].admin.issuer = Data([0]) }, { $0.removals[0].seat = Data() },
            { $0.removals[0].key = Data([1]) },
            {
                $0.removals[0].key = Data()
                $0.removals[0].admin = $0.members[0].admin
            },
        ]
        for (number, edit) in edits.enumerated() {
            guard case .malformed = refusal(of: try edited(edit)) else {
                Issue.record("edit \(number) is taken, or refused for another reason")
                continue
            }
        }
    }

    @Test func otherEncodingsAreRefused() throws {
        let bytes = try Self.sample()
        let reordered: [[UInt8]] = [
            try edited { $0.members.swapAt(0, 1) }, try edited { $0.removals.swapAt(0, 1) },
            try edited {
                $0.clock.append(
                    .with {
                        $0.admin = Data(repeating: 0, count: 32); $0.count = 1
                    });
                $0.epoch += 1
            },
            try edited { $0.name = "Zoe\u{308}" },
            // An unknown field, at the end and inside a member; a default written out.
            bytes + [0xA0, 0x06, 0x01], bytes + [0xE8, 0x07, 0x00],
            try edited { try! $0.members[0].unknownFields = Self.unknown() },
            // The version again, and as a padded varint.
            bytes + [0x08, 0x01], [0x08, 0x81, 0x00] + bytes.dropFirst(2),
            // The first field moved to the end.
            Array(bytes.dropFirst(2)) + [0x08, 0x01],
        ]
        for (number, bytes) in reordered.enumerated() {
            #expect(refusal(of: bytes) == .notCanonical, "\(number)")
        }
    }

    private static func unknown() throws -> UnknownStorage {
        try WireTick(serializedBytes: [0xA0, 0x06, 0x01] as [UInt8]).unknownFields
    }

    @Test func everyTruncationIsRefused() throws {
        let bytes = try Self.sample()
        for count in 0..<bytes.count { #expect(refusal(of: Array(bytes.prefix(count))) != nil) }
    }

    @Test func oneChangedBitIsRefused() throws {
        var workshop = try Workshop()
        let base = try workshop.found()
        let next = try workshop.changed(base, .renew).update
        for bit in 0..<next.signed.bytes.count * 8 {
            var bytes = next.signed.bytes
            bytes[bit / 8] ^= 1 << (bit % 8)
            var heads = base
            let update = TeamHeads.Update(
                signed: SignedRoster(bytes: bytes, signature: next.signed.signature), secret: next.secret)
            #expect(throws: RosterError.self) { try heads.adopt(update, now: Workshop.now) }
        }
    }

    @Test("random bytes are refused or decode to a roster, and never trap", arguments: 1...16 as ClosedRange<UInt64>)
    func fuzz(seed: UInt64) throws {
        let sample = try Self.sample()
        var random = SeededGenerator(seed: seed)
        let holder = try Workshop().founder
        for _ in 0..<40 {
            let bytes = sample.mutated(using: &random)
            guard let roster = try? Roster(decoding: bytes) else { continue }
            #expect(roster.encode() == bytes)
            // A roster that can be read can be merged, shown and continued.
            let merge = RosterMerge(roster, digest: sha256([bytes]))
            var draft = RosterDraft(merge)
            if draft.isAdmin(holder.pinned) {
                try draft.apply(.renew, by: holder, using: &random)
                _ = draft.roster(by: holder.pinned, now: Workshop.now, secretCommitment: roster.secretCommitment)
                    .encode()
            }
            #expect(draft.view.count == roster.members.count)
        }
    }
}
