import PortolanFiles
import PortolanSyncModel

/// Reason for which a step was not done. The disk is as it was.
enum Refusal: Error, Hashable, Sendable {
    /// Something is not as the planner saw it: a scan has to look first.
    case changed
    /// An earlier step of the same plan has changed what this one needs: the next plan has another one.
    case outdated
    /// The name is one that no file gets here.
    case name
    /// A folder that is to be removed has something in it that is not synchronized.
    case inUse
    case failure(SystemFailure)

    init(_ failure: SystemFailure) {
        self = failure.isChange ? .changed : .failure(failure)
    }
}

extension SystemFailure {
    /// Whether a name was there, or not there, against expectation.
    fileprivate var isChange: Bool { Self.changes.contains(number) }

    /// ENOENT, EEXIST, ENOTDIR, EISDIR, ELOOP
    private static let changes: Set<Int32> = [2, 17, 20, 21, 40]
}

/// Consequences of a step that was done, for the index and for the disk.
struct Effect {
    /// The file or folder that the step made.
    var handle: Handle?
    /// What is known of places now; nil for a place where nothing is, or something that a scan has to look at.
    var files: [(place: FilePlace, file: KnownFile?)] = []
    var history: HistoryRecord?
    /// Folders that got or lost a name, to be synced.
    var touched: [Descriptor] = []
}
