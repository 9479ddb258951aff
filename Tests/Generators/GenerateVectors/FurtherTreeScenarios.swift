import PortolanSyncPlan

/// Trees in which the order of dots counts, and metadata (SYNC.md 3).
extension SyncPlanCases {
    static var furtherTrees: [(String, String, [NodeRecord], [Entry])] {
        orderTrees + metadataTrees
    }

    private static func changed(
        _ record: NodeRecord, _ seconds: Int64 = 1_700_000_000, _ attributes: UInt64 = 0o644, touched: Dot? = nil,
        at time: Int64 = 0, rank: UInt32 = 1
    ) -> NodeRecord {
        record.after {
            $0.contents[0].value.modified = ModificationTime(seconds)
            $0.contents[0].value.form.attributes = attributes
            if let touched { $0.contents[0].value.touch = RankedValue(touched, ModificationTime(time, 7), rank: rank) }
        }.knowing(touched ?? record.id.creation)
    }

    private static var orderTrees: [(String, String, [NodeRecord], [Entry])] {
        let top = folder(Dot(ada, 1), "X")
        let gone = top.after { $0.life = [] }.knowing(Dot(ada, 9))
        let again = Dot(ReplicaID(device: ada.device, epoch: ada.epoch + 1), 4)
        let adas = file(Dot(ada, 4), "n.txt", 0x21)
        var deleted = content(0x21)
        deleted.isDeleted = true
        return [
            (
                "epochs-of-one-path",
                "Of equal counts of two epochs of one device that of the smaller epoch has the name.",
                [adas, file(again, "n.txt", 0x22)],
                [Entry(.file, "n.txt", of: 0x21), Entry(.file, conflict("n.txt", again), of: 0x22)]
            ),
            (
                "counts-before-keys", "A smaller count has the name before a smaller key.",
                [file(Dot(ada, 5), "n.txt", 0x21), file(Dot(cem, 4), "n.txt", 0x22)],
                [Entry(.file, conflict("n.txt", Dot(ada, 5)), of: 0x21), Entry(.file, "n.txt", of: 0x22)]
            ),
            (
                "identity-before-version", "The smallest identity has the name, whatever the dots of the versions are.",
                [
                    adas.after { $0.contents = [StampedValue(Dot(cem, 9), content(0x23))] }.knowing(Dot(cem, 9)),
                    file(Dot(ben, 4), "n.txt", 0x22),
                ], [Entry(.file, "n.txt", of: 0x23), Entry(.file, conflict("n.txt", Dot(ben, 4)), of: 0x22)]
            ),
            (
                "version-equal-to-other-file",
                "A version in conflict that equals another file of the path is one with it.",
                [
                    adas.after {
                        $0.contents = [
                            StampedValue(Dot(ada, 5), content(0x22)), StampedValue(Dot(ben, 5), content(0x23)),
                        ]
                    }.knowing(Dot(ada, 5), Dot(ben, 5)), file(Dot(cem, 4), "n.txt", 0x22),
                ], [Entry(.file, "n.txt", of: 0x23), Entry(.file, conflict("n.txt", Dot(cem, 4)), of: 0x22)]
            ),
            (
                "cycle-of-three", "Of three folders in a cycle, that with the smallest dot of a place is in the root.",
                [
                    top.after { $0.places = [StampedValue(Dot(ada, 6), NodePlace(NodeID(Dot(ben, 1)), SyncName("X")))] }
                        .knowing(Dot(ada, 6)),
                    folder(Dot(ben, 1), "Y").after {
                        $0.places = [StampedValue(Dot(ben, 5), NodePlace(NodeID(Dot(cem, 1)), SyncName("Y")))]
                    }.knowing(Dot(ben, 5)),
                    folder(Dot(cem, 1), "Z").after {
                        $0.places = [StampedValue(Dot(cem, 7), NodePlace(top.id, SyncName("Z")))]
                    }.knowing(Dot(cem, 7)), file(Dot(cem, 2), "a", in: top, 0x20),
                ],
                [
                    Entry(.folder, "Y"), Entry(.folder, "Y", "X"), Entry(.folder, "Y", "X", "Z"),
                    Entry(.file, "Y", "X", "a", of: 0x20),
                ]
            ),
            (
                "moved-out-of-deleted", "A deleted folder is not there for a file that was moved out of it.",
                [
                    gone,
                    file(Dot(ada, 3), "a", 0x20).after {
                        $0.places = [
                            StampedValue(Dot(ada, 4), NodePlace(top.id, SyncName("a"))),
                            StampedValue(Dot(ben, 4), NodePlace(.root, SyncName("b"))),
                        ]
                    }.knowing(Dot(ada, 4), Dot(ben, 4)),
                ], [Entry(.file, "b", of: 0x20)]
            ),
            (
                "in-a-file", "A node in a file waits.", [adas, file(Dot(ben, 5), "a", in: adas, 0x22)],
                [Entry(.file, "n.txt", of: 0x21)]
            ),
            (
                "moved-and-deleted", "A file that was moved apart from its deletion has the deleted version.",
                [adas.after { $0.contents = [StampedValue(Dot(ben, 5), deleted)] }.knowing(Dot(ben, 5))],
                [Entry(.file, "n.txt", of: 0x21)]
            ),
            (
                "no-content", "A file without any version is not there.",
                [adas.after { $0.contents = [] }], []
            ),
            (
                "dot-of-write-and-deletion", "A written version keeps a node alive that has a deleted one of its dot.",
                [
                    adas.after {
                        $0.contents = [StampedValue(Dot(ben, 5), deleted), StampedValue(Dot(ben, 5), content(0x22))]
                        $0.life = []
                    }.knowing(Dot(ben, 5))
                ], [Entry(.file, "n.txt", of: 0x22)]
            ),
            (
                "dot-of-two-writes", "Of two versions of one dot the latter in their order has the name.",
                [
                    adas.after {
                        $0.contents = [
                            StampedValue(Dot(ben, 5), content(0x22)), StampedValue(Dot(ben, 5), content(0x23)),
                        ]
                    }.knowing(Dot(ben, 5))
                ], [Entry(.file, conflict("n.txt", Dot(ben, 5)), of: 0x22), Entry(.file, "n.txt", of: 0x23)]
            ),
        ]
    }

    private static var metadataTrees: [(String, String, [NodeRecord], [Entry])] {
        let (adas, bens) = (file(Dot(ada, 4), "n.txt", 0x21), file(Dot(ben, 4), "n.txt", 0x21))
        func permitted(_ record: NodeRecord, _ dot: Dot, _ bits: UInt16, rank: UInt32 = 0) -> NodeRecord {
            record.after { $0.permissions = RankedValue(dot, bits, rank: rank) }.knowing(dot)
        }
        let other = file(Dot(ben, 4), "n.txt", 0x22)
        let named = conflict("n.txt", Dot(ben, 4))
        return [
            (
                "permissions-of-folders", "Two folders of one path have the permissions with the greatest dot.",
                [
                    permitted(folder(Dot(ada, 1), "X"), Dot(ben, 7), 0o700),
                    permitted(folder(Dot(ben, 1), "X"), Dot(ada, 6), 0o755),
                ], [Entry(.folder, "X", attributes: 0o700)]
            ),
            (
                "permissions-of-ranks", "Two folders of one path have the permissions with the greatest rank.",
                [
                    permitted(folder(Dot(ada, 1), "X"), Dot(ben, 2), 0o700, rank: 2),
                    permitted(folder(Dot(ben, 1), "X"), Dot(ada, 6), 0o755, rank: 1),
                ], [Entry(.folder, "X", attributes: 0o700)]
            ),
            (
                "permissions-of-one-folder", "A folder has its permissions beside one that has none.",
                [permitted(folder(Dot(ada, 1), "X"), Dot(ada, 1), 0o750), folder(Dot(ben, 1), "X")],
                [Entry(.folder, "X", attributes: 0o750)]
            ),
            (
                "equal-files-written", "Equal files have permissions and time of the version with the greatest dot.",
                [changed(adas, 1_700_000_000, 0o600), changed(bens, 1_600_000_000, 0o644)],
                [Entry(.file, "n.txt", of: 0x21, attributes: 0o644, time: ModificationTime(1_600_000_000))]
            ),
            (
                "equal-files-touched", "The time of equal files is that of a touch.",
                [
                    changed(adas, 1_700_000_000, 0o600, touched: Dot(cem, 5), at: 1_500_000_000),
                    changed(bens, 1_600_000_000, 0o644),
                ], [Entry(.file, "n.txt", of: 0x21, attributes: 0o644, time: ModificationTime(1_500_000_000, 7))]
            ),
            (
                "equal-files-touched-before", "A touch counts before a greater dot of an equal file without one.",
                [
                    changed(adas, 1_700_000_000, 0o600, touched: Dot(cem, 3), at: 1_800_000_000),
                    changed(bens, 1_600_000_000, 0o644),
                ], [Entry(.file, "n.txt", of: 0x21, attributes: 0o644, time: ModificationTime(1_800_000_000, 7))]
            ),
            (
                "equal-files-touched-both", "The time of equal files is that of the touch with the greatest rank.",
                [
                    changed(adas, touched: Dot(ada, 5), at: 1_500_000_000, rank: 2),
                    changed(bens, touched: Dot(ben, 9), at: 1_600_000_000),
                ], [Entry(.file, "n.txt", of: 0x21, time: ModificationTime(1_500_000_000, 7))]
            ),
            (
                "equal-to-conflict-written", "A version in conflict has the time of the equal file with its name.",
                [adas, changed(other), changed(file(Dot(ben, 6), named, 0x22), 1_600_000_000)],
                [
                    Entry(.file, "n.txt", of: 0x21),
                    Entry(.file, named, of: 0x22, time: ModificationTime(1_600_000_000)),
                ]
            ),
            (
                "equal-to-conflict-touched", "A touch of a version in conflict is one of the equal file with its name.",
                [
                    adas, changed(other, touched: Dot(ada, 9), at: 1_500_000_000),
                    changed(file(Dot(ben, 6), named, 0x22), 1_600_000_000),
                ],
                [
                    Entry(.file, "n.txt", of: 0x21),
                    Entry(.file, named, of: 0x22, time: ModificationTime(1_500_000_000, 7)),
                ]
            ),
        ]
    }
}
