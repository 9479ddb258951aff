import PortolanSyncPlan
import SyncPlanSupport
import TestSupport
import Testing

/// The vectors of the model of folders kept alike (SYNC.md 2 and 3).
@Suite struct SyncPlanVectorTests {
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
            let tree = try vector.objects("tree").map { try Entry($0) }
            for order in [records, records.reversed()] {
                let found = try Self.tree(of: order)
                #expect(found.count == tree.count, "\(vector.path)")
                for entry in tree { #expect(found.contains { entry.describes($0) }, "\(vector.path), \(entry.path)") }
            }
        }
    }

    @Test func changesAreMadeAsInTheVectors() throws {
        for vector in try VectorFile.all(ofKind: "sync_change") {
            var record = try NodeRecord(meaning: vector.object("record"))
            let change = try vector.object("change")
            let dot = try Dot(meaning: change.object("dot"))
            let seen = change.has("seen") ? try change.objects("seen").map { try Dot(meaning: $0) } : []
            switch try change.text("change") {
            case "write": record.write(dot, try FileVersion(meaning: change.object("version")), replacing: seen)
            case "move": record.move(dot, to: try NodePlace(meaning: change.object("place")))
            case "delete": record.delete(dot, seen: seen)
            case "revive": record.revive(dot)
            case "part": record.part(seen, from: try FileVersion(meaning: change.object("version")).form) { dot }
            case "time":
                let isSet = record.set(.time(try ModificationTime(meaning: change)), dot, of: seen)
                #expect(isSet, "\(vector.path)")
            case "permissions":
                let isSet = record.set(.permissions(UInt16(try change.number("attributes"))), dot, of: seen)
                #expect(isSet, "\(vector.path)")
            default: throw VectorError("\(vector.path): no such change")
            }
            #expect(try record == NodeRecord(meaning: vector.object("changed")), "\(vector.path)")
            #expect(record.isWellFormed, "\(vector.path)")
        }
    }

    @Test func recordsAreToldAsInTheVectors() throws {
        for vector in try VectorFile.all(ofKind: "sync_news") {
            var index = Self.newIndex()
            _ = index.receive(try vector.objects("heard").map { try NodeRecord(meaning: $0) })
            let known = index.sequence
            _ = index.receive(try vector.objects("answer").map { try NodeRecord(meaning: $0) })
            let told = index.records(since: known).map(\.id)
            let wanted = try vector.objects("told").map { NodeID(try Dot(meaning: $0)) }
            #expect(Set(told) == Set(wanted) && told.count == wanted.count, "\(vector.path)")
        }
    }

    private static func newIndex() -> MemoryIndex {
        MemoryIndex(replica: ReplicaID(device: DeviceID(1), epoch: 1), author: "", rootHandle: FileHandleID(1))
    }

    private struct Entry {
        var path: [String]
        var kind: String
        var digest: [UInt8]?
        /// Nil where a vector does not judge them.
        var attributes: Int?
        var time: ModificationTime?
        var mark: [UInt8]?

        init(path: [String], _ item: TreeItem) {
            (self.path, kind) = (path, "\(item.kind)")
            digest = item.content?.form.digest.bytes
            attributes = item.content.map { Int($0.form.attributes) } ?? item.permissions.map { Int($0) }
            time = item.content?.time
            mark = item.content?.form.extended.mark
        }

        init(_ json: VectorObject) throws {
            path = try json.texts("path").map { String(decoding: try [UInt8](hex: $0), as: UTF8.self) }
            kind = try json.text("kind")
            digest = json.has("digest") ? try json.bytes("digest") : nil
            attributes = json.has("attributes") ? try json.number("attributes") : nil
            time = json.has("modified") ? try ModificationTime(meaning: json) : nil
            mark = json.has("mark") ? try json.bytes("mark") : nil
        }

        func describes(_ other: Entry) -> Bool {
            path == other.path && kind == other.kind && digest == other.digest
                && (attributes == nil || attributes == other.attributes) && (time == nil || time == other.time)
                && (mark == nil || mark == other.mark)
        }
    }

    /// Returns the tree that a new replica computes which has received the records.
    private static func tree(of records: [NodeRecord]) throws -> [Entry] {
        var index = newIndex()
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
                    found.append(Entry(path: path, item))
                    if item.kind == .folder { folders.append((item.seen.map(\.node), path)) }
                }
            }
        }
        return found
    }
}
