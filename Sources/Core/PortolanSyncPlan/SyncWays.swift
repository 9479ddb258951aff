/// Directions in which changes are exchanged between this replica and the other members. The mode is local: other
/// members neither know it nor depend on it.
package enum SyncMode: String, CaseIterable, Codable, Hashable, Sendable {
    case twoWay = "two-way"
    /// Changes of others are received and passed on, but not made here.
    case sendOnly = "send-only"
    /// Changes by persons here are not recorded.
    case receiveOnly = "receive-only"
}

/// Restrictions of one replica.
package struct SyncWays: Hashable, Sendable {
    package var mode: SyncMode
    /// True if files that others delete stay here.
    package var keepsDeleted: Bool

    package init(_ mode: SyncMode = .twoWay, keepsDeleted: Bool = false) {
        self.mode = mode
        self.keepsDeleted = keepsDeleted
    }

    /// True if changes by persons here become records.
    package var tells: Bool { mode != .receiveOnly }

    /// True if this replica makes the step.
    func allow(_ step: SyncStep) -> Bool {
        switch step {
        case .bind: true
        case .remove: mode != .sendOnly && !keepsDeleted
        case .makeFolder, .place, .replace, .move, .park, .set: mode != .sendOnly
        }
    }

    var removes: Bool { mode != .sendOnly && !keepsDeleted }
}

/// Item on the disk that a replica does not announce.
package struct UnannouncedChange: Hashable, Sendable {
    package var parent: EntryID
    package var name: SyncName
}

extension SyncIndex {
    /// Removes steps from a plan that this replica does not make. Their nodes remain unsettled, so that they are
    /// planned after a change of mode.
    func withhold(_ plan: inout SyncPlan, _ ways: SyncWays) {
        guard ways.mode == .sendOnly || ways.keepsDeleted else { return }
        var allowed: [SyncStep] = []
        for step in plan.steps {
            if ways.allow(step) {
                allowed.append(step)
            } else {
                plan.withheld += 1
                plan.unsettled.formUnion(nodes(of: step))
            }
        }
        plan.steps = allowed
        plan.waiting.removeAll { waiting in
            if case .folderInUse = waiting { true } else { ways.mode == .sendOnly }
        }
    }

    private func nodes(of step: SyncStep) -> [NodeID] {
        switch step {
        case .makeFolder(let item, _), .place(let item, _): item.seen.map(\.node)
        case .replace(let seen, let item), .set(let seen, let item): nodes(of: seen.entry) + item.seen.map(\.node)
        case .move(let seen, _, _), .park(let seen), .remove(let seen): nodes(of: seen.entry)
        case .bind(let entry, let item): nodes(of: entry) + item.seen.map(\.node)
        }
    }

    private func nodes(of id: EntryID) -> [NodeID] { entry(id)?.seen.map(\.node) ?? [] }
}
