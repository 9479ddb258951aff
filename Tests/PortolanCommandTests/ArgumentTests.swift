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
}
