/// Operations of a replica on its index. Each is one transaction.
extension SyncIndex {
    /// Compares a scan with the agreed tree and records changes by persons.
    ///
    /// - Parameters:
    ///   - confirmed: large deletions that a person has agreed to.
    ///   - ways: directions of the replica; without announcements only the results of steps are recorded.
    ///   - now: time in seconds since 1970.
    package mutating func observe(
        _ observation: Observation, guard guardRail: DeletionGuard, confirmed: Set<HeldDeletion> = [],
        ways: SyncWays = SyncWays(), now: Int64 = 0
    ) -> ObservationResult {
        var observer = Observer(self, observation, guardRail, confirmed, now, tells: ways.tells)
        let result = observer.run()
        self = observer.index
        return result
    }

    /// Plans steps for the nodes that changed since they were last settled.
    ///
    /// - Parameters:
    ///   - now: time in seconds since 1970.
    ///   - refused: steps that something on the disk prevents.
    package mutating func plan(
        guard guardRail: DeletionGuard, confirmed: Set<HeldDeletion> = [], ways: SyncWays = SyncWays(), now: Int64 = 0,
        refused: Set<SyncStep> = []
    ) -> SyncPlan {
        var plan = Planner.plan(
            self, dirty, guard: ways.removes ? guardRail : .off, confirmed: confirmed, now: now, refused: refused)
        for entry in plan.verdict.heldEntries { spare(entry, true) }
        for entry in plan.freed { spare(entry, false) }
        forgetDeletions(by: plan.verdict.confirmed)
        withhold(&plan, ways)
        if plan.steps.isEmpty { settle(dirty, except: plan.unsettled) }
        return plan
    }

    /// Plans steps for some of the changed nodes, so that the size of a plan is bounded. Removals, and steps that wait
    /// for other nodes, are left to a following call of ``plan(guard:confirmed:ways:now:refused:)``: only a plan of all
    /// nodes shows the number of files to remove.
    package mutating func plan(part nodes: [NodeID], ways: SyncWays = SyncWays()) -> SyncPlan {
        var plan = Planner.plan(self, nodes, isPart: true, guard: .off)
        withhold(&plan, ways)
        if plan.steps.isEmpty { settle(nodes, except: plan.unsettled) }
        return plan
    }

    private mutating func spare(_ id: EntryID, _ isSpared: Bool) {
        guard var entry = entry(id), entry.isSpared != isSpared else { return }
        entry.isSpared = isSpared
        set(entry)
    }

    private mutating func settle(_ nodes: some Sequence<NodeID>, except unsettled: Set<NodeID>) {
        settle(nodes.filter { !unsettled.contains($0) })
        mark(unsettled)
    }

    /// Records that a step was done.
    ///
    /// - Parameters:
    ///   - handle: the file or folder that the step made; nil if it made none.
    ///   - shown: metadata that the disk shows after the step; nil if it shows the intended ones.
    ///   - now: time in seconds since 1970.
    package mutating func commit(
        _ step: SyncStep, handle: FileHandleID? = nil, shown: ItemMetadata? = nil, now: Int64 = 0
    ) {
        switch step {
        case .makeFolder(let item, let target), .place(let item, let target):
            guard let handle else { preconditionFailure("A step that makes a file has its handle.") }
            var entry = AgreedEntry(
                id: newEntryID(), parent: target.parent, name: target.name, kind: item.kind, handle: handle,
                form: item.content?.form, seen: item.seen, isDisplaced: item.isDisplaced)
            if item.kind == .folder {
                // A step of its own gives the folder its permissions, once everything is in it.
                entry.hold(shown ?? item.metadata)
            } else {
                entry.hold(item.metadata, shown: shown)
            }
            set(entry)
            if isAgreed(item) { settle(item.seen.map(\.node)) } else { markContent(of: item.seen, item.kind) }
        case .replace(let expected, let item):
            guard let handle else { preconditionFailure("A step that makes a file has its handle.") }
            change(expected.entry) { entry in
                (entry.handle, entry.form) = (handle, item.content?.form)
                entry.hold(item.metadata, shown: shown)
                entry.bind(to: item)
            }
        case .set(let expected, let item): change(expected.entry) { $0.hold(item.metadata, shown: shown) }
        case .move(let expected, let target, let isDisplaced):
            change(expected.entry) { entry in
                (entry.parent, entry.name, entry.isDisplaced) = (target.parent, target.name, isDisplaced)
            }
        case .park(let expected): change(expected.entry) { $0.parent = .parking }
        case .bind(let entry, let item): change(entry) { $0.bind(to: item) }
        case .remove(let expected):
            if let entry = entry(expected.entry) { mark(entry.seen.map(\.node)) }
            removeEntry(expected.entry)
            if let deleter = expected.deleter { countDeletions(1, by: deleter, at: now) }
        }
    }

    /// True for a file that was just placed, and of whose node nothing else is wanted.
    private func isAgreed(_ item: TreeItem) -> Bool {
        guard item.kind != .folder, !item.isDisplaced, item.seen.count == 1, let record = record(item.seen[0].node)
        else { return false }
        return record.contents.count == 1 && entries(of: record.id).count == 1
    }

    private mutating func change(_ id: EntryID, _ body: (inout AgreedEntry) -> Void) {
        guard var entry = entry(id) else { return }
        let before = entry.seen
        body(&entry)
        mark(before.map(\.node))
        if entry.seen != before { markContent(of: before + entry.seen, entry.kind) }
        set(entry)
    }

    /// Marks nodes, and the nodes in them, when an entry begins or ceases to represent their folder.
    private mutating func markContent(of seen: [SeenVersions], _ kind: NodeKind) {
        mark(seen.map(\.node))
        guard kind == .folder else { return }
        for seen in seen { mark(children(of: seen.node)) }
    }

    /// Gives up versions that no member has according to all members: a device announced content, lost its database,
    /// and the file was replaced before a member had fetched it.
    ///
    /// - Parameters:
    ///   - own: content that the file has here; nil if there is no file.
    ///   - marked: places whose nodes were marked for earlier ones of the same changes.
    package mutating func withdraw(_ item: TreeItem, own: FileVersion?, _ marked: inout MarkedPlaces) {
        for seen in item.seen {
            guard var record = record(seen.node), record.contents.contains(where: { seen.writes.contains($0.dot) })
            else {
                continue
            }
            record.part(seen.writes, from: item.content?.form) { newDot() }
            let dot = newDot()
            if let own, record.versions.allSatisfy({ seen.writes.contains($0.dot) }) {
                record.write(dot, own, replacing: seen.writes)
            } else {
                record.delete(dot, seen: seen.writes)
            }
            update(record, &marked)
            if !record.isDeleted { reviveFolders(of: seen.node) }
        }
    }

    // MARK: Decisions of persons

    /// Rejects a held deletion: missing files are restored from the other members.
    package mutating func reject(_ deletion: HeldDeletion) {
        for id in Set(deletion.nodes.flatMap { entries(of: $0) }) {
            guard let entry = entry(id), entry.isHeld else { continue }
            removeEntry(id)
            mark(entry.seen.map(\.node))
        }
    }

    /// Undoes deletions by other members, on all devices.
    package mutating func revive(_ nodes: [NodeID]) {
        for node in nodes {
            guard var record = record(node), record.isDeleted else { continue }
            record.revive(newDot())
            update(record)
            reviveFolders(of: node)
        }
    }
}

extension SyncIndex {
    /// Revives the deleted folders above a node that this replica has just created or changed. Other members may have
    /// forgotten them.
    mutating func reviveFolders(of node: NodeID) {
        var next = record(node)?.place?.parent
        for _ in 0..<RecordView<Self>.maximumDepth {
            guard var folder = next.flatMap({ record($0) }) else { return }
            if folder.isDeleted {
                folder.revive(newDot())
                update(folder)
            }
            next = folder.place?.parent
        }
    }
}

extension AgreedEntry {
    fileprivate mutating func bind(to item: TreeItem) {
        seen = item.seen
        if name == item.name { isDisplaced = item.isDisplaced }
    }
}
