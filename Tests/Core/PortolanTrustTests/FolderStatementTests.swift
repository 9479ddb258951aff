import Foundation
import PortolanCrypto
import PortolanValues
import Testing

@testable import PortolanTrust

/// Statements for whom a folder is, and attacks on them (SYNC.md 8).
@Suite struct FolderStatementTests {
    typealias Verified = SignedFolderStatement.Verified

    private let maker = DeviceKey.generate()
    private let keeper = DeviceKey.generate()
    private let member = DeviceKey.generate()
    private let acme = TeamID(bytes: [UInt8](repeating: 1, count: 16))!
    private let other = TeamID(bytes: [UInt8](repeating: 2, count: 16))!

    private func pin(_ key: DeviceKey) -> PinnedKey { PinnedKey(key.publicKey) }

    private func team(_ team: TeamID, _ group: String? = nil) throws -> FolderStatement.Part {
        .team(team, try TeamName("acme"), try group.map { try GroupName($0) })
    }

    private func standing(
        _ team: TeamID? = nil, groups: [String] = [], isAdmin: Bool = false, isContact: Bool = false
    ) throws -> Standing {
        let membership = try team.map {
            try Standing.Membership(
                team: $0, teamName: TeamName("acme"), groups: groups.map { try GroupName($0) }, isAdmin: isAdmin)
        }
        return Standing(isContact: isContact, memberships: membership.map { [$0] } ?? [])
    }

    /// A statement by the maker.
    private func made(for parts: [FolderStatement.Part], keepers: [DeviceKey] = []) throws -> FolderStatement {
        FolderStatement(by: pin(maker), for: parts, keepers: keepers.map(pin))
    }

    private func audience(_ statement: FolderStatement) throws -> FolderAudience {
        let signed = try SignedFolderStatement(statement, by: maker).verified()
        return try #require(FolderAudience(first: signed, signer: .anyone, teller: pin(member)))
    }

    /// The next statement by the maker.
    private func next(
        _ statement: FolderStatement, version: UInt32? = nil, _ change: (inout FolderStatement) throws -> Void
    ) throws -> Verified {
        var news = statement
        news.version = version ?? statement.version + 1
        news.before = sha256([statement.encode()])
        try change(&news)
        return try SignedFolderStatement(news, by: maker).verified()
    }

    /// A statement by another device that follows one of the maker.
    private func following(
        _ grant: FolderStatement, by key: DeviceKey, _ change: (inout FolderStatement) throws -> Void = { _ in }
    ) throws -> SignedFolderStatement {
        var news = grant
        news.version += 1
        news.signer = pin(key)
        news.before = sha256([grant.encode()])
        try change(&news)
        return try SignedFolderStatement(news, by: key, after: SignedFolderStatement(grant, by: maker).own)
    }

    private func refusal(_ body: () throws -> Void) -> FolderStatementError? {
        do {
            try body()
            return nil
        } catch {
            return error as? FolderStatementError
        }
    }

    // MARK: Bytes

    @Test func aStatementIsReadAsItWasWritten() throws {
        let parts = [
            FolderStatement.Part.contact(pin(member), try DeviceName("ben’s box")), try team(acme, "Design"),
            try team(other), try team(acme),
        ]
        let statement = try made(for: parts + parts, keepers: [keeper, member])
        #expect(statement.parts.count == 4)
        #expect(try FolderStatement(decoding: statement.encode()) == statement)
        #expect(statement.parts.map(\.text) == ["ben’s box", "@acme", "@acme/Design", "@acme"])
        #expect(statement.folder.count == 16)
    }

    @Test func otherBytesAreRefused() throws {
        let first = FolderStatement.Part.contact(pin(member), try DeviceName("a"))
        let bytes = try made(for: [first, try team(acme, "design")]).encode()
        for length in 0..<bytes.count {
            #expect(refusal { _ = try FolderStatement(decoding: Array(bytes.prefix(length))) } == .malformed)
        }
        #expect(refusal { _ = try FolderStatement(decoding: bytes + [0]) } == .malformed)
        // Another format, version 0, and an unknown kind of part.
        for (place, value) in [(0, UInt8(2)), (4, 0), (134, 3)] {
            var changed = bytes
            changed[place] = value
            #expect(refusal { _ = try FolderStatement(decoding: changed) } == .malformed)
        }
        // The parts in the other order.
        let one = 1 + 32 + 2, start = 134
        let (head, rest) = (bytes.prefix(start), bytes.dropFirst(start))
        let swapped = Array(head) + Array(rest.dropFirst(one).dropLast()) + Array(rest.prefix(one)) + [0]
        #expect(swapped.count == bytes.count)
        #expect(refusal { _ = try FolderStatement(decoding: swapped) } == .malformed)
    }

    @Test func oversizedListsAreRefused() throws {
        let keys = (0..<33).map { _ in pin(DeviceKey.generate()) }
        let parts = try keys.map { FolderStatement.Part.contact($0, try DeviceName("a")) }
        #expect(refusal { _ = try SignedFolderStatement(try made(for: parts), by: maker) } == .tooLarge)
        _ = try SignedFolderStatement(try made(for: Array(parts.dropLast())), by: maker).verified()
        let keepers = (0..<9).map { _ in DeviceKey.generate() }
        #expect(refusal { _ = try SignedFolderStatement(try made(for: [], keepers: keepers), by: maker) } == .tooLarge)
        let long = try keys.dropLast().map {
            FolderStatement.Part.contact($0, try DeviceName(String(repeating: "a", count: 63)))
        }
        #expect(refusal { _ = try SignedFolderStatement(try made(for: long), by: maker) } == .tooLarge)
        #expect(refusal { _ = try FolderStatement(decoding: [UInt8](repeating: 1, count: 1 << 20)) } == .tooLarge)
    }

    @Test func aForgedSignatureIsRefused() throws {
        let signed = try SignedFolderStatement(try made(for: [try team(acme)]), by: maker)
        // Another statement under the same signature, and the signature of another key.
        let wider = try made(for: [try team(acme), try team(other)])
        let forged = SignedFolderStatement(
            own: .init(bytes: Data(wider.encode()), signature: signed.own.signature), grant: nil)
        #expect(refusal { _ = try forged.verified() } == .badSignature)
        let plain = SignedFolderStatement(
            own: .init(bytes: signed.own.bytes, signature: Data(member.signature(for: signed.own.bytes))), grant: nil)
        #expect(refusal { _ = try plain.verified() } == .badSignature)
    }

    @Test func theIdentifierCommitsToTheMaker() throws {
        let statement = try made(for: [try team(acme)])
        let known = try audience(statement)
        // Another device that claims the folder's salt makes another folder.
        let stolen = FolderStatement(by: pin(member), for: statement.parts, salt: statement.salt)
        #expect(stolen.folder != statement.folder)
        // A device that claims the identifier as that of an old folder is another maker.
        let claimed = FolderStatement(by: pin(member), for: [try team(other)], former: statement.folder)
        let signed = try SignedFolderStatement(claimed, by: member).verified()
        #expect(known.taking(signed, signer: .anyone) == nil)
        // An old identifier is taken from the maker itself alone.
        #expect(FolderAudience(first: signed, signer: .anyone, teller: pin(keeper)) == nil)
        #expect(FolderAudience(first: signed, signer: .anyone, teller: pin(member)) != nil)
    }

    // MARK: Who may sign

    @Test func statementsOfOtherFoldersAndOlderOnesArePassedOver() throws {
        let first = try made(for: [try team(acme)])
        let known = try audience(first)
        let another = try SignedFolderStatement(try made(for: [try team(other)]), by: maker).verified()
        #expect(known.taking(another, signer: .anyone) == nil)
        let second = try next(first) { $0.parts = [try team(acme, "design")] }
        let narrowed = try #require(known.taking(second, signer: .anyone))
        let old = try SignedFolderStatement(first, by: maker).verified()
        #expect(narrowed.taking(old, signer: .anyone) == nil)
        #expect(narrowed.taking(second, signer: .anyone) == nil)
        #expect(try !narrowed.includes(standing(acme), is: { $0 == pin(member) }))
        #expect(try narrowed.includes(standing(acme, groups: ["DESIGN"]), is: { $0 == pin(member) }))
    }

    @Test func aMemberCannotWiden() throws {
        let first = try made(for: [try team(acme, "design")])
        let known = try audience(first)
        let wider = try following(first, by: member) { $0.parts = [try team(acme)] }
        // Its bytes are well-formed; its signer is nobody.
        #expect(try known.taking(wider.verified(), signer: standing(acme, groups: ["design"])) == nil)
        #expect(
            try FolderAudience(first: wider.verified(), signer: standing(acme), teller: pin(member)) == nil)
        // Without the maker's statement, as its own maker's, or with itself as keeper it is none.
        #expect(refusal { _ = try SignedFolderStatement(own: wider.own, grant: nil).verified() } == .wrongBefore)
        #expect(
            refusal {
                _ = try following(first, by: member) { $0.keepers = [pin(member)] }.verified()
            } == .wrongBefore)
        #expect(refusal { _ = try following(first, by: member) { $0.version = 1 }.verified() } == .wrongBefore)
        #expect(
            refusal { _ = try following(first, by: member) { $0.before = sha256([[1]]) }.verified() } == .wrongBefore)
        // A grant that the member made itself.
        let own = FolderStatement(by: pin(member), for: first.parts, keepers: [pin(member)], salt: first.salt)
        let grant = try SignedFolderStatement(own, by: member).own
        #expect(refusal { _ = try SignedFolderStatement(own: wider.own, grant: grant).verified() } == .wrongBefore)
    }

    @Test func aKeeperSignsAndAFormerOneDoesNot() throws {
        let first = try made(for: [try team(acme)], keepers: [keeper])
        let known = try audience(first)
        let second = try following(first, by: keeper) { $0.parts = [try team(other)] }.verified()
        let changed = try #require(known.taking(second, signer: .anyone))
        #expect(try changed.parts == [[team(other)]])
        // The maker's later word takes the right away, whatever the versions of the keeper are.
        let third = try next(first) { $0.keepers = [] }
        let without = try #require(changed.taking(third, signer: .anyone))
        #expect(try without.parts == [[team(acme)]] && without.keepers.isEmpty)
        let late = try following(first, by: keeper) { $0.version = 4_000_000 }.verified()
        #expect(without.taking(late, signer: .anyone) == nil)
        let claimed = try following(third.statement, by: keeper).verified()
        #expect(without.taking(claimed, signer: .anyone) == nil)
    }

    @Test func anAdminSignsForItsTeamAlone() throws {
        let first = try made(for: [try team(acme)])
        let known = try audience(first)
        let narrower = try following(first, by: member) { $0.parts = [try team(acme, "design")] }.verified()
        #expect(try known.taking(narrower, signer: standing(acme)) == nil)
        #expect(try known.taking(narrower, signer: standing(other, isAdmin: true)) == nil)
        #expect(try known.taking(narrower, signer: standing(acme, isAdmin: true)) != nil)
        for parts in [[try team(other)], [try team(acme), try team(other)], []] {
            let wider = try following(first, by: member) { $0.parts = parts }.verified()
            #expect(try known.taking(wider, signer: standing(acme, isAdmin: true)) == nil)
        }
        // The folder of a team and a contact is not the team's.
        let mixed = try made(for: [try team(acme), .contact(pin(keeper), try DeviceName("k"))])
        let word = try following(mixed, by: member) { $0.parts = [try team(acme)] }.verified()
        #expect(try audience(mixed).taking(word, signer: standing(acme, isAdmin: true)) == nil)
    }

    @Test func ofTwoOfOneVersionTheNarrowerPartCounts() throws {
        let first = try made(for: [try team(acme)], keepers: [keeper, member])
        let one = try following(first, by: keeper) { $0.parts = [try team(acme, "design")] }.verified()
        let two = try following(first, by: member) { $0.parts = [try team(acme, "ops"), try team(other)] }.verified()
        let known = try audience(first)
        let both = try #require(known.taking(one, signer: .anyone)?.taking(two, signer: .anyone))
        #expect(known.taking(two, signer: .anyone)?.taking(one, signer: .anyone) == both)
        let stranger = pin(DeviceKey.generate())
        for (groups, isIn) in [(["design"], false), (["ops"], false), (["design", "ops"], true)] {
            #expect(try both.includes(standing(acme, groups: groups), is: { $0 == stranger }) == isIn)
        }
        #expect(try !both.includes(standing(other), is: { $0 == stranger }))
        let next = try #require(
            try both.signed(for: [try team(acme, "ops")], keepers: nil, by: keeper, .anyone))
        #expect(try next.version == 3 && next.parts == [[team(acme, "ops")]])
        #expect(try both.taking(#require(next.stored.first).verified(), signer: .anyone) == next)
    }

    // MARK: Who may have the folder

    @Test func aKeyInAStatementGivesNothingByItself() throws {
        let known = try audience(try made(for: [.contact(pin(member), try DeviceName("ben"))], keepers: [keeper]))
        for key in [maker, keeper, member].map(pin) {
            #expect(try known.includes(standing(isContact: true), is: { $0 == key }))
            #expect(try !known.includes(standing(), is: { $0 == key }))
            #expect(try !known.includes(standing(acme), is: { $0 == key }))
        }
        #expect(try !known.includes(standing(isContact: true), is: { $0 == pin(DeviceKey.generate()) }))
    }

    @Test func theMakerOfATeamsFolderIsInItAsLongAsInTheTeam() throws {
        let known = try audience(try made(for: [try team(acme, "design")]))
        #expect(try known.includes(standing(acme), is: { $0 == pin(maker) }))
        #expect(try !known.includes(standing(acme), is: { $0 == pin(member) }))
        #expect(try !known.includes(standing(isContact: true), is: { $0 == pin(maker) }))
        #expect(try !known.includes(standing(other), is: { $0 == pin(maker) }))
    }

    @Test func onlyTheEntitledSignAnew() throws {
        let known = try audience(try made(for: [try team(acme)], keepers: [keeper]))
        let narrow = [try team(acme, "design")]
        #expect(try known.signed(for: narrow, keepers: nil, by: member, standing(acme)) == nil)
        #expect(try known.signed(for: narrow, keepers: [pin(member)], by: keeper, .anyone) == nil)
        for (key, standing) in [
            (maker, Standing.anyone), (keeper, .anyone), (member, try standing(acme, isAdmin: true)),
        ] {
            let signed = try #require(try known.signed(for: narrow, keepers: nil, by: key, standing))
            #expect(signed.version == 2 && signed.parts == [narrow])
            #expect(FolderAudience(signed.stored) == signed)
        }
    }

    // MARK: Marks of files

    @Test func aMarkIsForAllWhoMayEverHaveTheFolder() throws {
        let ofTeam = Restriction(.team, for: try Audience(team: acme))
        let ofGroup = Restriction(.group, for: try Audience(team: acme, groups: [GroupName("design")]))
        let (inTeam, inGroup) = (try standing(acme), try standing(acme, groups: ["design"]))

        let whole = try audience(made(for: [team(acme)]))
        #expect(whole.isWithin(ofTeam) { _ in inTeam })
        #expect(!whole.isWithin(ofGroup) { _ in inGroup })
        #expect(!whole.isWithin(.nobody) { _ in inGroup })
        let group = try audience(made(for: [team(acme, "design")], keepers: [keeper]))
        #expect(group.isWithin(ofTeam) { _ in inTeam } && group.isWithin(ofGroup) { _ in inGroup })
        // A keeper has the folder without being in the group, but not without being in the team.
        #expect(!group.isWithin(ofGroup) { $0 == pin(keeper) ? inTeam : inGroup })
        #expect(group.isWithin(ofGroup) { $0 == pin(keeper) ? .anyone : inGroup })
        #expect(!group.isWithin(ofGroup) { $0 == pin(keeper) ? nil : inGroup })

        let contact = FolderStatement.Part.contact(pin(member), try DeviceName("ben"))
        let contacts = try audience(made(for: [contact]))
        #expect(contacts.isWithin(ofTeam) { _ in inTeam })
        #expect(!contacts.isWithin(ofTeam) { $0 == pin(member) ? .anyone : inTeam })
        #expect(!contacts.isWithin(ofTeam) { $0 == pin(maker) ? .anyone : inTeam })
        #expect(try !audience(made(for: [contact, team(other)])).isWithin(ofTeam) { _ in inTeam })
        #expect(try !audience(made(for: [])).isWithin(ofTeam) { _ in inTeam })
    }
}
