import Glibc
import PortolanConcurrency
import PortolanFiles
import PortolanSyncPlan
import PortolanValues

/// Content for steps: requested concurrently, staged, and flushed together.
extension FolderReplica {
    /// Largest number of steps between two commits, and of bytes of their content, unless a single step has more. While
    /// one batch is published, the next one is staged, so that up to twice as much is staged.
    private static let maximumBatch = (steps: 512, bytes: UInt64(32) << 20)
    /// Largest number of contents that are staged concurrently.
    private static let maximumFetches = 16
    /// Largest number of files that are flushed one by one; more are flushed with the whole file system.
    static let maximumSingleSyncs = 8

    /// Content for one step, or the reason why the step cannot be done.
    enum Prepared: Sendable {
        case staged(StagedFile)
        /// A database was written to.
        case written(StepEffect)
        case refused(StepRefusal)

        func file() throws(StepRefusal) -> StagedFile {
            switch self {
            case .staged(let file): return file
            case .written: throw .changed
            case .refused(let refusal): throw refusal
            }
        }
    }

    /// Steps that are committed together, with the state of their content.
    struct Batch: Sendable {
        var steps: [SyncStep] = []
        /// Results by the position of the step.
        var prepared: [Int: Prepared] = [:]
        fileprivate var needs: [Need] = []
    }

    /// Content to stage for one step.
    fileprivate struct Need: Sendable {
        var position: Int
        var content: FileVersion
        var kind: NodeKind
        /// Number of names in the path of the target folder.
        var depth: Int
        /// True if a file here had the content at the last scan.
        var isHere: Bool
        /// File here that is likely to have most of the content.
        var base: ContentBase?

        var digest: ContentDigest { content.form.digest }
    }

    /// Outcome of staging a batch.
    struct StagedContents: Sendable {
        var prepared: [Int: Prepared] = [:]
        /// Contents that are not here.
        var missing: [ContentDigest: SyncReport.RemainingDifference] = [:]
        /// Contents among them that members may have.
        var wanted: [WantedContent] = []
        var fetched = 0
        var copied = 0
    }

    /// Splits steps into batches, in their order.
    static func batches(of steps: [SyncStep]) -> [ArraySlice<SyncStep>] {
        batches(ofSizes: steps.map { $0.content?.size ?? 0 }).map { steps[$0] }
    }

    /// Splits steps with contents of these sizes, in bytes.
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

    /// Finds the contents that a batch needs, in one transaction, before any is requested.
    func findNeeds(of steps: ArraySlice<SyncStep>, _ folder: OpenFolder) throws -> Batch {
        var batch = Batch(steps: Array(steps))
        guard steps.contains(where: { $0.content != nil }) else { return batch }
        try index.transact { index in
            let publisher = self.publisher(folder, in: index)
            for (position, step) in batch.steps.enumerated() {
                guard let content = step.content else { continue }
                do throws(StepRefusal) {
                    try publisher.prepare(step)
                    let (kind, depth) = index.kindAndDepth(of: step)
                    batch.needs.append(
                        Need(
                            position: position, content: content, kind: kind, depth: depth,
                            isHere: !self.carried.has(content.form.digest) && index.mayHave(content.form.digest),
                            base: index.base(of: step)))
                } catch { batch.prepared[position] = .refused(error) }
            }
        }
        return batch
    }

    /// Stages the content of a batch, and flushes it.
    ///
    /// - Parameter missing: contents that could not be fetched before.
    func stage(
        _ batch: Batch, _ folder: OpenFolder, _ provider: any ContentProvider,
        _ missing: [ContentDigest: SyncReport.RemainingDifference]
    ) async throws -> StagedContents {
        var stock = StagedContents(prepared: batch.prepared)
        guard !batch.needs.isEmpty else { return stock }
        // The number of open files is limited: large batches are flushed together, with closed files.
        let keepsOpen = batch.needs.count <= Self.maximumSingleSyncs
        let groups = Self.groups(of: batch.needs)
        let hasRoom = folder.root.freeSpace() ?? .max >= batch.needs.reduce(0) { $0 + $1.content.size }
        stock.add(await stage(groups) { await self.stage($0, folder, provider, missing, hasRoom, keepsOpen) })
        stock.sortWanted(by: groups.map { $0[0].digest })
        try Task.checkCancellation()
        try sync(stock, folder, oneByOne: keepsOpen)
        return stock
    }

    /// Groups needs by content, in the order of their steps.
    private static func groups(of needs: [Need]) -> [[Need]] {
        Dictionary(grouping: needs, by: \.digest).values.sorted { $0[0].position < $1[0].position }
    }

    /// Stages several contents concurrently.
    private func stage(_ all: [[Need]], _ body: @escaping @Sendable ([Need]) async -> StagedContents) async
        -> StagedContents
    {
        await withTaskGroup(of: StagedContents.self) { tasks in
            var stock = StagedContents()
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
    ///
    /// - Parameter hasRoom: true if there is room for the whole batch.
    private func stage(
        _ group: [Need], _ folder: OpenFolder, _ provider: any ContentProvider,
        _ missing: [ContentDigest: SyncReport.RemainingDifference], _ hasRoom: Bool, _ keepsOpen: Bool
    ) async -> StagedContents {
        var stock = StagedContents()
        var first: StagedFile?
        for need in group {
            if stock.missing[need.digest] != nil { break }
            // Its target comes again with none of the later rounds.
            if need.kind == .link, let text = refusedLink(need.digest, depth: need.depth) {
                stock.missing[need.digest] = .link(text)
                break
            }
            // Content without room on the disk is not requested.
            guard !missing.values.contains(.diskFull),
                hasRoom || folder.root.freeSpace() ?? .max >= staging(folder).rest(of: need.content)
            else {
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
                    stock.miss(need.content, need.base, missing[need.digest], provider)
                    break
                }
                first = first ?? staged
                if !keepsOpen { staged.file = nil }
                stock.prepared[need.position] = .staged(staged)
            } catch let failure as SystemFailure where failure.isFull {
                stock.missing[need.digest] = .diskFull
            } catch {
                let isGone = (error as? SyncError)?.kind == .noSuchContent
                let text = Self.text(of: error)
                if error is LinkRefusal { refuseLink(need.digest, depth: need.depth, text) }
                stock.missing[need.digest] =
                    isGone ? .content(need.digest) : error is LinkRefusal ? .link(text) : .failure(text)
            }
        }
        return stock
    }

    /// Stages content that is at hand; nil if it is not.
    private func fetch(
        _ need: Need, _ folder: OpenFolder, _ provider: (any ContentProvider)?, _ stock: inout StagedContents
    ) async throws -> StagedFile? {
        let staging = staging(folder)
        func staged(from source: any ContentSource) async throws -> StagedFile {
            try await staging.stage(need.content, kind: need.kind, depth: need.depth, from: source)
        }
        if need.content.size == 0, need.kind == .file { return try await staged(from: StoredContent.empty) }
        if need.isHere, let own = try openContent(need.digest), let staged = try? await staged(from: own) {
            stock.copied += 1
            return staged
        }
        if let source = carried.content(need.digest), let staged = try? await staged(from: source) {
            stock.fetched += 1
            return staged
        }
        if arrived.take(need.digest) {
            defer { arrived.end(need.digest, isWhole: false) }
            do {
                let staged = try await staging.take(need.content, kind: need.kind, depth: need.depth)
                stock.fetched += 1
                return staged
            } catch let error as SystemFailure where error.number == ENOENT {
                // The part was removed, since no plan wanted it for a while.
            }
        }
        guard let source = try await provider?.content(need.digest) else { return nil }
        let staged = try await staged(from: source)
        stock.fetched += 1
        return staged
    }

    /// Returns a staged file as content for another one.
    private func copy(of staged: StagedFile, _ folder: OpenFolder) -> StoredContent? {
        storedContent(staged.name, in: folder.control.staging, staged.form.digest)
    }

    private func staging(_ folder: OpenFolder) -> ContentStager {
        ContentStager(control: folder.control, look: FileLook(storage: storage, now: now))
    }

    // MARK: Calls on files

    private func sync(_ stock: StagedContents, _ folder: OpenFolder, oneByOne: Bool) throws(SyncError) {
        guard !stock.prepared.isEmpty else { return }
        do throws(SystemFailure) {
            guard oneByOne else { return try storage.syncAll(folder.root) }
            for file in stock.files { try storage.sync(file) }
        } catch { throw .folder(error, "change the folder") }
    }

    static func text(of error: any Error) -> DisplayText {
        if let failure = error as? SystemFailure { return DisplayText(failure.text) }
        return DisplayText(oneLine: "\(error)", limit: 200)
    }
}

extension FolderReplica.StagedContents {
    fileprivate mutating func add(_ other: Self) {
        prepared.merge(other.prepared) { $1 }
        missing.merge(other.missing) { $1 }
        wanted += other.wanted
        fetched += other.fetched
        copied += other.copied
    }

    /// Notes a content that is not at hand.
    ///
    /// - Parameter known: reason why it was not at hand before, if it was wanted before.
    fileprivate mutating func miss(
        _ content: FileVersion, _ base: ContentBase?, _ known: SyncReport.RemainingDifference?,
        _ provider: any ContentProvider
    ) {
        let digest = content.form.digest
        // No content is empty but that of a file; a member's record of a link may say so.
        let mayCome = content.size > 0 && provider.mayCome(digest)
        missing[digest] = known ?? (mayCome ? .coming : .content(digest))
        guard known == nil, content.size > 0 else { return }
        wanted.append(WantedContent(digest: digest, size: content.size, base: base))
    }

    /// Puts the wanted contents into the order of the steps.
    fileprivate mutating func sortWanted(by digests: [ContentDigest]) {
        let contents = Dictionary(uniqueKeysWithValues: wanted.map { ($0.digest, $0) })
        wanted = digests.compactMap { contents[$0] }
    }

    fileprivate var files: [Descriptor] {
        prepared.values.compactMap { if case .staged(let staged) = $0 { staged.file } else { nil } }
    }
}

extension StoredIndex {
    /// Kind of the item of a step, and number of names in the path of its folder.
    fileprivate func kindAndDepth(of step: SyncStep) -> (NodeKind, Int) {
        switch step {
        case .place(let item, let target): (item.kind, path(of: target.parent)?.count ?? 0)
        case .replace(let seen, let item): (item.kind, path(of: seen.parent)?.count ?? 0)
        default: (.file, 0)
        }
    }

    /// Returns the file that the step replaces; for a new file, another version of it that is here because of a
    /// conflict: under the conflict name if this one replaces it, else under the name itself.
    fileprivate func base(of step: SyncStep) -> ContentBase? {
        switch step {
        case .replace(let seen, _): return ContentBase(file: seen, isReplaced: true)
        case .place(let item, _):
            guard let size = item.content?.size, EarlierVersion.sizes ~= size else { return nil }
            let name = item.isDisplaced ? item.name.withoutConflict ?? item.name : item.name
            let nodes =
                item.seen.map(\.node)
                + item.parents.prefix(Self.mostBases).flatMap { children(of: $0, named: name, limit: Self.mostBases) }
            let entries = nodes.lazy.flatMap { self.entries(of: $0) }.compactMap { self.entry($0) }
            guard let other = entries.first(where: { $0.kind == .file && !$0.isHeld }) else { return nil }
            return ContentBase(file: Expectation(other), isReplaced: false)
        default: return nil
        }
    }

    /// Number of nodes of a name among which another version of a file is looked for.
    private static let mostBases = 16

    /// True if a file, or one of the history, had this content at the last scan.
    func mayHave(_ digest: ContentDigest) -> Bool {
        !entries(with: digest).isEmpty || !history(with: digest).isEmpty
    }
}
