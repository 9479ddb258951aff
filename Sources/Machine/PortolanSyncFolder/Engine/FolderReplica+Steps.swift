import PortolanFiles
import PortolanSyncPlan
import PortolanValues

extension FolderReplica {
    /// Largest number of plans in one synchronization: each level of folders takes one.
    private static let maximumPlans = 2000
    private static let maximumScans = 8
    /// Most nodes without a reason to wait that a report names.
    private static let mostUnexplained = 4096

    /// Scans the folder and does all possible steps.
    ///
    /// - Parameters:
    ///   - provider: content of other members.
    ///   - changes: folders that may have changed since the last synchronization.
    /// - Throws: ``SyncError``; of kind `halted` if the folder is left alone until a person decides.
    @discardableResult
    package func synchronize(
        from provider: any ContentProvider, changes: FolderChanges = .whole
    ) async throws -> SyncReport {
        try await exclusively { replica in
            // Unused contents are dropped, and requested again when they are needed.
            defer { replica.carried.drop() }
            return try await replica.synchronizeOnce(provider, changes)
        }
    }

    func synchronizeOnce(_ provider: any ContentProvider, _ changes: FolderChanges) async throws -> SyncReport {
        var report = SyncReport()
        var changes = changes
        /// Steps that the last plan had and the disk refused.
        var refusedBefore: Set<SyncStep> = []
        for _ in 0..<Self.maximumScans {
            try Task.checkCancellation()
            let last = self.folder
            let folder = try openFolder()
            if last == nil { try adoptHistory(folder) }
            if last?.handle != folder.handle { changes = .whole }
            if let reason = takeNewEpoch() { report.newEpoch = reason }
            try ContentStager(control: folder.control, look: FileLook(storage: storage, now: now)).clean()
            changes.add(try exchangeRepositories(repositories.paths(in: changes), in: folder))
            let scanned = try scan(folder, changes, &report)
            changes = .whole
            if scanned == .again { continue }
            let before = report.steps
            let refused = try await work(folder, provider, refusedBefore, &report)
            // Another scan would find no changes, either: an item that is not synchronized is in the way.
            if refused.isEmpty
                || scanned == .same && report.steps == before && refusedBefore.isSuperset(of: refused)
            {
                // The steps have brought news of repositories, and the scan new repositories.
                let told = try exchangeRepositories(repositories.paths(in: .whole), in: folder)
                if told != .none {
                    changes = told
                    continue
                }
                report.repositories = repositories.reports
                for step in refused { report.wait(.inTheWay(step.name), for: step) }
                if try noteUnexplained(&report) {
                    looksAtAll = true
                    continue
                }
                try forgetConfirmations()
                try locate(&report)
                try pruneHistory(folder)
                try forgetSnapshots(folder)
                return report
            }
            refusedBefore = Set(refused)
        }
        // The folder changes faster than it is read.
        report.looksAgain = true
        return report
    }

    /// Adds the changed nodes to a report that wait although nothing is in their way.
    ///
    /// - Returns: true if some were not found so before: the index may be wrong about the disk, which is read again.
    private func noteUnexplained(_ report: inout SyncReport) throws(SyncError) -> Bool {
        guard !report.explainsWaiting else { return false }
        let nodes = try index.read { Set($0.dirty.sorted().prefix(Self.mostUnexplained)) }
        for node in nodes { report.waiting.insert(.unexplained(node)) }
        let before = exchangeUnexplained(with: nodes)
        return !nodes.isSubset(of: before)
    }

    /// Plans and does steps until no further one is possible.
    ///
    /// - Parameter refusedBefore: steps that something in the way prevents.
    /// - Returns: steps that need a scan first.
    private func work(
        _ folder: OpenFolder, _ provider: any ContentProvider, _ refusedBefore: Set<SyncStep>,
        _ report: inout SyncReport
    ) async throws -> [SyncStep] {
        /// Contents that could not be fetched: they are not requested again before the next synchronization.
        var missing: [ContentDigest: SyncReport.RemainingDifference] = [:]
        let ways = ways
        // The lacks of an earlier plan may have changed with the scan that followed.
        report.wanted = []
        try await workByParts(folder, provider, ways, &missing, &report)
        for _ in 0..<Self.maximumPlans {
            try Task.checkCancellation()
            let confirmed = confirmed
            let plan = try index.transact(isCancellable: true) { index in
                index.plan(
                    guard: self.settings.deletionGuard, confirmed: confirmed, ways: ways, now: self.now().seconds,
                    refused: refusedBefore)
            }
            report.waiting = Set(plan.waiting.map { .model($0) })
            report.withheld = plan.withheld
            report.heldFromOthers = plan.held
            guard !plan.steps.isEmpty else {
                try forgetParts(folder, wanting: plan, report)
                return []
            }
            let before = report.steps
            let refused = try await work(off: plan.steps, folder, provider, &missing, &report)
            if !refused.isEmpty || report.steps == before {
                try forgetParts(folder, wanting: plan, report)
                return refused
            }
        }
        return []
    }

    /// Plans and does steps for one part of the changed nodes after the other while more have changed than one plan
    /// holds in memory. Nodes that remain changed are left to a plan of all of them.
    private func workByParts(
        _ folder: OpenFolder, _ provider: any ContentProvider, _ ways: SyncWays,
        _ missing: inout [ContentDigest: SyncReport.RemainingDifference], _ report: inout SyncReport
    ) async throws {
        let most = settings.maximumPart
        var stepsBefore = -1
        // Nodes of one part may wait for a folder of a later one.
        while report.steps > stepsBefore {
            stepsBefore = report.steps
            var rest = try index.read { $0.dirty.count > most ? $0.dirty.sorted() : [] }[...]
            while !rest.isEmpty {
                var part = Array(rest.prefix(most))
                rest = rest.dropFirst(most)
                for _ in 0..<Self.maximumPlans {
                    try Task.checkCancellation()
                    let nodes = part
                    let plan = try index.transact(isCancellable: true) { $0.plan(part: nodes, ways: ways) }
                    let before = report.steps
                    _ = try await work(off: plan.steps, folder, provider, &missing, &report)
                    if report.steps == before { break }
                    let dirty = try index.read(\.dirty)
                    part = nodes.filter { dirty.contains($0) }
                    if part.isEmpty { break }
                }
            }
        }
    }

    /// Does the steps of one plan, in their order: while a batch of them is published, content for the next one is
    /// staged.
    ///
    /// - Returns: steps that need a scan first.
    private func work(
        off steps: [SyncStep], _ folder: OpenFolder, _ provider: any ContentProvider,
        _ missing: inout [ContentDigest: SyncReport.RemainingDifference], _ report: inout SyncReport
    ) async throws -> [SyncStep] {
        var refused: [SyncStep] = []
        var rest = Self.batches(of: steps)[...]
        /// Batch that is staged but not published.
        var last: (batch: Batch, stock: StagedContents)?
        while let next = rest.popFirst() {
            try Task.checkCancellation()
            let batch = try findNeeds(of: next, folder)
            let known = missing
            async let stock = stage(batch, folder, provider, known)
            if let last { refused += try publish(last.batch, last.stock, folder, &report) }
            let staged = try await stock
            note(staged, of: batch, &missing, &report)
            last = (batch, staged)
        }
        if let last { refused += try publish(last.batch, last.stock, folder, &report) }
        return refused
    }

    /// Puts a staged batch into the folder; databases first, each by a transaction of its own.
    private func publish(
        _ batch: Batch, _ stock: StagedContents, _ folder: OpenFolder, _ report: inout SyncReport
    ) throws -> [SyncStep] {
        let prepared = try writeDatabases(batch.steps, stock.prepared, folder)
        return try run(batch.steps, prepared, folder, &report)
    }

    /// Records the result of staging, and the steps that wait for content.
    private func note(
        _ stock: StagedContents, of batch: Batch, _ missing: inout [ContentDigest: SyncReport.RemainingDifference],
        _ report: inout SyncReport
    ) {
        missing.merge(stock.missing) { old, _ in old }
        report.wanted += stock.wanted
        report.fetched += stock.fetched
        report.copied += stock.copied
        for (position, step) in batch.steps.enumerated() where stock.prepared[position] == nil {
            guard let digest = step.content?.form.digest, let wait = missing[digest] else { continue }
            report.wait(wait, for: step)
        }
    }

    /// Removes partial files that no plan needs, and on a full disk all but one.
    private func forgetParts(_ folder: OpenFolder, wanting plan: SyncPlan, _ report: SyncReport) throws {
        try ContentStager(control: folder.control, look: FileLook(storage: storage, now: now))
            .removeParts(
                except: plan.steps.compactMap { $0.content?.form.digest }, isFull: report.waiting.contains(.diskFull))
    }

    // MARK: Steps

    func publisher(_ folder: OpenFolder, in index: StoredIndex) -> StepPublisher {
        StepPublisher(
            places: EntryPlaces(index: index, root: folder.root, control: folder.control, device: folder.device),
            look: FileLook(storage: storage, now: now), databases: databases)
    }

    /// Does steps and records them. Each is in the index before the next one, and all of them at the end.
    ///
    /// - Returns: steps that need a scan first.
    private func run(
        _ batch: [SyncStep], _ prepared: [Int: Prepared], _ folder: OpenFolder, _ report: inout SyncReport
    ) throws -> [SyncStep] {
        var waits: [(reason: SyncReport.RemainingDifference, step: SyncStep)] = []
        defer { for wait in waits { report.wait(wait.reason, for: wait.step) } }
        try openClosedFolders(
            batch.indices.filter { batch[$0].content == nil || prepared[$0] != nil }.map { batch[$0] }, folder)
        let (done, refused) = try recording { index, kept -> (Int, [SyncStep]) in
            let publisher = self.publisher(folder, in: index)
            var done = 0
            var refused: [SyncStep] = []
            var touched: [ObjectIdentifier: Descriptor] = [:]
            func make(_ step: SyncStep, _ prepared: Prepared?) throws(StepRefusal) {
                let effect =
                    if case .written(let effect) = prepared { effect } else {
                        try publisher.run(step, try prepared?.file())
                    }
                index.commit(step, handle: effect.handle, shown: effect.shown, now: self.now().seconds)
                if var record = effect.history {
                    record.change = report.change
                    kept.append(record)
                }
                index.take(effect)
                for folder in effect.touched { touched[ObjectIdentifier(folder)] = folder }
                done += 1
            }
            for (position, step) in batch.enumerated() where step.content == nil || prepared[position] != nil {
                // Steps that are done are recorded.
                if Task.isCancelled { break }
                do throws(StepRefusal) {
                    // The next plan places them, and finds that they would lead out.
                    let links = try publisher.linksLedOut(by: step)
                    for link in links { try make(.remove(link), nil) }
                    if links.contains(where: { $0.entry == step.entry }) { continue }
                    try make(step, prepared[position])
                } catch {
                    switch error {
                    case .changed: refused.append(step)
                    case .outdated: break
                    case .name: waits.append((.name(step.name), step))
                    case .databaseInUse: if let entry = step.entry { waits.append((.databaseInUse(entry), step)) }
                    case .database(let text): waits.append((.failure(text), step))
                    case .inUse: if let entry = step.entry { waits.append((.folderInUse(entry), step)) }
                    case .failure(let failure) where failure.isFull: waits.append((.diskFull, step))
                    case .failure(let failure): waits.append((.failure(Self.text(of: failure)), step))
                    }
                }
            }
            try self.sync(Array(touched.values), folder)
            return (done, refused)
        }
        report.steps += done
        return refused
    }

    /// Runs a transaction whose steps move files to the history. Their records stay also if it fails, because the files
    /// do.
    private func recording<Result>(
        _ body: (inout StoredIndex, inout [HistoryRecord]) throws -> Result
    ) throws -> Result {
        var kept: [HistoryRecord] = []
        do {
            return try index.transact { index in
                let result = try body(&index, &kept)
                for record in kept { index.add(record) }
                return result
            }
        } catch {
            try? index.transact { index in for record in kept { index.add(record) } }
            throw error
        }
    }

    private func sync(_ folders: [Descriptor], _ folder: OpenFolder) throws(SystemFailure) {
        if folders.count > Self.maximumSingleSyncs { return try storage.syncAll(folder.root) }
        for folder in folders { try storage.sync(folder) }
    }
}

extension StoredIndex {
    /// Records the effect of a step on the disk.
    fileprivate func take(_ effect: StepEffect) {
        for (place, file) in effect.files {
            if let file { remember(file, at: place) } else { forget(place) }
        }
    }
}

extension SyncStep {
    /// Name of the target.
    fileprivate var name: SyncName {
        switch self {
        case .makeFolder(_, let target), .place(_, let target), .move(_, let target, _): target.name
        case .replace(let seen, _), .park(let seen), .set(let seen, _), .remove(let seen): seen.name
        case .bind(_, let item): item.name
        }
    }

    fileprivate var entry: EntryID? {
        switch self {
        case .replace(let seen, _), .move(let seen, _, _), .park(let seen), .set(let seen, _), .remove(let seen):
            seen.entry
        case .bind(let entry, _): entry
        case .makeFolder, .place: nil
        }
    }
}
