import Foundation
import Glibc
import PortolanProtocol
import Testing

@testable import PortolanSyncPeers

/// Folders that are put in the place of a shared one while it is kept alike.
@Suite struct SwappedRootTests {
    @Test(
        "a shared folder that is replaced stands still, and nothing of the other folder is sent",
        arguments: [true, false])
    func replaced(byLink: Bool) async throws {
        let ada = try SyncDevice("ada")
        let ben = try SyncDevice("ben")
        let id = SyncFolderID()
        try ada.share(id, with: [ben])
        try ben.share(id, with: [ada])
        try ada.write("a", Array("1".utf8))
        let root = ada.folder.deletingLastPathComponent().path
        let (away, secret) = (root + "/away", root + "/private")
        #expect(mkdir(secret, 0o700) == 0)
        try Data("the private key".utf8).write(to: URL(fileURLWithPath: secret + "/key"))
        try await SyncDevice.running([ada, ben]) {
            try await ben.changed { ben.bytes("a") != nil }
            #expect(rename(ada.folder.path, away) == 0)
            if byLink {
                #expect(symlink("private", ada.folder.path) == 0)
            } else {
                #expect(rename(secret, ada.folder.path) == 0)
            }
            for number in 0..<3 {
                try ben.write("new \(number)", Array("2".utf8))
                await ben.service.refresh()
                await ada.service.refresh()
                let one = try #require(try await ada.service.overview().first)
                #expect(!one.isKept)
                #expect(one.status.problem?.contains("in the place of") == true, "\(one.status.problem ?? "")")
            }
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: byLink ? secret : ada.folder.path) == ["key"])
            #expect(try ben.contents() == [Data("1".utf8), Data("2".utf8)])

            #expect(rename(ada.folder.path, root + "/swapped") == 0)
            #expect(rename(away, ada.folder.path) == 0)
            await ada.service.refresh()
            try await ada.changed { ada.bytes("new 2") != nil }
            await ada.service.refresh()
            #expect(try await ada.service.overview().first?.isKept == true)
        }
    }
}
