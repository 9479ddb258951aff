import Foundation
import Glibc
import Testing

@testable import PortolanAgent

/// Means of confinement, as far as an unconfined process can see them. Their effect is tested with the built program.
@Suite("What an agent may write to")
struct AgentConfinementTests {
    @Test("a successful attempt to write is reported, and leaves nothing behind")
    func successfulWriteIsReportedAndRemoved() {
        let folder = TemporaryFolder()
        #expect(ForbiddenWrite.attempt(in: folder.path) == .written)
        #expect(folder.names.isEmpty)
        #expect(ForbiddenWrite.attempt(in: folder.path + "/missing") == .notPermitted)
    }

    @Test("paths are compared by the folders that they lead to, whether those are there or not")
    func paths() throws {
        let folder = TemporaryFolder()
        let real = ResolvedPath.of(folder.path)
        try FileManager.default.createDirectory(atPath: folder.path + "/a", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: "a")
        #expect(ResolvedPath.of(folder.path + "/link") == real + "/a")
        #expect(ResolvedPath.of(folder.path + "/link/b/c") == real + "/a/b/c")
        #expect(ResolvedPath.of("/") == "/")
        #expect(ResolvedPath.of("/missing-folder/x") == "/missing-folder/x")
        #expect(ResolvedPath.lies("/a/b", in: "/a"))
        #expect(ResolvedPath.lies("/a", in: "/a"))
        #expect(ResolvedPath.lies("/a", in: "/"))
        #expect(!ResolvedPath.lies("/ab", in: "/a"))
        #expect(!ResolvedPath.lies("/a", in: "/a/b"))
    }

    @Test("folders of a policy count if they are the same for all items")
    func foldersOfAPolicy() throws {
        let text = """
            version: 1
            rules:
              - from: anyone
                type: public.image
                action: accept
                into: /srv/pictures/{sender}/{date}
              - from: anyone
                type: public.text
                action: accept
                into: ~/Texts
              - from: anyone
                type: public.audio
                action: quarantine
                into: audio/{sender}
              - from: anyone
                type: public.movie
                action: accept
                into: /srv/pictures/{year}

            """
        let policy = try PolicyFile.parse(text, userHome: "/home/ada").policy
        #expect(policy.folders == ["/srv/pictures", "/home/ada/Texts"])
    }
}
