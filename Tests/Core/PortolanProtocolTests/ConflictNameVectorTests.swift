import PortolanSyncPlan
import TestSupport
import Testing

/// The vectors of names that versions get for a conflict (SYNC.md 3).
@Suite struct ConflictNameVectorTests {
    @Test func versionsAreNamedAsInTheVectors() throws {
        for vector in try VectorFile.all(ofKind: "conflict_name") {
            let device = try #require(DeviceID(try vector.bytes("device")), "\(vector.path)")
            let dot = Dot(ReplicaID(device: device, epoch: try vector.long("epoch")), try vector.long("counter"))
            let digest = try #require(ContentDigest([UInt8](repeating: 0, count: 32)))
            let version = FileVersion(
                form: ContentForm(digest), modified: ModificationTime(try #require(Int64(try vector.text("modified")))),
                author: try vector.text("author"))
            let place = vector.has("place") ? try vector.number("place") : 0
            let name = SyncName(try vector.text("name")).conflict(of: version, write: dot, place: place)
            #expect(name == SyncName(try vector.text("conflict")), "\(vector.path)")
        }
    }
}
