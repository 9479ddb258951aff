import PortolanSyncModel
import PortolanValues

/// Something in the folder that a scan left out.
package struct SkippedFile: Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        /// A pipe, a socket or a device.
        case special
        /// A name that no member may be told of.
        case name
        /// Another file system begins here, or a folder that is there twice.
        case mount
        case tooDeep
        /// Some extended attributes: the file is synchronized without them.
        case attributes
        case unreadable(String)
        /// It was being written while the scan read it.
        case busy
    }

    /// Path in the folder; safe to print.
    package var path: DisplayText
    package var reason: Reason
}

/// Result of a scan.
struct ScanResult: Sendable {
    var observation: Observation
    /// The whole folder was read.
    var isWhole = false
    /// Something differs from what was known: the model has to look at it.
    var isChanged = false
    /// Files whose state is to be remembered, once the model has taken the observation.
    var updates: [(place: FilePlace, file: KnownFile)] = []
    /// Places where nothing is any more.
    var gone: [FilePlace] = []
    /// Inodes of folders that were not found any more.
    var goneFolders: [UInt64] = []
    var skipped: [SkippedFile] = []
    /// Files have been changed so lately that the next scan has to read them again.
    var isRacy = false
    /// Files and folders that are at places where they were not known.
    var arrived: Set<Handle> = []
    /// Files and folders that are not where they were known, and have no other one of their kind in their place.
    var lost: Set<Handle> = []
    /// Those that have.
    var replaced: Set<Handle> = []
    /// Folders that are not where they were known.
    var lostFolders: [Handle] = []
    /// An ignore file has come, gone or changed.
    var changesRules = false
    /// Names in the staging folder of the files that are parked.
    var parkedNames: [Handle: String] = [:]

    /// Most skipped files that are listed.
    static let maximumSkipped = 1000

    /// - Parameter tellsAll: the observation has all that is found.
    init(tellsAll: Bool) {
        observation = Observation(found: [], gone: tellsAll ? nil : [], isComplete: true)
    }

    /// Something that was known has nothing in its place.
    mutating func lose(_ known: KnownFile, at name: Name, in folder: Handle) {
        gone.append(FilePlace(folder: folder.number, name: name))
        observation.gone?.append(ObservedPlace(parent: folder, name: name))
        lost.insert(known.handle)
        if known.stamp.kind == .folder { lostFolders.append(known.handle) }
        isChanged = true
    }

    /// Something is where something else was known, or nothing.
    mutating func take(_ file: KnownFile, insteadOf known: KnownFile?) {
        arrived.insert(file.handle)
        guard let known else { return }
        if known.stamp.kind == .folder { lostFolders.append(known.handle) }
        if known.stamp.kind != .folder, known.stamp.kind == file.stamp.kind {
            replaced.insert(known.handle)
        } else {
            lost.insert(known.handle)
        }
    }

    mutating func skip(_ path: [Name], _ reason: SkippedFile.Reason) {
        guard skipped.count < Self.maximumSkipped else { return }
        skipped.append(SkippedFile(path: DisplayText(path.map(\.text).joined(separator: "/")), reason: reason))
    }
}
