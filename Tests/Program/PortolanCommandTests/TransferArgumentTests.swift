import ArgumentParser
import Foundation
import Portolan
import PortolanOutbox
import PortolanSettings
import PortolanValues
import Testing

@testable import PortolanCommand

@Suite struct TransferArgumentTests {
    @Test func requirementsAreSeparatedByCommas() throws {
        #expect(try RequirementArgument.parse("mode").requirements == [.permissions])
        #expect(
            try RequirementArgument.parse("mode,mtime,symlinks,xattrs,sparse,hardlinks,content").requirements
                == Set(Node.SendOptions.Requirement.allCases))
        #expect(try RequirementArgument.parse("sparse,sparse").requirements == [.holes])
        for text in ["", ",", "mode,", "mode, mtime", "Mode", "owner", "a\u{1B}[2J"] {
            let failure = try #require(throws: ValueError.self) { try RequirementArgument.parse(text) }
            #expect(failure.description.contains("hardlinks"))
            #expect(DisplayText.isHarmless(failure.description))
        }
    }

    @Test(
        "a malformed identifier of a transfer is refused",
        arguments: ["", "../x", "a/b", "ABC", "k3xq.json", "a\u{1B}"])
    func noTransfer(text: String) throws {
        let failure = try #require(throws: ValueError.self) { try RecordID.parse(text) }
        #expect(DisplayText.isHarmless(failure.description))
    }

    @Test func commandLineTakesPrecedenceOverTheFile() throws {
        let home = FileManager.default.temporaryDirectory.path + "/portolan-settings-\(UUID())"
        defer { try? FileManager.default.removeItem(atPath: home) }
        func options(_ flags: String...) throws -> Node.SendOptions {
            let command = try SendCommand.parse(["a.txt", "--to", "b", "--home", home] + flags)
            return command.transfer.parcelOptions.sendOptions(over: try Settings(command.shared).sendOptions)
        }
        let usual = try options()
        #expect(usual == Node.SendOptions())
        #expect(usual.retry == .seconds(600))
        try FileManager.default.createDirectory(atPath: home + "/config", withIntermediateDirectories: true)
        try "limit-rate: 1M\ntimeouts: { retry: 0 }".write(
            toFile: home + "/config/portolan.yaml", atomically: true, encoding: .utf8)
        let plain = try options()
        #expect(plain.rateLimit == 1 << 20)
        #expect(plain.retry == .zero)
        #expect(!plain.attributes)
        let said = try options("--limit-rate", "2M", "--retry", "90s", "--require", "xattrs", "--compress", "never")
        #expect(said.rateLimit == 2 << 20)
        #expect(said.retry == .seconds(90))
        #expect(said.attributes, "what is required is sent")
        #expect(said.compression == .never)
        let lasting = try SendCommand.parse(["a.txt", "--to", "b", "--home", home, "--stall-timeout", "0"])
        let settings = try Settings(lasting.shared)
        #expect(settings.node().stallWait == .seconds(60))
        #expect(settings.node(for: lasting.transfer.parcelOptions).stallWait == nil)
        #expect(try settings.node(nil, stallWait: .seconds(90)).stallWait == .seconds(90))
    }
}
