import PortolanTrust
import Testing

@Suite struct StandingTests {
    @Test(
        "a stranger sees what is for all and nothing else",
        arguments: [(Visibility.all, true), (.team, false), (.group, false), (.ownProcess, false)])
    func stranger(visibility: Visibility, sees: Bool) {
        #expect(Standing.anyone.maySee(visibility) == sees)
        #expect(!Standing.anyone.explain(visibility).isEmpty)
    }

    @Test func theWireNumbersAndWordsStandStill() {
        #expect(Visibility.allCases.map(\.rawValue) == [0, 1, 2, 3])
        #expect(Visibility.allCases.map(\.description) == ["all", "team", "group", "own-process"])
        #expect(Visibility.allCases.compactMap { Visibility($0.description) } == Visibility.allCases)
        #expect(Visibility(rawValue: 4) == nil)
        #expect(Visibility("everyone") == nil)
        #expect(Visibility.all < .team && Visibility.team < .group && Visibility.group < .ownProcess)
    }
}
