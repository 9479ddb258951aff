import PortolanSyncPlan

/// Records of a folder, and the tree that they make (SYNC.md 3). The results are written down by hand.
extension SyncPlanCases {
    /// Entry of a tree, with the path of its names.
    struct Entry {
        let path: [String]
        let kind: NodeKind
        let label: UInt8?
        private let attributes: Int?
        private let time: ModificationTime?
        private let mark: String?

        /// - Parameters:
        ///   - label: of the content.
        ///   - attributes: permissions; nil where they are not judged.
        ///   - time: nil where it is not judged.
        ///   - mark: nil where it is not judged.
        init(
            _ kind: NodeKind, _ path: String..., of label: UInt8? = nil, attributes: Int? = nil,
            time: ModificationTime? = nil, mark: String? = nil
        ) {
            (self.path, self.kind, self.label, self.attributes, self.time) = (path, kind, label, attributes, time)
            self.mark = mark
        }

        var meaning: [String: Any] {
            let entry: [String: Any] = ["path": path.map { hex(Array($0.utf8)) }, "kind": "\(kind)"]
            return entry.merging(time.map { Meaning.of($0) } ?? [:]) { old, _ in old }
                .with("digest", label.map { hex(fixedBytes($0)) }).with("attributes", attributes)
                .with("mark", mark.map { hex(Array($0.utf8)) })
        }
    }

    /// Name of a version in conflict, of content as above.
    static func conflict(_ name: String, _ dot: Dot) -> String {
        ConflictingVersion(
            name, device: dot.replica.device.bytes, epoch: dot.replica.epoch, counter: dot.counter
        ).conflict
    }

    static var trees: [(String, String, [NodeRecord], [Entry])] {
        let top = folder(Dot(ada, 1), "X")
        let inner = folder(Dot(ada, 2), "Y", in: top)
        let text = file(Dot(ada, 3), "a", in: inner, 0x20)
        let gone = top.after { $0.delete(Dot(ada, 9), seen: []) }
        let other = folder(Dot(ben, 1), "X")
        let (adas, bens) = (file(Dot(ada, 4), "n.txt", 0x21), file(Dot(ben, 4), "n.txt", 0x22))
        let named = conflict("n.txt", Dot(ben, 4))
        return [
            ("nothing", "No record.", [], []),
            (
                "nested", "Folders, a file and a link.",
                [text, inner, top, node(.link, Dot(ada, 4), "l", in: top, 0x21)],
                [
                    Entry(.folder, "X"), Entry(.folder, "X", "Y"), Entry(.file, "X", "Y", "a", of: 0x20),
                    Entry(.link, "X", "l", of: 0x21),
                ]
            ),
            (
                "unknown-folder", "A file in a folder of which nothing is known waits.", [text, top],
                [Entry(.folder, "X")]
            ),
            (
                "greatest-place", "Of two places that with the greatest dot counts.",
                [
                    top,
                    file(Dot(ada, 3), "a", 0x20).after {
                        $0.places = [
                            StampedValue(Dot(ada, 4), NodePlace(.root, SyncName("b"))),
                            StampedValue(Dot(ben, 4), NodePlace(top.id, SyncName("c"))),
                        ]
                    }.knowing(Dot(ada, 4), Dot(ben, 4)),
                ], [Entry(.folder, "X"), Entry(.file, "X", "c", of: 0x20)]
            ),
            (
                "cycle", "Of the folders of a cycle, that with the smallest dot of a place is in the root.",
                [
                    top.after { $0.move(Dot(ada, 6), to: NodePlace(NodeID(Dot(ben, 1)), SyncName("X"))) },
                    folder(Dot(ben, 1), "Y").after { $0.move(Dot(ben, 5), to: NodePlace(top.id, SyncName("Y"))) },
                ], [Entry(.folder, "Y"), Entry(.folder, "Y", "X")]
            ),
            (
                "deleted", "A deleted folder, and a deleted file in it.",
                [gone, file(Dot(ada, 3), "a", in: top, 0x20).after { $0.delete(Dot(ada, 8), seen: [Dot(ada, 3)]) }], []
            ),
            (
                "deleted-with-content", "A deleted folder is there where a living file is in it.",
                [gone, file(Dot(ben, 3), "a", in: top, 0x20)],
                [Entry(.folder, "X"), Entry(.file, "X", "a", of: 0x20)]
            ),
            (
                "deleted-deep", "A deleted folder is there where a folder in it has a living file.",
                [gone, inner, text],
                [Entry(.folder, "X"), Entry(.folder, "X", "Y"), Entry(.file, "X", "Y", "a", of: 0x20)]
            ),
            (
                "folders-of-one-path", "Two folders of one path are one, and so are those in them.",
                [
                    top, other, folder(Dot(ada, 2), "Y", in: top), folder(Dot(ben, 2), "Y", in: other),
                    file(Dot(ada, 3), "a", in: folder(Dot(ada, 2), "Y"), 0x20),
                    file(Dot(ben, 3), "b", in: folder(Dot(ben, 2), "Y"), 0x21),
                ],
                [
                    Entry(.folder, "X"), Entry(.folder, "X", "Y"), Entry(.file, "X", "Y", "a", of: 0x20),
                    Entry(.file, "X", "Y", "b", of: 0x21),
                ]
            ),
            (
                "files-of-one-path", "Of two files of one path, that with the smallest identity has the name.",
                [adas, bens], [Entry(.file, "n.txt", of: 0x21), Entry(.file, named, of: 0x22)]
            ),
            (
                "equal-files-of-one-path", "Two equal files of one path are one.",
                [adas, file(Dot(ben, 4), "n.txt", 0x21)], [Entry(.file, "n.txt", of: 0x21)]
            ),
            (
                "file-and-folder", "A folder has the name before a file with a greater dot.",
                [folder(Dot(ada, 1), "n.txt"), bens], [Entry(.file, named, of: 0x22), Entry(.folder, "n.txt")]
            ),
            (
                "link-and-file", "A link is not one with a file of the same digest.",
                [adas, node(.link, Dot(ben, 4), "n.txt", 0x21)],
                [Entry(.file, "n.txt", of: 0x21), Entry(.link, named, of: 0x21)]
            ),
            (
                "versions", "Of two versions of one file, that with the greatest dot has the name.",
                [
                    adas.after {
                        $0.contents = [
                            StampedValue(Dot(ada, 5), content(0x22)), StampedValue(Dot(ben, 5), content(0x23)),
                        ]
                    }.knowing(Dot(ada, 5), Dot(ben, 5))
                ],
                [Entry(.file, conflict("n.txt", Dot(ada, 5)), of: 0x22), Entry(.file, "n.txt", of: 0x23)]
            ),
            (
                "deleted-version", "A deleted version does not count beside another one.",
                [
                    adas.after {
                        var last = content(0x23)
                        last.isDeleted = true
                        $0.contents = [StampedValue(Dot(ada, 5), content(0x22)), StampedValue(Dot(ben, 5), last)]
                        $0.life = [Dot(ada, 5)]
                    }.knowing(Dot(ada, 5), Dot(ben, 5))
                ], [Entry(.file, "n.txt", of: 0x22)]
            ),
            (
                "equal-to-conflict", "A file that has the name of a conflict and its content stands for it.",
                [adas, bens, file(Dot(ben, 6), named, 0x22)],
                [Entry(.file, "n.txt", of: 0x21), Entry(.file, named, of: 0x22)]
            ),
            (
                "name-of-conflict", "A file that has the name of a conflict, and other content, keeps it.",
                [adas, bens, file(Dot(ben, 6), named, 0x23)],
                [
                    Entry(.file, conflict(named, Dot(ben, 4)), of: 0x22), Entry(.file, named, of: 0x23),
                    Entry(.file, "n.txt", of: 0x21),
                ]
            ),
        ]
    }
}
