import PortolanValues
import Testing

@Suite struct TeamNameTests {
    @Test("names people use are taken", arguments: ["acme", "Ünïted", "東京", "q-3_x.y", "❤️"])
    func accepts(name: String) throws {
        #expect(try TeamName(name).text == name)
        #expect(try GroupName(name).text == name)
    }

    @Test(
        "hostile names, and names that could be confused with the surrounding text, are refused",
        arguments: [
            "", "a b", "a/b", "@a", "a,b", "a/\u{301}b", "a\u{D4E} ", "a\n", "a\u{1B}[0m", "a\u{0}", "a\u{202E}b",
            "a\u{200B}", "\u{A0}a", String(repeating: "a", count: 64),
        ])
    func refuses(name: String) {
        #expect(throws: RosterNameError.self) { try TeamName(name) }
        #expect(throws: RosterNameError.self) { try GroupName(name) }
    }

    @Test func caseAndCompositionAreIgnoredInComparison() throws {
        #expect(try GroupName("ÉRIC") == GroupName("e\u{301}ric"))
        #expect(try Set([GroupName("Design"), GroupName("design")]).count == 1)
        #expect(try TeamName("acme") != TeamName("acne"))
        #expect(try TeamName("Acme") < TeamName("beta"))
    }

    @Test func anIdentifierIsReadInEitherCase() throws {
        let id = try #require(TeamID(bytes: (1...16).map { $0 * 9 }))
        #expect(id.description.count == 26)
        #expect(TeamID(id.description) == id)
        #expect(TeamID(id.description.uppercased()) == id)
        #expect(TeamID(bytes: id.bytes) == id)
    }

    @Test(
        "text that is no identifier is refused",
        arguments: [
            "", "aaaa", "aaaaaaaaaaaaaaaaaaaaaaaaab", "aaaaaaaaaaaaa-aaaaaaaaaaaaa", "1aaaaaaaaaaaaaaaaaaaaaaaaa",
        ])
    func refusesIdentifiers(text: String) {
        #expect(TeamID(text) == nil)
        #expect(TeamID(bytes: [1, 2, 3]) == nil)
    }
}
