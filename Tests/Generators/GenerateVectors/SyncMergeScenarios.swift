import PortolanSyncPlan

/// Two records of one node, and the merged one (SYNC.md 2). The results are written down by hand.
extension SyncPlanCases {
    static var merges: [(String, String, NodeRecord, NodeRecord, NodeRecord)] {
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
}
