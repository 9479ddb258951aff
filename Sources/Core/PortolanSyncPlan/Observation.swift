/// Compares the disk with the agreed tree and turns differences into changes of the records by this replica.
struct Observer<Index: SyncIndex> {
    var index: Index
    let observation: Observation
    let guardRail: DeletionGuard
    let confirmed: Set<HeldDeletion>
    let now: Int64
    /// True if changes by persons become records. Otherwise changed files belong to no entry, and removed files are
    /// restored.
    let tells: Bool

    var result = ObservationResult()
    /// Entries of the found files, by index in `found`.
    var matches: [EntryID?] = []
    var matched: Set<EntryID> = []
    /// Entries that may not be at their places, in order; nil if all may.
    private var loose: [EntryID]?
    /// Entries of the folders that were found.
    var folders: [FileHandleID: EntryID] = [:]
    /// Judgement on the entries that count as deleted.
    var verdict = DeletionVerdict()

    init(
        _ index: Index, _ observation: Observation, _ guardRail: DeletionGuard, _ confirmed: Set<HeldDeletion>,
        _ now: Int64, tells: Bool
    ) {
        self.index = index
        self.observation = observation
        self.guardRail = guardRail
        self.confirmed = confirmed
        self.now = now
        self.tells = tells
    }

    private var view: RecordView<Index> { RecordView(index) }

    mutating func run() -> ObservationResult {
        if let root = index.entry(.root) { folders[root.handle] = .root }
        loose = findLoose()
        match()
        for item in observation.parked { takeParked(item) }
        let missing = tells ? unmatched : []
        let forgotten = forgottenEntries(missing)
        let replaced = (observation.isComplete ? [] : replacedFiles()).union(forgotten)
        judge(missing.filter { !forgotten.contains($0) }, replaced)
        // A second version comes behind its file.
        for isSecond in [false, true] {
            for (item, match) in zip(observation.found, matches) where (item.original != nil) == isSecond {
                take(item, match)
            }
        }
        take(missing: tells ? missing : unmatched, replaced)
        return result
    }

    private mutating func take(_ item: ScannedFile, _ match: EntryID?) {
        let entry = match.flatMap { index.entry($0) }
        guard let parent = folders[item.parent] else {
            if !tells { release(match, item) }
            return
        }
        if isHeldBack(item, entry, parent) {
            result.untold.append(UnannouncedChange(parent: parent, name: item.name))
            return
        }
        let known = entry.map { update($0, item, parent) } ?? add(item, parent)
        guard let id = known else {
            release(match, item)
            result.untold.append(UnannouncedChange(parent: parent, name: item.name))
            return
        }
        if item.kind == .folder { folders[item.handle] = id }
    }

    /// Entries at places that differ, with all that is in folders that were not found, and those in the parking place,
    /// whose content is always compared.
    ///
    /// Only the index knows what was in a folder that is gone: another one may have its inode by now.
    private func findLoose() -> [EntryID]? {
        guard let gone = observation.gone else { return nil }
        let items = observation.found + observation.parked
        let seen = Set(items.lazy.filter { $0.kind == .folder }.map(\.handle))
        var loose = Set(index.entries(in: .parking))
        let places = gone + observation.found.map { ObservedPlace(parent: $0.parent, name: $0.name) }
        var rest = places.compactMap { place in
            index.entry(with: place.parent).flatMap { index.entry(in: $0, named: place.name) }
        }
        while let id = rest.popLast() {
            guard loose.insert(id).inserted, let entry = index.entry(id), entry.kind == .folder,
                !seen.contains(entry.handle)
            else { continue }
            rest += index.entries(in: id)
        }
        return loose.sorted()
    }

    private var unmatched: [EntryID] { (loose ?? index.allEntries).filter { !matched.contains($0) } }

    /// Removes the entry of a found file: the entry is missing.
    private mutating func release(_ match: EntryID?, _ item: ScannedFile) {
        if let match { matched.remove(match) }
        if item.kind == .folder { folders[item.handle] = nil }
    }
}

// MARK: - Matching

extension Observer {
    /// Finds the entry of each file: by handle, which renames keep, then by place, which programs keep that save by
    /// replacing the file.
    private mutating func match() {
        matches = Array(repeating: nil, count: observation.found.count)
        let loose = loose.map(Set.init)
        for exact in [true, false] {
            for (position, item) in observation.found.enumerated() where matches[position] == nil {
                guard let id = index.entry(with: item.handle), !matched.contains(id), let entry = index.entry(id),
                    entry.kind == item.kind
                else { continue }
                // Among several hard links, the one at the old place is the old file.
                if exact, entry.name != item.name || index.entry(entry.parent)?.handle != item.parent { continue }
                if !exact, let loose, !loose.contains(id) { continue }
                take(id, position, item)
            }
        }
        for (position, item) in observation.found.enumerated() where matches[position] == nil {
            guard let parent = folders[item.parent], let id = index.entry(in: parent, named: item.name),
                !matched.contains(id), index.entry(id)?.kind == item.kind
            else { continue }
            take(id, position, item)
        }
        matchContent()
    }

    /// Matches a new file with a missing one if their content is equal and no other new or missing file has it: the
    /// file was moved by copying.
    private mutating func matchContent() {
        guard observation.isComplete else { return }
        let parked = Set(observation.parked.map(\.handle))
        var new: [ContentForm: [Int]] = [:]
        for (position, item) in observation.found.enumerated() where matches[position] == nil && item.size > 0 {
            if item.kind == .file, let form = item.form { new[form, default: []].append(position) }
        }
        guard !new.isEmpty else { return }
        var missing: [ContentForm: [EntryID]] = [:]
        for id in unmatched {
            guard let entry = index.entry(id), entry.kind == .file, let form = entry.form, new[form] != nil,
                !parked.contains(entry.handle), !isDead(entry)
            else { continue }
            missing[form, default: []].append(id)
        }
        for (form, ids) in missing {
            guard ids.count == 1, let positions = new[form], positions.count == 1 else { continue }
            take(ids[0], positions[0], observation.found[positions[0]])
        }
    }

    func isDead(_ entry: AgreedEntry) -> Bool {
        entry.seen.allSatisfy { index.record($0.node)?.isDeleted ?? true }
    }

    private mutating func take(_ id: EntryID, _ position: Int, _ item: ScannedFile) {
        matches[position] = id
        matched.insert(id)
        if item.kind == .folder { folders[item.handle] = id }
    }

    private mutating func takeParked(_ item: ScannedFile) {
        guard let id = index.entry(with: item.handle), let entry = index.entry(id), entry.kind == item.kind else {
            result.leftovers.append(.unseen(item.handle))
            return
        }
        if matched.contains(id) {
            result.leftovers.append(entry.form == item.form ? .replaced(item.handle) : .unseen(item.handle))
            return
        }
        if !tells, entry.form != item.form {
            result.leftovers.append(.unseen(item.handle))
            return
        }
        matched.insert(id)
        if item.kind == .folder { folders[item.handle] = id }
        if isDead(entry), entry.kind != .folder, entry.form == item.form {
            // The step removed the file, and the removal was not recorded.
            index.removeEntry(id)
            result.leftovers.append(.replaced(item.handle))
            return
        }
        guard entry.parent != .parking || entry.form != item.form else { return }
        var parked = entry
        parked.parent = .parking
        index.set(parked)
        index.mark(entry.seen.map(\.node))
        if entry.form != item.form { write(parked, item) }
    }
}

// MARK: - Files that were known

extension Observer {
    /// - Returns: nil if a person has changed it and changes do not become records.
    private mutating func update(_ before: AgreedEntry, _ item: ScannedFile, _ parent: EntryID) -> EntryID? {
        var entry = before
        entry.handle = item.handle
        entry.isHeld = false
        let moved = before.parent != parent || before.name != item.name
        let wrote = before.form != item.form
        let isTouched = item.metadata != nil && item.metadata != before.onDisk
        if wrote || isTouched && before.onDisk == nil { adopt(item, &entry) }
        guard moved || wrote || isTouched && before.onDisk != nil else {
            if entry != before { index.set(entry) }
            return entry.id
        }
        (entry.parent, entry.name) = (parent, item.name)
        // A step that was done and not recorded leaves the disk in the state of the records.
        let wanted = view.item(for: before)
        let isWantedForm = wrote && wanted?.content?.form == item.form
        if isWantedForm, let wanted { entry.seen = wanted.seen }
        let isWantedPlace =
            moved && wanted?.name == item.name
            && wanted?.parents == index.entry(parent).flatMap { view.members(of: $0.seen[0].node) }
        if isWantedPlace, let wanted { entry.isDisplaced = wanted.isDisplaced }
        if !tells, moved && !isWantedPlace || wrote && !isWantedForm { return nil }
        let touches = isTouched && !wrote && take(item.metadata, &entry, wanted)
        index.mark(before.seen.map(\.node) + entry.seen.map(\.node))
        if isWantedForm || !wrote { entry.form = item.form }
        index.set(entry)
        let moves = moved && !isWantedPlace
        let writes = wrote && !isWantedForm
        if (moves || writes), entry.isDisplaced {
            separate(entry, item)
        } else {
            if moves { move(entry) }
            if writes { write(entry, item) }
            if touches { touch(entry) }
        }
        return entry.id
    }

    /// Makes a node of a version with the name of a conflict, when a person changes it.
    private mutating func separate(_ entry: AgreedEntry, _ item: ScannedFile) {
        let versions = entry.seen.flatMap { seen in
            index.record(seen.node)?.contents.filter { seen.writes.contains($0.dot) } ?? []
        }
        var old = versions.first { $0.value.form == item.form }?.value
        if let time = item.metadata?.time ?? old?.time { old?.modified = time }
        old?.touch = nil
        delete(entry.seen, of: entry)
        var entry = entry
        let dot = newNode(item, in: entry.parent, content: old ?? content(of: item))
        entry.seen = [SeenVersions(NodeID(dot), [dot])]
        entry.isDisplaced = false
        entry.form = item.form
        index.set(entry)
    }

    private mutating func move(_ entry: AgreedEntry) {
        let breakers = index.cycleBreakers
        for seen in entry.seen {
            // Without such a folder, the records remain unchanged, and the entry returns to its place in the records.
            guard var record = index.record(seen.node), let parent = parentNode(entry.parent, outside: seen.node) else {
                continue
            }
            record.move(index.newDot(), to: NodePlace(parent, entry.name))
            index.update(record)
        }
        // A folder that a cycle has brought to the root stays there.
        for breaker in breakers.subtracting(entry.seen.map(\.node)) {
            guard var record = index.record(breaker), let name = record.place?.name,
                index.entries(of: breaker).contains(where: { index.entry($0)?.parent == .root })
            else { continue }
            record.move(index.newDot(), to: NodePlace(.root, name))
            index.update(record)
        }
        for seen in entry.seen { index.reviveFolders(of: seen.node) }
    }

    /// Replaces the versions that the writer had before by the new content, also in equal nodes of the entry.
    private mutating func write(_ entry: AgreedEntry, _ item: ScannedFile) {
        guard let first = entry.seen.first, var record = index.record(first.node), let content = content(of: item)
        else {
            return
        }
        record.part(first.writes, from: entry.form) { index.newDot() }
        let dot = index.newDot()
        record.write(dot, content, replacing: first.writes)
        index.update(record)
        delete(Array(entry.seen.dropFirst()), of: entry)
        var entry = entry
        entry.seen = [SeenVersions(first.node, [dot])]
        entry.form = item.form
        index.set(entry)
        index.reviveFolders(of: first.node)
    }
}

// MARK: - New files

extension Observer {
    /// Matches a file without an entry with the item that the records have there, if their bytes are equal; else the
    /// file is new. A step gives the file the permissions and extended attributes of the item.
    ///
    /// - Returns: nil for a new file if changes do not become records.
    private mutating func add(_ item: ScannedFile, _ parent: EntryID) -> EntryID? {
        // A file that is reported twice at its place is one file.
        if let same = index.entry(in: parent, named: item.name), let entry = index.entry(same),
            entry.handle == item.handle, entry.kind == item.kind, matched.contains(same)
        {
            return same
        }
        let id = index.newEntryID()
        var entry = AgreedEntry(
            id: id, parent: parent, name: item.name, kind: item.kind, handle: item.handle, form: item.form, seen: [])
        entry.hold(item.metadata)
        if parent != .parking, let folder = index.entry(parent).flatMap({ view.members(of: $0.seen[0].node) }),
            let wanted = view.item(in: folder, shownAs: item.name), wanted.kind == item.kind,
            wanted.content?.form.digest == item.form?.digest,
            !hasEntry(wanted)
        {
            entry.seen = wanted.seen
            entry.isDisplaced = wanted.isDisplaced
        } else if tells, let name = item.original, let seen = addSecond(item, to: name, in: parent) {
            entry.seen = [seen]
            entry.isDisplaced = true
        } else {
            guard tells else { return nil }
            let dot = newNode(item, in: parent, content: content(of: item))
            entry.seen = [SeenVersions(NodeID(dot), item.kind == .folder ? [] : [dot])]
        }
        index.set(entry)
        index.mark(entry.seen.map(\.node))
        matched.insert(id)
        return id
    }

    private func hasEntry(_ item: TreeItem) -> Bool {
        item.seen.contains { seen in
            index.entries(of: seen.node).contains { id in
                item.kind == .folder
                    || index.entry(id)?.seen.contains {
                        $0.node == seen.node && $0.writes.contains(where: seen.writes.contains)
                    } ?? false
            }
        }
    }

    mutating func newNode(_ item: ScannedFile, in parent: EntryID, content: FileVersion?) -> Dot {
        let dot = index.newDot()
        index.update(newRecord(NodeID(dot), dot, item, parent, content))
        index.reviveFolders(of: NodeID(dot))
        return dot
    }

    private func newRecord(_ node: NodeID, _ dot: Dot, _ item: ScannedFile, _ parent: EntryID, _ content: FileVersion?)
        -> NodeRecord
    {
        var record = NodeRecord(id: node, kind: item.kind)
        record.move(dot, to: NodePlace(parentNode(parent), item.name))
        if let content { record.write(dot, content, replacing: []) }
        record.permissions = item.metadata?.permissions.map { RankedValue(dot, $0) }
        return record
    }

    func content(of item: ScannedFile) -> FileVersion? {
        item.form.map { form in
            FileVersion(
                form: form, size: item.size, modified: item.metadata?.time ?? ModificationTime(0), author: index.author)
        }
    }

    private func parentNode(_ entry: EntryID) -> NodeID { index.entry(entry)?.seen.first?.node ?? .root }

    /// Returns a node of a folder as the parent of another node: of several nodes for one folder, one that is not
    /// inside the other according to the records.
    private func parentNode(_ entry: EntryID, outside node: NodeID) -> NodeID? {
        guard let entry = index.entry(entry) else { return .root }
        let nodes = entry.seen.map(\.node)
        return nodes.first { !isInside($0, node) } ?? nodes.first { $0 != node }
    }

    private func isInside(_ node: NodeID, _ outer: NodeID) -> Bool {
        var next = node
        for _ in 0..<RecordView<Index>.maximumDepth {
            if next == outer { return true }
            guard let above = index.record(next)?.place?.parent else { return false }
            next = above
        }
        return true
    }
}
