import Foundation
import PortolanProtocol
import PortolanSyncPlan
import PortolanTrust

/// Messages about synchronized folders.
func syncMessageScenarios() throws -> [Scenario] {
    let folder = sampleFolder(0xC0)
    let messages: [(String, String, Message)] = [
        ("sync-folders-none", "No folder is shared with the receiver.", .syncFolders(try .init([]))),
        (
            "sync-folders", "Two folders, of the second of which there is no copy yet.",
            .syncFolders(
                try .init([
                    .init(
                        id: folder, name: "Notes", latest: SyncPosition(epoch: 0x0102_0304_0506_0708, sequence: 12),
                        taken: SyncPosition(epoch: 9, sequence: 0, seal: sampleSeal(0x50))),
                    .init(id: sampleFolder(0xD0), name: "Pläne", latest: nil, taken: nil),
                ]))
        ),
        (
            "sync-folders-lacks", "What the sender does not have alike: a held deletion, a link, and a full disk.",
            .syncFolders(
                try .init([
                    .init(
                        id: folder, name: "Notes", latest: SyncPosition(epoch: 7, sequence: 12),
                        taken: SyncPosition(epoch: 9, sequence: 3),
                        lacks: [
                            MemberLack(
                                .deletion,
                                [NodeID(Dot(sampleReplica(0x30), 5)), NodeID(Dot(sampleReplica(0x40), 6))], count: 41,
                                mark: [1, 2, 3, 4]),
                            MemberLack(.link, [NodeID(Dot(sampleReplica(0x30), 7))], count: 1),
                            MemberLack(.diskFull, [], count: 0),
                        ])
                ]))
        ),
        (
            "sync-folders-stop", "A folder that stands still, since another machine has the sender's key.",
            .syncFolders(
                try .init([
                    .init(
                        id: folder, name: "Notes", latest: nil, taken: nil,
                        stop: SyncStop(sampleSeal(0x60), host: "ada-laptop"))
                ]))
        ),
        (
            "sync-folders-heard-stop", "The stop of the receiver's key, and the two machines that have it.",
            .syncFolders(
                try .init([
                    .init(
                        id: folder, name: "Notes", latest: SyncPosition(epoch: 7, sequence: 12), taken: nil,
                        heardStop: HeardStop(
                            sampleSeal(0x60),
                            [
                                .init(host: "ada-laptop", address: "192.0.2.7", seen: 1_793_527_200),
                                .init(host: "", address: "2001:db8::7", seen: 1_793_527_260),
                            ]))
                ]))
        ),
        (
            "sync-since-all", "All changes are asked for.",
            .syncSince(.init(question: 1, folder: folder, position: nil))
        ),
        (
            "sync-since", "Changes after the twelfth.",
            .syncSince(.init(question: 2, folder: folder, position: SyncPosition(epoch: 7, sequence: 12)))
        ),
        (
            "sync-since-seal", "Changes after the twelfth, with the seal that came with it.",
            .syncSince(
                .init(
                    question: 2, folder: folder,
                    position: SyncPosition(epoch: 7, sequence: 12, seal: sampleSeal(0x50))))
        ),
        (
            "sync-since-contents-own", "Small contents that the one that is asked wrote may come with the changes.",
            .syncSince(
                .init(
                    question: 8, folder: folder, position: SyncPosition(epoch: 7, sequence: 12), contents: .own))
        ),
        (
            "sync-since-contents-all", "All small contents may come with the changes.",
            .syncSince(.init(question: 9, folder: folder, position: nil, contents: .all))
        ),
        (
            "sync-changes", "A folder, a file in it with two versions, and a link, as the last part.",
            .syncChanges(
                .init(question: 2, records: sampleRecords(), latest: SyncPosition(epoch: 7, sequence: 15)))
        ),
        (
            "sync-changes-extended", "A file with two extended attributes.",
            .syncChanges(
                .init(question: 2, records: [sampleExtended()], latest: SyncPosition(epoch: 7, sequence: 16)))
        ),
        (
            "sync-changes-seals", "Nothing has changed; the seals of the sender and of two other devices.",
            .syncChanges(
                .init(
                    question: 2, records: [],
                    latest: SyncPosition(epoch: 7, sequence: 15, seal: sampleSeal(0x50)),
                    seals: [
                        sampleReplica(0x40).device: sampleSeal(0x51), sampleReplica(0x30).device: sampleSeal(0x52),
                    ]))
        ),
        (
            "sync-changes-dot-twice", "A file with two versions of one dot.",
            .syncChanges(
                .init(question: 2, records: [sampleFork()], latest: SyncPosition(epoch: 7, sequence: 16)))
        ),
        (
            "sync-changes-metadata",
            "A folder with permissions, and a file with a time in nanoseconds and a touch.",
            .syncChanges(
                .init(question: 2, records: sampleMetadata(), latest: SyncPosition(epoch: 7, sequence: 17)))
        ),
        (
            "sync-changes-more", "The mark of a deletion, and another part to come.",
            .syncChanges(.init(question: 3, records: [sampleDeletion()], latest: nil))
        ),
        (
            "sync-changes-nothing", "Nothing has changed.",
            .syncChanges(.init(question: 4, records: [], latest: SyncPosition(epoch: 7, sequence: 15)))
        ),
        (
            "sync-changes-contents", "Two contents, and another part to come.",
            .syncChanges(.init(question: 8, records: [], latest: nil, contents: [[1, 2, 3], [4]]))
        ),
        (
            "sync-heard", "Fifteen changes have been merged.",
            .syncHeard(
                .init(folder: folder, position: SyncPosition(epoch: 7, sequence: 15, seal: sampleSeal(0x50))))
        ),
        (
            "sync-want", "One content of a folder.",
            .syncWant(.init(id: 5, folder: folder, contents: [.init(sampleDigest(0x20), size: 65_536)]))
        ),
        (
            "sync-want-several", "Three contents in any order, of the smallest and of the largest size.",
            .syncWant(
                .init(
                    id: 6, folder: folder,
                    contents: [
                        .init(sampleDigest(0x22), size: 1), .init(sampleDigest(0x20), size: 70_000),
                        .init(sampleDigest(0x21), size: Limits.size),
                    ]))
        ),
        (
            "sync-want-0", "The number 0, which protobuf leaves away, is a number as any.",
            .syncWant(.init(id: 0, folder: folder, contents: [.init(sampleDigest(0x20), size: 3)]))
        ),
        ("sync-offer", "The contents for a SyncWant, as a folder.", .offer(try sampleContents(for: 5, of: folder))),
        (
            "sync-statement", "For whom a folder is, by its maker's word; judged by its lengths alone.",
            .syncStatement(.init(own: sampleSigned(0x10), grant: nil))
        ),
        (
            "sync-statement-grant", "Another's word, with the maker's that it follows.",
            .syncStatement(.init(own: sampleSigned(0x10), grant: sampleSigned(0x20)))
        ),
        ("sync-refusal", "It is not there, or not for you.", .syncRefusal(.init(question: 7))),
    ]
    return messages.map { name, comment, message in
        Scenario(
            "message-" + name, kind: "message", comment,
            ["bytes": hex(message.encode()), "meaning": Meaning.of(message)])
    }
}

/// The offer that answers a SyncWant.
func sampleContents(for request: UInt64, of folder: SyncFolderID) throws -> Offer {
    let form = try OfferedRepresentation(
        type: OfferedType(identifier: "public.folder"), channel: .file, size: 65_536, isFolder: true,
        source: folder.bytes)
    return try Offer(id: 10, items: [OfferedItem(title: "", representations: [form])], request: request)
}

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

func sampleSigned(_ first: UInt8) -> SignedFolderStatement.Signed {
    .init(bytes: Data([1, first, first &+ 1]), signature: Data((0..<64).map { first &+ $0 }))
}

// MARK: - Meaning

extension Meaning {
    static func of(folders: Message.SyncFolders) -> [String: Any] {
        [
            "folders": folders.folders.map { folder in
                [
                    "id": hex(folder.id.bytes), "name": folder.name, "epoch": "\(folder.latest?.epoch ?? 0)",
                    "sequence": "\(folder.latest?.sequence ?? 0)", "taken_epoch": "\(folder.taken?.epoch ?? 0)",
                    "taken_sequence": "\(folder.taken?.sequence ?? 0)",
                ].with("taken_seal", folder.taken?.seal.map { hex($0.bytes) })
                    .with("lacks", folder.lacks.isEmpty ? nil : folder.lacks.map(of))
                    .with("stop", folder.stop.map { hex($0.seal.bytes) }).with("host", folder.stop?.host)
                    .with("heard_stop", folder.heardStop.map { hex($0.seal.bytes) })
                    .with(
                        "machines",
                        folder.heardStop.map { stop in
                            stop.machines.map { ["host": $0.host, "address": $0.address, "seen": "\($0.seen)"] }
                        })
            } as [[String: Any]]
        ]
    }

    private static func of(lack: MemberLack) -> [String: Any] {
        [
            "reason": Int(lack.reason.rawValue), "count": lack.count,
            "nodes": lack.nodes.map { node in
                [
                    "device": hex(node.creation.replica.device.bytes), "epoch": "\(node.creation.replica.epoch)",
                    "counter": "\(node.creation.counter)",
                ]
            },
        ].with("mark", lack.mark.isEmpty ? nil : hex(lack.mark))
    }

    static func of(since: Message.SyncSince) -> [String: Any] {
        [
            "question": "\(since.question)", "folder": hex(since.folder.bytes),
            "epoch": "\(since.position?.epoch ?? 0)", "sequence": "\(since.position?.sequence ?? 0)",
        ].with("contents", since.contents == .none ? nil : "\(since.contents)")
            .with("seal", since.position?.seal.map { hex($0.bytes) })
    }

    static func of(changes: Message.SyncChanges) -> [String: Any] {
        [
            "question": "\(changes.question)", "records": changes.records.map(of),
            "epoch": "\(changes.latest?.epoch ?? 0)", "sequence": "\(changes.latest?.sequence ?? 0)",
        ].with("contents", changes.contents.isEmpty ? nil : changes.contents.map { hex($0) })
            .with("seal", changes.latest?.seal.map { hex($0.bytes) })
            .with(
                "seals",
                changes.seals.isEmpty
                    ? nil
                    : changes.seals.sorted { $0.key < $1.key }.map {
                        ["device": hex($0.key.bytes), "seal": hex($0.value.bytes)]
                    })
    }

    static func of(statement: SignedFolderStatement) -> [String: Any] {
        [
            "statement": hex(Array(statement.own.bytes)), "signature": hex(Array(statement.own.signature)),
        ].with("grant", statement.grant.map { hex(Array($0.bytes)) })
            .with("grant_signature", statement.grant.map { hex(Array($0.signature)) })
    }

    static func of(heard: Message.SyncHeard) -> [String: Any] {
        [
            "folder": hex(heard.folder.bytes), "epoch": "\(heard.position.epoch)",
            "sequence": "\(heard.position.sequence)",
        ].with("seal", heard.position.seal.map { hex($0.bytes) })
    }

    static func of(want: Message.SyncWant) -> [String: Any] {
        [
            "request": "\(want.id)", "folder": hex(want.folder.bytes),
            "contents": want.contents.map { ["digest": hex($0.digest.bytes), "size": "\($0.size)"] },
        ]
    }

    static func of(_ record: NodeRecord) -> [String: Any] {
        let places = record.places.map { of($0.value).with("dot", of($0.dot)) }
        let versions = record.contents.map { of($0.value).with("dot", of($0.dot)) }
        return [
            "id": of(record.id.creation), "kind": "\(record.kind)", "places": places, "versions": versions,
            "life": record.life.map(of), "known": record.version.parts.map { of(Dot($0.replica, $0.counter)) },
        ].with(
            "permissions",
            record.permissions.map {
                (["dot": of($0.dot), "attributes": Int($0.value)] as [String: Any]).with("rank", rank($0.rank))
            })
    }

    static func of(_ place: NodePlace) -> [String: Any] {
        ["name": hex(Array(place.name.text.utf8))]
            .with("parent", place.parent == .root ? nil : of(place.parent.creation))
    }

    static func of(_ version: FileVersion) -> [String: Any] {
        of(version.modified).merging([
            "digest": hex(version.form.digest.bytes), "attributes": Int(version.form.attributes),
            "size": "\(version.size)", "author": version.author, "deleted": version.isDeleted,
        ]) { _, new in new }
        .with("extended", extended(version.form.extended))
        .with("touch", version.touch.map { of($0.value).with("dot", of($0.dot)).with("rank", rank($0.rank)) })
    }

    static func of(_ time: ModificationTime) -> [String: Any] {
        ["modified": "\(time.seconds)"].with("nanoseconds", nanoseconds(time))
    }

    /// - Returns: nil for 0.
    private static func rank(_ rank: UInt32) -> Int? { rank == 0 ? nil : Int(rank) }

    /// - Returns: nil for none.
    private static func nanoseconds(_ time: ModificationTime) -> Int? {
        time.nanoseconds == 0 ? nil : Int(time.nanoseconds)
    }

    /// - Returns: nil for none.
    private static func extended(_ attributes: [ExtendedAttribute]) -> [[String: Any]]? {
        guard !attributes.isEmpty else { return nil }
        return attributes.map { ["name": hex(Array($0.name.text.utf8)), "value": hex($0.value)] }
    }

    static func of(_ dot: Dot) -> [String: Any] {
        [
            "device": hex(dot.replica.device.bytes), "epoch": "\(dot.replica.epoch)", "counter": "\(dot.counter)",
        ]
    }
}
