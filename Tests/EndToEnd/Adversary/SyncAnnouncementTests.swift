import Foundation
import PortolanCrypto
import PortolanProtocol
import PortolanSyncPlan
import PortolanValues
import Testing

/// Announcements of a hostile member of a folder.
@Suite(.serialized) struct SyncAnnouncementTests {
    private static let replica = ReplicaID(device: DeviceID(77), epoch: 5)
    private static let latest = SyncPosition(epoch: 5, sequence: 100)

    private static func id(_ number: UInt64) -> NodeID { NodeID(Dot(replica, number)) }

    private static func folder(_ number: UInt64, _ name: String, in parent: NodeID = .root) -> NodeRecord {
        var record = NodeRecord(id: id(number), kind: .folder)
        record.move(Dot(replica, number), to: NodePlace(parent, SyncName(name)))
        return record
    }

    @Test("two folders that contain each other are both shown, and one of them is in the root")
    func foldersInsideEachOtherAreBothShown() async throws {
        try await SyncScene.withFolder { scene throws in
            let records = [Self.folder(1, "a", in: Self.id(2)), Self.folder(2, "b", in: Self.id(1))]
            #expect(try scene.announce([.init(records: records, latest: Self.latest)]) == [.taken])
            #expect(try scene.names() == ["a", "a.txt"])
            let inner = scene.folder.appending(path: "a").path
            #expect(try FileManager.default.contentsOfDirectory(atPath: inner) == ["b"])
        }
    }

    @Test("a file below a link or below a file is not created, and nothing is written at the link's target")
    func belowLink() async throws {
        try await SyncScene.withFolder { scene throws in
            let inside = scene.folder.appending(path: "inside")
            try FileManager.default.createDirectory(at: inside, withIntermediateDirectories: true)
            let (target, text) = (Array("inside".utf8), Array("text".utf8))
            var below = SyncScene.record("below", 11, .file, text)
            below.move(Dot(Self.replica, 13), to: NodePlace(Self.id(1), SyncName("below")))
            var other = Self.folder(21, "other", in: Self.id(31))
            other.move(Dot(Self.replica, 22), to: NodePlace(Self.id(31), SyncName("other")))
            let records = [
                SyncScene.record("link", 1, .link, target), below, other, SyncScene.record("file", 31, .file, text),
            ]
            let news = SyncScene.News(records: records, contents: [target, text], latest: Self.latest)
            #expect(try scene.announce([news]) == [.taken])
            #expect(try scene.names() == ["a.txt", "file", "inside", "link"])
            #expect(try FileManager.default.contentsOfDirectory(atPath: inside.path).isEmpty)
        }
    }

    @Test("two files with the same name are both kept")
    func nameTwice() async throws {
        try await SyncScene.withFolder { scene throws in
            let contents = [Array("one".utf8), Array("other".utf8)]
            let records = [
                SyncScene.record("name", 1, .file, contents[0]), SyncScene.record("name", 11, .file, contents[1]),
            ]
            let news = SyncScene.News(records: records, contents: contents, latest: Self.latest)
            #expect(try scene.announce([news]) == [.taken])
            let texts = try scene.names().map { name in
                try String(contentsOf: scene.folder.appending(path: name), encoding: .utf8)
            }
            #expect(texts.sorted() == ["one", "other", "secret"])
        }
    }

    // Work that grows with the cube of the number would hold the folder for minutes.
    @Test("900 files of one name are placed, and the device ends when it is told to")
    func manyOfOneName() async throws {
        try await SyncScene.withFolder { scene throws in
            let contents = (0..<900).map { Array("content \($0)".utf8) }
            let records = contents.enumerated().map { number, text in
                SyncScene.record("name", UInt64(2 * number + 1), .file, text)
            }
            let news = SyncScene.News(
                records: records, contents: contents, latest: SyncPosition(epoch: 5, sequence: 2000))
            #expect(try scene.announce([news]) == [.taken])
            #expect(try scene.names().count > 890)
        }
    }

    @Test("a link that a member moves to where it leads out is taken off the disk, alone and in a folder")
    func linkMovesOut() async throws {
        try await SyncScene.withFolder { scene throws in
            func place(_ record: inout NodeRecord, _ dot: UInt64, _ parent: NodeID, _ name: String) {
                record.move(Dot(Self.replica, dot), to: NodePlace(parent, SyncName(name)))
            }
            let (outer, inner) = (Self.folder(1, "outer"), Self.folder(2, "inner", in: Self.id(1)))
            let targets = [Array("../a.txt".utf8), Array("../../a.txt".utf8)]
            var alone = SyncScene.record("alone", 11, .link, targets[0])
            place(&alone, 13, outer.id, "alone")
            var below = SyncScene.record("below", 21, .link, targets[1])
            place(&below, 23, inner.id, "below")
            let first = SyncScene.News(
                records: [outer, inner, alone, below], contents: targets, latest: Self.latest)
            #expect(try scene.announce([first]) == [.taken])
            let path = scene.folder.path
            #expect(try FileManager.default.contentsOfDirectory(atPath: path + "/outer/inner") == ["below"])

            var moved = inner
            place(&moved, 31, .root, "inner")
            place(&alone, 32, .root, "alone")
            let second = SyncScene.News(
                records: [moved, alone], contents: targets, latest: SyncPosition(epoch: 5, sequence: 101))
            #expect(try scene.announce([second]) == [.taken])
            #expect(try scene.names() == ["a.txt", "outer", "inner"])
            for name in ["outer", "inner"] {
                #expect(try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(name)").isEmpty)
            }
        }
    }

    @Test("a record that changes a node's kind, and a repeated node, change no existing file")
    func changedKindAndRepeatedNodeChangeNothing() async throws {
        try await SyncScene.withFolder { scene throws in
            let text = Array("text".utf8)
            let first = SyncScene.News(
                records: [SyncScene.record("file", 1, .file, text)], contents: [text], latest: Self.latest)
            let folder = Self.folder(1, "file")
            let second = SyncScene.News(
                records: [folder, folder], latest: SyncPosition(epoch: 5, sequence: 101))
            #expect(try scene.announce([first, second]) == [.taken, .taken])
            #expect(try scene.names() == ["a.txt", "file"])
            #expect(try String(contentsOf: scene.folder.appending(path: "file"), encoding: .utf8) == "text")
        }
    }

    @Test("an answer with too many changes ends the session, and none of them is merged")
    func tooManyChangesEndTheSession() async throws {
        try await SyncScene.withFolder { scene throws in
            let records = (1...UInt64(Limits.changes.records + 1)).map { Self.folder($0, "folder \($0)") }
            guard case .closed(let code) = try scene.announce([.init(records: records, latest: Self.latest)])[0] else {
                Issue.record("the session was not closed")
                return
            }
            #expect(code == nil || code == .limit)
            #expect(try scene.names() == ["a.txt"])
        }
    }

    @Test("an epoch that goes back makes the device request all changes again, and deletes nothing")
    func earlierEpochDeletesNothing() async throws {
        try await SyncScene.withFolder { scene throws in
            let text = Array("text".utf8)
            let first = SyncScene.News(
                records: [SyncScene.record("file", 1, .file, text)], contents: [text], latest: Self.latest)
            let second = SyncScene.News(
                records: [Self.folder(51, "folder")], latest: SyncPosition(epoch: 4, sequence: 1))
            #expect(try scene.announce([first, second, first]) == [.taken, .taken, .taken])
            #expect(try scene.names() == ["a.txt", "file", "folder"])
        }
    }

    @Test("the number 2^63 of a change ends the session")
    func tooLargeChangeNumberEndsTheSession() async throws {
        try await SyncScene.withFolder { scene throws in
            let far = SyncPosition(epoch: 5, sequence: 1 << 63)
            #expect(try scene.announce([.init(records: [], latest: far)]) == [.closed(.protocolViolation)])
            var record = Self.folder(1, "folder")
            record.version.add(Dot(Self.replica, 1 << 63))
            let news = SyncScene.News(records: [record], latest: Self.latest)
            #expect(try scene.announce([news]) == [.closed(.protocolViolation)])
            #expect(try scene.names() == ["a.txt"])
        }
    }

    @Test("changes that are falsely attributed to a device delete none of its files")
    func ownChanges() async throws {
        try await SyncScene.withFolder { scene throws in
            let text = Array("text".utf8)
            var deleted = SyncScene.record("a.txt", 1, .file, text)
            deleted.delete(Dot(Self.replica, 9), seen: [Dot(Self.replica, 2)])
            #expect(try scene.announce([.init(records: [deleted], latest: Self.latest)]) == [.taken])
            #expect(try String(contentsOf: scene.folder.appending(path: "a.txt"), encoding: .utf8) == "secret")
        }
    }
}
