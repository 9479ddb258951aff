import PortolanSyncPlan

/// Paths of what waits, for persons.
extension FolderReplica {
    /// Largest number of differences whose paths are looked up in one synchronization.
    private static let mostPlaces = 4096

    /// Paths of the entries of a large deletion, in order; those that are lost meanwhile are left out.
    ///
    /// - Parameter limit: largest number of paths.
    package func paths(of deletion: HeldDeletion, limit: Int) async throws -> [String] {
        try await exclusively { replica in
            try replica.index.read { index in
                deletion.nodes.prefix(limit).compactMap { index.text(of: $0) }.sorted()
            }
        }
    }

    /// Paths of the second versions of files, in order.
    package func conflicts(limit: Int) async throws -> [String] {
        try await exclusively { replica in
            try replica.index.read { index in
                index.displacedEntries(limit: limit).compactMap { index.path(of: $0)?.text }.sorted()
            }
        }
    }

    /// Adds the paths of what waits to a report.
    func locate(_ report: inout SyncReport) throws(SyncError) {
        guard !report.waiting.isEmpty else { return }
        let (waiting, steps) = (report.waiting, report.waitingSteps)
        report.places = try index.read { index in
            var places: [SyncReport.RemainingDifference: [String]] = [:]
            for wait in waiting where waiting.count <= Self.mostPlaces {
                let found = steps[wait].map { $0.compactMap { index.text(of: $0) } }
                let paths = found ?? [index.text(of: wait)].compactMap { $0 }
                if !paths.isEmpty { places[wait] = Set(paths).sorted() }
            }
            return places
        }
    }
}

extension SyncReport {
    /// Largest number of paths of one reason.
    private static let mostSteps = 64

    /// Records that a step waits.
    mutating func wait(_ reason: RemainingDifference, for step: SyncStep) {
        waiting.insert(reason)
        guard waitingSteps[reason]?.count ?? 0 < Self.mostSteps else { return }
        waitingSteps[reason, default: []].append(step)
    }
}

extension StoredIndex {
    /// Depth of folders in the records, which may form a cycle.
    private static var mostNames: Int { 256 }

    /// Path of a node, as it is on the disk, else as the records have it; nil if neither is known.
    func text(of node: NodeID) -> String? {
        if let entry = entries(of: node).first, let path = path(of: entry) { return path.text }
        var names: [SyncName] = []
        var next = node
        while next != .root {
            guard names.count < Self.mostNames, let place = record(next)?.place else {
                return names.isEmpty ? nil : names.text
            }
            names.insert(place.name, at: 0)
            next = place.parent
        }
        return names.text
    }

    fileprivate func text(of wait: SyncReport.RemainingDifference) -> String? {
        switch wait {
        case .model(.unknownFolder(let node)), .model(.impossibleName(let node, _)),
            .model(.nameTaken(let node, _, _)), .unexplained(let node):
            text(of: node)
        case .model(.held(let entry)), .model(.folderInUse(let entry)), .folderInUse(let entry),
            .databaseInUse(let entry):
            path(of: entry)?.text
        case .name, .inTheWay, .content, .coming, .diskFull, .link, .failure: nil
        }
    }

    /// Path of the place that a step changes.
    fileprivate func text(of step: SyncStep) -> String? {
        switch step {
        case .makeFolder(_, let target), .place(_, let target), .move(_, let target, _):
            path(of: target.parent).map { ($0 + [target.name]).text }
        case .replace(let seen, _), .set(let seen, _), .park(let seen), .remove(let seen):
            path(of: seen.parent).map { ($0 + [seen.name]).text }
        case .bind(let entry, _): path(of: entry)?.text
        }
    }
}

extension [SyncName] {
    fileprivate var text: String { map(\.text).joined(separator: "/") }
}
