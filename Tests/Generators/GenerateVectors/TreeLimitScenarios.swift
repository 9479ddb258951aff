/// Transfers at their limits, and repeated names.
func treeLimitScenarios() -> [Scenario] {
    depthScenarios() + pieceScenarios() + linkTargetScenarios() + nameScenarios()
}

private let root = TreeBytes.folder(0, name: "")

private func depthScenarios() -> [Scenario] {
    func nested(_ count: Int) -> [Step] {
        let inner = (1..<count).map { TreeBytes.folder(UInt64($0), in: UInt64($0 - 1), name: "f") }
        return [.tree(lane: 0, [root] + inner)]
    }
    return [
        transferScenario(
            "depth-128", nested(128) + [.tree(lane: 0, [TreeBytes.mark]), .end(entries: 128, bytes: 0, lanes: [0])],
            complete([]), "As many folders inside one another as there may be, the root counted."),
        transferScenario("refused-depth-129", nested(129), ["refused": "limit"], "One folder more."),
    ]
}

private func pieceScenarios() -> [Scenario] {
    func pieces(_ count: Int, from offset: UInt64) -> Step {
        .repeated(
            count, .payload(lane: 0, entry: 0, offset: offset, count: 1),
            [Counter(at: 8, length: 8, first: offset, by: 2)])
    }
    func file(_ size: UInt64) -> Step { .tree(lane: 0, [TreeBytes.file(0, name: "", size: size)]) }
    return [
        transferScenario(
            "pieces-4096", folder: false,
            [
                file(8192), pieces(4096, from: 0), pieces(4096, from: 1),
                .tree(lane: 0, [TreeBytes.end(0, size: 8192, sent: 8192), TreeBytes.mark]),
                .end(entries: 1, bytes: 8192, lanes: [0]),
            ], complete([0]), "As many pieces that do not touch as there may be; then what lies between them."),
        transferScenario(
            "refused-pieces-4097", folder: false,
            [file(8193), pieces(4096, from: 0), .payload(lane: 0, entry: 0, offset: 8192, count: 1)],
            ["refused": "limit"], "One piece more."),
    ]
}

private func linkTargetScenarios() -> [Scenario] {
    /// Number 1, called 00001, and so many like it.
    func files(_ count: Int) -> Step {
        .repeated(
            count, .tree(lane: 0, [linkTarget(1)]),
            [
                Counter(at: 6, length: 4, first: 1, by: 1),
                Counter(at: 30, length: 5, first: 1, by: 1, isDecimal: true),
            ])
    }
    func linkTarget(_ index: UInt64) -> [UInt8] {
        let digits = String(index)
        let name = String(repeating: "0", count: 5 - digits.count) + digits
        return TreeBytes.entry(1, flags: 7, index, name: Array(name.utf8), [0])
    }
    return [
        transferScenario(
            "link-targets-65536",
            [
                .tree(lane: 0, [root]), files(65_536),
                .tree(lane: 0, [TreeBytes.entry(4, 65_537, name: Array("link".utf8), TreeBytes.number(65_536, 4))]),
                .tree(lane: 0, [TreeBytes.mark]), .end(entries: 65_538, bytes: 0, lanes: [0]),
            ], complete([]), "As many files that hard links may name as there may be, and a link to the last of them."),
        transferScenario(
            "refused-link-targets-65537",
            [.tree(lane: 0, [root]), files(65_536), .tree(lane: 0, [linkTarget(65_537)])], ["refused": "limit"],
            "One file more."),
    ]
}

private func nameScenarios() -> [Scenario] {
    func scenario(_ name: String, _ entries: [[UInt8]], bytes: Int, _ comment: String) -> Scenario {
        transferScenario(
            name,
            [
                .tree(lane: 0, [root] + entries + [TreeBytes.mark]),
                .end(entries: 1 + entries.count, bytes: bytes, lanes: [0]),
            ], ["item_failed": "name"], comment)
    }
    return [
        scenario(
            "name-twice", [TreeBytes.whole(1, name: "a", "x"), TreeBytes.whole(2, name: "a", "y")], bytes: 2,
            "Two files of one name in one folder: the item fails, and the session goes on."),
        scenario(
            "name-twice-in-folder",
            [
                TreeBytes.folder(1, name: "b"), TreeBytes.whole(2, in: 1, name: "a", "x"),
                TreeBytes.folder(3, in: 1, name: "c"), TreeBytes.folder(4, in: 1, name: "a"),
            ], bytes: 1, "A file and a folder of one name, with another entry in between."),
        transferScenario(
            "name-in-two-folders",
            [
                .tree(
                    lane: 0,
                    [
                        root, TreeBytes.whole(1, name: "a", "x"), TreeBytes.folder(2, name: "b"),
                        TreeBytes.whole(3, in: 2, name: "a", "y"), TreeBytes.mark,
                    ]), .end(entries: 4, bytes: 2, lanes: [0]),
            ], complete([]), "One name in two folders."),
    ]
}
