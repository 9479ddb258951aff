/// Whole transfers on lanes, good and bad, record by record.
func treeTransferScenarios() -> [Scenario] {
    goodTransfers() + refusedTransfers()
}

indirect enum Step {
    case tree(lane: Int, [[UInt8]])
    case payload(lane: Int, entry: UInt64, offset: UInt64, count: Int)
    case end(entries: Int, bytes: Int, lanes: [Int], failure: String? = nil)
    case holding(entry: Int, block: Int, count: Int, done: Bool)
    /// Repetition: this many copies, with counting numbers.
    case repeated(Int, Step, [Counter])

    var content: [String: Any] {
        switch self {
        case .tree(let lane, let elements): ["lane": lane, "type": 4, "plaintext": hex(TreeBytes.record(elements))]
        case .payload(let lane, let entry, let offset, let count):
            [
                "lane": lane, "type": 2,
                "plaintext": hex(
                    TreeBytes.number(1, 4) + TreeBytes.number(entry, 4) + TreeBytes.number(offset, 8)
                        + [UInt8](repeating: 0x78, count: count)),
            ]
        case .end(let entries, let bytes, let lanes, let failure):
            ["end": ["entries": entries, "bytes": bytes, "lanes": lanes].with("failure", failure)]
        case .holding(let entry, let block, let count, let done):
            ["holding": ["entry": entry, "block": block, "count": count, "done": done] as [String: Any]]
        case .repeated(let count, let step, let counters):
            ["repeat": count, "step": step.content, "counters": counters.map(\.content)]
        }
    }
}

/// A number in the plaintext of a step that is repeated: another one in each copy.
struct Counter {
    let at: Int
    let length: Int
    let first: UInt64
    let by: UInt64
    /// True if it is written as ASCII digits.
    var isDecimal = false

    var content: [String: Any] {
        ["at": at, "length": length, "first": "\(first)", "by": "\(by)"].with("decimal", isDecimal ? true : nil)
    }
}

func complete(_ finished: [Int]) -> [String: Any] { ["complete": true, "finished": finished] }

func transferScenario(
    _ name: String, folder: Bool = true, decisions: [Int]? = nil, inOrder: Bool = false, _ steps: [Step],
    _ outcome: [String: Any], _ comment: String
) -> Scenario {
    let content: [String: Any] = [
        "folder": folder, "lanes": inOrder ? 1 : 4, "steps": steps.map(\.content), "outcome": outcome,
    ]
    return Scenario("tree-transfer-" + name, kind: "tree_transfer", comment, content.with("decisions", decisions))
}

private let root = TreeBytes.folder(0, name: "")

private func goodTransfers() -> [Scenario] {
    return [
        transferScenario(
            "small",
            [
                .tree(lane: 0, [root, TreeBytes.whole(1, name: "a", "x"), TreeBytes.folder(2, name: "b")]),
                .tree(lane: 0, [TreeBytes.whole(3, in: 2, name: "c", ""), TreeBytes.mark]),
                .end(entries: 4, bytes: 1, lanes: [0]),
            ], complete([]), "Small files in folders."),
        transferScenario(
            "lanes", folder: false,
            [
                .tree(lane: 7, [TreeBytes.file(0, name: "", size: 30)]),
                .payload(lane: 3, entry: 0, offset: 20, count: 10),
                .payload(lane: 7, entry: 0, offset: 0, count: 5), .end(entries: 1, bytes: 25, lanes: [3, 7]),
                .tree(lane: 3, [TreeBytes.end(0, size: 30, sent: 30), TreeBytes.mark]),
                .tree(lane: 7, [TreeBytes.hole(0, 5, 5)]), .payload(lane: 7, entry: 0, offset: 10, count: 10),
                .tree(lane: 7, [TreeBytes.mark]),
            ], complete([0]), "A file on two lanes, with a hole; its end and End come before the last of it."),
        transferScenario(
            "stream", folder: false,
            [
                .tree(lane: 0, [TreeBytes.entry(1, 0, name: [])]),
                .payload(lane: 0, entry: 0, offset: 0, count: 3), .payload(lane: 0, entry: 0, offset: 3, count: 3),
                .tree(lane: 0, [TreeBytes.end(0, size: 6, sent: 6), TreeBytes.mark]),
                .end(entries: 1, bytes: 6, lanes: [0]),
            ], complete([0]), "A file whose size was not known."),
        transferScenario(
            "asking", decisions: [0, 1, 2],
            [
                .tree(
                    lane: 0,
                    [
                        root, TreeBytes.file(1, name: "a", size: 9), TreeBytes.file(2, name: "b", size: 3),
                        TreeBytes.file(3, name: "c", size: 300_000),
                    ]), .holding(entry: 3, block: 0, count: 1, done: true),
                .tree(lane: 0, [TreeBytes.content(2, [1, 2, 3])]),
                .payload(lane: 1, entry: 3, offset: 262_144, count: 37_856),
                .tree(lane: 1, [TreeBytes.end(3, size: 300_000, sent: 37_856), TreeBytes.mark]),
                .tree(lane: 0, [TreeBytes.mark]), .end(entries: 4, bytes: 37_859, lanes: [0, 1]),
            ], complete([3]), "One file is kept, one wanted, one compared, of which the second block differs."),
        transferScenario(
            "failed-file",
            [
                .tree(lane: 0, [root, TreeBytes.file(1, name: "a", size: 9)]),
                .payload(lane: 0, entry: 1, offset: 0, count: 4),
                .tree(lane: 0, [TreeBytes.end(1, status: 3, size: 0, sent: 4), TreeBytes.mark]),
                .end(entries: 2, bytes: 4, lanes: [0]),
            ], complete([1]), "A file that changed is not the file; the rest goes on."),
        transferScenario(
            "broken-off",
            [
                .tree(lane: 0, [root, TreeBytes.file(1, name: "a", size: 9)]),
                .payload(lane: 0, entry: 1, offset: 0, count: 4), .tree(lane: 0, [TreeBytes.mark]),
                .end(entries: 2, bytes: 4, lanes: [0], failure: "cancelled"),
            ], complete([]), "The sender breaks off inside a file."),
    ]
}

private func refusedTransfers() -> [Scenario] {
    func refused(
        _ name: String, folder: Bool = true, decisions: [Int]? = nil, inOrder: Bool = false, _ steps: [Step],
        _ kind: String, _ comment: String
    ) -> Scenario {
        transferScenario(
            "refused-" + name, folder: folder, decisions: decisions, inOrder: inOrder, steps, ["refused": kind], comment
        )
    }
    func ten(_ step: Step...) -> [Step] { [.tree(lane: 0, [TreeBytes.file(0, name: "", size: 10)])] + step }
    return [
        refused("gap", [.tree(lane: 0, [root, TreeBytes.folder(2, name: "b")])], "unexpected", "Entry 1 is missing."),
        refused(
            "closed-folder",
            [
                .tree(
                    lane: 0,
                    [
                        root, TreeBytes.folder(1, name: "a"), TreeBytes.folder(2, name: "b"),
                        TreeBytes.folder(3, in: 1, name: "c"),
                    ])
            ], "unexpected", "An entry of a folder that was left."),
        refused(
            "entry-on-lane-1", [.tree(lane: 0, [root]), .tree(lane: 1, [TreeBytes.folder(1, name: "a")])], "unexpected",
            "An entry on another lane than the first."),
        refused(
            "link-root", [.tree(lane: 0, [TreeBytes.entry(3, 0, name: [], [0, 1, 0x61])])], "unexpected",
            "The root is a link."),
        refused(
            "file-root", [.tree(lane: 0, [TreeBytes.whole(0, name: "", "x")])], "unexpected",
            "A file in place of a folder."),
        refused(
            "hard-link",
            [
                .tree(
                    lane: 0,
                    [root, TreeBytes.whole(1, name: "a", ""), TreeBytes.entry(4, 2, name: [0x62], [0, 0, 0, 1])])
            ],
            "unexpected", "A hard link names a file that was not flagged."),
        refused(
            "more", folder: false, ten(.payload(lane: 0, entry: 0, offset: 9, count: 2)), "unexpected",
            "More than was declared."),
        refused(
            "overlap", folder: false,
            ten(.payload(lane: 0, entry: 0, offset: 0, count: 5), .payload(lane: 1, entry: 0, offset: 4, count: 2)),
            "unexpected", "A byte twice."),
        refused(
            "fewer", folder: false,
            ten(
                .payload(lane: 0, entry: 0, offset: 0, count: 5), .tree(lane: 0, [TreeBytes.end(0, size: 10, sent: 5)])),
            "unexpected", "A file ends before its size."),
        refused(
            "other-size", folder: false, ten(.tree(lane: 0, [TreeBytes.end(0, size: 11, sent: 11)])), "unexpected",
            "A file ends with another size."),
        refused(
            "more-than-sent", folder: false,
            ten(
                .tree(lane: 0, [TreeBytes.end(0, status: 3, size: 0, sent: 4)]),
                .payload(lane: 1, entry: 0, offset: 0, count: 5)), "unexpected",
            "More of a file than its end says was sent."),
        refused(
            "unfinished", folder: false,
            ten(
                .payload(lane: 0, entry: 0, offset: 0, count: 10), .tree(lane: 0, [TreeBytes.mark]),
                .end(entries: 1, bytes: 10, lanes: [0])), "unexpected", "The transfer ends and the file has not."),
        refused(
            "stream-out-of-order", folder: false,
            [
                .tree(lane: 0, [TreeBytes.entry(1, 0, name: [])]),
                .payload(lane: 0, entry: 0, offset: 1, count: 1),
            ], "unexpected", "A stream begins behind its beginning."),
        refused(
            "in-order", folder: false, inOrder: true, ten(.payload(lane: 0, entry: 0, offset: 5, count: 5)),
            "unexpected",
            "What was to come in order does not."),
        refused(
            "stream-hole", folder: false,
            [
                .tree(lane: 0, [TreeBytes.entry(1, 0, name: [])]),
                .tree(lane: 0, [TreeBytes.hole(0, 0, 1)]),
            ], "unexpected", "A hole in a stream."),
        refused(
            "sizes",
            [
                .tree(lane: 0, [root, TreeBytes.file(1, name: "a", size: UInt64(Int64.max) - 5)]),
                .tree(lane: 0, [TreeBytes.whole(2, name: "b", "hello")]),
                .tree(lane: 0, [TreeBytes.file(3, name: "c", size: 1)]),
            ], "limit", "The files are together larger than any file can be, by one byte."),
        refused(
            "sizes-of-streams",
            [
                .tree(
                    lane: 0,
                    [
                        root, TreeBytes.file(1, name: "a", size: UInt64(Int64.max) - 3),
                        TreeBytes.entry(1, 2, name: Array("b".utf8)),
                    ]), .payload(lane: 0, entry: 2, offset: 0, count: 3),
                .payload(lane: 0, entry: 2, offset: 3, count: 1),
            ], "limit", "As before; the last byte is one of a stream."),
        refused(
            "not-asked", [.tree(lane: 0, [root, TreeBytes.file(1, name: "a", size: 1), TreeBytes.content(1, [1])])],
            "unexpected", "The whole content of a file in a transfer that does not ask."),
        refused(
            "kept", decisions: [0],
            [
                .tree(lane: 0, [root, TreeBytes.file(1, name: "a", size: 1)]),
                .payload(lane: 0, entry: 1, offset: 0, count: 1),
            ], "unexpected", "Content of a file that the receiver has."),
        refused(
            "not-held", decisions: [2],
            [
                .tree(lane: 0, [root, TreeBytes.file(1, name: "a", size: 300_000)]),
                .holding(entry: 1, block: 1, count: 1, done: true),
                .tree(lane: 0, [TreeBytes.end(1, size: 300_000, sent: 0)]),
            ], "unexpected", "A block that is neither sent nor held."),
        refused(
            "behind-mark", [.tree(lane: 0, [root, TreeBytes.mark, TreeBytes.folder(1, name: "a")])], "unexpected",
            "An entry behind the mark."),
        refused(
            "totals", [.tree(lane: 0, [root, TreeBytes.mark]), .end(entries: 1, bytes: 1, lanes: [0])], "unexpected",
            "End has other totals."),
        refused(
            "lane-not-counted",
            [
                .tree(lane: 0, [root, TreeBytes.mark]), .tree(lane: 1, [TreeBytes.mark]),
                .end(entries: 1, bytes: 0, lanes: [0]),
            ],
            "unexpected", "A lane was used that End does not count."),
    ]
}
