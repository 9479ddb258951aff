import PortolanFiles
import PortolanSyncPlan
import PortolanValues

/// Item in the folder that a scan skipped.
package struct SkippedFile: Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        /// A pipe, a socket or a device.
        case special
        /// The name must not be sent to members.
        case name
        /// A file of the program itself, or a folder of such files.
        case own
        /// A person keeps it alike here no more.
        case forgotten
        /// Another file system begins here, or the folder is mounted twice.
        case mount
        case tooDeep
        /// A file or link in the place of a repository.
        case repository
        /// Some extended attributes: the file is synchronized without them.
        case attributes
        case unreadable(String)
        /// The rules in an ignore file are not known, with the reason: nothing new in its folder is announced.
        case rules(String)
        /// The file was written to during the scan.
        case busy
        /// The database was written to all the time, or a program has to open it first.
        case database
        /// The file or folder is not for all who may have the shared one, and waits until it is.
        case marked(Restriction)

        /// True for a file that counts as the one before, or as none, until a later scan.
        var isOfFile: Bool {
            switch self {
            case .busy, .database, .marked: true
            default: false
            }
        }
    }

    /// Path in the folder, in which bytes that are not UTF-8 appear as `\xE9`; safe to print.
    package var path: DisplayText
    package var reason: Reason
    /// Names from the root down to it.
    let place: [SyncName]

    var isMarked: Bool { if case .marked = reason { true } else { false } }
}

/// Result of a scan.
struct ScanResult: Sendable {
    var observation: Observation
    /// True if the whole folder was read.
    var isWhole = false
    /// True if the model must process a difference from the known state.
    var isChanged = false
    /// Files to be recorded, once the model has processed the observation.
    var updates: [(place: FilePlace, file: KnownFile)] = []
    /// Changed marks of places; nil for those that count no more.
    var marks: [FilePlace: PlaceMark?] = [:]
    /// Places that are now empty.
    var gone: [FilePlace] = []
    /// Inodes of folders that were not found.
    var goneFolders: [UInt64] = []
    var skipped: [SkippedFile] = []
    /// True if files changed so recently that the next scan must read them again.
    var isRacy = false
    /// Files and folders at new places.
    var arrived: Set<FileHandleID> = []
    /// Files and folders that are missing at their known places, where no other item of the same kind is.
    var lost: Set<FileHandleID> = []
    /// Files that were replaced by another one of the same kind.
    var replaced: Set<FileHandleID> = []
    /// True if an ignore file was added, removed or changed.
    var changesRules = false
    /// Known entries that were not at their places.
    var missing: [MissingEntry] = []
    /// Inodes of items that exist and are not reported, because of their names or because they are being written.
    var held: Set<UInt64> = []
    /// Folders that exist, or may exist, although they were not found.
    var keptFolders: Set<UInt64> = []
    /// Entries that this scan may have missed, because something moved meanwhile: they count as unchanged.
    var doubtful: Set<FileHandleID> = []
    /// True if a folder changed during the scan.
    var hasMoved = false
    /// Times of the folders' latest changes, when they had been read.
    var folderTimes: [FileHandleID: FileTime] = [:]
    /// Paths of the folders that were read, and of known folders that are not there.
    var readFolders: Set<[SyncName]> = []
    var lostPaths: [[SyncName]] = []
    /// Paths of the folders above `.git` that were read.
    var repositories: Set<[SyncName]> = []
    /// Names in the staging folder of the files that are parked.
    var parkedNames: [FileHandleID: String] = [:]

    /// Largest number of skipped files that are listed.
    static let maximumSkipped = 1000
    /// Largest number of characters of a path that is listed.
    private static let longestPath = 4096

    /// - Parameter tellsAll: true if the observation contains all files.
    init(tellsAll: Bool) {
        observation = Observation(found: [], gone: tellsAll ? nil : [], isComplete: true)
    }

    /// Records that the place of a known file is empty.
    mutating func lose(_ entry: MissingEntry) {
        let (known, name, folder) = (entry.file, entry.name, entry.folder)
        gone.append(FilePlace(folder: folder.number, name: name))
        observation.gone?.append(ObservedPlace(parent: folder, name: name))
        lost.insert(known.handle)
        if let path = entry.path { lostPaths.append(path) }
        if name.text == IgnoreRules.fileName { changesRules = true }
        isChanged = true
    }

    /// Removes files that may be at two places because they were moved during the scan.
    mutating func withdraw(_ files: Set<FileHandleID>) {
        guard !files.isEmpty else { return }
        observation.found.removeAll { files.contains($0.handle) }
        updates.removeAll { files.contains($0.file.handle) }
        arrived.subtract(files)
    }

    /// Records a file at a place that was empty, or had another one.
    mutating func take(_ file: KnownFile, insteadOf known: KnownFile?) {
        arrived.insert(file.handle)
        guard let known else { return }
        if known.stamp.kind != .folder, known.stamp.kind == file.stamp.kind {
            replaced.insert(known.handle)
        } else {
            lost.insert(known.handle)
        }
    }

    mutating func skip(_ path: [SyncName], _ reason: SkippedFile.Reason) {
        guard skipped.count < Self.maximumSkipped else { return }
        let text = DisplayText(path.map(\.text).joined(separator: "/"), limit: Self.longestPath)
        skipped.append(SkippedFile(path: text, reason: reason, place: path))
    }

    /// Returns all items that are skipped now.
    ///
    /// - Parameter before: those before this scan, which stay if it has not read their folders.
    func allSkipped(after before: [SkippedFile]) -> [SkippedFile] {
        guard !isWhole else { return skipped }
        let kept = before.filter { one in
            !readFolders.contains(one.place) && !readFolders.contains(Array(one.place.dropLast()))
                && !lostPaths.contains { one.place.starts(with: $0) }
        }
        return Array((kept + skipped).prefix(Self.maximumSkipped))
    }
}
