import PortolanValues
import Testing

/// Restrictions: made from a level and an audience, compared, and combined.
struct RestrictionTests {
    /// Restrictions that all differ from each other.
    private static let all: [Restriction] = [
        .everyone, .team(.acme), .team(.other), .group(.acme, "design"), .group(.acme, "design", "print"),
        .group(.acme, "print", "sales"), .group(.acme, "sales"), .group(.other, "design"), .nobody,
    ]

    @Test func levelWithoutItsAudienceIsForNobody() throws {
        let team = try Audience(team: .acme)
        #expect(Restriction(.team, for: nil) == .nobody)
        #expect(Restriction(.group, for: nil) == .nobody)
        #expect(Restriction(.group, for: team) == .nobody)
        #expect(Restriction(.team, for: team).audience == team)
    }

    @Test func otherLevelsIgnoreAnAudience() throws {
        let group = try Audience(team: .acme, groups: [GroupName("design")])
        #expect(Restriction(.all, for: group) == .everyone)
        #expect(Restriction(.ownProcess, for: group) == .nobody)
        #expect(Restriction(.team, for: group) == .team(.acme))
    }

    @Test func neverAllowsAWiderAudience() {
        // For each restriction, the restrictions under which it may be passed on; all other pairs are refused.
        let allowed: [Restriction: [Restriction]] = [
            .everyone: Self.all,
            .team(.acme): [
                .team(.acme), .group(.acme, "design"), .group(.acme, "design", "print"),
                .group(.acme, "print", "sales"), .group(.acme, "sales"),
            ],
            .team(.other): [.team(.other), .group(.other, "design")],
            .group(.acme, "design"): [.group(.acme, "design")],
            .group(.acme, "design", "print"): [.group(.acme, "design"), .group(.acme, "design", "print")],
            .group(.acme, "print", "sales"): [.group(.acme, "print", "sales"), .group(.acme, "sales")],
            .group(.acme, "sales"): [.group(.acme, "sales")],
            .group(.other, "design"): [.group(.other, "design")],
            .nobody: [],
        ]
        for kept in Self.all {
            for shown in Self.all {
                #expect(kept.allows(shown) == allowed[kept]?.contains(shown), "\(kept), shown to \(shown)")
            }
        }
    }

    @Test func combinationIsTheStricterOfOneTeamElseNobody() {
        #expect(Restriction.everyone.and(.team(.acme)) == .team(.acme))
        #expect(Restriction.team(.acme).and(.group(.acme, "design")) == .group(.acme, "design"))
        #expect(Restriction.team(.acme).and(.team(.other)) == .nobody)
        #expect(Restriction.team(.acme).and(.group(.other, "design")) == .nobody)
        #expect(Restriction.group(.acme, "design").and(.group(.acme, "sales")) == .nobody)
        #expect(Restriction.group(.acme, "design").and(.group(.acme, "design", "print")) == .group(.acme, "design"))
        #expect(
            Restriction.group(.acme, "print", "sales").and(.group(.acme, "design", "print")) == .group(.acme, "print"))
        #expect(Restriction.nobody.and(.everyone) == .nobody)
    }

    @Test func combinationIsCommutative() {
        for one in Self.all {
            #expect(one.and(one) == one)
            for two in Self.all {
                #expect(one.and(two) == two.and(one))
                for three in Self.all { #expect(one.and(two).and(three) == one.and(two.and(three))) }
            }
        }
    }

    @Test func combinationAllowsOnlyWhatBothAllow() {
        for one in Self.all {
            for two in Self.all {
                for shown in Self.all where one.and(two).allows(shown) {
                    #expect(one.allows(shown) && two.allows(shown), "\(one) and \(two), shown to \(shown)")
                }
            }
        }
    }
}

extension TeamID {
    fileprivate static let acme = made(1)
    fileprivate static let other = made(2)

    private static func made(_ byte: UInt8) -> TeamID {
        guard let team = TeamID(bytes: [UInt8](repeating: byte, count: length)) else {
            fatalError("16 bytes are a team")
        }
        return team
    }
}

extension Restriction {
    fileprivate static func team(_ team: TeamID) -> Restriction { made(.team, team, []) }

    fileprivate static func group(_ team: TeamID, _ groups: String...) -> Restriction { made(.group, team, groups) }

    private static func made(_ visibility: Visibility, _ team: TeamID, _ groups: [String]) -> Restriction {
        do {
            return Restriction(visibility, for: try Audience(team: team, groups: groups.map { try GroupName($0) }))
        } catch {
            fatalError("\(error)")
        }
    }
}
