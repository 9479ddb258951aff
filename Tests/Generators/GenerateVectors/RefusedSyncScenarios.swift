import PortolanProtocol
import PortolanSyncPlan

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
    func wanted(_ digest: [UInt8], size: UInt64 = 3) -> [UInt8] {
        Proto.field(3, Proto.field(1, digest) + SyncBytes.number(2, size))
    }
    func want(_ contents: [UInt8], of folder: [UInt8] = id) -> [UInt8] {
        Proto.field(68, Proto.field(1, 1) + Proto.field(2, folder) + contents)
    }
    func permissions(_ bits: UInt64, _ counter: UInt64 = 1, kind: UInt64 = 1) -> [UInt8] {
        let field = Proto.field(7, Proto.field(1, dot(counter)) + Proto.field(2, bits))
        return changes(record(id: dot(1), name: [0x61], kind: kind, known: dot(1), field))
    }
    func node(key: Int = 32, epoch: UInt64 = 7, counter: UInt64 = 1) -> [UInt8] {
        Proto.field(
            2, Proto.field(1, Array(fixedBytes(0x30).prefix(key))) + Proto.fixed(2, epoch) + Proto.field(3, counter))
    }
    func lack(_ reason: UInt64, _ more: [UInt8] = []) -> [UInt8] { Proto.field(8, Proto.field(1, reason) + more) }
    func lacks(_ all: [UInt8]) -> [UInt8] { Proto.field(64, folder(id, all)) }
    let plain = record(id: dot(1), name: [0x61], known: dot(1))
    let end = Proto.field(4, 1) + Proto.fixed(5, 7)
    let device = Proto.field(1, Array(fixedBytes(0x30)))
    func seal(_ field: UInt64, _ count: Int = 56) -> [UInt8] { Proto.field(field, [UInt8](repeating: 1, count: count)) }
    let long = [UInt8](repeating: 0x61, count: 256)
    /// A file with versions of one dot.
    func fork(_ digests: [UInt8]) -> [UInt8] {
        let place = Proto.field(3, Proto.field(1, dot(1)) + Proto.field(3, [0x61]))
        let versions = digests.flatMap { digest in
            Proto.field(4, Proto.field(1, dot(1)) + Proto.field(2, Array(fixedBytes(digest))))
        }
        return changes(
            Proto.field(
                3,
                Proto.field(1, dot(1)) + Proto.field(2, 2) + place + versions + Proto.field(5, dot(1))
                    + Proto.field(6, dot(1))))
    }
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
    let signature = [UInt8](repeating: 1, count: 64)
    func statement(_ bytes: Int, _ more: [UInt8] = []) -> [UInt8] {
        Proto.field(
            71, Proto.field(1, [UInt8](repeating: 1, count: bytes)) + Proto.field(2, signature) + more)
    }
    return [
        refused("statement-2049", statement(2049), "limit", "A statement of 2,049 bytes."),
        refused(
            "statement-unsigned", Proto.field(71, Proto.field(1, [UInt8]([1]))), "malformed",
            "A statement without a signature."),
        refused(
            "statement-grant-unsigned", statement(1, Proto.field(3, [UInt8]([1]))), "malformed",
            "A grant without a signature."),
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
            "folders-short-seal",
            Proto.field(64, folder(id, Proto.fixed(5, 7) + Proto.field(7, [UInt8](repeating: 1, count: 55)))),
            "malformed", "A seal of 55 bytes."),
        refused("folders-short-stop", lacks(seal(9, 55)), "malformed", "A stop of 55 bytes."),
        refused("folders-stop-with-epoch", lacks(Proto.fixed(3, 7) + seal(9)), "malformed", "A stop, and an epoch."),
        refused("folders-host-without-stop", lacks(Proto.field(10, "ada")), "malformed", "A host without a stop."),
        refused("folders-host-256", lacks(seal(9) + Proto.field(10, long)), "limit", "A host of 256 bytes."),
        refused("folders-short-heard-stop", lacks(seal(11, 57)), "malformed", "A stop of 57 bytes."),
        refused(
            "folders-machine-without-stop", lacks(Proto.field(12, Proto.field(2, "::1"))), "malformed",
            "A machine without a stop."),
        refused(
            "folders-machines-3", lacks(seal(11) + (0..<3).flatMap { _ in Proto.field(12, Proto.field(2, "::1")) }),
            "limit", "Three machines."),
        refused(
            "folders-machine-host-256", lacks(seal(11) + Proto.field(12, Proto.field(1, long))), "limit",
            "A machine with a name of 256 bytes."),
        refused(
            "folders-machine-address-256", lacks(seal(11) + Proto.field(12, Proto.field(2, long))), "limit",
            "A machine with an address of 256 bytes."),
        refused(
            "folders-machine-seen-too-late", lacks(seal(11) + Proto.field(12, Proto.field(3, 1 << 63))), "limit",
            "A machine that was seen at 2^63."),
        refused(
            "folders-lacks-17", lacks((0..<17).flatMap { _ in lack(6) }), "limit", "Seventeen lacks of one folder."),
        refused(
            "folders-lacks-257",
            Proto.field(
                64,
                (0..<17 as Range<UInt8>).flatMap { number in
                    folder([number] + id.dropFirst(), (0..<(number == 16 ? 1 : 16)).flatMap { _ in lack(6) })
                }), "limit", "A lack too many in all folders."),
        refused("folders-lack-reason-0", lacks(lack(0, node())), "malformed", "A lack without a reason."),
        refused("folders-lack-reason-8", lacks(lack(8, node())), "malformed", "An unknown reason."),
        refused("folders-lack-nothing", lacks(lack(3)), "malformed", "A link that is not named."),
        refused(
            "folders-lack-nodes-9", lacks(lack(2, (0..<9).flatMap { _ in node() })), "limit", "Nine nodes of one lack."),
        refused("folders-lack-short-key", lacks(lack(3, node(key: 31))), "malformed", "A key of 31 bytes."),
        refused("folders-lack-epoch-0", lacks(lack(3, node(epoch: 0))), "malformed", "A node of no epoch."),
        refused("folders-lack-count-0", lacks(lack(3, node(counter: 0))), "malformed", "A node of the change 0."),
        refused(
            "folders-lack-count-too-large", lacks(lack(3, node(counter: 1 << 63))), "malformed",
            "A node of the change 2^63."),
        refused(
            "folders-lack-files-too-many", lacks(lack(2, node() + Proto.field(3, 1 << 31))), "malformed",
            "A deletion of 2^31 files."),
        refused(
            "folders-lack-short-mark", lacks(lack(2, node() + Proto.field(4, [UInt8](repeating: 1, count: 3)))),
            "malformed", "A mark of three bytes."),
        refused(
            "since-seal-no-epoch",
            Proto.field(65, Proto.field(1, 1) + Proto.field(2, id) + Proto.field(6, [UInt8](repeating: 1, count: 56))),
            "malformed", "A seal of no epoch."),
        refused("changes-short-seal", changes([], end + seal(8, 57)), "malformed", "A seal of 57 bytes."),
        refused(
            "changes-seals-too-early", changes(plain, Proto.field(9, device + seal(2))), "malformed",
            "Seals of other devices, and another part to come."),
        refused(
            "changes-seal-twice",
            changes([], end + Proto.field(9, device + seal(2)) + Proto.field(9, device + seal(2))), "malformed",
            "Two seals of one device."),
        refused(
            "changes-seal-short-key", changes([], end + Proto.field(9, Proto.field(1, [UInt8]([1])) + seal(2))),
            "malformed", "A seal of a key of one byte."),
        refused(
            "changes-seals-257", changes([], end + (0..<257).flatMap { _ in Proto.field(9, [UInt8]()) }), "limit",
            "A seal too many."),
        refused(
            "changes-versions-of-dot-unordered", fork([0x21, 0x20]), "malformed",
            "Two versions of one dot that are not in the order of their digests."),
        refused("changes-version-twice", fork([0x20, 0x20]), "malformed", "A version twice."),
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
        refused("want-nothing", want([]), "malformed", "No content is asked for."),
        refused(
            "want-1025",
            want(
                (0..<1025).flatMap { number in wanted(SyncBytes.sha256([UInt8(number / 256), UInt8(number % 256)])) }),
            "limit", "A content too many."),
        refused(
            "want-twice", want(wanted(fixedBytes(1)) + wanted(fixedBytes(2)) + wanted(fixedBytes(1), size: 4)),
            "malformed", "One digest twice."),
        refused("want-empty", want(wanted(fixedBytes(1), size: 0)), "malformed", "An empty content."),
        refused("want-size-too-large", want(wanted(fixedBytes(1), size: 1 << 63)), "limit", "A content of 2^63 bytes."),
        refused("want-short-digest", want(wanted(fixedBytes(1).dropLast())), "malformed", "A digest of 31 bytes."),
        refused(
            "want-short-id", want(wanted(fixedBytes(1)), of: id.dropLast()), "malformed", "A folder of 15 bytes."),
        refused(
            "content-of-version-4", Proto.field(69, Proto.field(1, 1) + Proto.field(2, [1])), "malformed",
            "A SyncContent, which version 4 had."),
        refused("reserved", Proto.field(72, [UInt8]()), "malformed", "A message number reserved for folders."),
    ]
}
