import ArgumentParser
import Portolan
import PortolanTrust
import Testing

@testable import PortolanCommand

@Suite struct TransferArgumentTests {
    @Test(
        "an amount is a number and a unit of 1024",
        arguments: [
            ("0", 0), ("4096", 4096), ("1K", 1024), ("500k", 512_000), ("20M", 20 << 20), ("1G", 1 << 30),
            ("2T", 2 << 40), ("9999999T", 9_999_999 << 40), ("010", 10),
        ] as [(String, UInt64)])
    func size(text: String, bytes: UInt64) throws {
        #expect(try SizeArgument.parse(text) == bytes)
    }

    @Test(
        "what is no amount says what would be one",
        arguments: ["", "M", "-1M", "+1", "1.5G", "20MB", "20 M", "1P", "12345678", "١M", "1\u{1B}M", "1M\n"])
    func noSize(text: String) throws {
        let failure = try #require(throws: ArgumentFailure.self) { try SizeArgument.parse(text) }
        #expect(failure.description.contains("20M"))
        #expect(DisplayText.isHarmless(failure.description))
    }

    @Test func aRateHasALowerBound() throws {
        #expect(try RateArgument.parse("64K") == 65536)
        for text in ["0", "63K", "65535"] {
            #expect(throws: ArgumentFailure.self) { try RateArgument.parse(text) }
        }
    }

    @Test(
        "trying again lasts a while or not at all",
        arguments: [("0", 0), ("1s", 1), ("90s", 90), ("10m", 600), ("24h", 86400)])
    func retry(text: String, seconds: Int) throws {
        #expect(try RetryArgument.parse(text) == .seconds(seconds))
    }

    @Test("what is no time to try again in", arguments: ["", "0s", "00", "-1s", "25h", "2d", "forever"])
    func noRetry(text: String) {
        #expect(throws: ArgumentFailure.self) { try RetryArgument.parse(text) }
    }

    @Test func whatIsKeptIsKeptForHoursOrDays() throws {
        #expect(try LifetimeArgument.parse("7d") == .seconds(7 * 86400))
        #expect(try LifetimeArgument.parse("12h") == .seconds(12 * 3600))
        for text in ["0", "59m", "366d", "7"] {
            let failure = try #require(throws: ArgumentFailure.self) { try LifetimeArgument.parse(text) }
            #expect(failure.description.contains("from 1h to 365d"))
        }
    }

    @Test func requirementsAreWordsWithCommas() throws {
        #expect(try RequirementArgument.parse("mode") == [.permissions])
        #expect(
            try RequirementArgument.parse("mode,mtime,symlinks,xattrs,sparse,hardlinks,content")
                == Set(Node.SendOptions.Requirement.allCases))
        #expect(try RequirementArgument.parse("sparse,sparse") == [.holes])
        for text in ["", ",", "mode,", "mode, mtime", "Mode", "owner", "a\u{1B}[2J"] {
            let failure = try #require(throws: ArgumentFailure.self) { try RequirementArgument.parse(text) }
            #expect(failure.description.contains("hardlinks"))
            #expect(DisplayText.isHarmless(failure.description))
        }
    }

    @Test func compressionHasThreeWords() throws {
        #expect(try CompressionArgument.parse("auto") == .automatic)
        #expect(try CompressionArgument.parse("never") == .never)
        #expect(try CompressionArgument.parse("zstd") == .zstd)
        for text in ["", "gzip", "AUTO"] {
            #expect(throws: ArgumentFailure.self) { try CompressionArgument.parse(text) }
        }
    }

    @Test("what names no transfer", arguments: ["", "../x", "a/b", "ABC", "k3xq.json", "a\u{1B}"])
    func noTransfer(text: String) throws {
        let failure = try #require(throws: ArgumentFailure.self) { try TransferID(text) }
        #expect(DisplayText.isHarmless(failure.description))
    }

    @Test func theCommandLineGoesBeforeTheFile() throws {
        let file = try ConfigurationFile.parse("limit-rate: 1M\ntimeouts: { retry: 0 }")
        let plain = try SendCommand.parse(["a.txt", "--to", "b"]).transfer.options(file)
        #expect(plain.rateLimit == 1 << 20)
        #expect(plain.retry == .zero)
        #expect(!plain.attributes)
        let said = try SendCommand.parse(
            [
                "a.txt", "--to", "b", "--limit-rate", "2M", "--retry", "90s", "--require", "xattrs", "--compress",
                "never",
            ]
        ).transfer.options(file)
        #expect(said.rateLimit == 2 << 20)
        #expect(said.retry == .seconds(90))
        #expect(said.attributes, "what is required is sent")
        #expect(said.compression == .never)
        let usual = try SendCommand.parse(["a.txt", "--to", "b"]).transfer.options(ConfigurationFile())
        #expect(usual == Node.SendOptions())
        #expect(usual.retry == .seconds(600))
    }

    @Test func whatBelongsToOneRunIsNotRepeated() {
        #expect(
            SendArguments.lasting(["a.txt", "--json", "--home", "/h", "-q", "--to", "b", "--home=/h", "--quiet"])
                == ["a.txt", "--to", "b"])
        #expect(SendArguments.lasting(["--to", "b", "--", "--json", "-q"]) == ["--to", "b", "--", "--json", "-q"])
    }
}
