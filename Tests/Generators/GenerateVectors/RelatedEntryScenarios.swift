/// Entries that refer to the preceding entry of their record.
func relatedEntries() -> [Scenario] {
    let elements: [[UInt8]] = [
        TreeBytes.folder(1, name: "pictures"),
        TreeBytes.next(0x61, flags: 1, own: [0x01, 0xA4] + TreeBytes.signed(20_000), "file-0007.txt", [0x80, 0x01]),
        TreeBytes.next(0x41, flags: 1, own: TreeBytes.signed(-123_476_790), shared: 8, "8.txt", [5]),
        TreeBytes.next(0xA1, flags: 3, own: [0x01, 0xED] + TreeBytes.signed(-60), shared: 9, "-copy.txt", [1, 0x78]),
        TreeBytes.mark, TreeBytes.next(0x42, own: TreeBytes.signed(1), shared: 4, "s"),
        TreeBytes.next(0x24, own: [0x01, 0xA4], shared: 5, "", TreeBytes.number(2, 4)),
        TreeBytes.next(0x23, own: [0x01, 0xFF], "a", TreeBytes.number(1, 2) + [0x62]),
        TreeBytes.next(
            0xD1, own: TreeBytes.number(8, 4) + TreeBytes.number(1, 4) + TreeBytes.time(-1_000_000_000_000, 1), "z"),
    ]
    let name = "file-0008-copy.txt"
    let meant: [[String: Any]] = [
        entry("folder", 1, in: 0, 0o755, (1_700_000_000, 123_456_789), "pictures"),
        entry("file", 2, in: 1, 0o644, (1_700_000_000, 123_476_789), "file-0007.txt").with("size", "128"),
        entry("file", 3, in: 1, 0o644, (1_699_999_999, 999_999_999), "file-0008.txt").with("size", "5"),
        entry("file", 4, in: 1, 0o755, (1_699_999_939, 999_999_999), name).with("size", "1").with("content", "78"),
        ["kind": "mark"], entry("folder", 5, in: 1, 0o755, (1_699_999_940, 0), "files"),
        entry("hard_link", 6, in: 5, 0o644, (1_699_999_940, 0), "files").with("target", 2),
        entry("symlink", 7, in: 5, 0o777, (1_699_999_940, 0), "a").with("target", "62"),
        entry("file", 8, in: 1, 0o755, (-1_000_000_000_000, 1), "z"),
    ]
    return [
        Scenario(
            "tree-record-related", kind: "tree_record", "Each entry says only how it differs from the one before it.",
            ["bytes": hex(TreeBytes.record(elements)), "transfer": 1, "elements": meant])
    ]
}

private func entry(
    _ kind: String, _ index: Int, in parent: Int, _ permissions: Int, _ time: (seconds: Int64, nanoseconds: Int),
    _ name: String
) -> [String: Any] {
    [
        "kind": kind, "index": index, "parent": parent, "permissions": permissions, "seconds": "\(time.seconds)",
        "nanoseconds": time.nanoseconds, "name": hex(Array(name.utf8)),
    ]
}

func refusedRelatedEntries() -> [Scenario] {
    func refused(_ name: String, _ elements: [UInt8]..., comment: String) -> Scenario {
        Scenario(
            "tree-record-refused-" + name, kind: "tree_record", comment,
            ["bytes": hex(TreeBytes.record(elements)), "refused": "malformed"])
    }
    /// The first entry of a record without one of its required parts.
    func first(_ head: UInt8, _ own: [UInt8]) -> [UInt8] { TreeBytes.next(head, own: own, "n") }
    func size(_ bytes: [UInt8]) -> [UInt8] { TreeBytes.entry(1, flags: 1, 1, name: [0x6E], bytes) }
    let folder = TreeBytes.folder(1, name: "n")
    let (place, permissions) = (TreeBytes.number(1, 4) + TreeBytes.number(0, 4), [0x01, 0xED] as [UInt8])
    let time = TreeBytes.time(1_700_000_000, 1)
    let long = String(repeating: "n", count: 200)
    return [
        refused("first-without-place", first(0xE2, permissions + time), comment: "The first entry has no number."),
        refused(
            "first-without-permissions", first(0xD2, place + time), comment: "The first entry has no permissions."),
        refused(
            "first-without-time", first(0x32, place + permissions), comment: "The first entry has the time of none."),
        refused(
            "first-with-time-difference", first(0x72, place + permissions + [2]),
            comment: "The time of the first entry is a difference."),
        refused(
            "first-file-without-permissions", folder, TreeBytes.next(0x01, flags: 1, "a", [0]),
            comment: "The first file has the permissions of none."),
        refused(
            "shared-too-much", folder, TreeBytes.next(0x02, shared: 2, "a"),
            comment: "A name shares two bytes with one of one byte."),
        refused(
            "shared-too-long", TreeBytes.folder(1, name: long),
            TreeBytes.next(0x02, shared: 200, String(repeating: "n", count: 56)), comment: "A name of 256 bytes."),
        refused("shared-nothing", folder, TreeBytes.next(0x02, ""), comment: "No name, and not the root."),
        refused(
            "number-too-large", TreeBytes.folder(0xFFFF_FFFF, name: "n"), TreeBytes.next(0x02, "a"),
            comment: "The number behind the last one."),
        refused(
            "seconds-too-large", TreeBytes.entry(2, 1, seconds: .max, name: [0x6E]),
            TreeBytes.next(0x82, own: TreeBytes.signed(1), "a"), comment: "A second behind the last one."),
        refused(
            "nanoseconds-too-small", TreeBytes.entry(2, 1, seconds: .min, nanoseconds: 0, name: [0x6E]),
            TreeBytes.next(0x42, own: TreeBytes.signed(-1), "a"), comment: "A nanosecond before the first one."),
        refused(
            "nanoseconds-too-large", TreeBytes.entry(2, 1, nanoseconds: 999_999_999, name: [0x6E]),
            TreeBytes.next(0x42, own: TreeBytes.signed(.max), "a"),
            comment: "A difference that goes beyond 64 bits with the nanoseconds before it."),
        refused("varint-longer-than-needed", size([0x80, 0x00]), comment: "A size of 0 in two bytes."),
        refused(
            "varint-65-bits", size([UInt8](repeating: 0xFF, count: 9) + [0x02]), comment: "A size of 65 bits."),
        refused(
            "varint-11-bytes", size([UInt8](repeating: 0x80, count: 10) + [0x01]), comment: "A size of 11 bytes."),
        refused("varint-cut", size([0x80]), comment: "A size without its last byte."),
    ]
}
