import Glibc
import PortolanValues
import Synchronization

/// Files of an item: announced, begun, complete. Usable from any thread; no lock that other files need is held during a
/// call to the disk.
final class StagedFiles: Sendable {
    /// Known facts of the files.
    struct State: Sendable {
        /// Announced files without received bytes.
        var waiting: [UInt32: WaitingFile] = [:]
        /// Files with received bytes, until everything that belongs to them is stored.
        var begun: [UInt32: PartialFile] = [:]
        /// Files whose whole content came in one element, until everything that belongs to them is stored.
        var settling: Set<UInt32> = []
        /// Files whose names the file system refused after their content began to come; the rest is dropped.
        var dropped: Set<UInt32> = []
        var linkTargets: [UInt32: LinkTargetFile] = [:]
        var links = UnfinishedLinks()
        /// Sum of the announced sizes of files, and of the received bytes of others. Every sum of sizes in the item is
        /// at most this.
        private var extent: UInt64 = 0

        /// Counts the announced size of a file, or received bytes of a file of unknown size.
        mutating func extend(by size: UInt64, _ name: FileName) throws(FileError) {
            let (sum, overflow) = extent.addingReportingOverflow(size)
            try FileError.checkForm(
                !overflow && sum <= UInt64(Int64.max),
                "“\(name)”, with which its files are together larger than any file can be")
            extent = sum
        }

        func isUnfinished(_ index: UInt32) -> Bool {
            waiting[index] != nil || begun[index] != nil || settling.contains(index)
        }

        /// Checks the limit of begun files.
        func checkRoom() throws(FileError) {
            try FileError.checkForm(
                begun.count + dropped.count < PartialItem.maximumOpenFiles,
                "more than \(PartialItem.maximumOpenFiles) unfinished files")
        }
    }

    let area: StagingArea
    let stored: StoredVersion
    let leftOut: LeftOutEntries
    let earlier: EarlierFiles
    private let moved: MovedFiles
    let state = Mutex(State())
    /// Smallest size for which the limit must be asked, determined at the beginning.
    private let smallestLarge = LargestFile.smallest
    private let difference = Atomic(false)

    init(_ area: StagingArea, _ stored: StoredVersion, _ leftOut: LeftOutEntries) {
        self.area = area
        self.stored = stored
        self.leftOut = leftOut
        earlier = EarlierFiles(area)
        moved = MovedFiles(area, stored)
    }

    /// True if files may come as differences from stored ones. Set before the first entry.
    private var takesDifferences: Bool { difference.load(ordering: .relaxed) }

    func allowDifferences() { difference.store(true, ordering: .relaxed) }

    /// True if the number of files that wait for their content is at its limit.
    var isFull: Bool { state.withLock { $0.waiting.count >= PartialItem.maximumWaitingFiles } }

    /// True if each announced file is stored or left out.
    var areComplete: Bool {
        state.withLock { $0.waiting.isEmpty && $0.begun.isEmpty && $0.settling.isEmpty }
    }

    /// Incomplete file.
    struct Unfinished: Sendable {
        let file: AnnouncedFile
        /// Received bytes.
        let came: UInt64
        /// True if it began as a copy of another version, so that its size does not show the received amount.
        let isCopy: Bool
        /// The file, if it has received bytes.
        let descriptor: Descriptor?
    }

    /// Files that another transfer can resume.
    var unfinished: [Unfinished] {
        // In their order, so that a simulated disk is called in one order.
        let (begun, waiting) = state.withLock { state in
            (state.begun.sorted { $0.key < $1.key }.map(\.value), state.waiting.sorted { $0.key < $1.key }.map(\.value))
        }
        var unfinished = begun.map {
            Unfinished(
                file: $0.announced, came: $0.came, isCopy: $0.claim?.holdsOtherVersion ?? false,
                descriptor: $0.descriptor)
        }
        for file in waiting {
            guard let claim = file.claim, !claim.isComplete, file.stored == nil else { continue }
            unfinished.append(
                Unfinished(
                    file: file.announced, came: claim.came, isCopy: claim.holdsOtherVersion, descriptor: nil))
        }
        return unfinished
    }

    /// Closes open files.
    func letGo() {
        // Closed after the lock.
        _ = state.withLock { exchange(&$0, with: State()) }
    }

    // MARK: - Announcing

    /// Decision on an announced file.
    enum Announced {
        case needs(ContentNeed)
        /// The file cannot be stored; the rest of the item continues.
        case leftOut(Loss.Reason)
    }

    /// Takes a file that is announced.
    ///
    /// - Returns: the needed content.
    func announce(_ file: AnnouncedFile) throws(FileError) -> Announced {
        try state.withLock { state throws(FileError) in try state.extend(by: file.size ?? 0, file.name) }
        if let found = try stored.find(file) {
            if let target = found.linkTarget { remember(target, as: file.entry.index) }
            return .needs(.nothing)
        }
        if try stored.keepsEmpty(file) { return .needs(.nothing) }
        if let reason = try stored.refusal(of: file.entry, in: file.folder) { return .leftOut(reason) }
        if file.folder != nil, try isTooLarge(file) { return .leftOut(.noSpace) }
        // With a larger stored file, less must be sent than with the content of an interrupted transfer.
        var base = takesDifferences ? try stored.base(of: file) : nil
        let earlier = try earlier.claim(file, atLeast: base?.stored.status.size ?? 0)
        if earlier != nil { base = nil }
        var compared = base
        if earlier == nil, base == nil { compared = try stored.claim(file) ?? moved.claim(file) }
        let claim = earlier?.claim ?? compared?.claim
        do throws(FileError) {
            try checkRoom(for: file, claim, isThere: compared != nil)
        } catch {
            guard let folder = file.folder, area.place.target != nil, error.kind == .noSpace else { throw error }
            // Content of the file from an earlier transfer is removed to make room.
            if earlier != nil { try area.folders.remove(file.name, from: folder) }
            return .leftOut(.noSpace)
        }
        var made = earlier?.made
        if file.entry.isLinkTarget { made = try makeLinkTarget(file, made) }
        file.folder?.begin()
        let waiting = WaitingFile(
            file, claim: claim, stored: compared?.stored, made: made, isDifference: base != nil)
        state.withLock { $0.waiting[file.entry.index] = waiting }
        if base != nil { return .needs(.difference) }
        guard let claim, let size = file.size else { return .needs(.content) }
        return .needs(.compare(blocks: claim.held.blocks(ofFileOf: size)))
    }

    /// Returns true if the destination cannot hold a file of this size, as far as known in advance.
    private func isTooLarge(_ file: AnnouncedFile) throws(FileError) -> Bool {
        guard let size = file.size, size >= smallestLarge else { return false }
        let workspace = try area.workspace.open()
        return try !file.entry.storing { () throws(SystemFailure) in try workspace.takes(fileOf: size) }
    }

    /// - Parameter isThere: true if a stored file is compared, which takes space once it is copied.
    private func checkRoom(for file: AnnouncedFile, _ claim: Claim?, isThere: Bool) throws(FileError) {
        let place = area.place
        // A file with required holes takes less than its size; for the item itself, the space was checked at the
        // beginning.
        let wasLooked = file.folder == nil && place.about?.size != nil
        guard let size = file.size, !isThere, !wasLooked, !place.required.contains(.sparse) else { return }
        let missing = size - (claim?.held.total ?? 0)
        if missing >= 1 << 20 { try place.space.check(roomFor: missing, file.name) }
    }

    /// Creates a file as a link target before its content comes, and notes it.
    ///
    /// - Parameter made: the file, if it was created already.
    private func makeLinkTarget(_ file: AnnouncedFile, _ made: FileIdentity?) throws(FileError) -> FileIdentity {
        let holder = try area.folders.holder(of: file.folder)
        let identity: FileIdentity
        if let made {
            identity = made
        } else {
            let directory = try area.folders.opened.descriptor(of: holder)
            identity = try file.entry.making(in: file.folder) { () throws(SystemFailure) in
                try area.maker.make(file.entry, for: file.restriction, named: file.stagedName, in: directory)
                    .status().identity
            }
            if file.folder == nil { area.workspace.root = identity }
        }
        let target = LinkTargetFile(
            folder: holder, name: file.stagedName, identity: identity, restriction: file.restriction)
        remember(target, as: file.entry.index)
        return identity
    }

    private func remember(_ target: LinkTargetFile, as index: UInt32) {
        state.withLock { state in
            if state.linkTargets.count < PartialItem.maximumLinkTargets { state.linkTargets[index] = target }
        }
    }
}
