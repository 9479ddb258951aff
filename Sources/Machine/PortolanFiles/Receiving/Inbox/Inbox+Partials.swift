import Glibc
import PortolanValues

/// Partial in the inbox, for a list.
package struct PartialSummary: Hashable, Sendable {
    /// Identifier for ``Inbox/forgetPartial(_:)``.
    package let id: String
    /// Metadata; nil for a partial that cannot be resumed: a leftover, or one that another version wrote.
    package let about: PartialAbout?
    /// Received bytes. For a folder that is being received, the number at its last record, unless its files were
    /// counted.
    package let bytes: UInt64
    /// Time of its last change.
    package let changed: FileTime
    /// True if a process works on it.
    package let isLocked: Bool
    /// True if it has a record, readable or not; a partial without one is a leftover.
    let isRecorded: Bool
    /// True if it holds content.
    let holdsItem: Bool
    /// True if it ran out of space.
    let isFull: Bool
}

extension Inbox {
    /// Time for which an unused partial is kept.
    package static let defaultPartialAge: Duration = .seconds(7 * 24 * 3600)

    /// Partials in the inbox, in no particular order; none of another user.
    package func partials() throws(FileError) -> [PartialSummary] { try partials(countingFiles: true) }

    /// - Parameter countsFiles: true to count the files of a folder that is being received, which takes time for each
    ///   file.
    private func partials(countingFiles countsFiles: Bool) throws(FileError) -> [PartialSummary] {
        let folder = try open()
        return try partialNames(in: folder).compactMap { summary(of: $0, in: folder, countingFiles: countsFiles) }
    }

    /// Removes a partial, unless a process works on it.
    ///
    /// - Returns: true if a partial of that name existed and was removed.
    @discardableResult
    package func forgetPartial(_ id: String) throws(FileError) -> Bool {
        // The typed name must be a single path component.
        guard NameRefusal.ofComponent(FileName.partialPrefix + id) == nil else { return false }
        return remove(FileName.partialPrefix + id, in: try open()) { _ in true }
    }

    /// Requests the process that works on a partial to stop; the process polls for that. The partial is removed.
    ///
    /// - Returns: true if a process works on a partial of that name.
    package func stopPartial(_ id: String) throws(FileError) -> Bool {
        guard try partials(countingFiles: false).contains(where: { $0.id == id && $0.isLocked }) else { return false }
        let folder = try open()
        try FileError.whileStoring(DisplayText(path)) { () throws(SystemFailure) in
            let partial = try Beneath.open(
                FileName.partialPrefix + id, in: folder, O_RDONLY | O_DIRECTORY, features: features)
            _ = try Beneath.open(
                Workspace.stopName, in: partial, O_WRONLY | O_CREAT, mode: 0o600, features: features)
        }
        // The process may have ended before it saw the request.
        try forgetPartial(id)
        return true
    }

    /// Removes abandoned partials: resumable ones after `age`, leftovers of killed processes after `leftoverAge`.
    /// Locked partials and those of other users are never touched.
    ///
    /// - Returns: number of removed partials.
    @discardableResult
    package func removeExpiredPartials(
        olderThan age: Duration = defaultPartialAge, leftoversOlderThan leftoverAge: Duration = .seconds(3600)
    ) throws(FileError) -> Int {
        let folder = try open()
        return try partialNames(in: folder).count { name in
            remove(name, in: folder) { $0.changed.age() >= ($0.isRecorded && $0.holdsItem ? age : leftoverAge) }
        }
    }

    /// Returns the number of bytes that can still be written; if these are too few, including those of removable
    /// partials.
    ///
    /// - Parameters:
    ///   - size: needed bytes.
    ///   - reserve: bytes that must stay free in addition.
    /// - Returns: nil if the file system does not report it.
    package func availableSpace(needing size: UInt64, besides reserve: UInt64) throws(FileError) -> UInt64? {
        let free = try freeSpace()
        guard let free, free < Self.sum(size, reserve: reserve) else { return free }
        return try Self.sum(free, givingWay(to: nil))
    }

    /// Makes room by removing partials that ran out of space, the oldest first. They stay if their space would not
    /// suffice.
    ///
    /// - Parameters:
    ///   - size: needed bytes.
    ///   - reserve: bytes that must stay free in addition.
    ///   - identity: identity of the item that needs the space; its own partial stays.
    func makeRoom(for size: UInt64, reserve: UInt64, besides identity: ItemIdentity?) throws(FileError) {
        let folder = try open()
        let needed = Self.sum(size, reserve: reserve)
        func hasRoom() -> Bool { (folder.freeSpace() ?? .max) >= needed }
        guard !hasRoom() else { return }
        let candidates = try givingWay(to: identity)
        guard Self.sum(folder.freeSpace() ?? 0, candidates) >= needed else { return }
        for partial in candidates where !hasRoom() {
            _ = remove(FileName.partialPrefix + partial.id, in: folder) { $0.isFull }
        }
    }

    /// Returns the partials that ran out of space and on which no process works, the oldest first.
    private func givingWay(to identity: ItemIdentity?) throws(FileError) -> [PartialSummary] {
        try partials(countingFiles: false).filter { partial in
            partial.isFull && !partial.isLocked && (identity == nil || partial.about?.identity != identity)
        }.sorted { $0.changed < $1.changed }
    }

    private static func sum(_ size: UInt64, reserve: UInt64) -> UInt64 {
        let (sum, overflow) = size.addingReportingOverflow(reserve)
        return overflow ? .max : sum
    }

    private static func sum(_ size: UInt64, _ partials: [PartialSummary]) -> UInt64 {
        partials.reduce(size) { sum($0, reserve: $1.bytes) }
    }

    func partialNames(in folder: Descriptor) throws(FileError) -> [String] {
        return try FileError.whileStoring(DisplayText(path)) { () throws(SystemFailure) in
            return try DirectoryListing(of: folder).filter { $0.name.starts(with: FileName.partialPrefix.utf8) }
                .map { String(decoding: $0.name, as: UTF8.self) }
        }
    }

    /// - Returns: nil if it is missing, or belongs to another user.
    func summary(of name: String, in folder: Descriptor, countingFiles countsFiles: Bool = false) -> PartialSummary? {
        guard let partial = try? Workspace.open(name, in: folder, features: features) else { return nil }
        return summary(of: name, partial, countingFiles: countsFiles)
    }

    /// - Returns: nil for one of another user.
    private func summary(
        of name: String, _ partial: Descriptor, countingFiles countsFiles: Bool = false
    ) -> PartialSummary? {
        guard let status = try? partial.status(), status.owner == geteuid() else { return nil }
        let isLocked = flock(partial.number, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
        if !isLocked { flock(partial.number, LOCK_UN) }
        let about = PartialAbout.read(from: partial, features: features)
        let progress = about.flatMap { _ in PartialProgress.read(from: partial, features: features) }
        let items: [FileStatus] = [Workspace.itemName, Workspace.earlierName].compactMap { (name: String) in
            try? partial.status(of: name)
        }
        let record = try? partial.status(of: PartialProgress.fileName)
        let changes = [status.changed] + items.map(\.changed) + (record.map { [$0.changed] } ?? [])
        // Content that was copied from a stored version was not received; the record has the received amount.
        let holdsCopy = (try? partial.status(of: Workspace.copiedName)) != nil
        let file = holdsCopy ? 0 : items.filter { $0.kind == .file }.map { min($0.size, $0.allocated) }.max() ?? 0
        // The record of a partial that is being received may be old.
        let isCounted = countsFiles && isLocked && about?.isFolder == true && !holdsCopy
        let folder = isCounted ? content(of: Workspace.itemName, in: partial, depth: 0) : 0
        return PartialSummary(
            id: String(name.dropFirst(FileName.partialPrefix.count)), about: progress == nil ? nil : about,
            bytes: max(progress?.bytes ?? 0, file, folder), changed: changes.max() ?? status.changed,
            isLocked: isLocked,
            isRecorded: (try? partial.status(of: PartialAbout.fileName)) != nil, holdsItem: !items.isEmpty,
            isFull: (try? partial.status(of: Workspace.fullName)) != nil)
    }

    /// Returns the number of received bytes of the files in a folder.
    private func content(of name: String, in folder: Descriptor, depth: Int) -> UInt64 {
        guard depth < TreeEntry.maximumFolders,
            let inner = try? Beneath.open(name, in: folder, O_RDONLY | O_DIRECTORY, features: features),
            let listing = try? DirectoryListing(of: inner)
        else { return 0 }
        return listing.reduce(0) { sum, entry in
            let name = String(decoding: entry.name, as: UTF8.self)
            guard let status = try? inner.status(of: name) else { return sum }
            return switch status.kind {
            case .file: sum &+ min(status.size, status.allocated)
            case .folder: sum &+ content(of: name, in: inner, depth: depth + 1)
            default: sum
            }
        }
    }

    private func remove(_ name: String, in folder: Descriptor, if isMeant: (PartialSummary) -> Bool) -> Bool {
        guard let partial = try? Workspace.open(name, in: folder, features: features),
            flock(partial.number, LOCK_EX | LOCK_NB) == 0
        else { return false }
        defer { flock(partial.number, LOCK_UN) }
        // The summary is read under the lock, since another process may have resumed the partial before. It opens its
        // own descriptor, which sees the lock as held.
        guard let summary = summary(of: name, in: folder), isMeant(summary) else { return false }
        index.remove(name)
        try? storage.remove(PartialAbout.fileName, in: partial)
        Removal.empty(partial, features: features, storage: storage)
        return (try? storage.remove(name, in: folder, isFolder: true)) != nil
    }
}

extension FileTime {
    /// Returns the age of this time by the system's clock; negative for a future time.
    fileprivate func age() -> Duration {
        let now = FileTime.now
        let (difference, overflow) = now.seconds.subtractingReportingOverflow(seconds)
        let whole: Int64 = overflow ? (seconds < 0 ? .max : .min) : difference
        return .seconds(whole) + .nanoseconds(Int64(now.nanoseconds) - Int64(nanoseconds))
    }
}
