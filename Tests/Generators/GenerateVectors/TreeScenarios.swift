/// The elements of tree records, byte by byte.
enum TreeBytes {
    static func number(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64(count - 1 - $0))) }
    }

    static func record(_ elements: [[UInt8]], transfer: UInt64 = 1) -> [UInt8] {
        number(transfer, 4) + elements.flatMap { $0 }
    }

    static func varint(_ value: UInt64) -> [UInt8] {
        value < 0x80 ? [UInt8(value)] : [UInt8(value & 0x7F) | 0x80] + varint(value >> 7)
    }

    static func signed(_ value: Int64) -> [UInt8] { varint(UInt64(bitPattern: (value << 1) ^ (value >> 63))) }

    /// An entry with all parts, as the first one of a record.
    static func entry(
        _ kind: UInt8, flags: UInt8 = 0, permissions: UInt64 = 0o644, _ index: UInt64, in parent: UInt64 = 0,
        seconds: Int64 = 1_700_000_000, nanoseconds: UInt64 = 123_456_789, name: [UInt8], _ rest: [UInt8] = []
    ) -> [UInt8] {
        let place = number(index, 4) + number(parent, 4)
        return [0xF0 | kind, flags] + place + number(permissions, 2) + time(seconds, nanoseconds)
            + [0, UInt8(name.count)] + name + rest
    }

    /// A time that is no difference.
    static func time(_ seconds: Int64, _ nanoseconds: UInt64) -> [UInt8] {
        number(UInt64(bitPattern: seconds), 8) + number(nanoseconds, 4)
    }

    /// An entry that refers to the preceding one.
    ///
    /// - Parameter own: its number and parent, then permissions and time, if the head announces them.
    static func next(
        _ head: UInt8, flags: UInt8 = 0, own: [UInt8] = [], shared: UInt8 = 0, _ name: String, _ rest: [UInt8] = []
    ) -> [UInt8] {
        [head, flags] + own + [shared, UInt8(name.utf8.count)] + Array(name.utf8) + rest
    }

    static func folder(_ index: UInt64, in parent: UInt64 = 0, name: String) -> [UInt8] {
        entry(2, permissions: 0o755, index, in: parent, name: Array(name.utf8))
    }

    /// A file whose content is part of the entry.
    static func whole(_ index: UInt64, in parent: UInt64 = 0, name: String, _ content: String) -> [UInt8] {
        entry(
            1, flags: 3, index, in: parent, name: Array(name.utf8),
            varint(UInt64(content.utf8.count)) + Array(content.utf8))
    }

    static func file(_ index: UInt64, in parent: UInt64 = 0, name: String, size: UInt64) -> [UInt8] {
        entry(1, flags: 1, index, in: parent, name: Array(name.utf8), varint(size))
    }

    static func content(_ index: UInt64, _ bytes: [UInt8]) -> [UInt8] {
        [5] + number(index, 4) + number(UInt64(bytes.count), 4) + bytes
    }

    static func hole(_ index: UInt64, _ offset: UInt64, _ length: UInt64) -> [UInt8] {
        [6] + number(index, 4) + number(offset, 8) + number(length, 8)
    }

    static func copy(_ index: UInt64, _ offset: UInt64, _ length: UInt64, from base: UInt64) -> [UInt8] {
        [9] + number(index, 4) + number(offset, 8) + number(length, 8) + number(base, 8)
    }

    static func builtEnd(_ index: UInt64, size: UInt64, sent: UInt64, digest: [UInt8]) -> [UInt8] {
        [10] + number(index, 4) + number(size, 8) + number(sent, 8) + digest
    }

    static func end(_ index: UInt64, status: UInt8 = 0, size: UInt64, sent: UInt64) -> [UInt8] {
        [7] + number(index, 4) + [status] + number(size, 8) + number(sent, 8)
    }

    static let mark: [UInt8] = [8]

    static func attributes(_ attributes: [(name: [UInt8], value: [UInt8])]) -> [UInt8] {
        [UInt8(attributes.count)]
            + attributes.flatMap { [UInt8($0.name.count)] + $0.name + number(UInt64($0.value.count), 2) + $0.value }
    }

    static let team = [UInt8](repeating: 0xAC, count: 16)

    /// For groups of the team.
    static func groups(_ names: [String]) -> [UInt8] {
        [2] + team + [UInt8(names.count)] + names.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
    }
}

func treeRecordScenarios() -> [Scenario] {
    func good(_ name: String, _ bytes: [UInt8], _ elements: [[String: Any]], _ comment: String) -> Scenario {
        Scenario(
            "tree-record-" + name, kind: "tree_record", comment,
            ["bytes": hex(TreeBytes.record([bytes])), "transfer": 1, "elements": elements])
    }
    func entry(_ kind: String, _ index: Int, parent: Int = 0, permissions: Int = 0o644, name: [UInt8]) -> [String: Any]
    {
        [
            "kind": kind, "index": index, "parent": parent, "permissions": permissions, "seconds": "1700000000",
            "nanoseconds": 123_456_789, "name": hex(name),
        ]
    }
    let name = Array("name".utf8)
    let attributes: [(name: [UInt8], value: [UInt8])] = [
        (Array("mime_type".utf8), Array("text/plain".utf8)), ([0xFF], []),
    ]
    let meant: [[String: Any]] = attributes.map { ["name": hex($0.name), "value": hex($0.value)] }
    let team: [String: Any] = ["team": hex(TreeBytes.team), "groups": [String]()]
    let largest = (10..<74).map { "\($0)" + String(repeating: "g", count: 61) }
    return [
        good(
            "root-folder", TreeBytes.folder(0, name: ""), [entry("folder", 0, permissions: 0o755, name: [])],
            "A root; its name is in Begin."),
        good(
            "file-unknown-size", TreeBytes.entry(1, 1, name: name),
            [entry("file", 1, name: name)], "A file of unknown size."),
        good(
            "file-known-size", TreeBytes.file(1, name: "name", size: 1 << 40),
            [entry("file", 1, name: name).with("size", "\(UInt64(1) << 40)")], "A file whose content comes in ranges."),
        good(
            "file-whole", TreeBytes.whole(1, name: "name", "hello"),
            [entry("file", 1, name: name).with("size", "5").with("content", hex(Array("hello".utf8)))],
            "A file with its content."),
        good(
            "file-empty", TreeBytes.whole(1, name: "name", ""),
            [entry("file", 1, name: name).with("size", "0").with("content", "")], "A file that is empty."),
        good(
            "file-everything",
            TreeBytes.entry(
                1, flags: 15, permissions: 0o755, 2, in: 1, seconds: -1, nanoseconds: 999_999_999, name: [0x6C, 0xE9],
                [3] + TreeBytes.attributes(attributes) + [1, 2, 3]),
            [
                [
                    "kind": "file", "index": 2, "parent": 1, "permissions": 0o755, "seconds": "-1",
                    "nanoseconds": 999_999_999, "name": "6ce9", "size": "3", "link_target": true, "attributes": meant,
                    "content": "010203",
                ]
            ], "An executable from before 1970, which hard links may name, with attributes and its content."),
        good(
            "folder-attributes",
            TreeBytes.entry(2, flags: 8, 1, name: name, TreeBytes.attributes(attributes)),
            [entry("folder", 1, name: name).with("attributes", meant)], "A folder with attributes."),
        good(
            "file-team",
            TreeBytes.entry(1, flags: 17, 1, name: name, [7, 1] + TreeBytes.team),
            [entry("file", 1, name: name).with("size", "7").with("audience", team)],
            "A file that is for a team, in a folder that is not."),
        good(
            "file-group",
            TreeBytes.entry(
                1, flags: 27, 1, name: name,
                [2] + TreeBytes.attributes(attributes) + TreeBytes.groups(["design", "Größe"]) + [1, 2]),
            [
                entry("file", 1, name: name).with("size", "2").with("attributes", meant)
                    .with("audience", team.with("groups", ["design", "Größe"])).with("content", "0102")
            ], "A file that is for two groups, with attributes before and its content behind that."),
        good(
            "folder-groups", TreeBytes.entry(2, flags: 16, 1, name: name, TreeBytes.groups(largest)),
            [entry("folder", 1, name: name).with("audience", team.with("groups", largest))],
            "A folder that is for as many groups as there may be, of names as long as they may be."),
        good(
            "symlink", TreeBytes.entry(3, 1, name: name, TreeBytes.number(6, 2) + Array("../run".utf8)),
            [entry("symlink", 1, name: name).with("target", hex(Array("../run".utf8)))], "A symbolic link."),
        good(
            "hard-link", TreeBytes.entry(4, 3, name: name, TreeBytes.number(2, 4)),
            [entry("hard_link", 3, name: name).with("target", 2)], "Another name of entry 2."),
        good(
            "content", TreeBytes.content(7, [1, 2, 3]), [["kind": "content", "index": 7, "content": "010203"]],
            "The whole content of a file that was asked for."),
        good(
            "hole", TreeBytes.hole(7, 1 << 20, 1 << 30),
            [["kind": "hole", "index": 7, "offset": "1048576", "length": "1073741824"]], "A gibibyte of nothing."),
        good(
            "copy", TreeBytes.copy(7, 1 << 20, 4096, from: 1),
            [["kind": "copy", "index": 7, "offset": "1048576", "length": "4096", "base": "1"]],
            "A page of an earlier version, which moved."),
        good(
            "file-end-digest", TreeBytes.builtEnd(7, size: 4096, sent: 4096, digest: [UInt8](0..<16)),
            [
                [
                    "kind": "file_end", "index": 7, "size": "4096", "sent": "4096",
                    "digest": "000102030405060708090a0b0c0d0e0f",
                ]
            ], "A file with copies in it."),
        good(
            "file-end", TreeBytes.end(7, size: 600_000, sent: 75_712),
            [["kind": "file_end", "index": 7, "size": "600000", "sent": "75712"]],
            "A file of which two blocks were held."),
        good(
            "file-end-changed", TreeBytes.end(7, status: 3, size: 0, sent: 4096),
            [["kind": "file_end", "index": 7, "size": "0", "sent": "4096", "failure": "changed"]],
            "A file that changed while it was sent."),
        good(
            "file-end-unspecified", TreeBytes.end(7, status: 255, size: 0, sent: 0),
            [["kind": "file_end", "index": 7, "size": "0", "sent": "0", "failure": "unspecified"]],
            "A failure that is none of the others."),
        good(
            "several", TreeBytes.whole(1, name: "a", "x") + TreeBytes.hole(0, 0, 1) + TreeBytes.mark,
            [
                entry("file", 1, name: Array("a".utf8)).with("size", "1").with("content", "78"),
                ["kind": "hole", "index": 0, "offset": "0", "length": "1"], ["kind": "mark"],
            ], "Several elements; whether they belong together is decided elsewhere."),
    ] + relatedEntries() + refusedTreeRecords() + refusedRelatedEntries()
}

private func refusedTreeRecords() -> [Scenario] {
    func refused(_ name: String, _ element: [UInt8], _ kind: String, _ comment: String) -> Scenario {
        Scenario(
            "tree-record-refused-" + name, kind: "tree_record", comment,
            ["bytes": hex(TreeBytes.record([element])), "refused": kind])
    }
    let name = Array("n".utf8)
    func file(_ flags: UInt8, _ rest: [UInt8]) -> [UInt8] { TreeBytes.entry(1, flags: flags, 1, name: name, rest) }
    func attributed(_ attributes: [UInt8]) -> [UInt8] { TreeBytes.entry(2, flags: 8, 1, name: name, attributes) }
    let long = [UInt8](repeating: 0x61, count: 32_768)
    func restricted(_ restriction: [UInt8]) -> [UInt8] {
        TreeBytes.entry(2, flags: 16, 1, name: name, restriction)
    }
    return [
        refused("empty", [], "malformed", "No element."),
        refused("kind-0", [0], "malformed", "An element of kind 0."),
        refused("copy-empty", TreeBytes.copy(0, 0, 0, from: 0), "malformed", "A copy of nothing."),
        refused("copy-too-far", TreeBytes.copy(0, 0, 1, from: 1 << 63), "limit", "A copy behind the end of all files."),
        refused("kind-11", [11], "malformed", "An element of a kind nobody knows."),
        refused("cut", Array(TreeBytes.folder(1, name: "n").dropLast()), "malformed", "The last byte is missing."),
        refused("kind-0x15", [0x15] + TreeBytes.content(7, []).dropFirst(), "malformed", "Content with a place."),
        refused("flag-32", file(32, []), "malformed", "A flag nobody knows."),
        refused("folder-flag-1", TreeBytes.entry(2, flags: 1, 1, name: name), "malformed", "A folder of known size."),
        refused(
            "symlink-flag-8", TreeBytes.entry(3, flags: 8, 1, name: name, [0, 1, 0x61]), "malformed",
            "A link with attributes."),
        refused(
            "setuid", TreeBytes.entry(2, permissions: 0o4755, 1, name: name), "malformed", "A set-user-ID bit."),
        refused(
            "nanoseconds", TreeBytes.entry(2, 1, nanoseconds: 1_000_000_000, name: name), "malformed",
            "A second of nanoseconds."),
        refused("root-with-name", TreeBytes.folder(0, name: "n"), "malformed", "The root with a name."),
        refused("without-name", TreeBytes.folder(1, name: ""), "malformed", "No name, and not the root."),
        refused("unknown-content", file(2, []), "malformed", "All of a file of unknown size."),
        refused("size-too-large", file(1, TreeBytes.varint(1 << 63)), "limit", "A file of 2^63 bytes."),
        refused("content-cut", file(3, [5, 1, 2, 3, 4]), "malformed", "Less content than size."),
        refused(
            "content-huge", file(3, TreeBytes.varint(1 << 62)), "malformed",
            "A file of 2^62 bytes, all of which is said to follow."),
        refused("attributes-0", attributed([0]), "malformed", "Attributes, none of them there."),
        refused(
            "attributes-65", attributed(TreeBytes.attributes((0..<65).map { ([$0 + 1], []) })), "limit",
            "An attribute too many."),
        refused("attribute-without-name", attributed([1, 0, 0, 0]), "malformed", "An attribute without a name."),
        refused(
            "attribute-nul", attributed(TreeBytes.attributes([([0x61, 0], [])])), "malformed", "A zero in a name."),
        refused(
            "attribute-twice", attributed(TreeBytes.attributes([([0x61], [1]), ([0x61], [2])])), "malformed",
            "One attribute twice."),
        refused(
            "attributes-too-long", attributed(TreeBytes.attributes([([0x61], long), ([0x62], long)])), "limit",
            "More than 64 KiB of names and values."),
        refused(
            "restricted-root", TreeBytes.entry(2, flags: 16, 0, name: [], [1] + TreeBytes.team), "malformed",
            "A restriction of the root, which is that of its representation."),
        refused(
            "restricted-symlink", TreeBytes.entry(3, flags: 16, 1, name: name, [0, 1, 0x61, 1] + TreeBytes.team),
            "malformed", "A link with a restriction."),
        refused(
            "restricted-hard-link",
            TreeBytes.entry(4, flags: 16, 1, name: name, TreeBytes.number(0, 4) + [1] + TreeBytes.team), "malformed",
            "A hard link with a restriction."),
        refused("restricted-to-all", restricted([0]), "malformed", "A restriction that is none."),
        refused("restricted-to-own-process", restricted([3]), "malformed", "A level that never travels."),
        refused("restricted-level-4", restricted([4] + TreeBytes.team), "malformed", "A level nobody knows."),
        refused(
            "restricted-team-cut", restricted([1] + TreeBytes.team.dropLast()), "malformed", "15 bytes of a team."),
        refused("restricted-groups-0", restricted(TreeBytes.groups([])), "malformed", "For groups, and none is named."),
        refused(
            "restricted-groups-65", restricted(TreeBytes.groups((0..<65).map { "g\($0)" })), "limit",
            "A group too many."),
        refused(
            "restricted-groups-cut", restricted(TreeBytes.groups(["design"]).dropLast()), "malformed",
            "The last byte of a group's name is missing."),
        refused(
            "restricted-group-empty", restricted(TreeBytes.groups([""])), "malformed", "A group without a name."),
        refused(
            "restricted-group-64-bytes", restricted(TreeBytes.groups([String(repeating: "g", count: 64)])), "limit",
            "A name of a group of 64 bytes."),
        refused(
            "restricted-group-not-utf8", restricted([2] + TreeBytes.team + [1, 1, 0xFF]), "malformed",
            "A name of a group that is not UTF-8."),
        refused(
            "restricted-group-slash", restricted(TreeBytes.groups(["a/b"])), "malformed",
            "A name that cannot be a group's."),
        refused(
            "restricted-group-twice", restricted(TreeBytes.groups(["design", "Design"])), "malformed",
            "One group twice, in another case."),
        refused("link-without-target", TreeBytes.entry(3, 1, name: name, [0, 0]), "malformed", "A link to nowhere."),
        refused(
            "link-long-target",
            TreeBytes.entry(3, 1, name: name, [0x10, 0x00] + [UInt8](repeating: 0x61, count: 4096)), "limit",
            "A target of 4096 bytes."),
        refused(
            "content-too-short", [5, 0, 0, 0, 1, 0, 0, 0, 2, 1], "malformed", "Less content than its length says."),
        refused("hole-empty", TreeBytes.hole(1, 0, 0), "malformed", "A hole of nothing."),
        refused("hole-overflow", TreeBytes.hole(1, .max, 1), "limit", "A hole beyond 2^64."),
        refused("hole-too-far", TreeBytes.hole(1, 1 << 62, 1 << 62), "limit", "A hole beyond any file."),
        refused("end-more-than-all", TreeBytes.end(1, size: 5, sent: 6), "unexpected", "More sent than there is."),
        refused("end-too-large", TreeBytes.end(1, size: 1 << 63, sent: 0), "limit", "A file of 2^63 bytes."),
    ]
}
