/// Finds the steps that bring the disk to the state of the records, for the changed nodes and those that block them.
package struct Planner<Index: SyncIndex> {
    private let view: RecordView<Index>
    private var index: Index { view.index }

    private var queue: [NodeID] = []
    private var nodes: Set<NodeID> = []
    private var items: [TreeItem] = []
    private var collected: Set<TreeItem> = []
    private var entries: Set<EntryID> = []
    /// Entries of items, by position in `items`.
    private var assigned: [EntryID?] = []
    private var owner: [EntryID: Int] = [:]
    private var unreachable: Set<NodeID> = []
    /// Places whose items are collected.
    private var places: Set<RecordView<Index>.NamedPlace> = []
    /// Entries that have the names of items in these folders, by index in `items`.
    private var occupants: [EntryID?] = []
    private var plan = SyncPlan()
    /// Steps that change the permissions of folders, once nothing is left to be done in these.
    private var lastSteps: [(folder: EntryID, step: SyncStep, nodes: [NodeID])] = []
    private let memory = Memory()
    /// Items, by index in `items`, that wait for the removal of an entry that has their name.
    private var successors: [(item: Int, of: EntryID)] = []
    private let refused: Set<SyncStep>

    /// Cache of answers of the index, which does not change meanwhile.
    private final class Memory {
        var bound: [NodeID: [EntryID]] = [:]
        var folders: [[NodeID]: EntryID?] = [:]
    }

    /// Only some of the nodes that changed are planned.
    private let isPart: Bool

    private init(_ index: Index, isPart: Bool, _ refused: Set<SyncStep>) {
        view = RecordView(index, remembering: true)
        self.isPart = isPart
        self.refused = refused
    }

    /// - Parameters:
    ///   - dirty: changed nodes; others are included if necessary.
    ///   - isPart: true if other nodes have changed, too. Entries without an item, and those that block each other, are
    ///     then left unsettled.
    ///   - confirmed: large removals that a person has confirmed.
    ///   - now: time in seconds since 1970.
    ///   - refused: steps that something on the disk prevents: no other one waits for them.
    package static func plan(
        _ index: Index, _ dirty: some Sequence<NodeID>, isPart: Bool = false, guard guardRail: DeletionGuard,
        confirmed: Set<HeldDeletion> = [], now: Int64 = 0, refused: Set<SyncStep> = []
    ) -> SyncPlan {
        var planner = Planner(index, isPart: isPart, refused)
        for node in dirty.sorted() { planner.add(node) }
        planner.collect()
        planner.assign()
        planner.makeSteps(guardRail, confirmed, now)
        return planner.plan
    }

    // MARK: Collecting

    private mutating func add(_ node: NodeID) {
        if node != .root, nodes.insert(node).inserted { queue.append(node) }
    }

    private mutating func add(_ entry: EntryID) {
        guard entry != .root, entries.insert(entry).inserted, let entry = index.entry(entry) else { return }
        for seen in entry.seen { add(seen.node) }
    }

    /// Adds nodes until all dependencies of the collected nodes are collected.
    private mutating func collect() {
        while let node = queue.popLast() {
            for entry in bound(to: node) { add(entry) }
            guard let record = index.record(node) else { continue }
            if let above = record.place?.parent, index.record(above)?.isDeleted ?? false { add(above) }
            guard view.isPresent(record) else { continue }
            guard let name = record.place?.name, let folder = view.parent(of: record).flatMap({ view.members(of: $0) })
            else {
                unreachable.insert(node)
                wait(.unknownFolder(node), [node])
                continue
            }
            // The step that makes a folder comes before those of new items in it.
            if isPart, folderEntry(folder) == nil, bound(to: node).isEmpty {
                plan.unsettled.insert(node)
                for above in folder { add(above) }
                continue
            }
            // Nodes of one place have the same items and names.
            guard places.insert(RecordView.NamedPlace(folder, name)).inserted else { continue }
            for name in view.relatedNames(in: folder, of: name) {
                for node in view.children(of: folder, named: name) { add(node) }
            }
            for item in view.items(in: folder, named: name) where collected.insert(item).inserted {
                items.append(item)
                for seen in item.seen { add(seen.node) }
                if item.kind == .folder { collectChildren(item) }
                let folder = folderEntry(item.parents)
                let occupant = folder.flatMap { index.entry(in: $0, occupying: item.name) }
                occupants.append(occupant)
                if folder == nil { for parent in item.parents { add(parent) } }
                if let occupant { add(occupant) }
            }
        }
    }

    /// Adds the contents of folders that were merged or split, which may have to move.
    private mutating func collectChildren(_ item: TreeItem) {
        let nodes = Set(item.seen.map(\.node))
        let bound = nodes.flatMap { self.bound(to: $0) }
        // Children of a new folder are planned after its step.
        if isPart, bound.isEmpty { return }
        if bound.count == 1, let entry = index.entry(bound[0]), Set(entry.seen.map(\.node)) == nodes { return }
        for node in nodes { for child in index.children(of: node) { add(child) } }
        for entry in bound { for child in index.entries(in: entry) { add(child) } }
    }

    private mutating func wait(_ reason: BlockedReason, _ nodes: [NodeID]) {
        plan.waiting.append(reason)
        plan.unsettled.formUnion(nodes)
    }

    // MARK: Entries of items

    private func bound(to node: NodeID) -> [EntryID] {
        if let known = memory.bound[node] { return known }
        let entries = index.entries(of: node)
        memory.bound[node] = entries
        return entries
    }

    /// The folder on the disk for these nodes: of several, the one that is in its place, else the oldest.
    private func folderEntry(_ members: [NodeID]) -> EntryID? {
        if members.first == .root { return .root }
        if let known = memory.folders[members] { return known }
        let entry = findFolderEntry(members)
        memory.folders[members] = .some(entry)
        return entry
    }

    private func findFolderEntry(_ members: [NodeID]) -> EntryID? {
        let candidates = Set(members.flatMap { bound(to: $0) })
            .compactMap { index.entry($0) }.filter { $0.kind == .folder && !$0.isHeld }
        guard candidates.count > 1 else { return candidates.first?.id }
        let name = members.first.flatMap { index.record($0)?.place?.name }
        let inPlace = candidates.filter { $0.name == name && $0.parent != .parking }
        return (inPlace.isEmpty ? candidates : inPlace).map(\.id).min()
    }

    private mutating func assign() {
        assigned = Array(repeating: nil, count: items.count)
        let known = entries.sorted().compactMap { index.entry($0) }.filter { !$0.isHeld && $0.kind != .folder }
        /// Indices in `known`.
        var holders: [NodeID: [Int]] = [:]
        for (position, entry) in known.enumerated() {
            for node in Set(entry.seen.map(\.node)) { holders[node, default: []].append(position) }
        }
        for (position, item) in items.enumerated() where item.kind == .folder {
            if let entry = folderEntry(item.seen.map(\.node)), owner[entry] == nil { own(entry, position) }
        }
        // A file is matched by its content; if that was replaced, by its node.
        for byContent in [true, false] {
            for (position, item) in items.enumerated() where item.kind != .folder && assigned[position] == nil {
                let holding = Set(item.seen.flatMap { holders[$0.node] ?? [] }).sorted().map { known[$0] }
                let candidates = holding.filter { entry in
                    entry.kind == item.kind && owner[entry.id] == nil
                        && (!byContent || entry.form?.digest == item.content?.form.digest)
                        && entry.seen.contains { seen in
                            item.seen.contains {
                                $0.node == seen.node
                                    && (!byContent || !$0.writes.allSatisfy { !seen.writes.contains($0) })
                            }
                        }
                }
                guard let entry = candidates.first(where: { isInPlace($0, item) }) ?? candidates.first else { continue }
                own(entry.id, position)
            }
        }
    }

    private mutating func own(_ entry: EntryID, _ position: Int) {
        assigned[position] = entry
        owner[entry] = position
    }

    private func isInPlace(_ entry: AgreedEntry, _ item: TreeItem) -> Bool {
        entry.name == item.name && folderEntry(item.parents) == entry.parent
    }

    // MARK: Steps

    private mutating func makeSteps(_ guardRail: DeletionGuard, _ confirmed: Set<HeldDeletion>, _ now: Int64) {
        /// Moves that wait for a name, with the entries that have to move first.
        var blocked: [(entry: AgreedEntry, by: EntryID)] = []
        for (position, item) in items.enumerated() {
            if assigned[position] == nil, let held = heldEntry(of: item.seen.map(\.node)) {
                wait(.held(held), item.seen.map(\.node))
                continue
            }
            let entry = assigned[position].flatMap { index.entry($0) }
            if let entry { update(entry, item) }
            guard let folder = folderEntry(item.parents) else {
                if let held = heldEntry(of: item.parents) { plan.waiting.append(.held(held)) }
                plan.unsettled.formUnion(item.seen.map(\.node))
                continue
            }
            if let entry, entry.name == item.name, entry.parent == folder { continue }
            guard index.nameRules.canHold(item.name) else {
                wait(.impossibleName(item.seen[0].node, item.name), item.seen.map(\.node))
                continue
            }
            if let occupant = occupants[position], occupant != entry?.id {
                meet(occupant, position, entry, &blocked)
            } else if let entry, isInside(folder, entry.id) {
                blocked.append((entry, folder))
            } else {
                let target = StepTarget(parent: folder, name: item.name)
                if let entry {
                    plan.steps.append(.move(Expectation(entry), target, isDisplaced: item.isDisplaced))
                } else {
                    plan.steps.append(item.kind == .folder ? .makeFolder(item, target) : .place(item, target))
                }
            }
        }
        let surplus = judge(guardRail, confirmed, now)
        holdBack(&blocked)
        unblock(blocked)
        remove(surplus)
        finishFolders()
    }

    /// Lets items wait that need the name of an entry whose deletion waits, and those that need theirs.
    private mutating func holdBack(_ blocked: inout [(entry: AgreedEntry, by: EntryID)]) {
        var held = plan.verdict.heldEntries
        for (position, id) in successors where held.contains(id) || index.entry(id)?.isHeld ?? false {
            wait(.held(id), items[position].seen.map(\.node))
            if let entry = assigned[position] { held.insert(entry) }
        }
        while let next = blocked.firstIndex(where: { held.contains($0.by) }) {
            let (entry, id) = blocked.remove(at: next)
            if held.insert(entry.id).inserted { wait(.held(id), entry.seen.map(\.node)) }
        }
    }

    private func heldEntry(of nodes: [NodeID]) -> EntryID? {
        nodes.flatMap { bound(to: $0) }.first { index.entry($0)?.isHeld ?? false }
    }

    /// Brings content, metadata and versions of an entry up to date.
    private mutating func update(_ entry: AgreedEntry, _ item: TreeItem) {
        if entry.form != item.content?.form {
            plan.steps.append(.replace(Expectation(entry), item))
        } else if entry.seen != item.seen || entry.name == item.name && entry.isDisplaced != item.isDisplaced {
            plan.steps.append(.bind(entry.id, item))
        }
        // A file that is replaced comes with its time; an entry that no scan has seen has unknown metadata.
        guard entry.form == item.content?.form, let wanted = item.metadata, wanted != entry.metadata,
            let onDisk = entry.onDisk, entry.parent != .parking
        else { return }
        let step = SyncStep.set(Expectation(entry), item)
        if let bits = wanted.permissions, let before = onDisk.permissions, before & ~bits & 0o077 == 0 {
            lastSteps.append((entry.id, step, item.seen.map(\.node)))
        } else {
            plan.steps.append(step)
        }
    }

    /// Adds the steps that open folders to others, or close them to their owner, unless steps in them come first.
    private mutating func finishFolders() {
        guard !lastSteps.isEmpty else { return }
        var filled: Set<EntryID> = []
        for step in plan.steps {
            var next = step.filledFolder ?? .root
            while next != .root, next != .parking, filled.insert(next).inserted, let entry = index.entry(next) {
                next = entry.parent
            }
        }
        for (folder, step, nodes) in lastSteps {
            if isPart || filled.contains(folder) {
                plan.unsettled.formUnion(nodes)
            } else {
                plan.steps.append(step)
            }
        }
    }

    /// Another entry has the name that an item wants.
    private mutating func meet(
        _ id: EntryID, _ position: Int, _ entry: AgreedEntry?, _ blocked: inout [(entry: AgreedEntry, by: EntryID)]
    ) {
        guard let occupant = index.entry(id) else { return }
        let item = items[position]
        if isSurplus(occupant) {
            // A file replaces a file in one step; a folder replaces a folder separately, because the content may have
            // to move into the new one.
            if entry == nil, occupant.kind == item.kind, occupant.name == item.name {
                plan.steps.append(item.kind == .folder ? .bind(id, item) : .replace(Expectation(occupant), item))
                owner[id] = position
            } else {
                successors.append((position, id))
            }
            // An entry inside the folder gets the folder's place.
            if let entry, isInside(entry.parent, id) { blocked.append((entry, id)) }
            plan.unsettled.formUnion(item.seen.map(\.node))
        } else if occupant.isHeld {
            successors.append((position, id))
        } else if moves(id) {
            // A new item cannot move away: the other entry does, and may wait for the new folder.
            blocked.append((entry ?? occupant, id))
            plan.unsettled.formUnion(item.seen.map(\.node))
        } else {
            wait(.nameTaken(item.seen[0].node, item.name, by: id), item.seen.map(\.node))
        }
    }

    /// True if the entry moves to another place.
    private func moves(_ id: EntryID) -> Bool {
        guard let position = owner[id], let entry = index.entry(id) else { return false }
        return !isInPlace(entry, items[position])
    }

    private func isInside(_ folder: EntryID, _ outer: EntryID) -> Bool {
        var next = folder
        while next != .root, next != .parking {
            if next == outer { return true }
            guard let entry = index.entry(next) else { return false }
            next = entry.parent
        }
        return false
    }

    /// Resolves entries that wait for each other: one is parked if no other step is possible.
    private mutating func unblock(_ blocked: [(entry: AgreedEntry, by: EntryID)]) {
        if isPart {
            for (entry, _) in blocked { plan.unsettled.formUnion(entry.seen.map(\.node)) }
            return
        }
        let others = plan.steps.contains { step in
            switch step {
            case .bind, .set: false
            default: step.content == nil && !refused.contains(step)
            }
        }
        guard !others else { return }
        for (entry, _) in blocked.sorted(by: { $0.entry.id < $1.entry.id }) where entry.parent != .parking {
            plan.steps.append(.park(Expectation(entry)))
            return
        }
    }

    /// True if the entry is not wanted: entries that are held or wait for a folder are.
    private func isSurplus(_ entry: AgreedEntry) -> Bool {
        owner[entry.id] == nil && !entry.isHeld && !entry.seen.contains { unreachable.contains($0.node) }
            && entries.contains(entry.id)
    }

    /// Judges the removals.
    ///
    /// - Returns: entries that are not wanted, except those whose removal waits for confirmation.
    private mutating func judge(
        _ guardRail: DeletionGuard, _ confirmed: Set<HeldDeletion>, _ now: Int64
    ) -> [AgreedEntry] {
        let known = entries.sorted().compactMap { index.entry($0) }
        let surplus = known.filter(isSurplus)
        if isPart { return surplus }
        let verdict = DeletionJudge.judge(surplus, in: index, guardRail, confirmed, now: now)
        plan.verdict = verdict
        plan.held = verdict.held
        for deletion in verdict.held { plan.unsettled.formUnion(deletion.nodes) }
        plan.freed = known.filter { $0.isSpared && !verdict.heldEntries.contains($0.id) }.map(\.id)
        return surplus.filter { !verdict.heldEntries.contains($0.id) }
    }

    /// Adds removals, after all additions and moves.
    private mutating func remove(_ surplus: [AgreedEntry]) {
        for entry in surplus {
            if isPart {
                plan.unsettled.formUnion(entry.seen.map(\.node))
                continue
            }
            if entry.kind == .folder, !index.entries(in: entry.id).isEmpty {
                wait(.folderInUse(entry.id), entry.seen.map(\.node))
                continue
            }
            var seen = Expectation(entry)
            seen.deleter = plan.verdict.counted[entry.id]
            plan.steps.append(.remove(seen))
        }
    }
}
