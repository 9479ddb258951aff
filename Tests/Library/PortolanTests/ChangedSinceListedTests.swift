import Foundation
import Glibc
import PortolanProtocol
import Testing

@testable import Portolan

/// Items that change, or are gone, between the moment in which they are listed and that in which they are requested.
@Suite(.timeLimit(.minutes(20))) struct ChangedSinceListedTests {
    @Test("an item that has become larger than it was listed is not fetched")
    func hasGrown() async throws {
        try await SharingScene.with { scene in
            let error = await #expect(throws: NodeError.self) {
                try await scene.fetch { items in
                    try Data(count: 100_000).write(to: scene.file)
                    return try #require(items.first { $0.title == "a.txt" })
                }
            }
            #expect(error?.kind == .declined, "\(String(describing: error))")
            let fetched = try scene.fetched
            #expect(fetched.isEmpty)
        }
    }

    @Test("an item that has become smaller is fetched as it is")
    func hasShrunk() async throws {
        try await SharingScene.with { scene in
            let item = try await scene.fetch { items in
                try Data("s".utf8).write(to: scene.file)
                return try #require(items.first { $0.title == "a.txt" })
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: item.path)) == Data("s".utf8))
        }
    }

    @Test("a file in whose place something else is, is withdrawn, and nothing is given of that")
    func isReplaced() async throws {
        try await SharingScene.with { scene in
            let secret = scene.root.appending(path: "secret")
            try Data("The key.".utf8).write(to: secret)
            let error = await #expect(throws: NodeError.self) {
                try await scene.fetch { items in
                    try FileManager.default.removeItem(at: scene.file)
                    try FileManager.default.createSymbolicLink(at: scene.file, withDestinationURL: secret)
                    return try #require(items.first { $0.title == "a.txt" })
                }
            }
            #expect(error?.kind == .noInput, "\(String(describing: error))")
            #expect(scene.withdrawn == ["a.txt"])
            _ = try await scene.fetch { items in try #require(items.count == 1 ? items.first : nil) }
            #expect(try scene.fetched == ["b.txt"])
            #expect(scene.withdrawn == ["a.txt"])
        }
    }

    @Test("a file that an editor replaces is fetched as it is")
    func isReplacedByAnEditor() async throws {
        try await SharingScene.with { scene in
            let item = try await scene.fetch { items in
                try Data("new".utf8).write(to: scene.file, options: .atomic)
                return try #require(items.first { $0.title == "a.txt" })
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: item.path)) == Data("new".utf8))
            #expect(scene.withdrawn.isEmpty)
        }
    }

    @Test("a file that is fetched alone is executable only where permissions are required", arguments: [false, true])
    func executableBits(isRequired: Bool) async throws {
        try await SharingScene.with { scene in
            var options = Node.ReceiveOptions()
            options.requiresPermissions = isRequired
            #expect(chmod(scene.file.path, 0o700) == 0)
            let item = try await scene.fetch(options) { items in try #require(items.first { $0.title == "a.txt" }) }
            #expect(FileManager.default.isExecutableFile(atPath: item.path) == isRequired)
            #expect(item.omissions.isEmpty == isRequired)
        }
    }

    @Test("an item that is not shared any more is gone, and the others are still there")
    func isGone() async throws {
        try await SharingScene.with { scene in
            let error = await #expect(throws: NodeError.self) {
                try await scene.fetch { items in
                    scene.sharing.cancel()
                    while scene.holder.shelf.count > 1 { usleep(1000) }
                    return try #require(items.first { $0.title == "a.txt" })
                }
            }
            #expect(error?.kind == .noInput, "\(String(describing: error))")
            _ = try await scene.fetch { items in try #require(items.count == 1 ? items.first : nil) }
            #expect(try scene.fetched == ["b.txt"])
        }
    }
}
