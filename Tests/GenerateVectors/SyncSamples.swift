import PortolanProtocol
import PortolanSyncModel

func sampleFolder(_ label: UInt8) -> SyncFolderID {
    guard let id = SyncFolderID(Array(fixedBytes(label).prefix(16))) else { fatalError("16 bytes") }
    return id
}

func sampleDigest(_ label: UInt8) -> ContentDigest {
    guard let digest = ContentDigest(Array(fixedBytes(label))) else { fatalError("32 bytes") }
    return digest
}

func sampleReplica(_ label: UInt8) -> ReplicaID {
    guard let device = DeviceID(Array(fixedBytes(label))) else { fatalError("32 bytes") }
    return ReplicaID(device: device, epoch: UInt64(label))
}

func sampleRecords() -> [NodeRecord] {
    let (one, other) = (sampleReplica(0x30), sampleReplica(0x40))
    var folder = NodeRecord(id: NodeID(Dot(one, 1)), kind: .folder)
    folder.move(Dot(one, 1), to: NodePlace(.root, SyncName("Pläne")))
    var file = NodeRecord(id: NodeID(Dot(one, 2)), kind: .file)
    file.move(Dot(one, 2), to: NodePlace(folder.id, SyncName("a.txt")))
    var content = FileVersion(
        form: ContentForm(sampleDigest(0x20), attributes: 0o644), size: 3,
        modified: ModificationTime(1_700_000_000), author: "ada")
    file.write(Dot(one, 3), content, replacing: [])
    content = FileVersion(
        form: ContentForm(sampleDigest(0x21), attributes: 0o400), size: 70_000,
        modified: ModificationTime(-1), author: "Bën")
    file.write(Dot(other, 9), content, replacing: [])
    var link = NodeRecord(id: NodeID(Dot(other, 1)), kind: .link)
    link.move(Dot(other, 1), to: NodePlace(.root, SyncName("link")))
    link.write(Dot(other, 2), FileVersion(form: ContentForm(sampleDigest(0x22)), size: 5), replacing: [])
    return [folder, file, link]
}

func sampleSeal(_ label: UInt8) -> ReplicaSeal {
    guard let seal = ReplicaSeal([UInt8](repeating: label, count: ReplicaSeal.length)) else { fatalError("56 bytes") }
    return seal
}

/// A file that two states of one replica made by one dot.
func sampleFork() -> NodeRecord {
    let dot = Dot(sampleReplica(0x30), 7)
    func made(_ digest: UInt8) -> NodeRecord {
        var file = NodeRecord(id: NodeID(dot), kind: .file)
        file.move(dot, to: NodePlace(.root, SyncName("c.txt")))
        file.write(dot, FileVersion(form: ContentForm(sampleDigest(digest)), size: 3, author: "ada"), replacing: [])
        return file
    }
    var file = made(0x20)
    file.merge(made(0x21))
    return file
}

func sampleExtended() -> NodeRecord {
    let one = sampleReplica(0x30)
    var file = NodeRecord(id: NodeID(Dot(one, 5)), kind: .file)
    file.move(Dot(one, 5), to: NodePlace(.root, SyncName("b.txt")))
    let attributes = [
        ExtendedAttribute(SyncName("empty"), []), ExtendedAttribute(SyncName("xdg.tags"), Array("näh".utf8)),
    ]
    let form = ContentForm(sampleDigest(0x20), attributes: 0o644, extended: attributes)
    let version = FileVersion(form: form, size: 3, modified: ModificationTime(1_700_000_000), author: "ada")
    file.write(Dot(one, 6), version, replacing: [])
    return file
}

func sampleMetadata() -> [NodeRecord] {
    let (one, other) = (sampleReplica(0x30), sampleReplica(0x40))
    var folder = NodeRecord(id: NodeID(Dot(one, 7)), kind: .folder)
    folder.move(Dot(one, 7), to: NodePlace(.root, SyncName("private")))
    _ = folder.set(.permissions(0o700), Dot(other, 10), of: [])
    var file = NodeRecord(id: NodeID(Dot(one, 8)), kind: .file)
    file.move(Dot(one, 8), to: NodePlace(folder.id, SyncName("c.txt")))
    let modified = ModificationTime(1_700_000_000, 999_999_999)
    file.write(
        Dot(one, 8),
        FileVersion(form: ContentForm(sampleDigest(0x20), attributes: 0o600), size: 3, modified: modified),
        replacing: []
    )
    _ = file.set(.time(ModificationTime(-2, 1)), Dot(other, 11), of: [Dot(one, 8)])
    return [folder, file]
}

func sampleDeletion() -> NodeRecord {
    guard var file = sampleRecords().last else { fatalError("There are records") }
    file.delete(Dot(sampleReplica(0x30), 4), seen: [Dot(sampleReplica(0x40), 2)])
    return file
}
