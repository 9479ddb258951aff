import Foundation
import Glibc
import Testing

/// A folder that is sent again and again, with something wrong with a few of its entries on either side.
@Suite(.serialized) struct SentAgainTests {
    let tool: Tool

    init() throws { tool = try Tool() }

    /// - Returns: whether chattr(1) did it.
    private func change(_ flag: String, of name: String) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/chattr")
        process.arguments = [flag, tool.path(name)]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    private func listing(_ folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: tool.path(folder)).sorted()
    }

    private func makeSource() throws {
        for number in 1...192 { try tool.write("\(number)", to: "tree/\(number)") }
        for name in ["foreign/old", "closed/inside", "link/inside", "immutable", "kind", "read-only", "both"] {
            try tool.write(name, to: "tree/" + name)
        }
        for folder in ["tree", "tree/foreign", "tree/closed", "tree/link"] {
            try #require(chmod(tool.path(folder), 0o755) == 0)
        }
    }

    /// As a receiver finds what somebody did in its inbox.
    private func spoilInbox() throws {
        let inbox = tool.path("inbox/tree") + "/"
        for name in ["foreign", "closed"] { try #require(chown(inbox + name, 0, 0) == 0) }
        try #require(chmod(inbox + "foreign", 0o777) == 0)
        try #require(unlink(inbox + "link/inside") == 0 && rmdir(inbox + "link") == 0)
        try #require(symlink("closed", inbox + "link") == 0)
        try #require(unlink(inbox + "kind") == 0 && mkdir(inbox + "kind", 0o755) == 0)
        try #require(chmod(inbox + "read-only", 0o400) == 0)
        try tool.write("mine", to: "inbox/tree/both")
    }

    @Test func whatIsWrongIsNamedEachTimeAndTheRestIsUpToDate() async throws {
        guard geteuid() == 0 else { return print("skipped: needs root to give files to other users") }
        let launcher = tool.launcherWithoutPrivileges()
        try makeSource()
        let receiver = try tool.start(
            ["receive", "--into", "inbox", "--discovery", "off", "--interface", "lo", "--json", "--yes"],
            home: "receiver", launcher: launcher)
        let send = ["send", "tree", "--to", "127.0.0.1:\(try await receiver.port())"]
        let first = try await tool.run(send, launcher: launcher)
        #expect(first.code == 0, "\(first)")
        try spoilInbox()
        let isImmutable = change("+i", of: "inbox/tree/immutable")
        defer { if isImmutable { _ = change("-i", of: "inbox/tree/immutable") } }
        if !isImmutable { print("skipped: no immutable files here") }
        for name in ["foreign/new", "closed/inside", "immutable", "both"] {
            try tool.write("changed " + name, to: "tree/" + name)
        }
        try tool.write("secret", to: "tree/unreadable")
        try #require(chmod(tool.path("tree/unreadable"), 0) == 0)

        var wrong = ["foreign", "closed/inside", "link", "kind", "read-only", "both", "unreadable"]
        if isImmutable { wrong.append("immutable") }
        var before: [String] = []
        for round in 1...3 {
            let sent = try await tool.run(send, launcher: launcher)
            #expect(sent.code == 23, "round \(round): \(sent)")
            for name in wrong { #expect(sent.errors.contains("“\(name)”"), "round \(round), \(name): \(sent)") }
            if round > 1 { #expect(sent.output.contains("of its parts were already there"), "\(sent)") }
            #expect(try tool.names(in: "inbox").filter { !$0.hasPrefix(".") } == ["tree"])
            let now = try listing("inbox/tree")
            if round > 1 { #expect(now == before) }
            before = now
        }
        #expect(try tool.read("inbox/tree/foreign/new") == "changed foreign/new")
        #expect(try tool.read("inbox/tree/both") == "mine")
        #expect(try tool.read("inbox/tree/both (2)") == "changed both")
        #expect(try tool.read("inbox/tree/link (2)/inside") == "link/inside")
        _ = try await receiver.stop()
    }

    @Test func aTouchedFileOfAHoleOrOfNothingIsNotStoredTwice() async throws {
        let (receiver, address) = try await tool.receive()
        try tool.write("", to: "empty")
        try tool.write("small", to: "small")
        try tool.write("start", to: "holes")
        try #require(truncate(tool.path("holes"), 21_000_000) == 0)
        try #require(truncate(try emptyFile("all hole"), 5_000_000) == 0)
        let names = ["all hole", "empty", "holes", "small"]
        for round in 0..<3 {
            for name in names {
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSince1970: 1_500_000_000 + Double(round))],
                    ofItemAtPath: tool.path(name))
                let sent = try await tool.run(["send", name, "--to", address])
                #expect(sent.code == 0, "\(sent)")
                if round > 0 { #expect(sent.output.contains("already there"), "\(sent)") }
            }
            #expect(try tool.names(in: "inbox").filter { !$0.hasPrefix(".") } == names)
        }
        #expect(try tool.read("inbox/small") == "small")
        _ = try await receiver.stop()
    }

    private func emptyFile(_ name: String) throws -> String {
        try tool.write("", to: name)
        return tool.path(name)
    }
}
