import PortolanSyncModel
import TestSupport
import Testing

/// The vectors of the model of folders kept alike (SYNC.md 2 and 3).
@Suite struct SyncModelVectorTests {
    @Test func recordsMergeAsInTheVectors() throws {
        for vector in try VectorFile.all(ofKind: "sync_merge") {
            let one = try NodeRecord(meaning: vector.object("one"))
            let other = try NodeRecord(meaning: vector.object("other"))
            let merged = try NodeRecord(meaning: vector.object("merged"))
            for (left, right) in [(one, other), (other, one), (merged, one), (merged, other)] {
                var record = left
                record.merge(right)
                #expect(record == merged, "\(vector.path)")
            }
            #expect(merged.isWellFormed, "\(vector.path)")
        }
    }

    @Test func recordsMakeTheTreesOfTheVectors() throws {
        for vector in try VectorFile.all(ofKind: "sync_tree") {
            let records = try vector.objects("records").map { try NodeRecord(meaning: $0) }
            let tree = try vector.objects("tree").map { entry in
                Entry(
                    path: try entry.texts("path").map { String(decoding: try [UInt8](hex: $0), as: UTF8.self) },
                    kind: try entry.text("kind"), digest: entry.has("digest") ? try entry.bytes("digest") : nil)
            }
            for order in [records, records.reversed()] {
                let found = try Self.tree(of: order)
                #expect(Set(found) == Set(tree) && found.count == tree.count, "\(vector.path)")
            }
        }
    }

    private struct Entry: Hashable {
        var path: [String]
        var kind: String
        var digest: [UInt8]?
    }

    /// Returns the tree that a new replica computes which has received the records.
    private static func tree(of records: [NodeRecord]) throws -> [Entry] {
        var index = MemoryIndex(
            replica: ReplicaID(device: DeviceID(1), epoch: 1), author: "", rootHandle: FileHandleID(1))
        guard index.receive(records).isEmpty else {
            throw VectorError("The records are refused")
        }
        let view = RecordView(index)
        var found: [Entry] = []
        var folders: [(nodes: [NodeID], path: [String])] = [([.root], [])]
        while let folder = folders.popLast() {
            var names = Set(
                folder.nodes.flatMap { index.children(of: $0) }.compactMap { index.record($0)?.place?.name })
            if folder.nodes == [.root] {
                names.formUnion(index.cycleBreakers.compactMap { index.record($0)?.place?.name })
            }
            for name in names {
                for item in view.items(in: folder.nodes, named: name) {
                    let path = folder.path + [item.name.text]
                    found.append(
                        Entry(path: path, kind: "\(item.kind)", digest: item.content.map { $0.form.digest.bytes }))
                    if item.kind == .folder { folders.append((item.seen.map(\.node), path)) }
                }
            }
        }
        return found
    }
}
