import PortolanTrust
import Testing
import UniformTypeIdentifiers

@testable import PortolanCommand

@Suite struct ArgumentTests {
    @Test(
        "a type is an identifier, an extension or a MIME type",
        arguments: [
            ("public.png", "public.png"), ("PUBLIC.PNG", "public.png"), ("png", "public.png"), (".png", "public.png"),
            ("image/png", "public.png"), ("Image/PNG", "public.png"), ("public.image", "public.image"),
            ("net.daringfireball.markdown", "net.daringfireball.markdown"),
            ("com.example.recipe", "com.example.recipe"),
            ("txt", "public.plain-text"), ("public.utf8-plain-text", "public.utf8-plain-text"),
        ])
    func type(text: String, identifier: String) throws {
        #expect(try TypeArgument.parse(text).identifier == identifier)
    }

    @Test(
        "what is no type says what would be one",
        arguments: [
            "", "nosuchextension", "image/nosuch", "public.htlm", "com.apple.nosuch", "com.exa mple.x", "a.b\u{1B}",
        ])
    func noType(text: String) throws {
        let failure = try #require(throws: ArgumentFailure.self) { try TypeArgument.parse(text) }
        #expect(failure.description.contains("public.png"))
        #expect(DisplayText.isHarmless(failure.description))
    }

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
        let failure = try #require(throws: ArgumentFailure.self) { try RepresentationArgument.parse(text) }
        #expect(failure.description.hasPrefix("Column \(column) of"))
    }

    @Test func aHostileRepresentationIsShownSafely() throws {
        let failure = try #require(throws: ArgumentFailure.self) {
            try RepresentationArgument.parse("\u{1B}[2J@\u{202E}=x")
        }
        #expect(DisplayText.isHarmless(failure.description))
    }

    @Test("a port is a number from 1", arguments: ["0", "65536", "-1", "+80", "", "http", "8 0"])
    func noPort(text: String) {
        #expect(throws: ArgumentFailure.self) { try PortArgument.parse(text) }
    }

    @Test func ports() throws {
        #expect(try PortArgument.parse("1") == 1)
        #expect(try PortArgument.parse("65535") == 65535)
    }

    @Test(
        "a length of time is a number and a unit",
        arguments: [
            ("10s", 10), ("90s", 90), ("10m", 600), ("1h", 3600), ("24h", 86400), ("1440m", 86400), ("86400s", 86400),
            ("010s", 10),
        ])
    func duration(text: String, seconds: Int) throws {
        #expect(try DurationArgument.parse(text) == .seconds(seconds))
    }

    @Test(
        "what is no length of time says what would be one",
        arguments: [
            "", "10", "s", "10 m", "-10s", "+10s", "1.5h", "10M", "1h30m", "9s", "0m", "25h", "86401s", "99999h",
            "100000s",
            "9999999999999999999999s", "١٠m", "10s\n", "1\u{1B}s",
        ])
    func noDuration(text: String) throws {
        let failure = try #require(throws: ArgumentFailure.self) { try DurationArgument.parse(text) }
        #expect(failure.description.contains("from 10s to 24h"))
        #expect(DisplayText.isHarmless(failure.description))
    }

    @Test(
        "a length of time is shown as it is written", arguments: [(45, "45s"), (90, "90s"), (600, "10m"), (7200, "2h")])
    func shownDuration(seconds: Int, text: String) {
        #expect(Duration.seconds(seconds).asArgument == text)
    }

    @Test func aTeamIsNamedWithAnAtAndItsGroupBehindASlash() throws {
        let whole = try TeamTarget.parse("@acme")
        #expect(whole.team.text == "acme")
        #expect(whole.group == nil)
        let part = try TeamTarget.parse("@acme/design")
        #expect(part.group?.text == "design")
        #expect(part.description == "@acme/design")
        #expect(try TeamArgument.parse("acme") == whole.team)
        #expect(try TeamArgument.parse("@acme") == whole.team)
    }

    @Test(
        "what names no team",
        arguments: ["", "acme", "@", "@/", "@acme/", "@/design", "@a/b/c", "@@acme", "@a me", "@acme,b", "@a\u{202E}"])
    func noTeam(text: String) throws {
        let failure = try #require(throws: ArgumentFailure.self) { try TeamTarget.parse(text) }
        #expect(DisplayText.isHarmless(failure.description))
    }
}
