import PortolanSyncModel
import PortolanTrust

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
    var observation = Observation(found: [], isComplete: true)
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
    /// Names in the staging folder of the files that are parked.
    var parkedNames: [Handle: String] = [:]

    /// Most skipped files that are listed.
    static let maximumSkipped = 1000

    mutating func skip(_ path: [Name], _ reason: SkippedFile.Reason) {
        guard skipped.count < Self.maximumSkipped else { return }
        skipped.append(SkippedFile(path: DisplayText(path.map(\.text).joined(separator: "/")), reason: reason))
    }
}
