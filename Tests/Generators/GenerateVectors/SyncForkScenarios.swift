import PortolanSyncPlan

/// Merging of metadata, and of records that have one dot for two changes, since a machine was set back (SYNC.md 2).
extension SyncPlanCases {
    typealias Merge = (String, String, NodeRecord, NodeRecord, NodeRecord)

    private static let first = Dot(ada, 1)
    private static let adas = Dot(ada, 2)
    private static let bens = Dot(ben, 1)
    private static let base = file(first, "a", 0x20)
    private static let room = folder(first, "a")

    private static func deleted(_ label: UInt8) -> FileVersion {
        var version = content(label)
        version.isDeleted = true
        return version
    }

    /// The file after a deletion.
    private static func deletion(_ dot: Dot) -> NodeRecord {
        base.after {
            $0.contents = [StampedValue(dot, deleted(0x20))]
            $0.life = []
        }.knowing(dot)
    }

    private static func write(_ dot: Dot, _ version: FileVersion) -> NodeRecord {
        base.after {
            $0.contents = [StampedValue(dot, version)]
            $0.life = [dot]
        }.knowing(dot)
    }

    private static func move(_ dot: Dot, _ name: String, in parent: NodeID = .root) -> NodeRecord {
        base.after {
            $0.places = [StampedValue(dot, NodePlace(parent, SyncName(name)))]
            $0.life = [dot]
        }.knowing(dot)
    }

    // MARK: Apart

    static var apartMerges: [Merge] {
        let again = Dot(ReplicaID(device: ada.device, epoch: ada.epoch + 1), 1)
        let both = base.after {
            $0.contents = [StampedValue(bens, content(0x22)), StampedValue(adas, content(0x21))]
            $0.life = [bens, adas]
        }.knowing(adas, bens)
        return [
            (
                "move-and-write", "A move and a write that were made apart are both kept.", move(adas, "b"),
                write(bens, content(0x22)),
                base.after {
                    $0.places = [StampedValue(adas, NodePlace(.root, SyncName("b")))]
                    $0.contents = [StampedValue(bens, content(0x22))]
                    $0.life = [bens, adas]
                }.knowing(adas, bens)
            ),
            (
                "two-deletions", "Two deletions that were made apart leave two deleted versions.", deletion(adas),
                deletion(bens),
                base.after {
                    $0.contents = [StampedValue(bens, deleted(0x20)), StampedValue(adas, deleted(0x20))]
                    $0.life = []
                }.knowing(adas, bens)
            ),
            (
                "one-version-deleted", "One of two versions is deleted and written apart; the other one stays.",
                both.after {
                    $0.contents = [StampedValue(bens, content(0x22)), StampedValue(Dot(ada, 3), content(0x23))]
                    $0.life = [Dot(ada, 3)]
                }.knowing(Dot(ada, 3)),
                both.after {
                    $0.contents = [StampedValue(bens, content(0x22))]
                    $0.life = [Dot(cem, 1)]
                }.knowing(Dot(cem, 1)),
                both.after {
                    $0.contents = [StampedValue(bens, content(0x22)), StampedValue(Dot(ada, 3), content(0x23))]
                    $0.life = [Dot(cem, 1), Dot(ada, 3)]
                }.knowing(Dot(cem, 1), Dot(ada, 3))
            ),
            (
                "two-epochs", "Two epochs of one device count their changes apart.", write(adas, content(0x21)),
                write(again, content(0x22)),
                base.after {
                    $0.contents = [StampedValue(again, content(0x22)), StampedValue(adas, content(0x21))]
                    $0.life = [again, adas]
                }.knowing(adas, again)
            ),
        ]
    }

    // MARK: Metadata

    private static func touched(
        _ dot: Dot, _ seconds: Int64, _ record: NodeRecord = base, rank: UInt32 = 1
    ) -> NodeRecord {
        record.after { $0.contents[0].value.touch = RankedValue(dot, ModificationTime(seconds, 5), rank: rank) }
            .knowing(dot)
    }

    private static func permitted(_ dot: Dot, _ bits: UInt16, rank: UInt32 = 1) -> NodeRecord {
        room.after { $0.permissions = RankedValue(dot, bits, rank: rank) }.knowing(dot)
    }

    static var metadataMerges: [Merge] {
        let emptied = room.after { $0.life = [] }.knowing(adas)
        return [
            (
                "touch-and-write", "A time that was set apart from a write is one of the version that went.",
                touched(bens, 3), write(adas, content(0x21)), write(adas, content(0x21)).knowing(bens)
            ),
            (
                "touch-and-deletion", "A time that was set apart from a deletion keeps nothing alive.",
                touched(bens, 3), deletion(adas), deletion(adas).knowing(bens)
            ),
            (
                "two-touches", "Of two times that were set apart that with the greater dot stays.", touched(bens, 3),
                touched(adas, 2), touched(adas, 2).knowing(bens)
            ),
            (
                "touch-after-touch", "A time that was set later stays, though its dot is less.",
                touched(bens, 3, rank: 2).knowing(adas), touched(adas, 2), touched(bens, 3, rank: 2).knowing(adas)
            ),
            (
                "touches-of-ranks", "Of two times that were set apart that with the greater rank stays.",
                touched(bens, 3, rank: .max), touched(adas, 2, rank: .max - 1),
                touched(bens, 3, rank: .max).knowing(adas)
            ),
            (
                "touch-and-move", "A time that was set apart from a move.", touched(bens, 3), move(adas, "b"),
                touched(bens, 3, move(adas, "b"))
            ),
            (
                "two-permissions", "Of two permissions that were set apart those with the greater dot stay.",
                permitted(bens, 0o755), permitted(adas, 0o700), permitted(adas, 0o700).knowing(bens)
            ),
            (
                "permissions-after-permissions", "Permissions that were set later stay, though their dot is less.",
                permitted(bens, 0o755, rank: 2).knowing(adas), permitted(adas, 0o700),
                permitted(bens, 0o755, rank: 2).knowing(adas)
            ),
            (
                "permissions-and-deletion", "Permissions that were set apart from a deletion keep nothing alive.",
                permitted(bens, 0o700), emptied,
                emptied.after { $0.permissions = RankedValue(bens, 0o700, rank: 1) }.knowing(bens)
            ),
        ]
    }

    // MARK: One dot for two changes

    static var forkMerges: [Merge] {
        func described(_ size: UInt64, _ seconds: Int64, _ author: String) -> FileVersion {
            FileVersion(form: content(0x21).form, size: size, modified: ModificationTime(seconds), author: author)
        }
        func permitted(_ attributes: UInt64) -> FileVersion {
            var version = content(0x21)
            version.form.attributes = attributes
            return version
        }
        func tagged(_ value: UInt8) -> FileVersion {
            var version = content(0x21)
            version.form.extended = [ExtendedAttribute(SyncName("tag"), [value])]
            return version
        }
        func two(_ one: FileVersion, _ other: FileVersion) -> NodeRecord {
            write(adas, one).after { $0.contents.append(StampedValue(adas, other)) }
        }
        func pair(_ name: String, _ comment: String, _ one: FileVersion, _ other: FileVersion) -> Merge {
            (name, comment, write(adas, one), write(adas, other), two(one, other))
        }
        let (smaller, greater) = (NodeID(Dot(ben, 3)), NodeID(Dot(ben, 4)))
        return [
            (
                "dot-of-two-moves", "Of two places of one dot that with the greater name stays.",
                move(adas, "b", in: greater), move(adas, "c", in: smaller), move(adas, "c", in: smaller)
            ),
            (
                "dot-of-two-parents", "Of two places of one dot and name that with the greater parent stays.",
                move(adas, "b", in: smaller), move(adas, "b", in: greater), move(adas, "b", in: greater)
            ),
            (
                "dot-of-two-folders", "Of two places of one dot and name, the root is the least parent.",
                move(adas, "b"), move(adas, "b", in: smaller), move(adas, "b", in: smaller)
            ),
            (
                "dot-of-move-and-write", "A move and a write of one dot: no place is left, and the last one stays.",
                move(adas, "b"), write(adas, content(0x21)), move(adas, "b").after { $0.contents = [] }
            ),
            pair("dot-of-two-writes", "Both of two contents of one dot stay.", content(0x21), content(0x22)),
            pair("dot-of-two-modes", "Both of two permissions of one dot stay.", permitted(0o600), permitted(0o644)),
            pair("dot-of-two-attributes", "Both of two extended attributes stay.", tagged(1), tagged(2)),
            pair("dot-of-no-attributes", "A list is less that another one begins with.", content(0x21), tagged(1)),
            (
                "dot-of-two-times", "Of two equal contents of one dot that with the greatest time stays.",
                write(adas, described(9, 4, "Ben")), write(adas, described(8, 5, "Ada")),
                write(adas, described(8, 5, "Ada"))
            ),
            (
                "dot-of-two-sizes", "Of two equal contents of one dot and time the greatest stays.",
                write(adas, described(8, 4, "Ben")), write(adas, described(9, 4, "Ada")),
                write(adas, described(9, 4, "Ada"))
            ),
            (
                "dot-of-two-authors", "Of two contents that differ in their authors that with the greater one stays.",
                write(adas, described(8, 4, "Ben")), write(adas, described(8, 4, "Ada")),
                write(adas, described(8, 4, "Ben"))
            ),
            (
                "dot-of-write-and-deletion", "A write and a deletion of one dot: both versions stay.",
                write(adas, content(0x21)), deletion(adas),
                two(deleted(0x20), content(0x21)).after { $0.life = [] }
            ),
            (
                "dot-of-equal-write-and-deletion", "A deleted content comes behind an equal one of its dot.",
                write(adas, content(0x20)), deletion(adas),
                two(content(0x20), deleted(0x20)).after { $0.life = [] }
            ),
            (
                "dot-of-two-touches", "Of two times of one dot the greater stays.", touched(bens, 3), touched(bens, 4),
                touched(bens, 4)
            ),
            (
                "touch-of-two-writes", "A touch is of all contents of its content's dot.",
                touched(bens, 3, write(adas, content(0x21))), write(adas, content(0x22)),
                two(content(0x21), content(0x22)).after {
                    for place in 0..<2 {
                        $0.contents[place].value.touch = RankedValue(bens, ModificationTime(3, 5), rank: 1)
                    }
                }.knowing(bens)
            ),
            (
                "dot-of-two-permissions", "Of two permissions of one dot the greater stay.",
                SyncPlanCases.permitted(bens, 0o700), SyncPlanCases.permitted(bens, 0o755),
                SyncPlanCases.permitted(bens, 0o755)
            ),
        ]
    }
}
