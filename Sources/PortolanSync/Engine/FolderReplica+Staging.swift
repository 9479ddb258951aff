import PortolanFiles
import PortolanSyncModel
import PortolanValues

/// Content for steps: asked for side by side, staged, and synced together.
extension FolderReplica {
    /// Most steps between two commits, and most bytes of content that they have together, unless one step alone has more. While one batch
    /// is published, the next one is staged: what is staged is at most twice as much.
    private static let maximumBatch = (steps: 512, bytes: UInt64(32) << 20)
    /// So many contents are fetched at once.
    private static let maximumFetches = 16
    /// So many files are synced one by one; more of them together with the whole file system.
    static let maximumSingleSyncs = 8

    /// Content for one step, or the reason for which the step cannot be done.
    enum Prepared: Sendable {
        case staged(StagedFile)
        case refused(Refusal)

        func file() throws(Refusal) -> StagedFile {
            switch self {
            case .staged(let file): return file
            case .refused(let refusal): throw refusal
            }
        }
    }

    /// Steps that are committed together, and what is known of their content.
    struct Batch: Sendable {
        var steps: [Step] = []
        /// By the position of the step.
        var prepared: [Int: Prepared] = [:]
        fileprivate var needs: [Need] = []
    }

    /// Content of one step that has to be staged.
    fileprivate struct Need: Sendable {
        var position: Int
        var content: Content
        var kind: NodeKind
        /// Names in the path of the folder that it goes into.
        var depth: Int
        /// Some file here had the content when it was last looked at.
        var isHere: Bool

        var digest: ContentDigest { content.form.digest }
    }

    /// Content of an empty file, which nobody has to send.
    private struct NoBytes: ContentSource {
        func read(at offset: UInt64, count: Int) async throws -> [UInt8] { [] }
    }

    /// Outcome of staging a batch.
    struct Stock: Sendable {
        var prepared: [Int: Prepared] = [:]
        /// Contents that could not be had.
        var missing: [ContentDigest: SyncReport.Wait] = [:]
        var fetched = 0
        var copied = 0
    }

    /// Cuts steps into batches, in their order.
    static func batches(of steps: [Step]) -> [ArraySlice<Step>] {
        batches(ofSizes: steps.map { $0.content?.size ?? 0 }).map { steps[$0] }
    }

    /// The same for steps whose contents have these sizes in bytes.
    static func batches(ofSizes sizes: [UInt64]) -> [Range<Int>] {
        var batches: [Range<Int>] = []
        var (start, bytes) = (0, UInt64(0))
        for (place, size) in sizes.enumerated() {
            let (sum, isTooMuch) = bytes.addingReportingOverflow(size)
            bytes = isTooMuch ? .max : sum
            guard place > start, bytes > maximumBatch.bytes || place - start >= maximumBatch.steps else { continue }
            batches.append(start..<place)
            (start, bytes) = (place, size)
        }
        if start < sizes.count { batches.append(start..<sizes.count) }
        return batches
    }

    /// Looks which content a batch needs, in one transaction, before anything is asked for.
    func look(at steps: ArraySlice<Step>, _ folder: OpenFolder) throws -> Batch {
        var batch = Batch(steps: Array(steps))
        guard steps.contains(where: { $0.content != nil }) else { return batch }
        try index.transact { index in
            let publisher = self.publisher(folder, in: index)
            for (position, step) in batch.steps.enumerated() {
                guard let content = step.content else { continue }
                do throws(Refusal) {
                    try publisher.prepare(step)
                    let (kind, depth) = index.kindAndDepth(of: step)
                    batch.needs.append(
                        Need(
                            position: position, content: content, kind: kind, depth: depth,
                            isHere: index.mayHave(content.form.digest)))
                } catch { batch.prepared[position] = .refused(error) }
            }
        }
        return batch
    }

    /// Stages the content of a batch, and syncs it.
    ///
    /// - Parameter missing: contents that were not to be had before.
    func stage(
        _ batch: Batch, _ folder: OpenFolder, _ provider: any ContentProvider,
        _ missing: [ContentDigest: SyncReport.Wait]
    ) async throws -> Stock {
        var stock = Stock(prepared: batch.prepared)
        guard !batch.needs.isEmpty else { return stock }
        // Open files are few: many are synced together, without being open.
        let keepsOpen = batch.needs.count <= Self.maximumSingleSyncs
        stock.add(
            await stage(Self.groups(of: batch.needs)) { await self.stage($0, folder, provider, missing, keepsOpen) })
        try Task.checkCancellation()
        try sync(stock, folder, oneByOne: keepsOpen)
        return stock
    }

    /// Needs of one content each, in the order of their steps.
    private static func groups(of needs: [Need]) -> [[Need]] {
        Dictionary(grouping: needs, by: \.digest).values.sorted { $0[0].position < $1[0].position }
    }

    /// Stages several contents side by side.
    private func stage(_ all: [[Need]], _ body: @escaping @Sendable ([Need]) async -> Stock) async -> Stock {
        await withTaskGroup(of: Stock.self) { tasks in
            var stock = Stock()
            var groups = all[...]
            for _ in 0..<Self.maximumFetches {
                guard let group = groups.popFirst() else { break }
                tasks.addTask { await body(group) }
            }
            while let one = await tasks.next() {
                stock.add(one)
                guard !Task.isCancelled, let group = groups.popFirst() else { continue }
                tasks.addTask { await body(group) }
            }
            return stock
        }
    }

    /// Stages one content for all steps that need it.
    private func stage(
        _ group: [Need], _ folder: OpenFolder, _ provider: any ContentProvider,
        _ missing: [ContentDigest: SyncReport.Wait], _ keepsOpen: Bool
    ) async -> Stock {
        var stock = Stock()
        var first: StagedFile?
        for need in group {
            if stock.missing[need.digest] != nil { break }
            // Nobody sends what cannot be kept.
            guard !missing.values.contains(.diskFull), folder.root.freeSpace() ?? .max >= need.content.size else {
                stock.missing[need.digest] = .diskFull
                break
            }
            do {
                var staged: StagedFile?
                if let first, let source = copy(of: first, folder) {
                    staged = try? await staging(folder).stage(
                        need.content, kind: need.kind, depth: need.depth, from: source)
                    if staged != nil { stock.copied += 1 }
                }
                if staged == nil {
                    staged = try await fetch(need, folder, missing[need.digest] == nil ? provider : nil, &stock)
                }
                guard var staged else {
                    stock.missing[need.digest] = missing[need.digest] ?? .content(need.digest)
                    break
                }
                first = first ?? staged
                if !keepsOpen { staged.file = nil }
                stock.prepared[need.position] = .staged(staged)
            } catch let failure as SystemFailure where failure.isFull {
                stock.missing[need.digest] = .diskFull
            } catch {
                let isGone = (error as? SyncError)?.kind == .noSuchContent
                stock.missing[need.digest] = isGone ? .content(need.digest) : .failure(Self.text(of: error))
            }
        }
        return stock
    }

    /// Stages content that is here, or comes from another member; nil if nobody has it.
    private func fetch(
        _ need: Need, _ folder: OpenFolder, _ provider: (any ContentProvider)?, _ stock: inout Stock
    ) async throws -> StagedFile? {
        let staging = staging(folder)
        if need.content.size == 0, need.kind == .file {
            return try await staging.stage(need.content, kind: need.kind, depth: need.depth, from: NoBytes())
        }
        if need.isHere, let own = try openContent(need.digest),
            let staged = try? await staging.stage(need.content, kind: need.kind, depth: need.depth, from: own)
        {
            stock.copied += 1
            return staged
        }
        if let source = carried.content(need.digest),
            let staged = try? await staging.stage(need.content, kind: need.kind, depth: need.depth, from: source)
        {
            stock.fetched += 1
            return staged
        }
        guard let source = try await provider?.content(need.digest) else { return nil }
        let staged: StagedFile
        do {
            staged = try await staging.stage(
                need.content, kind: need.kind, depth: need.depth, from: source, keepsPart: true)
        } catch let error as SyncError where error.kind == .wrongContent {
            // The file was changed while it was read, or the part that was here is damaged: once more, from the start.
            guard let other = try await provider?.otherContent(need.digest) else { throw error }
            staged = try await staging.stage(
                need.content, kind: need.kind, depth: need.depth, from: other, keepsPart: true)
        }
        stock.fetched += 1
        return staged
    }

    /// A staged file as content for another one.
    private func copy(of staged: StagedFile, _ folder: OpenFolder) -> (any ContentSource)? {
        storedContent(staged.name, in: folder.control.staging, staged.form.digest)
    }

    private func staging(_ folder: OpenFolder) -> Staging {
        Staging(control: folder.control, look: FileLook(storage: storage, now: now))
    }

    // MARK: Calls on files

    private func sync(_ stock: Stock, _ folder: OpenFolder, oneByOne: Bool) throws(SyncError) {
        guard !stock.prepared.isEmpty else { return }
        do throws(SystemFailure) {
            guard oneByOne else { return try storage.syncAll(folder.root) }
            for file in stock.files { try storage.sync(file) }
        } catch { throw .folder(error, "change the folder") }
    }

    static func text(of error: any Error) -> DisplayText {
        if let failure = error as? SystemFailure { return DisplayText(failure.text) }
        return DisplayText("\(error)", limit: 200)
    }
}

extension FolderReplica.Stock {
    fileprivate mutating func add(_ other: Self) {
        prepared.merge(other.prepared) { $1 }
        missing.merge(other.missing) { $1 }
        fetched += other.fetched
        copied += other.copied
    }

    fileprivate var files: [Descriptor] {
        prepared.values.compactMap { if case .staged(let staged) = $0 { staged.file } else { nil } }
    }
}

extension StoredIndex {
    /// Kind of what a step puts in place, and names in the path of its folder.
    fileprivate func kindAndDepth(of step: Step) -> (NodeKind, Int) {
        switch step {
        case .place(let item, let target): (item.kind, path(of: target.parent)?.count ?? 0)
        case .replace(let seen, let item): (item.kind, path(of: seen.parent)?.count ?? 0)
        default: (.file, 0)
        }
    }

    /// Whether a file, or one of the history, had this content when it was last looked at.
    func mayHave(_ digest: ContentDigest) -> Bool {
        !entries(with: digest).isEmpty || !history(with: digest).isEmpty
    }
}
