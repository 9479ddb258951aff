import Foundation
import GRDB
import Glibc
import PortolanSyncPlan
import SyncPlanSupport
import TestSupport
import Testing

@testable import PortolanSyncFolder

/// Deleted folders, which are shown where a living node is in them.
@Suite final class PresenceTests {
    private let folder: String
    private let device = DeviceID(7)

    init() throws {
        var template = Array("/tmp/portolan-index-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { fatalError("no temporary folder") }
        folder = String(cString: made)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func begun(_ name: String = "index") throws -> FolderIndex {
        let index = try FolderIndex(path: "\(folder)/\(name).sqlite", author: "A")
        try index.begin(ReplicaID(device: device, epoch: 1), at: 1, fileSystem: 5, root: FileHandleID(1))
        return index
    }

    @Test("deleted folders are present as in memory, while records change", arguments: 0..<20 as Range<UInt64>)
    func presence(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let other = ReplicaID(device: DeviceID(8), epoch: 3)
        let stored = try begun()
        var memory = MemoryIndex(
            replica: ReplicaID(device: device, epoch: 1), author: "A", rootHandle: FileHandleID(1))
        var records: [NodeRecord] = []
        var count: UInt64 = 0
        try stored.transact { index in
            for _ in 0..<200 {
                count += 1
                let dot = Dot(other, count)
                let folders = records.filter { $0.kind == .folder }.map(\.id) + [.root]
                let parent = folders.randomElement(using: &generator) ?? .root
                let place = NodePlace(parent, SyncName("\(UInt64.random(in: 0..<4, using: &generator))"))
                if let number = records.indices.randomElement(using: &generator), count % 3 != 0 {
                    switch UInt64.random(in: 0..<4, using: &generator) {
                    case 0: records[number].move(dot, to: place)
                    case 1: records[number].revive(dot)
                    default: records[number].delete(dot, seen: records[number].contents.map(\.dot))
                    }
                    _ = memory.receive([records[number]])
                    _ = index.receive([records[number]])
                } else {
                    var record = NodeRecord(id: NodeID(dot), kind: .folder)
                    record.move(dot, to: place)
                    records.append(record)
                    _ = memory.receive([record])
                    _ = index.receive([record])
                }
                for record in memory.records(since: 0) {
                    let (here, there) = (RecordView(index), RecordView(memory))
                    #expect(here.isPresent(record) == there.isPresent(record), "seed \(seed), change \(count)")
                }
                #expect(index.dirty == memory.dirty)
            }
        }
        stored.close()
    }

    @Test("a change in a deleted tree costs the same number of queries in a small tree as in a large one")
    func costOfDeletedTrees() throws {
        func cost(folders: UInt64) throws -> Int {
            let index = try begun("\(folders)")
            let other = ReplicaID(device: DeviceID(8), epoch: 3)
            var records: [NodeRecord] = []
            for number in 1...(folders * 20) {
                let dot = Dot(other, number)
                var record = NodeRecord(id: NodeID(dot), kind: number % 20 == 1 ? .folder : .file)
                let above = record.kind == .folder ? 0 : Int(number - 1) / 20 * 20
                record.move(dot, to: NodePlace(number == 1 ? .root : records[above].id, SyncName("\(number)")))
                if record.kind == .file {
                    let form = ContentForm(ContentDigest(number), attributes: 0)
                    record.write(
                        dot, FileVersion(form: form, size: 1, modified: ModificationTime(0, 0), author: ""),
                        replacing: [])
                }
                records.append(record)
            }
            let last = UInt64(records.count)
            let deleted = records.enumerated().map { place, record in
                var record = record
                record.delete(Dot(other, last + UInt64(place) + 1), seen: record.contents.map(\.dot))
                return record
            }
            try index.transact { index in
                _ = index.receive(records)
                // The folders first: then each file is deleted in a folder that is.
                _ = index.receive(deleted)
            }
            var queries = 0
            try index.transact { index in
                // The first one looks at the whole tree.
                for (place, record) in deleted.suffix(100).enumerated() {
                    if place == 1 { index.transaction.database.trace { _ in queries += 1 } }
                    var record = record
                    record.move(Dot(other, last * 3 + record.id.creation.counter), to: record.places[0].value)
                    _ = index.receive([record])
                }
                index.transaction.database.trace()
            }
            index.close()
            return queries
        }
        let (small, large) = (try cost(folders: 10), try cost(folders: 100))
        #expect(small > 0 && large < small * 3, "\(small) and \(large) queries")
    }
}
