import Foundation
import Glibc
import Testing

@testable import PortolanCommand

/// Incomplete items: output and exit status of the two sides.
@Suite(.serialized) struct IncompleteTests {
    let tool: Tool

    init() throws { tool = try Tool() }

    /// Makes a folder with a file, and a pipe, which is never sent.
    private func makeFolder() throws {
        try tool.write("whole", to: "tree/file")
        try #require(mkfifo(tool.path("tree/pipe"), 0o600) == 0)
    }

    @Test func omittedPartSetsTheStatusOfBothSides() async throws {
        try makeFolder()
        let (receiver, address) = try await tool.receive(["--yes", "--once"])
        let sent = try await tool.run(["send", "tree", "--to", address, "--json"])
        #expect(sent.code == 23, "\(sent)")
        #expect(sent.events("result").first?["kind"] as? String == "incomplete")
        #expect(sent.errors.contains("not carried: “pipe”, a device, socket or pipe"))
        let received = try await receiver.finish()
        #expect(received.code == 23, "\(received)")
        #expect(try tool.names(in: "inbox/tree") == ["file"])
    }

    @Test func omissionsMayBeAllowed() async throws {
        try makeFolder()
        let (receiver, address) = try await tool.receive(["--yes", "--once", "--allow-omissions"])
        let sent = try await tool.run(["send", "tree", "--to", address, "--allow-omissions"])
        #expect(sent.code == 0 && sent.output.contains("1 file or folder is missing"), "\(sent)")
        #expect(sent.errors.contains("not carried: “pipe”"))
        #expect(try await receiver.finish().code == 0)
    }

    @Test func itemWithRequiredContentIsCompleteOrNotStored() async throws {
        try makeFolder()
        let (receiver, address) = try await tool.receive()
        let sent = try await tool.run(["send", "tree", "--to", address, "--require", "content"])
        #expect(sent.code == 66 && sent.errors.contains("pipe"), "\(sent)")
        #expect(try tool.names(in: "inbox").allSatisfy { $0.hasPrefix(".") })
        try FileManager.default.removeItem(atPath: tool.path("tree/pipe"))
        #expect(try await tool.run(["send", "tree", "--to", address, "--require", "content"]).code == 0)
        #expect(try tool.names(in: "inbox/tree") == ["file"])
        _ = try await receiver.stop()
    }

    /// Before the first transfer, and when the rest is up to date.
    @Test(arguments: [false, true]) func unreadableContentIsReportedByBothSides(isFolder: Bool) async throws {
        let launcher = tool.launcherWithoutPrivileges()
        try #require(chmod(tool.folder.path, 0o777) == 0)
        try tool.write("whole", to: "tree/file")
        try tool.write("secret", to: isFolder ? "tree/closed/inner" : "tree/closed")
        try #require(chmod(tool.path("tree/closed"), 0) == 0)
        defer { chmod(tool.path("tree/closed"), 0o700) }
        let (receiver, address) = try await tool.receive()
        let send = ["send", "tree", "--to", address]
        let strictly = try await tool.run(send + ["--require", "content"], launcher: launcher)
        #expect(strictly.code == 66 && strictly.errors.contains("closed: not readable"), "\(strictly)")
        #expect(try tool.names(in: "inbox").allSatisfy { $0.hasPrefix(".") })
        let sent = try await tool.run(send, launcher: launcher)
        #expect(sent.code == 23 && sent.output.contains("1 file or folder is missing"), "\(sent)")
        #expect(sent.errors.contains("left out: “closed”, not readable") && !sent.errors.contains("not carried"))
        #expect(try tool.names(in: "inbox/tree") == ["file"])
        let again = try await tool.run(send + ["--require", "content"], launcher: launcher)
        #expect(again.code == 66, "\(again)")
        let received = try await receiver.stop()
        #expect(received.errors.contains("not carried: 1 file or folder that has no name here"), "\(received)")
        #expect(!"\(received)".contains("closed"))
    }

    @Test func changedTimeSendsNothingAndTheRateCountsTransferredBytes() async throws {
        try tool.makeLarge("large")
        let (receiver, address) = try await tool.receive()
        let first = try await tool.run(["send", "large", "--to", address])
        #expect(first.code == 0 && !first.output.contains(" 0 B in "), "\(first)")
        try FileManager.default.setAttributes([.modificationDate: Date.now - 5], ofItemAtPath: tool.path("large"))
        let second = try await tool.run(["send", "large", "--to", address])
        #expect(second.code == 0 && second.output.contains("was already there"), "\(second)")
        #expect(try tool.names(in: "inbox") == ["large"])
        _ = try await receiver.stop()
    }

    @Test func surplusFilesOfAFolderAreReported() async throws {
        for name in ["tree/a", "tree/b", "tree/c"] { try tool.write(name, to: name) }
        let (receiver, address) = try await tool.receive()
        #expect(try await tool.run(["send", "tree", "--to", address]).code == 0)
        try FileManager.default.removeItem(atPath: tool.path("tree/b"))
        let again = try await tool.run(["send", "tree", "--to", address])
        #expect(
            again.code == 0 && again.output.contains("1 file that was part of it before and is not now is still at "),
            "\(again)")
        #expect(try tool.names(in: "inbox/tree") == ["a", "b", "c"])
        _ = try await receiver.stop()
    }
}
