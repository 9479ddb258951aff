import SyncPlanSupport

@testable import PortolanSyncPlan

/// Calls of the model, in which a member makes its mistakes before or after the model's own work.
extension Member {
    // MARK: Members

    func announcement(since cursor: ChangeCursor?) -> Announcement {
        var cursor = cursor
        if mistakes.contains(.ignoresEpochOfPeer) { cursor?.replica = index.replica }
        var announcement = index.announcement(since: cursor)
        if mistakes.contains(.keepsNewsToItself) {
            announcement.records.removeAll { $0.version[index.replica] == 0 }
        }
        return announcement
    }

    mutating func receive(_ records: [NodeRecord]) {
        let before = index
        _ = index.receive(records)
        for other in records {
            guard let old = before.record(other.id), let merged = index.record(other.id), old != merged else {
                continue
            }
            var record = merged
            if mistakes.contains(.deletionBeatsEdit), old.life.isEmpty || other.life.isEmpty { record.life = [] }
            if mistakes.contains(.forgetsVersions) { record.version = old.version }
            if record != merged { index.update(record) }
        }
    }

    mutating func forgetDeletions(members: Set<DeviceID>) {
        var membership = membership
        if mistakes.contains(.forgetsDeletionsEarly) {
            for member in members { membership.acknowledged[member] = ChangeCursor(index.replica, .max) }
        }
        index.forgetDeletions(membership, members: members)
    }

    // MARK: Scans

    /// - Parameter all: all files and folders on the disk that could be read.
    mutating func observe(_ observation: Observation, all: [ScannedFile]) -> ObservationResult {
        var observation = observation
        if mistakes.contains(.forgetsParked) { observation.parked = [] }
        claimVersions(all, isComplete: observation.isComplete)
        let forms = mistakes.contains(.adoptsByName) ? giveWantedForms(to: &observation.found) : [:]
        let result = index.observe(observation, guard: .off)
        for (handle, form) in forms {
            guard let id = index.entry(with: handle), var entry = index.entry(id) else { continue }
            entry.form = form
            index.set(entry)
        }
        return result
    }

    /// Lets entries of changed or missing files stand for all versions of their nodes.
    private mutating func claimVersions(_ all: [ScannedFile], isComplete: Bool) {
        for id in index.allEntries {
            guard var entry = index.entry(id), entry.kind == .file else { continue }
            let item = all.first { $0.handle == entry.handle }
            let mistake: InjectedMistakes = item == nil ? .deletionReplacesAll : .writeReplacesAll
            guard mistakes.contains(mistake), item.map({ $0.form != entry.form }) ?? isComplete else { continue }
            entry.seen = entry.seen.map { seen in
                SeenVersions(seen.node, index.record(seen.node)?.contents.map(\.dot) ?? seen.writes)
            }
            index.set(entry)
        }
    }

    /// Gives new files the content of the items whose names they have.
    ///
    /// - Returns: their own forms.
    private func giveWantedForms(to found: inout [ScannedFile]) -> [FileHandleID: ContentForm] {
        let view = RecordView(index)
        var forms: [FileHandleID: ContentForm] = [:]
        for (position, item) in found.enumerated() {
            guard let form = item.form, index.entry(with: item.handle) == nil,
                let parent = index.entry(with: item.parent).flatMap({ index.entry($0) }),
                let folder = view.members(of: parent.seen[0].node),
                let wanted = view.item(in: folder, shownAs: item.name),
                wanted.seen.allSatisfy({ index.entries(of: $0.node).isEmpty }), let other = wanted.content?.form
            else { continue }
            forms[item.handle] = form
            found[position].form = other
        }
        return forms
    }

    // MARK: Plans

    mutating func plan() -> SyncPlan {
        var plan = index.plan(guard: .off)
        if mistakes.contains(.neverParks) {
            plan.steps.removeAll { if case .park = $0 { true } else { false } }
        }
        guard mistakes.contains(.removesFullFolders) else { return plan }
        for case .folderInUse(let id) in plan.waiting {
            if let entry = index.entry(id) { plan.steps.append(.remove(Expectation(entry))) }
        }
        return plan
    }
}
