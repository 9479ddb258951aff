import PortolanSyncModel

/// Merging of records, and the tree of records (SYNC.md 2 and 3). The results are written down by hand.
func syncModelScenarios() -> [Scenario] {
    mergeScenarios().map { name, comment, one, other, merged in
        Scenario(
            "sync-merge-" + name, kind: "sync_merge", comment,
            ["one": Meaning.of(one), "other": Meaning.of(other), "merged": Meaning.of(merged)])
    }
        + treeScenarios().map { name, comment, records, tree in
            Scenario(
                "sync-tree-" + name, kind: "sync_tree", comment,
                ["records": records.map { Meaning.of($0) }, "tree": tree.map(\.meaning)])
        }
}

private let (ada, ben, cem) = (replica(0x30), replica(0x40), replica(0x50))

private func replica(_ label: UInt8) -> ReplicaID {
    guard let device = DeviceID(fixedBytes(label)) else { fatalError("32 bytes") }
    return ReplicaID(device: device, epoch: UInt64(label))
}

/// Content of a file or link, told apart by one byte.
private func content(_ label: UInt8) -> FileVersion {
    guard let digest = ContentDigest(fixedBytes(label)) else { fatalError("32 bytes") }
    return FileVersion(
        form: ContentForm(digest, attributes: 0o644), size: UInt64(label),
        modified: ModificationTime(1_700_000_000), author: "Ada")
}

private func node(
    _ kind: NodeKind, _ creation: Dot, _ name: String, in parent: NodeRecord? = nil, _ label: UInt8? = nil
) -> NodeRecord {
    var record = NodeRecord(id: NodeID(creation), kind: kind)
    record.move(creation, to: NodePlace(parent?.id ?? .root, SyncName(name)))
    if let label { record.write(creation, content(label), replacing: []) }
    return record
}

private func folder(_ creation: Dot, _ name: String, in parent: NodeRecord? = nil) -> NodeRecord {
    node(.folder, creation, name, in: parent)
}

private func file(_ creation: Dot, _ name: String, in parent: NodeRecord? = nil, _ label: UInt8) -> NodeRecord {
    node(.file, creation, name, in: parent, label)
}

extension NodeRecord {
    /// Returns the record after a change.
    fileprivate func after(_ change: (inout NodeRecord) -> Void) -> NodeRecord {
        var record = self
        change(&record)
        return record
    }

    /// Returns the record with the changes that another one knows.
    fileprivate func knowing(_ dots: Dot...) -> NodeRecord {
        after { record in for dot in dots { record.version.add(dot) } }
    }
}

// MARK: - Merging

private func mergeScenarios() -> [(String, String, NodeRecord, NodeRecord, NodeRecord)] {
    let first = Dot(ada, 1)
    let base = file(first, "a", 0x20)
    let (adas, bens) = (Dot(ada, 2), Dot(ben, 1))
    let written = base.after { $0.write(adas, content(0x21), replacing: [first]) }
    let writtenToo = base.after { $0.write(bens, content(0x22), replacing: [first]) }
    let both = base.after {
        $0.contents = [StampedValue(bens, content(0x22)), StampedValue(adas, content(0x21))]
        $0.life = [bens, adas]
    }.knowing(adas, bens)
    let deleted = base.after { $0.delete(bens, seen: [first]) }
    let folder = folder(first, "a")
    return [
        ("nothing", "Both have the same.", base, base, base),
        ("newer", "One side has a later state.", base, written, written),
        ("two-writes", "Two versions that were written apart stay.", written, writtenToo, both),
        (
            "write-of-both", "A version that replaced both replaces them everywhere.", both,
            both.after { $0.write(Dot(cem, 1), content(0x23), replacing: [adas, bens]) },
            both.after {
                $0.contents = [StampedValue(Dot(cem, 1), content(0x23))]
                $0.life = [Dot(cem, 1)]
            }.knowing(Dot(cem, 1))
        ),
        (
            "two-moves", "Two places that were given apart stay.",
            base.after { $0.move(adas, to: NodePlace(.root, SyncName("b"))) },
            base.after { $0.move(bens, to: NodePlace(.root, SyncName("c"))) },
            base.after {
                $0.places = [
                    StampedValue(bens, NodePlace(.root, SyncName("c"))),
                    StampedValue(adas, NodePlace(.root, SyncName("b"))),
                ]
                $0.life = [bens, adas]
            }.knowing(adas, bens)
        ),
        (
            "write-and-deletion", "A version is not deleted by a deletion that did not know it.", written, deleted,
            written.after {
                var last = content(0x20)
                last.isDeleted = true
                $0.contents = [StampedValue(bens, last), StampedValue(adas, content(0x21))]
                $0.life = [adas]
            }.knowing(bens)
        ),
        (
            "move-and-deletion", "A move keeps a file alive, with the version that was deleted.",
            base.after { $0.move(adas, to: NodePlace(.root, SyncName("b"))) }, deleted,
            base.after {
                var last = content(0x20)
                last.isDeleted = true
                $0.places = [StampedValue(adas, NodePlace(.root, SyncName("b")))]
                $0.contents = [StampedValue(bens, last)]
                $0.life = [adas]
            }.knowing(adas, bens)
        ),
        (
            "deletion-known", "A deletion that knew the version deletes it.", base.knowing(), deleted, deleted
        ),
        (
            "folder-revived", "A folder that was revived apart from its deletion lives.",
            folder.after { $0.revive(adas) },
            folder.after { $0.delete(bens, seen: []) },
            folder.after { $0.life = [adas] }.knowing(adas, bens)
        ),
        (
            "folder-deleted", "A deletion that knew the only sign of life deletes a folder.", folder,
            folder.after { $0.delete(bens, seen: []) },
            folder.after { $0.life = [] }.knowing(bens)
        ),
    ]
}

// MARK: - The tree

/// Entry of a tree, with the path of its names.
private struct Entry {
    let path: [String]
    let kind: NodeKind
    let label: UInt8?

    init(_ kind: NodeKind, _ path: String..., of label: UInt8? = nil) {
        (self.path, self.kind, self.label) = (path, kind, label)
    }

    var meaning: [String: Any] {
        ["path": path.map { hex(Array($0.utf8)) }, "kind": "\(kind)"]
            .with("digest", label.map { hex(fixedBytes($0)) })
    }
}

/// Name of a version in conflict, of content as above.
private func conflict(_ name: String, _ dot: Dot) -> String {
    ConflictingVersion(
        name, device: dot.replica.device.bytes, epoch: dot.replica.epoch, counter: dot.counter
    ).conflict
}

private func treeScenarios() -> [(String, String, [NodeRecord], [Entry])] {
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
            "deleted-deep", "A deleted folder is there where a folder in it has a living file.", [gone, inner, text],
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
                    $0.contents = [StampedValue(Dot(ada, 5), content(0x22)), StampedValue(Dot(ben, 5), content(0x23))]
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
