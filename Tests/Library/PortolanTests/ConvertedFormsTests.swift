import Foundation
import PortolanConverters
import Testing

@testable import Portolan

@Suite struct ConvertedFormsTests {
    @Test func theFolderOfMadeFormsIsForItsOwnerAlone() throws {
        let parent = FileManager.default.temporaryDirectory.appending(path: "portolan-forms-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: parent) }
        let folder = CacheFolder.forOwner(parent + "/cache/converted")
        try folder.prepare(folder.path)
        #expect(try FileManager.default.attributesOfItem(atPath: folder.path)[.posixPermissions] as? Int == 0o700)
        try folder.prepare(folder.path)

        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
        let error = try #require(throws: CacheFolder.Failure.self) { try folder.prepare(folder.path) }
        #expect(error.description.contains("open to other users"))
    }
}
