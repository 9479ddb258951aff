import Foundation
import PortolanSyncPlan
import Testing

@testable import PortolanSyncFolder

/// Links that a member moves to places from which they would lead out of the folder.
@Suite struct LinkTests {
    private func link(_ folders: SyncFolders, _ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: folders(0, name), withDestinationPath: target)
    }

    /// Paths of links that wait on a device because they would lead out.
    private func waiting(_ folders: SyncFolders, _ number: Int) async throws -> [String] {
        let report = try await folders.synchronize(number)
        #expect(report.steps == 0)
        return report.places.flatMap { wait, paths -> [String] in if case .link = wait { paths } else { [] } }.sorted()
    }

    @Test("a moved link, and one in a moved folder, that would lead out are taken off the disk and listed")
    func moves() async throws {
        let folders = try await SyncFolders(2)
        try folders.makeFolder(0, "a/b")
        try folders.write(0, "a/b/file", "1")
        try folders.write(0, "inside", "2")
        try link(folders, "a/alone", to: "../inside")
        try link(folders, "a/b/below", to: "../../inside")
        try link(folders, "a/b/kept", to: "../c")
        try await folders.settle()
        #expect(try folders.common().contains("a/b/below->../../inside"))
        folders.move(0, "a/alone", to: "alone")
        folders.move(0, "a/b", to: "b")
        try await folders.settle()
        #expect(try folders.listing(1) == ["a/", "b/", "b/file=1", "b/kept->../c", "inside=2"])
        #expect(try await waiting(folders, 1) == ["alone", "b/below"])
        // No file counts as deleted, and the links come back at places from which they stay inside.
        #expect(try folders.listing(0).contains("alone->../inside"))
        try folders.makeFolder(0, "c")
        folders.move(0, "alone", to: "c/alone")
        folders.move(0, "b", to: "c/b")
        try await folders.settle()
        #expect(
            try folders.common()
                == [
                    "a/", "c/", "c/alone->../inside", "c/b/", "c/b/below->../../inside", "c/b/file=1", "c/b/kept->../c",
                    "inside=2",
                ])
        try await folders.checkAll()
    }

    @Test("a link that comes with the move of its folder is checked at the place that the folder gets")
    func placedWithMove() async throws {
        let folders = try await SyncFolders(2)
        try folders.makeFolder(0, "a/b/c")
        try await folders.settle()
        // The announcement has both: the link fits the folder's old place only.
        folders.move(0, "a/b/c", to: "c")
        try link(folders, "c/new", to: "../../outside")
        try await folders.settle()
        #expect(try folders.listing(1) == ["a/", "a/b/", "c/"])
        #expect(try await waiting(folders, 1) == ["c/new"])
    }
}
