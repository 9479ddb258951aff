import Foundation
import PortolanProtocol
import PortolanTrust
import PortolanValues
import TestSupport
import Testing

/// A hidden representation changes nothing that the other side can see.
@Suite(.aside) struct VisibilityTests {
    private struct World {
        let teams: [TeamID]
        let groups: [GroupName]

        init() throws {
            teams = try (1...3).map { try #require(TeamID(bytes: [UInt8](repeating: $0, count: 16))) }
            groups = try ["design", "press", "archive"].map { try GroupName($0) }
        }

        func standing(_ random: inout SeededGenerator) throws -> Standing {
            var memberships: [Standing.Membership] = []
            for team in teams where random.chance(2) {
                memberships.append(
                    Standing.Membership(
                        team: team, teamName: try TeamName("acme"), groups: some(of: groups, &random),
                        isAdmin: random.chance(4)))
            }
            return Standing(isContact: random.chance(2), memberships: memberships)
        }

        private func some(of groups: [GroupName], _ random: inout SeededGenerator) -> [GroupName] {
            groups.filter { _ in random.chance(2) }.sorted()
        }

        func representation(_ number: Int, _ random: inout SeededGenerator) throws -> OfferedRepresentation {
            try OfferedRepresentation(
                type: type("com.example.r\(number)"), restriction: restriction(&random), channel: .data,
                size: random.chance(2) ? UInt64(number) : nil,
                suggestedName: random.chance(3) ? "\(number)" + String(repeating: "n", count: 200) : nil)
        }

        private func restriction(_ random: inout SeededGenerator) throws -> Restriction {
            let visibility = Visibility.allCases[random.below(4)]
            let team = teams[random.below(3)]
            let isUnresolved = random.chance(6)
            let audience: Audience? =
                switch visibility {
                case .all, .ownProcess: nil
                case _ where isUnresolved: nil
                case .team: try Audience(team: team)
                case .group:
                    try Audience(team: team, groups: [groups[random.below(3)]] + some(of: groups, &random))
                }
            return Restriction(visibility, for: audience)
        }

        /// Makes an item: with many representations, which may be too much for one message, or with a picture, eight of
        /// which are too much.
        func item(_ number: Int, isOneOfMany: Bool, _ random: inout SeededGenerator) throws -> CandidateItem {
            let picture = Data(repeating: 1, count: isOneOfMany ? 2 : Limits.picture)
            let count = 1 + random.below(5)
            var representations: [OfferedRepresentation] = []
            for place in 0..<count { representations.append(try representation(number * 100 + place, &random)) }
            let title = "item \(number)" + (isOneOfMany ? String(repeating: "t", count: 1000) : "")
            let icon = CandidatePreview.Picture(
                try ItemPreview.Picture(type: "public.png", data: picture),
                restriction: random.chance(3) ? try restriction(&random) : .everyone)
            let preview = try CandidatePreview(message: "m", icon: icon)
            return CandidateItem(
                title: random.chance(4) ? nil : title, representations: representations,
                preview: random.chance(2) ? preview : nil)
        }
    }

    /// Visibility rule, restated independently of the code that decides it.
    private func isHidden(_ restriction: Restriction, from standing: Standing) -> Bool {
        if restriction.visibility == .all { return false }
        guard restriction.visibility != .ownProcess, let audience = restriction.audience else { return true }
        guard let place = standing.memberships.first(where: { $0.team == audience.team }) else { return true }
        return restriction.visibility == .group && Set(place.groups).isDisjoint(with: audience.groups)
    }

    private func bytes(_ standing: Standing, _ candidates: [CandidateItem]) throws -> [UInt8]? {
        do {
            return try Offer.visible(to: standing, from: candidates, id: 9).map { Message.offer($0.offer).encode() }
        } catch {
            return Array("\(error)".utf8)
        }
    }

    @Test(arguments: 0..<4)
    func hiddenContentIsIndistinguishableFromMissing(group: Int) throws {
        let world = try World()
        var (hidden, nothing, tooLarge) = (0, 0, 0)
        for number in 0..<100 {
            withSeed(UInt64(0x41D_0000 + group * 1000 + number)) { random in
                let standing = try world.standing(&random)
                let isMany = number.isMultiple(of: 25)
                let count = isMany ? 600 + random.below(400) : random.below(random.chance(2) ? 4 : 30)
                var candidates: [CandidateItem] = []
                for item in 0..<count { candidates.append(try world.item(item, isOneOfMany: isMany, &random)) }
                let bare = try candidates.compactMap { candidate -> CandidateItem? in
                    let shown = candidate.representations.filter { !isHidden($0.restriction, from: standing) }
                    hidden += candidate.representations.count - shown.count
                    if shown.isEmpty { return nil }
                    let icon = candidate.preview?.icon.flatMap { isHidden($0.restriction, from: standing) ? nil : $0 }
                    return CandidateItem(
                        title: candidate.title, representations: shown,
                        preview: try candidate.preview.map { try CandidatePreview(message: $0.message, icon: icon) })
                }
                let (full, rest) = (try bytes(standing, candidates), try bytes(standing, bare))
                guard full == rest else { throw VectorError("What is hidden from \(standing) shows") }
                guard (full == nil) == bare.isEmpty else {
                    throw VectorError("An offer of nothing, or none of something")
                }
                if full == nil { nothing += 1 }
                if let full, (try? Message(decoding: full)) == nil { tooLarge += 1 }
            }
        }
        #expect(hidden > 500 && nothing > 3 && tooLarge > 0, "The runs must reach all to mean something")
    }

    @Test func teamContentNamesItsTeamOrIsNotOffered() throws {
        let team = try Audience(team: World().teams[0])
        for (visibility, audience) in [
            (Visibility.team, nil), (.group, nil), (.group, team), (.ownProcess, nil as Audience?),
        ] {
            let form = try OfferedRepresentation(
                type: type("public.data"), restriction: Restriction(visibility, for: audience), channel: .data)
            let item = CandidateItem(title: "t", representations: [form])
            #expect(throws: InvalidValue.self) {
                _ = try Offer(id: 1, items: [OfferedItem(title: "t", representations: [form])])
            }
            let everything = Standing(
                isContact: true,
                memberships: try World().teams.map {
                    Standing.Membership(team: $0, teamName: try TeamName("acme"), groups: [], isAdmin: true)
                })
            #expect(try Offer.visible(to: everything, from: [item], id: 1) == nil)
        }
    }
}
