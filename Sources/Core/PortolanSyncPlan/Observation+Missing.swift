/// Entries that a scan has not found: deleted by a person, held, or out of sight.
extension Observer {
    /// Judges the missing entries that count as deleted. After an incomplete scan, entries that were held before stay
    /// so.
    mutating func judge(_ missing: [EntryID], _ replaced: Set<EntryID>) {
        let deleted = missing.compactMap { index.entry($0) }.filter { entry in
            !isDead(entry) && (observation.isComplete || entry.isHeld || replaced.contains(entry.id))
        }
        verdict = DeletionJudge.judge(
            deleted, by: index.replica.device, in: index, guardRail, observation.isComplete ? confirmed : [], now: now)
        index.forgetDeletions(by: verdict.confirmed)
        result.held = verdict.held
    }

    /// Missing files in whose places a scan has found items of another kind, so that they are not merely out of sight.
    func replacedFiles() -> Set<EntryID> {
        var replaced: Set<EntryID> = []
        for (item, match) in zip(observation.found, matches) where match == nil {
            guard let parent = folders[item.parent], let id = index.entry(in: parent, named: item.name),
                !matched.contains(id), let entry = index.entry(id), entry.kind != .folder
            else { continue }
            replaced.insert(id)
        }
        return replaced
    }

    /// Missing entries that a person keeps alike here no more.
    func forgottenEntries(_ missing: [EntryID]) -> Set<EntryID> {
        let tops = observation.forgotten.compactMap { place in
            index.entry(with: place.parent).flatMap { index.entry(in: $0, named: place.name) }
        }
        var forgotten = Set(tops).subtracting(matched)
        guard !forgotten.isEmpty else { return [] }
        for id in missing {
            var way: [EntryID] = []
            var next = id
            while !forgotten.contains(next), way.count < RecordView<Index>.maximumDepth, let entry = index.entry(next) {
                way.append(next)
                next = entry.parent
            }
            if forgotten.contains(next) { forgotten.formUnion(way) }
        }
        return forgotten
    }

    /// True if a new or moved item is in the place of an entry whose deletion waits: told before it is decided, both
    /// would be there for others, and one of them under the name of a conflict.
    func isHeldBack(_ item: ScannedFile, _ entry: AgreedEntry?, _ parent: EntryID) -> Bool {
        guard !verdict.heldEntries.isEmpty, entry?.parent != parent || entry?.name != item.name else { return false }
        return index.entry(in: parent, named: item.name).map(verdict.heldEntries.contains) ?? false
    }

    mutating func take(missing: [EntryID], _ replaced: Set<EntryID>) {
        var count = 0
        for var entry in missing.compactMap({ index.entry($0) }) {
            guard observation.isComplete || replaced.contains(entry.id) else {
                result.missing.append(entry.id)
                continue
            }
            guard !verdict.heldEntries.contains(entry.id) else {
                if entry.isHeld { continue }
                entry.isHeld = true
                index.set(entry)
                continue
            }
            if tells, !isDead(entry) {
                delete(entry.seen, of: entry)
                if verdict.counted[entry.id] != nil { count += 1 }
            }
            remove(entry)
        }
        index.countDeletions(count, by: index.replica.device, at: now)
    }

    private mutating func remove(_ entry: AgreedEntry) {
        index.removeEntry(entry.id)
        index.mark(entry.seen.map(\.node))
    }

    /// Deletes exactly the versions that an entry represented.
    mutating func delete(_ seen: [SeenVersions], of entry: AgreedEntry) {
        for seen in seen {
            guard var record = index.record(seen.node), !record.isDeleted else { continue }
            record.part(seen.writes, from: entry.form) { index.newDot() }
            record.delete(index.newDot(), seen: seen.writes)
            index.update(record)
        }
    }
}
