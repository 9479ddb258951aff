import PortolanFiles
import PortolanSyncModel
import PortolanTrust

extension FolderReplica {
    /// Most steps between two commits, and most plans of one synchronization: each level of folders takes one.
    private static let maximumBatch = 128
    private static let maximumPlans = 2000
    private static let maximumScans = 8
    /// So many files are synced one by one; more of them together with the whole file system.
    private static let maximumSingleSyncs = 8

    /// Scans the folder and does all steps that can be done.
    ///
    /// - Parameter provider: content of other members.
    /// - Throws: ``SyncError``; of kind `halted` if the folder is left alone until a person decides.
    @discardableResult
    package func synchronize(from provider: any ContentProvider) async throws -> SyncReport {
        try await exclusively { replica in try await replica.synchronizeOnce(provider) }
    }

    private func synchronizeOnce(_ provider: any ContentProvider) async throws -> SyncReport {
        var report = SyncReport()
        for _ in 0..<Self.maximumScans {
            let isFirst = self.folder == nil
            let folder = try openFolder()
            if isFirst { try adoptHistory(folder) }
            if let reason = takeNewEpoch() { report.newEpoch = reason }
            try Staging(control: folder.control, look: FileLook(storage: storage, now: now)).clean()
            let scanned = try scan(folder, &report)
            if scanned == .again { continue }
            let before = report.steps
            let refused = try await work(folder, provider, &report)
            // A scan that finds nothing new will find nothing new again: something that is not kept alike is in the way.
            if refused.isEmpty || scanned == .same && report.steps == before {
                for step in refused { report.waiting.insert(.inTheWay(step.name)) }
                try pruneHistory(folder)
                return report
            }
        }
        // The folder changes faster than it can be read.
        report.looksAgain = true
        return report
    }

    /// Plans and does steps until none is left that can be done.
    ///
    /// - Returns: steps for which the disk has to be looked at first.
    private func work(
        _ folder: OpenFolder, _ provider: any ContentProvider, _ report: inout SyncReport
    ) async throws -> [Step] {
        /// Content that could not be had: it is not asked for again before the next synchronization.
        var missing: [ContentDigest: SyncReport.Wait] = [:]
        let ways = ways
        for _ in 0..<Self.maximumPlans {
            let confirmed = confirmed
            let plan = try index.transact { index in
                index.plan(guard: self.settings.deletionGuard, confirmed: confirmed, ways: ways)
            }
            report.waiting = Set(plan.waiting.map { .model($0) })
            report.withheld = plan.withheld
            report.heldFromOthers = plan.held
            guard !plan.steps.isEmpty else { return [] }
            var done = 0
            var refused: [Step] = []
            var next = 0
            while next < plan.steps.count {
                let batch = Array(plan.steps[next..<min(next + Self.maximumBatch, plan.steps.count)])
                next += batch.count
                let prepared = try await stage(batch, folder, provider, &missing, &report)
                let outcome = try run(batch, prepared, folder, &report)
                done += outcome.done
                refused += outcome.refused
            }
            report.steps += done
            if !refused.isEmpty || done == 0 { return refused }
        }
        return []
    }

    // MARK: Content

    /// Content for one step, or the reason for which the step cannot be done.
    fileprivate enum Prepared {
        case staged(StagedFile)
        case refused(Refusal)
    }

    /// Content of a batch of steps, by the position of the step; synced.
    private func stage(
        _ batch: [Step], _ folder: OpenFolder, _ provider: any ContentProvider,
        _ missing: inout [ContentDigest: SyncReport.Wait], _ report: inout SyncReport
    ) async throws -> [Int: Prepared] {
        var prepared: [Int: Prepared] = [:]
        var files: [Descriptor] = []
        for (position, step) in batch.enumerated() {
            guard let content = step.content else { continue }
            let digest = content.form.digest
            if report.isDiskFull || !hasRoom(for: content, folder) {
                report.waiting.insert(.diskFull)
                continue
            }
            do {
                if let refusal = try refusal(of: step, folder) {
                    prepared[position] = .refused(refusal)
                } else if let staged = try await fetch(
                    content, step, folder, missing[digest] == nil ? provider : nil, &report)
                {
                    prepared[position] = .staged(staged)
                    if let file = staged.file { files.append(file) }
                } else {
                    missing[digest] = missing[digest] ?? .content(digest)
                }
            } catch let error as CancellationError {
                throw error
            } catch let failure as SystemFailure where failure.isFull {
                report.isDiskFull = true
                report.waiting.insert(.diskFull)
            } catch {
                missing[digest] = .failure(Self.text(of: error))
            }
            if prepared[position] == nil, let wait = missing[digest] { report.waiting.insert(wait) }
        }
        let all = files
        try touching { () throws(SystemFailure) in try sync(all, folder) }
        return prepared
    }

    private func refusal(of step: Step, _ folder: OpenFolder) throws -> Refusal? {
        try index.transact { index in
            do throws(Refusal) {
                try self.publisher(folder, in: index).prepare(step)
                return nil
            } catch { return error }
        }
    }

    /// Stages content that is here, or comes from another member; nil if nobody has it.
    private func fetch(
        _ content: Content, _ step: Step, _ folder: OpenFolder, _ provider: (any ContentProvider)?,
        _ report: inout SyncReport
    ) async throws -> StagedFile? {
        let staging = Staging(control: folder.control, look: FileLook(storage: storage, now: now))
        let (kind, depth) = try kindAndDepth(of: step)
        let digest = content.form.digest
        if let own = try openContent(digest),
            let staged = try? await staging.stage(content, kind: kind, depth: depth, from: own)
        {
            report.copied += 1
            return staged
        }
        guard let source = try await provider?.content(digest) else { return nil }
        let staged = try await staging.stage(content, kind: kind, depth: depth, from: source)
        report.fetched += 1
        return staged
    }

    private func kindAndDepth(of step: Step) throws -> (NodeKind, Int) {
        try index.transact { index in
            switch step {
            case .place(let item, let target): (item.kind, index.path(of: target.parent)?.count ?? 0)
            case .replace(let seen, let item): (item.kind, index.path(of: seen.parent)?.count ?? 0)
            default: (.file, 0)
            }
        }
    }

    /// Whether the disk has room for content, as far as it says, so that nobody sends what cannot be kept.
    private func hasRoom(for content: Content, _ folder: OpenFolder) -> Bool {
        guard let free = folder.root.freeSpace() else { return true }
        return free >= content.size
    }

    private func sync(_ files: [Descriptor], _ folder: OpenFolder) throws(SystemFailure) {
        if files.count > Self.maximumSingleSyncs {
            try storage.syncAll(folder.root)
        } else {
            for file in files { try storage.sync(file) }
        }
    }

    /// Runs calls on files.
    private func touching<Result>(_ body: () throws(SystemFailure) -> Result) throws(SyncError) -> Result {
        do throws(SystemFailure) {
            return try body()
        } catch { throw .folder(error, "change the folder") }
    }

    private static func text(of error: any Error) -> DisplayText {
        if let failure = error as? SystemFailure { return DisplayText(failure.text) }
        return DisplayText("\(error)", limit: 200)
    }

    // MARK: Steps

    func publisher(_ folder: OpenFolder, in index: StoredIndex) -> Publisher {
        Publisher(
            places: EntryPlaces(index: index, root: folder.root, control: folder.control, device: folder.device),
            look: FileLook(storage: storage, now: now))
    }

    /// Does steps and writes them down. The index has each before the next one is done, and all of them at the end.
    private func run(
        _ batch: [Step], _ prepared: [Int: Prepared], _ folder: OpenFolder, _ report: inout SyncReport
    ) throws -> (done: Int, refused: [Step]) {
        var waiting = report.waiting
        defer { report.waiting = waiting }
        return try index.transact { index in
            let publisher = self.publisher(folder, in: index)
            var done = 0
            var refused: [Step] = []
            /// Folders by their inodes.
            var touched: [UInt64: Descriptor] = [:]
            for (position, step) in batch.enumerated() where step.content == nil || prepared[position] != nil {
                do throws(Refusal) {
                    let effect = try publisher.run(step, prepared[position]?.file())
                    index.commit(step, handle: effect.handle)
                    index.take(effect)
                    for folder in effect.touched {
                        guard let inode = try? self.storage.status(of: folder).identity.inode else { continue }
                        touched[inode] = folder
                    }
                    done += 1
                } catch {
                    switch error {
                    case .changed: refused.append(step)
                    case .outdated: break
                    case .name: waiting.insert(.name(step.name))
                    case .inUse: if let entry = step.entry { waiting.insert(.folderInUse(entry)) }
                    case .failure(let failure) where failure.isFull: waiting.insert(.diskFull)
                    case .failure(let failure): waiting.insert(.failure(Self.text(of: failure)))
                    }
                }
            }
            try self.sync(Array(touched.values), folder)
            return (done, refused)
        }
    }
}

extension FolderReplica.Prepared {
    fileprivate func file() throws(Refusal) -> StagedFile {
        switch self {
        case .staged(let file): return file
        case .refused(let refusal): throw refusal
        }
    }
}

extension StoredIndex {
    /// Writes down what a step has left on the disk.
    fileprivate func take(_ effect: Effect) {
        for (place, file) in effect.files {
            if let file { remember(file, at: place) } else { forget(place) }
        }
        if let record = effect.history { add(record) }
    }
}

extension Step {
    /// Name that something gets.
    fileprivate var name: Name {
        switch self {
        case .makeFolder(_, let target), .place(_, let target), .move(_, let target, _): target.name
        case .replace(let seen, _), .park(let seen), .remove(let seen): seen.name
        case .bind(_, let item): item.name
        }
    }

    fileprivate var entry: EntryID? {
        switch self {
        case .replace(let seen, _), .move(let seen, _, _), .park(let seen), .remove(let seen): seen.entry
        case .bind(let entry, _): entry
        case .makeFolder, .place: nil
        }
    }
}
