import Glibc
import PortolanValues
import Synchronization

/// Files of an item that an earlier transfer of the same source left. Usable from any thread.
final class EarlierFiles: Sendable {
    /// File that was moved to its place in the item.
    struct Found: Sendable {
        let claim: Claim
        let made: FileIdentity
    }

    private struct State {
        /// Records of the earlier transfer's progress for files that were not announced yet, by path.
        var records: [String: PartialProgress.File]
        var changedFiles: UInt64 = 0
    }

    private let area: StagingArea
    private let state: Mutex<State>

    init(_ area: StagingArea) {
        self.area = area
        state = Mutex(State(records: area.workspace.current?.earlierFiles ?? [:]))
    }

    /// Records of files that have not been announced again yet.
    var records: [PartialProgress.File] { state.withLock { $0.records.values.sorted { $0.path < $1.path } } }

    /// Number of partly received files that have changed at the sender since.
    var changedFiles: UInt64 { state.withLock(\.changedFiles) }

    /// Takes over the partial content of a file: moves it to its place.
    ///
    /// - Parameter least: fewest useful bytes; an incomplete file with fewer is removed.
    func claim(_ file: AnnouncedFile, atLeast least: UInt64 = 0) throws(FileError) -> Found? {
        let earlier: Descriptor
        let name: String
        if let folder = file.folder {
            guard let held = folder.earlier else { return nil }
            earlier = try area.folders.opened.descriptor(of: held)
            name = file.name.text
        } else {
            guard let workspace = area.workspace.current else { return nil }
            earlier = workspace.folder
            name = Workspace.earlierName
        }
        let record = takeRecord(of: file)
        guard let size = file.size, let status = try? earlier.status(of: name), status.kind == .file,
            status.owner == geteuid()
        else { return nil }
        guard let held = self.held(of: file.entry, size, status, named: name, in: earlier, record) else {
            state.withLock { $0.changedFiles += 1 }
            return nil
        }
        guard held.total >= min(least, size) else {
            // A rest that no transfer uses only takes space.
            try? area.storage.removeIfPresent(name, in: earlier)
            return nil
        }
        let blocks = held.blocks(ofFileOf: size)
        guard !blocks.isEmpty, area.place.isKept(file.restriction, on: name, in: earlier) else { return nil }
        let isComplete = status.size == size && status.modified == file.entry.modified
        let made = try move(name, in: earlier, status, file)
        if !isComplete {
            let directory = try area.folders.directory(for: file.folder)
            try file.entry.making(in: file.folder) { () throws(SystemFailure) in
                try keepOnly(blocks, of: file.stagedName, in: directory)
            }
        }
        let claim = Claim(held: ByteRanges(blocks, ofFileOf: size), came: record?.came, isComplete: isComplete)
        return Found(claim: claim, made: made)
    }

    private func takeRecord(of file: AnnouncedFile) -> PartialProgress.File? {
        state.withLock { state in
            state.records.isEmpty ? nil : state.records.removeValue(forKey: file.path)
        }
    }

    // MARK: - Present content

    /// - Returns: nil if it belongs to another version of the source.
    private func held(
        of entry: TreeEntry, _ size: UInt64, _ status: FileStatus, named name: String, in folder: Descriptor,
        _ record: PartialProgress.File?
    ) -> ByteRanges? {
        let isComplete = status.size == size && status.modified == entry.modified
        if let record {
            guard record.size == size, record.seconds == entry.modified.seconds,
                record.nanoseconds == entry.modified.nanoseconds
            else { return nil }
        } else if isComplete, !status.mayHaveHoles {
            return ByteRanges(0..<size)
        }
        guard let file = try? Beneath.openToRead(name, in: folder, features: area.features) else {
            return ByteRanges()
        }
        if record == nil, !isComplete, ReceivedMark.matches(size, entry.modified, on: file) == false { return nil }
        // Holes are not claimed: reading them takes unlimited time, while receiving one again takes 21 bytes.
        return file.data.clamped(to: size)
    }

    // MARK: - Taking it over

    private func move(
        _ name: String, in earlier: Descriptor, _ status: FileStatus, _ file: AnnouncedFile
    ) throws(FileError) -> FileIdentity {
        let directory = try area.folders.directory(for: file.folder)
        return try file.entry.making(in: file.folder) { () throws(SystemFailure) in
            // The file must not be written through its other names.
            if status.links > 1, let workspace = area.workspace.current {
                return try copyDurably(name, in: earlier, to: directory, file, workspace)
            }
            try area.storage.moveWithoutReplacing(name, in: earlier, to: file.stagedName, in: directory)
            return status.identity
        }
    }

    /// Copies a file; until all of the copy is on the disk, it has another name: after a crash, a file with the final
    /// name is as good as the original.
    private func copyDurably(
        _ name: String, in folder: Descriptor, to directory: Descriptor, _ file: AnnouncedFile, _ workspace: Workspace
    ) throws(SystemFailure) -> FileIdentity {
        let (storage, copyName) = (area.storage, Workspace.copyName)
        try storage.removeIfPresent(copyName, in: workspace.folder)
        let copy = try area.maker.copy(
            name, in: folder, to: copyName, in: workspace.folder, file.entry, for: file.restriction)
        try storage.sync(copy)
        try storage.moveWithoutReplacing(copyName, in: workspace.folder, to: file.stagedName, in: directory)
        return try copy.status().identity
    }

    /// Frees the space of a file's unclaimed ranges, which are sent again, so that repeated transfers never take more
    /// space than the announced size.
    private func keepOnly(
        _ blocks: [Range<UInt64>], of name: String, in folder: Descriptor
    ) throws(SystemFailure) {
        let file = try Beneath.openOwned(name, in: folder, O_RDWR | O_NONBLOCK, features: area.features)
        let size = try file.status().size
        func clear(_ start: UInt64, _ end: UInt64) throws(SystemFailure) {
            if start < min(end, size) { try area.storage.clear(start..<min(end, size), of: file) }
        }
        var start: UInt64 = 0
        for block in blocks {
            try clear(start, block.lowerBound * BlockRange.size)
            start = block.upperBound * BlockRange.size
        }
        try clear(start, size)
    }
}
