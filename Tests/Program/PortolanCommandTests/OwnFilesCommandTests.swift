import Foundation
import Glibc
import Testing

@testable import PortolanCommand

/// The program's own files in what is sent, shared and synchronized.
@Suite(.serialized) struct OwnFilesCommandTests {
    let tool: Tool

    init() throws { tool = try Tool() }

    @Test("a folder is sent without the home in it, which is named")
    func send() async throws {
        try tool.write("whole", to: "all/file")
        let (receiver, address) = try await tool.receive()
        for home in ["all/home", "link"] {
            let sent = try await tool.run(["send", "all", "--to", address], home: home)
            #expect(sent.code == 23 && sent.errors.contains("left out: “home/data”"), "\(sent)")
            symlink(tool.path("all/home"), tool.path("link"))
        }
        #expect(try tool.names(in: "inbox/all") == ["file", "home"])
        #expect(try tool.names(in: "inbox/all/home") == [])
        for name in ["all/home/data", "all/home/data/device.key", "link/data/device.key"] {
            for command in [["send", name, "--to", address], ["share", name]] {
                let refused = try await tool.run(command, home: "all/home")
                #expect(refused.code == 66 && refused.errors.contains("the program's own files"), "\(refused)")
            }
        }
        _ = try await receiver.stop()
    }

    @Test("a synchronized folder's own history is neither sent nor shared, and is named")
    func history() async throws {
        try await tool.makeTeam()
        try tool.write("first", to: "notes/a.txt")
        #expect(try await tool.run(["sync", "add", "notes", "--with", "@acme"], home: "ada").code == 0)
        #expect(try await tool.run(["sync", "join", "acme:notes", "copy"], home: "ben").code == 0)
        for text in ["first", "second"] {
            try tool.write(text, to: "notes/a.txt")
            let (running, address) = try await tool.staySynced()
            try await tool.visit(address)
            #expect(try await running.stop().code == 0)
            #expect(try tool.read("copy/a.txt") == text)
        }
        #expect(try !tool.names(in: "copy/.portolan-sync/history").isEmpty)
        let (receiver, address) = try await tool.receive()
        let sent = try await tool.run(["send", "copy", "--to", address], home: "ben")
        #expect(sent.code == 23 && sent.errors.contains("left out: “.portolan-sync”"), "\(sent)")
        #expect(try tool.names(in: "inbox/copy") == ["a.txt"])
        for name in ["copy/.portolan-sync", "copy/.portolan-sync/history"] {
            for command in [["send", name, "--to", address], ["share", name]] {
                let refused = try await tool.run(command, home: "ben")
                #expect(refused.code == 66 && refused.errors.contains("the program's own files"), "\(refused)")
            }
        }
        _ = try await receiver.stop()
    }

    @Test("a home behind a mount is left out, too")
    func mount() async throws {
        guard geteuid() == 0, access("/usr/bin/unshare", X_OK) == 0 else { return }
        try tool.write("whole", to: "all/file")
        try tool.write("", to: "all/behind/none")
        #expect(try await tool.run(["id"]).code == 0)
        let launcher = [
            "/usr/bin/unshare", "--mount", "--propagation", "private", "/bin/sh", "-c",
            "mount --bind \"$HERE/home/data\" \"$HERE/all/behind\" || exit 77; exec \"$@\"", "sh",
        ]
        let (receiver, address) = try await tool.receive()
        let sent = try await tool.run(
            ["send", "all", "--to", address], environment: ["HERE": tool.folder.path], launcher: launcher)
        if sent.code == 77, !sent.errors.contains("left out") { return }
        #expect(sent.code == 23 && sent.errors.contains("left out: “behind”"), "\(sent)")
        #expect(try tool.names(in: "inbox/all") == ["file"])
        _ = try await receiver.stop()
    }

    @Test("a folder with the home in it is kept alike without it, and one in the home is refused")
    func synchronize() async throws {
        try await tool.makeTeam()
        try tool.write("first", to: "notes/a.txt")
        try FileManager.default.moveItem(atPath: tool.path("ada"), toPath: tool.path("notes/ada"))
        #expect(symlink("notes/ada", tool.path("ada")) == 0)
        let added = try await tool.run(["sync", "add", "notes", "--with", "@acme"], home: "ada")
        #expect(added.code == 0 && added.output.contains("own files") || added.errors.contains("own files"), "\(added)")
        for folder in ["ada/data", "notes/ada/data", "ada/state/agent"] {
            try? FileManager.default.createDirectory(
                atPath: tool.path(folder), withIntermediateDirectories: true)
            let refused = try await tool.run(["sync", "add", folder, "--with", "@acme"], home: "ada")
            #expect(refused.code == 64 && refused.errors.contains("own files"), "\(refused)")
        }
        #expect(try await tool.run(["sync", "join", "acme:notes", "copy"], home: "ben").code == 0)
        let (running, address) = try await tool.staySynced()
        try await tool.visit(address)
        #expect(try tool.read("copy/a.txt") == "first")
        #expect(try tool.names(in: "copy/ada") == [])
        let listed = try await tool.run(["sync"], home: "ada")
        #expect(listed.output.contains("ada/data") && listed.output.contains("own files"), "\(listed)")
        #expect(try await running.stop().code == 0)
        try await tool.checkSync("ada")
    }
}
