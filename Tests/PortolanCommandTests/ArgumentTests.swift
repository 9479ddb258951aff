import Portolan
import PortolanTrust
import Testing

@testable import PortolanCommand

@Suite struct ArgumentTests {
    @Test(
        "a representation is a type, a visibility and a path",
        arguments: [
            ("public.html@team=n.html", "public.html", Visibility.team, "n.html"),
            ("md=n.md", "net.daringfireball.markdown", .all, "n.md"),
            ("text/plain@own-process=-", "public.plain-text", .ownProcess, "-"),
            ("png@all=a=b@c", "public.png", .all, "a=b@c"),
            ("png@group= x", "public.png", .group, " x"),
        ])
    func representation(text: String, type: String, visibility: Visibility, path: String) throws {
        let argument = try RepresentationArgument.parse(text)
        #expect(argument.type.identifier == type)
        #expect(argument.visibility == visibility)
        #expect(argument.path == path)
    }

    @Test(
        "what is no representation names the column",
        arguments: [
            ("png", 4), ("png=", 5), ("", 1), ("=x", 1), ("nosuch=x", 1), ("png@teem=x", 5), ("png@=x", 5),
            ("png@team@all=x", 5), ("@team=x", 1), ("png@team", 9),
        ])
    func noRepresentation(text: String, column: Int) throws {
        let failure = try #require(throws: ValueError.self) { try RepresentationArgument.parse(text) }
        #expect(failure.description.hasPrefix("Column \(column) of"))
    }

    @Test func aHostileRepresentationIsShownSafely() throws {
        let failure = try #require(throws: ValueError.self) {
            try RepresentationArgument.parse("\u{1B}[2J@\u{202E}=x")
        }
        #expect(DisplayText.isHarmless(failure.description))
    }
}
