import PortolanCrypto
import PortolanTrust
import PortolanValues
import Testing

@Suite struct StandingTests {
    private let acme = TeamID(bytes: [UInt8](repeating: 1, count: 16))!
    private let other = TeamID(bytes: [UInt8](repeating: 2, count: 16))!

    private func membership(in team: TeamID, groups: [String] = [], isAdmin: Bool = false) throws -> Standing.Membership
    {
        try Standing.Membership(
            team: team, teamName: TeamName("acme"), groups: groups.map { try GroupName($0) }, isAdmin: isAdmin)
    }

    private func standing(isContact: Bool = false, _ memberships: Standing.Membership...) -> Standing {
        Standing(isContact: isContact, memberships: memberships)
    }

    private func audience(_ team: TeamID, _ groups: String...) throws -> Audience {
        try Audience(team: team, groups: groups.map { try GroupName($0) })
    }

    @Test(
        "a stranger sees only unrestricted representations",
        arguments: [(Visibility.all, true), (.team, false), (.group, false), (.ownProcess, false)])
    func stranger(visibility: Visibility, sees: Bool) throws {
        for audience in [nil, try audience(acme), try audience(acme, "design")] {
            #expect(Standing.anyone.maySee(Restriction(visibility, for: audience)) == sees)
            #expect(!Standing.anyone.explain(Restriction(visibility, for: audience)).isEmpty)
        }
    }

    @Test("a contact that is in no team sees no more than a stranger", arguments: Visibility.allCases)
    func contact(visibility: Visibility) throws {
        for audience in [nil, try audience(acme), try audience(acme, "design")] {
            #expect(
                standing(isContact: true).maySee(Restriction(visibility, for: audience))
                    == Standing.anyone.maySee(Restriction(visibility, for: audience)))
        }
    }

    @Test func memberSeesContentOfItsOwnTeamOnly() throws {
        let member = try standing(membership(in: acme, groups: ["design"]))
        #expect(member.maySee(Restriction(.all, for: nil)))
        #expect(member.maySee(Restriction(.team, for: try audience(acme))))
        #expect(!member.maySee(Restriction(.team, for: try audience(other))))
        #expect(!member.maySee(Restriction(.team, for: nil)))
    }

    @Test func groupContentIsSeenByItsMembersOnly() throws {
        let designer = try standing(membership(in: acme, groups: ["design", "press"]))
        #expect(designer.maySee(Restriction(.group, for: try audience(acme, "design"))))
        #expect(designer.maySee(Restriction(.group, for: try audience(acme, "DESIGN"))))
        #expect(designer.maySee(Restriction(.group, for: try audience(acme, "law", "press"))))
        #expect(!designer.maySee(Restriction(.group, for: try audience(acme, "law"))))
        #expect(!designer.maySee(Restriction(.group, for: try audience(other, "design"))))
        #expect(!designer.maySee(Restriction(.group, for: nil)))
    }

    @Test func audienceWithoutGroupsIsNobody() throws {
        let admin = try standing(membership(in: acme, groups: ["design"], isAdmin: true))
        #expect(!admin.maySee(Restriction(.group, for: try audience(acme))))
        #expect(!(try standing(membership(in: acme))).maySee(Restriction(.group, for: try audience(acme))))
    }

    @Test func groupsOfTwoTeamsAreNotMixed() throws {
        let both = try standing(membership(in: acme, groups: ["design"]), membership(in: other, groups: ["law"]))
        #expect(both.maySee(Restriction(.group, for: try audience(acme, "design"))))
        #expect(both.maySee(Restriction(.group, for: try audience(other, "law"))))
        #expect(!both.maySee(Restriction(.group, for: try audience(acme, "law"))))
        #expect(!both.maySee(Restriction(.group, for: try audience(other, "design"))))
    }

    @Test func contentOfThisProcessIsSeenByNobody() throws {
        let everything = try standing(isContact: true, membership(in: acme, groups: ["design"], isAdmin: true))
        for audience in [nil, try audience(acme), try audience(acme, "design")] {
            #expect(!everything.maySee(Restriction(.ownProcess, for: audience)))
        }
    }

    @Test func reasonNamesTheDecidingRule() throws {
        let designer = try standing(membership(in: acme, groups: ["design"]))
        #expect(designer.explain(Restriction(.all, for: nil)) == "everyone may see it")
        #expect(designer.explain(Restriction(.ownProcess, for: nil)) == "it never leaves the process that made it")
        #expect(
            designer.explain(Restriction(.team, for: nil)) == "it never leaves the process that made it"
        )
        #expect(
            designer.explain(Restriction(.team, for: try audience(acme)))
                == "members of acme see it, and this peer is one")
        #expect(
            designer.explain(Restriction(.team, for: try audience(other)))
                == "only members of its team see it, and this peer is none of them")
        #expect(
            designer.explain(Restriction(.group, for: try audience(acme))) == "it never leaves the process that made it"
        )
        #expect(
            designer.explain(Restriction(.group, for: try audience(acme, "law", "design")))
                == "the group design of acme sees it, and this peer is in it")
        #expect(
            designer.explain(Restriction(.group, for: try audience(acme, "law")))
                == "only the group law of acme sees it, and this peer is in another group or none")
        #expect(
            designer.explain(Restriction(.group, for: try audience(acme, "a", "b", "c", "d", "e")))
                == "only the groups a, b, c and 2 more of acme see it, and this peer is in none of them")
    }

    @Test func descriptionIsShort() throws {
        #expect(Standing.anyone.description == "anyone")
        #expect(standing(isContact: true).description == "contact")
        #expect(
            try standing(isContact: true, membership(in: acme, groups: ["press", "design"]), membership(in: other))
                .description == "member of acme (press, design), member of acme, contact")
        #expect(try standing(membership(in: acme, isAdmin: true)).description == "admin of acme")
    }

    @Test func anAudienceHasEachGroupOnceAndNotTooMany() throws {
        let mixed = try audience(acme, "press", "Design", "design", "law", "PRESS")
        #expect(mixed.groups.map(\.text) == ["Design", "law", "press"])
        #expect(mixed == (try audience(acme, "law", "press", "DESIGN")))
        let most = try (0..<64).map { try GroupName("group\($0)") }
        #expect(try Audience(team: acme, groups: most + most).groups.count == 64)
        #expect(throws: AudienceError.tooManyGroups(count: 65)) {
            try Audience(team: acme, groups: most + [try GroupName("one-more")])
        }
    }

    @Test func wireNumbersAndWordsAreFixed() {
        #expect(Visibility.allCases.map(\.rawValue) == [0, 1, 2, 3])
        #expect(Visibility.allCases.map(\.description) == ["all", "team", "group", "own-process"])
        #expect(Visibility.allCases.compactMap { Visibility($0.description) } == Visibility.allCases)
        #expect(Visibility(rawValue: 4) == nil)
        #expect(Visibility("everyone") == nil)
        #expect(Visibility.all < .team && Visibility.team < .group && Visibility.group < .ownProcess)
    }
}
