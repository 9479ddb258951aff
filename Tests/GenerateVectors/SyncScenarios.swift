import Foundation
import PortolanProtocol
import PortolanSyncModel

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
                        taken: SyncPosition(epoch: 9, sequence: 0)),
                    .init(id: sampleFolder(0xD0), name: "Pläne", latest: nil, taken: nil),
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
            .syncHeard(.init(folder: folder, position: SyncPosition(epoch: 7, sequence: 15)))
        ),
        (
            "sync-want", "Content from its second part on.",
            .syncWant(.init(question: 5, folder: folder, digest: sampleDigest(0x20), offset: 65_536))
        ),
        (
            "sync-want-length", "1024 bytes of content.",
            .syncWant(.init(question: 5, folder: folder, digest: sampleDigest(0x20), offset: 0, length: 1024))
        ),
        (
            "sync-want-description", "The groups of a content.",
            .syncWant(
                .init(
                    question: 5, folder: folder, digest: sampleDigest(0x20), offset: 0,
                    description: try .init(key: fixedBytes(0x50))))
        ),
        (
            "sync-want-groups", "The chunks of three groups.",
            .syncWant(
                .init(
                    question: 5, folder: folder, digest: sampleDigest(0x20), offset: 0,
                    description: try .init(key: fixedBytes(0x50), .groups([0..<2, 5..<6]))))
        ),
        (
            "sync-want-sums", "The sums of 100 KB.",
            .syncWant(
                .init(
                    question: 5, folder: folder, digest: sampleDigest(0x20), offset: 0,
                    description: try .init(
                        key: fixedBytes(0x50), .sums([.init(base: 65_536..<165_888, block: 1024, strong: 8)]))))
        ),
        ("sync-content", "Three bytes.", .syncContent(.init(question: 5, data: [1, 2, 3]))),
        ("sync-content-end", "The end of content.", .syncContent(.init(question: 6, data: []))),
        ("sync-refusal", "It is not there, or not for you.", .syncRefusal(.init(question: 7))),
    ]
    return messages.map { name, comment, message in
        Scenario(
            "message-" + name, kind: "message", comment,
            ["bytes": hex(message.encode()), "meaning": Meaning.of(message)])
    }
}

/// Invalid messages about synchronized folders, which every decoder must refuse.
func refusedSyncMessageScenarios() -> [Scenario] {
    func refused(_ name: String, _ bytes: [UInt8], _ kind: String, _ comment: String) -> Scenario {
        Scenario("message-refused-sync-" + name, kind: "message", comment, ["bytes": hex(bytes), "refused": kind])
    }
    let id = Array(fixedBytes(0xC0).prefix(16))
    func folder(_ id: [UInt8], _ more: [UInt8] = []) -> [UInt8] {
        Proto.field(1, Proto.field(1, id) + Proto.field(2, "Notes") + more)
    }
    let replica = Proto.field(2, Proto.field(1, Array(fixedBytes(0x30))) + Proto.fixed(2, 7))
    func dot(_ counter: UInt64, of replica: UInt64 = 0) -> [UInt8] {
        (replica == 0 ? [] : Proto.field(1, replica)) + Proto.field(2, counter)
    }
    func record(id: [UInt8], name: [UInt8], kind: UInt64 = 1, known: [UInt8], _ more: [UInt8] = []) -> [UInt8] {
        let place = Proto.field(3, Proto.field(1, dot(1)) + Proto.field(3, name))
        return Proto.field(
            3,
            Proto.field(1, id) + Proto.field(2, kind) + place + Proto.field(5, dot(1)) + Proto.field(6, known) + more)
    }
    func changes(_ record: [UInt8], _ end: [UInt8] = Proto.field(4, 1) + Proto.fixed(5, 7)) -> [UInt8] {
        Proto.field(66, Proto.field(1, 1) + replica + record + end)
    }
    func want(_ more: [UInt8]) -> [UInt8] {
        Proto.field(68, Proto.field(2, id) + Proto.field(3, Array(fixedBytes(1))) + more)
    }
    func permissions(_ bits: UInt64, _ counter: UInt64 = 1, kind: UInt64 = 1) -> [UInt8] {
        let field = Proto.field(7, Proto.field(1, dot(counter)) + Proto.field(2, bits))
        return changes(record(id: dot(1), name: [0x61], kind: kind, known: dot(1), field))
    }
    let plain = record(id: dot(1), name: [0x61], known: dot(1))
    func attribute(_ name: [UInt8], _ value: [UInt8] = []) -> [UInt8] {
        Proto.field(8, (name.isEmpty ? [] : Proto.field(1, name)) + (value.isEmpty ? [] : Proto.field(2, value)))
    }
    func extended(_ attributes: [UInt8], kind: UInt64 = 2) -> [UInt8] {
        let place = Proto.field(3, Proto.field(1, dot(1)) + Proto.field(3, [0x61]))
        let version = Proto.field(
            4, Proto.field(1, dot(1)) + Proto.field(2, Array(fixedBytes(0x20))) + attributes)
        return changes(
            Proto.field(
                3,
                Proto.field(1, dot(1)) + Proto.field(2, kind) + place + version + Proto.field(5, dot(1))
                    + Proto.field(6, dot(1))))
    }
    return [
        refused("folders-short-id", Proto.field(64, folder(Array(id.dropLast()))), "malformed", "15 bytes."),
        refused("folders-twice", Proto.field(64, folder(id) + folder(id)), "malformed", "One folder twice."),
        refused(
            "folders-257", Proto.field(64, (0..<257).flatMap { _ in Proto.field(1, [UInt8]()) }), "limit",
            "A folder too many."),
        refused(
            "folders-sequence-too-large",
            Proto.field(64, folder(id, Proto.fixed(3, 7) + Proto.field(4, 1 << 63))), "malformed",
            "The number 2^63 of a change."),
        refused(
            "since-no-epoch", Proto.field(65, Proto.field(1, 1) + Proto.field(2, id) + Proto.field(4, 3)),
            "malformed", "A number of no epoch."),
        refused(
            "since-contents-3", Proto.field(65, Proto.field(1, 1) + Proto.field(2, id) + Proto.field(5, 3)),
            "malformed", "Contents by an unknown number."),
        refused(
            "changes-content-empty", Proto.field(66, Proto.field(1, 1) + Proto.field(7, [UInt8]())), "malformed",
            "Content of no bytes."),
        refused(
            "changes-content-65537",
            Proto.field(66, Proto.field(1, 1) + Proto.field(7, [UInt8](repeating: 0, count: 65_537))), "limit",
            "Content that is not small."),
        refused(
            "changes-contents-257",
            Proto.field(66, Proto.field(1, 1) + (0..<257).flatMap { _ in Proto.field(7, [0]) }), "limit",
            "A content too many."),
        refused(
            "changes-dots", changes(record(id: dot(1), name: Array("..".utf8), known: dot(1))), "malformed",
            "A file called `..`."),
        refused(
            "changes-slash", changes(record(id: dot(1), name: Array("a/b".utf8), known: dot(1))), "malformed",
            "A name with a slash."),
        refused(
            "changes-no-text", changes(record(id: dot(1), name: [0xFF], known: dot(1))), "malformed",
            "A name that is not UTF-8."),
        refused(
            "changes-long-name",
            changes(record(id: dot(1), name: [UInt8](repeating: 0x61, count: 256), known: dot(1))), "limit",
            "A name of 256 bytes."),
        refused(
            "changes-counter-0", changes(record(id: dot(0), name: [0x61], known: dot(1))), "malformed",
            "A change without a number."),
        refused(
            "changes-counter-too-large", changes(record(id: dot(1), name: [0x61], known: dot(1 << 63))), "malformed",
            "The number 2^63 of a change."),
        refused(
            "changes-no-replica", changes(record(id: dot(1, of: 1), name: [0x61], known: dot(1))), "malformed",
            "A replica that is not in the list."),
        refused(
            "changes-unknown-kind", changes(record(id: dot(1), name: [0x61], kind: 4, known: dot(1))), "malformed",
            "Neither folder nor file nor link."),
        refused(
            "changes-not-covered", changes(record(id: dot(2), name: [0x61], known: dot(1))), "malformed",
            "A file that was made by a change which its record does not know."),
        refused(
            "changes-65-attributes", extended((0..<65).flatMap { attribute([0x61, 0x30 + $0]) }), "limit",
            "An extended attribute too many."),
        refused(
            "changes-long-attributes",
            extended(attribute([0x61], [UInt8](repeating: 1, count: 1021))), "limit",
            "Extended attributes of 1,025 bytes."),
        refused(
            "changes-attribute-twice", extended(attribute([0x61]) + attribute([0x61], [1])), "malformed",
            "An extended attribute twice."),
        refused(
            "changes-attributes-unordered", extended(attribute([0x62]) + attribute([0x61])), "malformed",
            "Extended attributes that are not in the order of their names."),
        refused(
            "changes-attribute-nul", extended(attribute([0x61, 0])), "malformed",
            "A zero in the name of an extended attribute."),
        refused(
            "changes-attribute-no-text", extended(attribute([0xFF])), "malformed",
            "The name of an extended attribute that is not UTF-8."),
        refused(
            "changes-attribute-without-name", extended(attribute([])), "malformed",
            "An extended attribute without a name."),
        refused(
            "changes-attribute-long-name", extended(attribute([UInt8](repeating: 0x61, count: 251))), "malformed",
            "A name of 251 bytes of an extended attribute."),
        refused(
            "changes-attribute-of-link", extended(attribute([0x61]), kind: 3), "malformed",
            "A link with an extended attribute."),
        refused("changes-permissions-10-bits", permissions(0o1000), "malformed", "The sticky bit of a folder."),
        refused("changes-permissions-of-file", permissions(0o644, kind: 2), "malformed", "A file has none by itself."),
        refused(
            "changes-permissions-not-covered", permissions(0o755, 2), "malformed",
            "Permissions that were set by a change which their record does not know."),
        refused(
            "changes-nanoseconds", extended(Proto.field(9, 1_000_000_000)), "malformed", "A second in nanoseconds."),
        refused(
            "changes-touch-nanoseconds",
            extended(Proto.field(10, Proto.field(1, dot(1)) + Proto.field(3, 1_000_000_000))), "malformed",
            "A later time with a second in nanoseconds."),
        refused(
            "changes-touch-not-covered", extended(Proto.field(10, Proto.field(1, dot(2)))), "malformed",
            "A later time by a change that its record does not know."),
        refused("changes-touch-no-dot", extended(Proto.field(10, Proto.field(2, 2))), "malformed", "Who set it?"),
        refused("changes-empty-part", changes([], []), "malformed", "A part of nothing with more to come."),
        refused("changes-last-without-position", changes(plain, Proto.field(4, 1)), "malformed", "The end of what?"),
        refused(
            "want-short-digest",
            Proto.field(68, Proto.field(2, id) + Proto.field(3, Array(fixedBytes(1).dropLast()))), "malformed",
            "A digest of 31 bytes."),
        refused(
            "want-far",
            Proto.field(68, Proto.field(2, id) + Proto.field(3, Array(fixedBytes(1))) + Proto.field(4, 1 << 63)),
            "limit", "Content at 2^63."),
        refused("want-long", want(Proto.field(5, 65_537)), "limit", "A part of 65,537 bytes."),
        refused("want-short-key", want(Proto.field(6, Array(fixedBytes(1).dropLast()))), "malformed", "31 bytes."),
        refused(
            "want-no-key", want(Proto.field(7, [UInt8]([0, 1]))), "malformed", "Chunks are asked for without a key."),
        refused(
            "want-both",
            want(
                Proto.field(6, Array(fixedBytes(1))) + Proto.field(7, [UInt8]([0, 1]))
                    + Proto.field(8, [UInt8]([0, 1, 0x80, 8, 4]))), "malformed", "Chunks and sums at once."),
        refused(
            "want-many-sums",
            want(Proto.field(6, Array(fixedBytes(1))) + Proto.field(8, [UInt8]([0, 0x80, 0x80, 0x80, 3, 0x80, 8, 8]))),
            "limit", "Sums of 73,728 bytes."),
        refused(
            "content-65537", Proto.field(69, Proto.field(2, [UInt8](repeating: 0, count: 65_537))), "limit",
            "A byte too many."),
        refused("reserved", Proto.field(71, [UInt8]()), "malformed", "A message number reserved for folders."),
    ]
}

private func sampleFolder(_ label: UInt8) -> SyncFolderID {
    guard let id = SyncFolderID(Array(fixedBytes(label).prefix(16))) else { fatalError("16 bytes") }
    return id
}

private func sampleDigest(_ label: UInt8) -> ContentDigest {
    guard let digest = ContentDigest(Array(fixedBytes(label))) else { fatalError("32 bytes") }
    return digest
}

private func sampleReplica(_ label: UInt8) -> ReplicaID {
    guard let device = DeviceID(Array(fixedBytes(label))) else { fatalError("32 bytes") }
    return ReplicaID(device: device, epoch: UInt64(label))
}

private func sampleRecords() -> [NodeRecord] {
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

private func sampleExtended() -> NodeRecord {
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

private func sampleMetadata() -> [NodeRecord] {
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

private func sampleDeletion() -> NodeRecord {
    guard var file = sampleRecords().last else { fatalError("There are records") }
    file.delete(Dot(sampleReplica(0x30), 4), seen: [Dot(sampleReplica(0x40), 2)])
    return file
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
                ]
            } as [[String: Any]]
        ]
    }

    static func of(since: Message.SyncSince) -> [String: Any] {
        [
            "question": "\(since.question)", "folder": hex(since.folder.bytes),
            "epoch": "\(since.position?.epoch ?? 0)", "sequence": "\(since.position?.sequence ?? 0)",
        ].with("contents", since.contents == .none ? nil : "\(since.contents)")
    }

    static func of(changes: Message.SyncChanges) -> [String: Any] {
        [
            "question": "\(changes.question)", "records": changes.records.map(of),
            "epoch": "\(changes.latest?.epoch ?? 0)", "sequence": "\(changes.latest?.sequence ?? 0)",
        ].with("contents", changes.contents.isEmpty ? nil : changes.contents.map { hex($0) })
    }

    static func of(heard: Message.SyncHeard) -> [String: Any] {
        [
            "folder": hex(heard.folder.bytes), "epoch": "\(heard.position.epoch)",
            "sequence": "\(heard.position.sequence)",
        ]
    }

    static func of(want: Message.SyncWant) -> [String: Any] {
        var meaning: [String: Any] = [
            "question": "\(want.question)", "folder": hex(want.folder.bytes), "digest": hex(want.digest.bytes),
            "offset": "\(want.offset)",
        ]
        if want.length < 65_536 { meaning["length"] = want.length }
        guard let description = want.description else { return meaning }
        meaning["key"] = hex(description.key)
        if let question = description.question { meaning.merge(numbers(of: question)) { old, _ in old } }
        return meaning
    }

    private static func of(_ record: NodeRecord) -> [String: Any] {
        let places = record.places.map { place in
            ["dot": of(place.dot), "name": hex(Array(place.value.name.text.utf8))]
                .with("parent", place.value.parent == .root ? nil : of(place.value.parent.creation))
        }
        let versions = record.contents.map { version in
            ([
                "dot": of(version.dot), "digest": hex(version.value.form.digest.bytes),
                "attributes": Int(version.value.form.attributes), "size": "\(version.value.size)",
                "modified": "\(version.value.modified.seconds)", "author": version.value.author,
                "deleted": version.value.isDeleted,
            ] as [String: Any]).with("extended", extended(version.value.form.extended))
                .with("nanoseconds", nanoseconds(version.value.modified))
                .with("touch", version.value.touch.map(of))
        }
        return [
            "id": of(record.id.creation), "kind": "\(record.kind)", "places": places, "versions": versions,
            "life": record.life.map(of), "known": record.version.parts.map { of(Dot($0.replica, $0.counter)) },
        ].with(
            "permissions", record.permissions.map { ["dot": of($0.dot), "attributes": Int($0.value)] as [String: Any] })
    }

    private static func of(_ touch: StampedValue<ModificationTime>) -> [String: Any] {
        ["dot": of(touch.dot), "modified": "\(touch.value.seconds)"].with("nanoseconds", nanoseconds(touch.value))
    }

    /// - Returns: nil for none.
    private static func nanoseconds(_ time: ModificationTime) -> Int? {
        time.nanoseconds == 0 ? nil : Int(time.nanoseconds)
    }

    /// - Returns: nil for none.
    private static func extended(_ attributes: [ExtendedAttribute]) -> [[String: Any]]? {
        guard !attributes.isEmpty else { return nil }
        return attributes.map { ["name": hex(Array($0.name.text.utf8)), "value": hex($0.value)] }
    }

    private static func of(_ dot: Dot) -> [String: Any] {
        [
            "device": hex(dot.replica.device.bytes), "epoch": "\(dot.replica.epoch)", "counter": "\(dot.counter)",
        ]
    }
}
