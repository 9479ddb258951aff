import Foundation
import Glibc
import TestSupport
import Testing

/// A folder that is sent repeatedly, with some faulty entries on either side.
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

    private static let others = (1...190).map { "\($0)" }

    private func makeSource() throws {
        for name in Self.others { try tool.write(name, to: "tree/" + name) }
        let files = [
            "foreign/old", "closed/inside", "times/inside", "link/inside", "immutable", "kind", "read-only", "both",
        ]
        for name in files { try tool.write(name, to: "tree/" + name) }
        for folder in ["tree", "tree/foreign", "tree/closed", "tree/times", "tree/link"] {
            try #require(chmod(tool.path(folder), 0o755) == 0)
        }
    }

    /// Mounts a small file system as the inbox.
    ///
    /// - Returns: whether this process may.
    private func mountInbox() throws -> Bool {
        let inbox = tool.path("inbox")
        try FileManager.default.createDirectory(atPath: inbox, withIntermediateDirectories: true)
        try #require(chmod(inbox, 0o777) == 0)
        return mount("none", inbox, "tmpfs", 0, "size=8m,mode=777") == 0
    }

    private func unmountInbox() { _ = umount2(tool.path("inbox"), Int32(MNT_DETACH)) }

    /// Changes the inbox as a person may do between two sendings.
    private func spoilInbox() throws {
        let inbox = tool.path("inbox/tree") + "/"
        for name in ["foreign", "closed", "times"] { try #require(chown(inbox + name, 0, 0) == 0) }
        try #require(chmod(inbox + "foreign", 0o777) == 0)
        try #require(unlink(inbox + "link/inside") == 0 && rmdir(inbox + "link") == 0)
        try #require(symlink("closed", inbox + "link") == 0)
        try #require(unlink(inbox + "kind") == 0 && mkdir(inbox + "kind", 0o755) == 0)
        try #require(chmod(inbox + "read-only", 0o400) == 0)
        try tool.write("mine", to: "inbox/tree/both")
    }

    /// Makes some entries of the sent source faulty, and changes all others.
    ///
    /// - Returns: entries that are faulty on either side.
    private func spoilSource(isSmall: Bool, isImmutable: Bool) throws -> [String] {
        for name in Self.others + ["foreign/new", "closed/inside", "immutable", "both"] {
            try tool.write("changed " + name, to: "tree/" + name)
        }
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_500_000_000)], ofItemAtPath: tool.path("tree/times"))
        try tool.write("secret", to: "tree/unreadable")
        try #require(chmod(tool.path("tree/unreadable"), 0) == 0)
        try tool.write("", to: "tree/bell\u{7}")
        print("skipped: a name that is too long in the inbox: all file systems here take the same")
        var wrong = [
            "foreign", "closed/inside", "times", "link", "kind", "read-only", "both", "unreadable", "bell\\u{7}",
        ]
        if isSmall {
            try tool.makeLarge("tree/large")
            wrong.append("large")
        } else {
            print("skipped: no small file system can be mounted")
        }
        if isImmutable {
            wrong.append("immutable")
        } else {
            print("skipped: no immutable files in the inbox")
        }
        return wrong
    }

    /// An entry of another kind than at the source is not reported as changed by a person.
    private static let differences = [
        "“both”, it was changed there, and stays as it is", "“kind”, something of another kind, or a link",
        "“link”, something of another kind, or a link", "“times”, only its modification time is not the one it had",
    ]

    @Test func omissionsAreReportedEachTimeAndTheRestIsUpToDate() async throws {
        guard geteuid() == 0 else { return print("skipped: needs root to give files to other users") }
        let launcher = tool.launcherWithoutPrivileges()
        try makeSource()
        let isSmall = try mountInbox()
        defer { if isSmall { unmountInbox() } }
        let receiver = try tool.start(
            ["receive", "--into", "inbox", "--discovery", "off", "--interface", "lo", "--json", "--yes"],
            home: "receiver", launcher: launcher)
        let send = ["send", "tree", "--to", "127.0.0.1:\(try await receiver.port())"]
        let first = try await tool.run(send, launcher: launcher)
        #expect(first.code == 0, "\(first)")
        guard try await tool.run(send, launcher: launcher).output.contains("already there") else {
            return print("skipped: the inbox keeps no attributes, by which a folder is recognised")
        }
        try spoilInbox()
        let isImmutable = change("+i", of: "inbox/tree/immutable")
        defer { if isImmutable { _ = change("-i", of: "inbox/tree/immutable") } }
        let wrong = try spoilSource(isSmall: isSmall, isImmutable: isImmutable)

        var before: [String] = []
        for round in 1...3 {
            let sent = try await tool.run(send, launcher: launcher)
            #expect(sent.code == 23, "round \(round): \(sent)")
            for name in wrong { #expect(sent.errors.contains("“\(name)”"), "round \(round), \(name): \(sent)") }
            for line in Self.differences { #expect(sent.errors.contains(line), "round \(round): \(sent)") }
            if round > 1 { #expect(sent.output.contains("of its files and folders were already there"), "\(sent)") }
            #expect(try tool.names(in: "inbox") == ["tree"])
            let old = try Self.others.filter { try tool.read("inbox/tree/" + $0) != "changed " + $0 }
            #expect(old.isEmpty, "round \(round)")
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

    /// The file size limit simulates a file system that does not accept files of 4 GiB.
    @Test func tooLargeFileIsReportedAndSentOnce() async throws {
        try tool.write("first", to: "tree/a")
        try tool.makeLarge("tree/large")
        let receiver = try tool.start(
            ["receive", "--into", "inbox", "--discovery", "off", "--interface", "lo", "--json", "--yes"],
            home: "receiver", launcher: ["/usr/bin/prlimit", "--fsize=1000000"])
        let send = ["send", "tree", "--to", "127.0.0.1:\(try await receiver.port())"]
        for round in 1...3 {
            if round == 2 { try tool.write("second", to: "tree/a") }
            let sent = try await tool.run(send)
            #expect(sent.code == 23 && sent.errors.contains("“large”"), "round \(round): \(sent)")
            if round == 3 { #expect(sent.output.contains("of its files and folders were already there"), "\(sent)") }
            #expect(try tool.names(in: "inbox").filter { !$0.hasPrefix(".") } == ["tree"])
            #expect(try tool.names(in: "inbox/tree") == ["a"])
            #expect(try tool.read("inbox/tree/a") == (round == 1 ? "first" : "second"))
        }
        _ = try await receiver.stop()
    }

    @Test func holesAreNotCountedAsSent() async throws {
        let (receiver, address) = try await tool.receive()
        try tool.write("first", to: "tree/a")
        #expect(try await tool.run(["send", "tree", "--to", address]).code == 0)
        // Whole pages, and a hole that every file system keeps.
        try Files.write(noise(172_032, seed: 1), to: tool.path("tree/holes"))
        try #require(truncate(tool.path("tree/holes"), 21_000_000) == 0)
        for seed in [2, 3] as [UInt64] {
            let sent = try await tool.run(["send", "tree", "--to", address])
            #expect(
                sent.output.contains("1 of 3 files and folders were sent (172 kB), 2 were already there"), "\(sent)")
            try Files.overwrite(tool.path("tree/holes"), at: 0, with: noise(4096, seed: seed))
        }
        _ = try await receiver.stop()
    }

    @Test func ineffectiveAccessListOfTheInboxIsReported() async throws {
        let inbox = tool.path("inbox")
        try FileManager.default.createDirectory(atPath: inbox, withIntermediateDirectories: true)
        guard DefaultAccessList.grantAll(to: 65534, in: inbox) else {
            return print("skipped: the file system of \(inbox) has no access control lists")
        }
        let (receiver, address) = try await tool.receive()
        for (name, mode) in [("limiting", 0o644), ("granting", 0o664)] as [(String, mode_t)] {
            try tool.write("text", to: name)
            try #require(chmod(tool.path(name), mode) == 0)
            #expect(try await tool.run(["send", name, "--to", address]).code == 0)
        }
        let said = try await receiver.stop()
        #expect(said.errors.contains("“limiting” has the permissions that it has at its sender's"), "\(said)")
        #expect(said.errors.contains("access control list of “\(inbox)”") && !said.errors.contains("granting"))
    }

    @Test func touchedSparseOrEmptyFileIsNotStoredTwice() async throws {
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
