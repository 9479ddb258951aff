import Portolan
import PortolanSettings
import PortolanValues
import Testing

/// Values as people write them on command lines and in configuration files.
@Suite struct SyntaxTests {
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
        #expect(try TypeSyntax.parse(text).identifier == identifier)
    }

    @Test(
        "an unknown type is an error with an example",
        arguments: [
            "", "nosuchextension", "image/nosuch", "public.htlm", "com.apple.nosuch", "com.exa mple.x", "a.b\u{1B}",
        ])
    func noType(text: String) throws {
        let failure = try #require(throws: ValueError.self) { try TypeSyntax.parse(text) }
        #expect(failure.description.contains("public.png"))
        #expect(DisplayText.isHarmless(failure.description))
    }

    @Test("a port is a number from 1", arguments: ["0", "65536", "-1", "+80", "", "http", "8 0"])
    func noPort(text: String) {
        #expect(throws: ValueError.self) { try PortSyntax.parse(text) }
    }

    @Test func ports() throws {
        #expect(try PortSyntax.parse("1") == 1)
        #expect(try PortSyntax.parse("65535") == 65535)
    }

    @Test(
        "a length of time is a number and a unit",
        arguments: [
            ("10s", 10), ("90s", 90), ("10m", 600), ("1h", 3600), ("24h", 86400), ("1440m", 86400), ("86400s", 86400),
            ("010s", 10),
        ])
    func duration(text: String, seconds: Int) throws {
        #expect(try DurationSyntax.parse(text) == .seconds(seconds))
    }

    @Test(
        "a malformed length of time is an error with an example",
        arguments: [
            "", "10", "s", "10 m", "-10s", "+10s", "1.5h", "10M", "1h30m", "9s", "0m", "25h", "86401s", "99999h",
            "100000s",
            "9999999999999999999999s", "١٠m", "10s\n", "1\u{1B}s",
        ])
    func noDuration(text: String) throws {
        let failure = try #require(throws: ValueError.self) { try DurationSyntax.parse(text) }
        #expect(failure.description.contains("from 10s to 24h"))
        #expect(DisplayText.isHarmless(failure.description))
    }

    @Test(
        "a length of time is shown as it is written", arguments: [(45, "45s"), (90, "90s"), (600, "10m"), (7200, "2h")])
    func shownDuration(seconds: Int, text: String) {
        #expect(Duration.seconds(seconds).asArgument == text)
    }

    @Test(
        "an amount is a number and a unit of 1024",
        arguments: [
            ("0", 0), ("4096", 4096), ("1K", 1024), ("500k", 512_000), ("20M", 20 << 20), ("1G", 1 << 30),
            ("2T", 2 << 40), ("16777215T", 16_777_215 << 40), ("010", 10), ("10737418241", 10_737_418_241),
            ("18446744073709551615", .max),
        ] as [(String, UInt64)])
    func size(text: String, bytes: UInt64) throws {
        #expect(try SizeSyntax.parse(text) == bytes)
    }

    @Test(
        "a malformed amount is an error with an example",
        arguments: [
            "", "M", "-1M", "+1", "1.5G", "20MB", "20 M", "1P", "18446744073709551616", "16777216T", "١M", "1\u{1B}M",
            "1M\n",
        ])
    func noSize(text: String) throws {
        let failure = try #require(throws: ValueError.self) { try SizeSyntax.parse(text) }
        #expect(failure.description.contains("20M"))
        #expect(DisplayText.isHarmless(failure.description))
    }

    @Test func aRateHasALowerBound() throws {
        #expect(try RateSyntax.parse("64K") == 65536)
        for text in ["0", "63K", "65535"] {
            #expect(throws: ValueError.self) { try RateSyntax.parse(text) }
        }
    }

    @Test(
        "trying again lasts a while or not at all",
        arguments: [("0", 0), ("1s", 1), ("90s", 90), ("10m", 600), ("24h", 86400)])
    func retry(text: String, seconds: Int) throws {
        #expect(try RetrySyntax.parse(text) == .seconds(seconds))
    }

    @Test("a malformed time to try again in is refused", arguments: ["", "0s", "00", "-1s", "25h", "2d", "forever"])
    func noRetry(text: String) {
        #expect(throws: ValueError.self) { try RetrySyntax.parse(text) }
    }

    @Test func lifetimeIsInHoursOrDays() throws {
        #expect(try LifetimeSyntax.parse("7d") == .seconds(7 * 86400))
        #expect(try LifetimeSyntax.parse("12h") == .seconds(12 * 3600))
        for text in ["0", "59m", "366d", "7"] {
            let failure = try #require(throws: ValueError.self) { try LifetimeSyntax.parse(text) }
            #expect(failure.description.contains("from 1h to 365d"))
        }
    }

    @Test func compressionHasThreeValues() throws {
        #expect(try CompressionSyntax.parse("auto") == .automatic)
        #expect(try CompressionSyntax.parse("never") == .never)
        #expect(try CompressionSyntax.parse("zstd") == .zstd)
        for text in ["", "gzip", "AUTO"] {
            #expect(throws: ValueError.self) { try CompressionSyntax.parse(text) }
        }
    }

    @Test func aTeamIsNamedWithAnAtAndItsGroupBehindASlash() throws {
        let whole = try TeamTarget.parse("@acme")
        #expect(whole.team.text == "acme")
        #expect(whole.group == nil)
        let part = try TeamTarget.parse("@acme/design")
        #expect(part.group?.text == "design")
        #expect(part.description == "@acme/design")
        #expect(try TeamSyntax.parse("acme") == whole.team)
        #expect(try TeamSyntax.parse("@acme") == whole.team)
    }

    @Test(
        "a malformed name of a team is refused",
        arguments: ["", "acme", "@", "@/", "@acme/", "@/design", "@a/b/c", "@@acme", "@a me", "@acme,b", "@a\u{202E}"])
    func noTeam(text: String) throws {
        let failure = try #require(throws: ValueError.self) { try TeamTarget.parse(text) }
        #expect(DisplayText.isHarmless(failure.description))
    }
}
