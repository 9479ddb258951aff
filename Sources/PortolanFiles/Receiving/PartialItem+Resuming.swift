import CPortolanLinux
import Glibc
import PortolanTrust
import Synchronization

extension PartialItem {
    /// Ends the work on it, so that another transfer of the same source can go on with it: what came is on the disk, and written
    /// down. Nothing may be written to it any more when this is called. What cannot be gone on with is removed, and so is what leaves no
    /// space for anything else.
    package func suspend() {
        interrupt()
        let (isOfUse, isFull) = state.withLock { state -> (Bool, Bool) in
            guard let workspace = state.workspace, state.isOpen, place.about != nil, !state.isTainted else {
                return (false, false)
            }
            return (state.root != nil || workspace.isResumed, state.failure?.kind == .noSpace)
        }
        guard isOfUse, !isFull || space.leavesRoomForOthers, saveProgress(completely: true) else { return discard() }
        guard let workspace = close() else { return }
        if isFull { _ = try? storage.makeFile(Workspace.fullName, in: workspace.folder, mode: 0o600) }
        if let about = place.about { place.inbox.index.add(workspace.name, of: about.identity) }
        workspace.unlock()
    }

    /// Writes down how far it came, if enough came since the last time.
    func saveProgressIfDue(afterWriting count: Int) {
        guard place.about != nil, keeper.begins(after: count) else { return }
        keeper.measure { _ = saveProgress(completely: false) }
    }

    /// Writes down how far it came.
    ///
    /// - Parameter completely: with everything on the disk, not just the content of unfinished files.
    /// - Returns: whether what came is on the disk.
    func saveProgress(completely: Bool) -> Bool {
        let (workspace, files, record) = state.withLock { state -> (Workspace?, [PartialFile], PartialProgress) in
            (state.workspace, Array(state.files.values), progress(state))
        }
        guard let workspace else { return false }
        do throws(SystemFailure) {
            // Before the record that claims it.
            if completely {
                try storage.syncAll(workspace.folder)
            } else if !inMemory {
                for file in files { try storage.sync(file.descriptor) }
            }
        } catch {
            // The kernel reports a lost page once and shows what it lost as if it were there.
            state.withLock { state in
                state.isTainted = true
                state.failure = state.failure ?? .storing(DisplayText(place.about?.name ?? ""), error)
            }
            return false
        }
        if !inMemory, !completely { keepAbout(in: workspace) }
        // Without the record less is known, and all of that is looked for in the files themselves.
        try? record.save(in: workspace.folder, by: storage, durably: !inMemory)
        if !inMemory { try? storage.sync(workspace.folder) }
        return true
    }

    /// Has what is written down about the item on the disk: without it nobody could go on with the rest.
    private func keepAbout(in workspace: Workspace) {
        guard let about = place.about, !state.withLock(\.isAboutKept) else { return }
        let isKept = (try? about.save(in: workspace.folder, by: storage, durably: true)) != nil
        if isKept { state.withLock { $0.isAboutKept = true } }
    }

    private func progress(_ state: borrowing State) -> PartialProgress {
        var bytes = state.tally.bytes
        var files = Array(state.records.values)
        func add(_ entry: TreeEntry, _ folder: ItemFolder?, _ covered: CoveredRanges) {
            bytes += covered.total
            files.append(
                PartialProgress.File(
                    path: ItemFolder.path(of: entry.name, in: folder), size: entry.fileSize,
                    seconds: entry.modified.seconds, nanoseconds: entry.modified.nanoseconds,
                    ranges: covered.ranges.map { [$0.lowerBound, $0.upperBound] }))
        }
        for file in state.files.values { add(file.entry, file.folder, file.covered) }
        for file in state.waiting.values {
            if let claim = file.claim, !claim.isComplete, file.stored == nil {
                add(file.entry, file.folder, claim.held)
            }
        }
        return PartialProgress(
            version: PartialProgress.currentVersion, bytes: max(bytes, state.workspace?.earlierBytes ?? 0), files: files
        )
    }

    /// What an earlier transfer left of a file: it is moved to where it belongs.
    func claim(_ file: inout WaitingFile, _ state: inout State) throws(FileError) -> Claim? {
        let earlier: Descriptor
        let name: String
        if let folder = file.folder {
            guard let held = folder.earlier else { return nil }
            earlier = try state.folders.descriptor(of: held)
            name = file.entry.name.text
        } else {
            guard let workspace = state.workspace else { return nil }
            earlier = workspace.folder
            name = Workspace.earlierName
        }
        var record: PartialProgress.File?
        if !state.records.isEmpty {
            record = state.records.removeValue(forKey: ItemFolder.path(of: file.entry.name, in: file.folder))
        }
        guard let size = file.size, let status = try? earlier.status(of: name), status.kind == .file,
            status.owner == geteuid()
        else { return nil }
        let claim: Claim?
        switch held(of: file.entry, size, status, named: name, in: earlier, record) {
        case .ranges(let held):
            let isComplete = status.size == size && status.modified == file.entry.modified
            let blocks = held.blocks(ofFileOf: size)
            claim = blocks.isEmpty ? nil : Claim(held: CoveredRanges(blocks, ofFileOf: size), isComplete: isComplete)
        case .changed:
            state.tally.changedFiles += 1
            return nil
        }
        guard let claim, isKept(file.restriction, on: name, in: earlier) else { return nil }
        let directory = try state.folders.descriptor(of: try holder(of: file.folder, &state))
        let newName = file.folder == nil ? Workspace.itemName : name
        file.made = try making(file.entry, in: file.folder) { () throws(SystemFailure) in
            // Under its other names it is not to be written to.
            if status.links > 1, let workspace = state.workspace {
                return try copyDurably(name, in: earlier, to: newName, in: directory, file, workspace)
            }
            try storage.moveWithoutReplacing(name, in: earlier, to: newName, in: directory)
            return status.identity
        }
        if !claim.isComplete {
            _ = try making(file.entry, in: file.folder) { () throws(SystemFailure) in
                try keepOnly(claim.held.blocks(ofFileOf: size), of: newName, in: directory)
            }
        }
        return claim
    }

    /// Gives back the space of all that is not claimed of a file, and so comes again: what is left by one transfer after another never takes
    /// more than what is announced.
    private func keepOnly(
        _ blocks: [Range<UInt64>], of name: String, in folder: Descriptor
    ) throws(SystemFailure) {
        let file = try Beneath.openOwned(name, in: folder, O_RDWR | O_NONBLOCK, features: features)
        let size = try file.status().size
        func clear(_ start: UInt64, _ end: UInt64) throws(SystemFailure) {
            if start < min(end, size) { try storage.clear(start..<min(end, size), of: file) }
        }
        var start: UInt64 = 0
        for block in blocks {
            try clear(start, block.lowerBound * BlockRange.size)
            start = block.upperBound * BlockRange.size
        }
        try clear(start, size)
    }

    /// Copies a file; until all of the copy is on the disk, it has another name: whoever comes after a crash takes what has
    /// the name for no worse than the original.
    private func copyDurably(
        _ name: String, in folder: Descriptor, to other: String, in otherFolder: Descriptor, _ file: WaitingFile,
        _ workspace: Workspace
    ) throws(SystemFailure) -> FileIdentity {
        try storage.removeIfPresent(Workspace.copyName, in: workspace.folder)
        let identity = try copy(
            name, in: folder, to: Workspace.copyName, in: workspace.folder, file.entry, for: file.restriction)
        try storage.sync(Beneath.open(Workspace.copyName, in: workspace.folder, O_RDONLY, features: features))
        try storage.moveWithoutReplacing(Workspace.copyName, in: workspace.folder, to: other, in: otherFolder)
        return identity
    }

    private enum Held {
        case ranges(CoveredRanges)
        /// It was of another version of the source.
        case changed
    }

    private func held(
        of entry: TreeEntry, _ size: UInt64, _ status: FileStatus, named name: String, in folder: Descriptor,
        _ record: PartialProgress.File?
    ) -> Held {
        let isComplete = status.size == size && status.modified == entry.modified
        if let record {
            guard record.size == size, record.seconds == entry.modified.seconds,
                record.nanoseconds == entry.modified.nanoseconds
            else { return .changed }
        } else if isComplete, !status.mayHaveHoles {
            return .ranges(CoveredRanges(0..<size))
        }
        guard
            let file = try? Beneath.open(name, in: folder, O_RDONLY | O_NONBLOCK, features: features)
        else { return .ranges(CoveredRanges()) }
        let isOther = record == nil && !isComplete && ReceivedMark.matches(size, entry.modified, on: file) == false
        // Of a hole nothing is claimed: reading it takes time without bounds, and being told of it again 21 bytes.
        return isOther ? .changed : .ranges(file.data.clamped(to: size))
    }
}

extension Descriptor {
    /// Where the file has data, and not holes.
    var data: CoveredRanges {
        var data = CoveredRanges()
        var next: Int64 = 0
        while data.ranges.count < CoveredRanges.limit {
            let start = portolan_find_data(number, next)
            guard start >= 0 else { break }
            let end = portolan_find_hole(number, start)
            guard end > start else { break }
            data.insert(UInt64(start)..<UInt64(end))
            next = end
        }
        return data
    }
}

/// When to write down how far an item came.
///
/// Often where that is cheap, so that little is lost in a crash, and seldom where it is dear, so that it takes little of the
/// time.
final class ProgressKeeper: Sendable {
    /// How much has to come in between.
    private static let step: UInt64 = 4 << 20
    private static let shortestPause: Duration = .milliseconds(100)

    /// How many times as long as the last one took there is none.
    private let pauseFactor: Int
    private let unsaved = Atomic<UInt64>(0)
    private let next = Mutex(ContinuousClock.now + shortestPause)

    init(inMemory: Bool) {
        // In memory nothing but the end of the process is survived, and then the files themselves tell.
        pauseFactor = inMemory ? 200 : 20
    }

    /// Counts bytes.
    ///
    /// - Returns: whether it is time, which one thread is told.
    func begins(after count: Int) -> Bool {
        guard unsaved.add(UInt64(count), ordering: .relaxed).newValue >= Self.step else { return false }
        return next.withLock { next in
            guard ContinuousClock.now >= next else { return false }
            next += .seconds(3600)
            unsaved.store(0, ordering: .relaxed)
            return true
        }
    }

    func measure(_ save: () -> Void) {
        let start = ContinuousClock.now
        save()
        let end = ContinuousClock.now
        next.withLock { $0 = end + max(Self.shortestPause, (end - start) * pauseFactor) }
    }
}
