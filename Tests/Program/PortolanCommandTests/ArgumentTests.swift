import ArgumentParser
import Portolan
import PortolanSettings
import PortolanValues
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
            ("text/html; charset=utf-8=n.html", "public.html", .all, "n.html"),
            ("text/html;charset=utf-8;level=1@team=a=b;c=d", "public.html", .team, "a=b;c=d"),
            ("text/html=a;b=c", "public.html", .all, "a;b=c"),
        ])
    func representation(text: String, type: String, visibility: Visibility, path: String) throws {
        let argument = try RepresentationArgument.parse(text)
        #expect(argument.type.identifier == type)
        #expect(argument.visibility == visibility)
        #expect(argument.path == path)
    }

    @Test(
        "a malformed representation is an error that names the column",
        arguments: [
            ("png", 4), ("png=", 5), ("", 1), ("=x", 1), ("nosuch=x", 1), ("png@teem=x", 5), ("png@=x", 5),
            ("png@team@all=x", 5), ("@team=x", 1), ("png@team", 9),
        ])
    func noRepresentation(text: String, column: Int) throws {
        let failure = try #require(throws: ValueError.self) { try RepresentationArgument.parse(text) }
        #expect(failure.description.hasPrefix("Column \(column) of"))
    }

    @Test(
        "parameters of a MIME type are passed over, unless a type is declared for them",
        arguments: [
            ("text/html; charset=utf-8", "public.html"), ("Text/HTML ;Charset=\"utf-8\"", "public.html"),
            ("text/plain; charset=UTF-8", "public.utf8-plain-text"), ("text/plain;charset=latin1", "public.plain-text"),
            ("image/png;", "public.png"), ("application/json; a=b; c=d", "public.json"),
        ])
    func typeWithParameters(text: String, type: String) throws {
        #expect(try TypeSyntax.parse(text).identifier == type)
        #expect(try TypeSyntax.parseAny(text).identifier == type)
    }

    @Test("a MIME type of which nothing is known stays refused", arguments: ["no/such; a=b", ";/", "/;"])
    func noTypeWithParameters(text: String) {
        #expect(throws: ValueError.self) { try TypeSyntax.parse(text) }
    }

    @Test(
        "a name that --to takes for something else is refused where a device is given one",
        arguments: [
            "@x", "@acme/design", "host:1234", "127.0.0.1", "192.0.2.7:47217", "[fe80::1]:1", "::1", "",
            "a\u{1B}b",
        ])
    func unreachableName(text: String) {
        #expect(throws: ValueError.self) { try DeviceName.given(text) }
        #expect(throws: (any Error).self) { try Root.parseAsRoot(["receive", "--name", text]) }
        #expect(throws: (any Error).self) { try Root.parseAsRoot(["contacts", "rename", "ben", text]) }
        #expect(throws: ConfigurationDefect.self) { try ConfigurationFile.parse("name: '\(text)'\n") }
    }

    @Test(
        "other names are given as they are, and one that is there already can be named",
        arguments: ["ada@laptop", "Ada's laptop", "ben: home", "x #2", "1234", "host", "a.b", "été"])
    func reachableName(text: String) throws {
        #expect(try DeviceName.given(text).text == text)
        _ = try Root.parseAsRoot(["receive", "--name", text])
        _ = try Root.parseAsRoot(["contacts", "rename", "@old", text])
        _ = try Root.parseAsRoot(["contacts", "forget", "host:1234"])
    }

    @Test func aHostileRepresentationIsShownSafely() throws {
        let failure = try #require(throws: ValueError.self) {
            try RepresentationArgument.parse("\u{1B}[2J@\u{202E}=x")
        }
        #expect(DisplayText.isHarmless(failure.description))
    }
}
