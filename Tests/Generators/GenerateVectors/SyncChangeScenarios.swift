import PortolanSyncPlan

/// Changes of a replica in its own records (SYNC.md 2), and what it tells of the records of others (SYNC.md 4).
extension SyncPlanCases {
    /// Change by a person, with its dot and the dots of the versions that were in place.
    struct Change {
        private let content: [String: Any]

        private init(_ change: String, _ dot: Dot, seen: [Dot]? = nil, _ more: [String: Any] = [:]) {
            content = more.merging(["change": change, "dot": Meaning.of(dot)]) { old, _ in old }
                .with("seen", seen.map { $0.map { Meaning.of($0) } })
        }

        var meaning: [String: Any] { content }

        static func write(_ dot: Dot, _ version: FileVersion, seen: [Dot]) -> Change {
            Change("write", dot, seen: seen, ["version": Meaning.of(version)])
        }

        static func move(_ dot: Dot, _ place: NodePlace) -> Change {
            Change("move", dot, ["place": Meaning.of(place)])
        }

        static func delete(_ dot: Dot, seen: [Dot]) -> Change { Change("delete", dot, seen: seen) }

        static func revive(_ dot: Dot) -> Change { Change("revive", dot) }

        static func time(_ dot: Dot, _ time: ModificationTime, seen: [Dot]) -> Change {
            Change("time", dot, seen: seen, Meaning.of(time))
        }

        /// - Parameter version: that was in place.
        static func part(_ dot: Dot, _ version: FileVersion, seen: [Dot]) -> Change {
            Change("part", dot, seen: seen, ["version": Meaning.of(version)])
        }

        static func permissions(_ dot: Dot, _ bits: Int) -> Change {
            Change("permissions", dot, ["attributes": bits])
        }
    }

    static var changes: [(String, String, NodeRecord, Change, NodeRecord)] {
        let (first, adas, bens, cems) = (Dot(ada, 1), Dot(ada, 2), Dot(ben, 1), Dot(cem, 1))
        let base = file(first, "a", 0x20)
        let both = base.after {
            $0.contents = [StampedValue(bens, content(0x22)), StampedValue(adas, content(0x21))]
            $0.life = [bens, adas]
        }.knowing(adas, bens)
        func deleted(_ label: UInt8) -> FileVersion {
            var version = content(label)
            version.isDeleted = true
            return version
        }
        func with(_ record: NodeRecord, _ dot: Dot, _ life: [Dot], _ versions: [(Dot, FileVersion)]) -> NodeRecord {
            record.after {
                $0.contents = versions.map { StampedValue($0.0, $0.1) }
                $0.life = life
            }.knowing(dot)
        }
        let halfDeleted = with(base, bens, [adas], [(bens, deleted(0x20)), (adas, content(0x21))]).knowing(adas)
        let gone = with(base, bens, [], [(bens, deleted(0x20))])
        let room = folder(first, "a").after { $0.permissions = RankedValue(first, 0o755) }
        let later = ModificationTime(1_600_000_000, 7)
        func touched(_ version: FileVersion, _ dot: Dot, rank: UInt32 = 1) -> FileVersion {
            var version = version
            version.touch = RankedValue(dot, later, rank: rank)
            return version
        }
        return [
            (
                "write", "A write replaces the version that was in place.", base,
                .write(adas, content(0x21), seen: [first]), with(base, adas, [adas], [(adas, content(0x21))])
            ),
            (
                "write-one-of-two", "A write keeps a version that was not in place.", both,
                .write(cems, content(0x23), seen: [adas]),
                with(both, cems, [cems], [(bens, content(0x22)), (cems, content(0x23))])
            ),
            (
                "write-over-deleted", "A write takes deleted versions away, in place or not.", halfDeleted,
                .write(cems, content(0x23), seen: [adas]), with(halfDeleted, cems, [cems], [(cems, content(0x23))])
            ),
            (
                "move", "A move replaces all places, and no version.",
                both.after {
                    $0.places = [
                        StampedValue(bens, NodePlace(.root, SyncName("b"))),
                        StampedValue(adas, NodePlace(.root, SyncName("c"))),
                    ]
                }, .move(cems, NodePlace(NodeID(Dot(ben, 9)), SyncName("d"))),
                both.after {
                    $0.places = [StampedValue(cems, NodePlace(NodeID(Dot(ben, 9)), SyncName("d")))]
                    $0.life = [cems]
                }.knowing(cems)
            ),
            (
                "move-of-deleted", "A move of what another member has deleted revives it, with its deleted version.",
                gone, .move(cems, NodePlace(.root, SyncName("b"))),
                gone.after {
                    $0.places = [StampedValue(cems, NodePlace(.root, SyncName("b")))]
                    $0.life = [cems]
                }.knowing(cems)
            ),
            (
                "delete", "A deletion leaves the version as deleted, with its own dot.", base,
                .delete(bens, seen: [first]), gone
            ),
            (
                "delete-one-of-two", "The deletion of one version leaves the other one, and the node alive.", both,
                .delete(cems, seen: [adas]), with(both, cems, [cems], [(bens, content(0x22))])
            ),
            (
                "delete-both", "A deletion of two versions leaves the one that counted.", both,
                .delete(cems, seen: [bens, adas]), with(both, cems, [], [(cems, deleted(0x21))])
            ),
            (
                "delete-beside-deleted", "A deletion takes deleted versions away, and leaves the one that counted.",
                halfDeleted, .delete(cems, seen: [adas]), with(halfDeleted, cems, [], [(cems, deleted(0x21))])
            ),
            (
                "delete-folder", "A deleted folder keeps its place and permissions.", room, .delete(bens, seen: []),
                room.after { $0.life = [] }.knowing(bens)
            ),
            (
                "revive-folder", "A deleted folder is revived.", room.after { $0.life = [] }.knowing(bens),
                .revive(cems), room.after { $0.life = [cems] }.knowing(bens, cems)
            ),
            (
                "revive-file", "A revived file has its deleted version.", gone, .revive(cems),
                with(gone, cems, [cems], [(bens, deleted(0x20))])
            ),
            (
                "part", "The other version of a dot that a replica gave twice gets a dot of its own before a write.",
                with(base, adas, [adas], [(adas, content(0x21)), (adas, content(0x22))]),
                .part(bens, content(0x22), seen: [adas]),
                with(base, adas, [adas], [(bens, content(0x21)), (adas, content(0x22))]).knowing(bens)
            ),
            (
                "time", "A change of the time replaces no version, and revives nothing.", base,
                .time(bens, later, seen: [first]),
                with(base, bens, [first], [(first, touched(content(0x20), bens))])
            ),
            (
                "time-of-one-of-two", "The time of the version that was in place.", both,
                .time(cems, later, seen: [bens]),
                with(both, cems, [bens, adas], [(bens, touched(content(0x22), cems)), (adas, content(0x21))])
            ),
            (
                "time-again", "A later change of the time replaces the earlier one, with the next rank.",
                with(base, bens, [first], [(first, touched(content(0x20), bens))]),
                .time(cems, later, seen: [first]),
                with(base, cems, [first], [(first, touched(content(0x20), cems, rank: 2))]).knowing(bens)
            ),
            (
                "time-with-the-greatest-rank", "No rank is above the greatest one.",
                with(base, bens, [first], [(first, touched(content(0x20), bens, rank: .max))]),
                .time(cems, later, seen: [first]),
                with(base, cems, [first], [(first, touched(content(0x20), cems, rank: .max))]).knowing(bens)
            ),
            (
                "permissions", "A change of a folder's permissions revives nothing.", room, .permissions(adas, 0o700),
                room.after { $0.permissions = RankedValue(adas, 0o700, rank: 1) }.knowing(adas)
            ),
        ]
    }

    // MARK: What is told

    /// Records that were heard, those of the next answer, and the nodes that are told to members who know the former.
    static var news: [(String, String, [NodeRecord], [NodeRecord], [NodeID])] {
        let top = folder(Dot(ada, 1), "X")
        let inner = folder(Dot(ada, 2), "Y", in: top)
        let text = file(Dot(ben, 3), "a", in: inner, 0x20)
        let (noTop, noInner) = (
            top.after { $0.delete(Dot(ada, 8), seen: []) }, inner.after { $0.delete(Dot(ada, 9), seen: []) }
        )
        let noText = text.after { $0.delete(Dot(ada, 7), seen: [Dot(ben, 3)]) }
        let moved = text.after { $0.move(Dot(ben, 4), to: NodePlace(.root, SyncName("b"))) }
        let other = NodeRecord(id: text.id, kind: .link).after {
            $0.move(Dot(ben, 3), to: NodePlace(.root, SyncName("l")))
            $0.write(Dot(ben, 3), content(0x21), replacing: [])
        }
        return [
            ("new", "A node that was not known.", [top], [inner], [inner.id]),
            ("known", "Nothing of a record that is known.", [top, inner, text], [text, top], []),
            ("earlier", "Nothing of an earlier state.", [top, inner, moved], [text], []),
            ("later", "A later state of a node.", [top, inner, text], [moved, top], [moved.id]),
            ("deletion", "The deletion of a known node.", [top, inner, text], [noText], [text.id]),
            ("deletion-unknown", "Nothing of the deletion of an unknown node.", [top], [noInner, noText], []),
            (
                "deletion-heard-first", "Nothing of a state that a known deletion knew.", [top, inner, noText], [text],
                []
            ),
            (
                "in-deleted-folders", "A living file, and the deleted folders above it.", [noTop, noInner], [text],
                [top.id, inner.id, text.id]
            ),
            (
                "in-deleted-folder", "A living file, and the deleted folder above it, but not a living one.",
                [top, noInner], [text], [inner.id, text.id]
            ),
            (
                "below-living-folder", "A living file, whose folder lives, and not the deleted folder above that.",
                [noTop, inner], [text], [text.id]
            ),
            (
                "changed-in-deleted-folders", "A change of a known file, and the deleted folders above it.",
                [noTop, noInner, text], [text.after { $0.write(Dot(ben, 5), content(0x21), replacing: [Dot(ben, 3)]) }],
                [top.id, inner.id, text.id]
            ),
            (
                "deleted-in-deleted-folders", "A deletion in deleted folders, which are not told again.",
                [noTop, noInner, text], [noText], [text.id]
            ),
            ("other-kind", "Nothing of a record of another kind than the known one.", [top, inner, text], [other], []),
            (
                "other-kind-among-others", "The other records of an answer with one of another kind.", [top, text],
                [other, inner], [inner.id]
            ),
        ]
    }
}
