import PortolanFiles
import PortolanSyncPlan
import PortolanValues

/// Reason why a step was not done. The disk is unchanged.
enum StepRefusal: Error, Hashable, Sendable {
    /// The disk differs from the state that the planner saw: a scan must come first.
    case changed
    /// An earlier step of the same plan has changed the step's conditions: the next plan has another step.
    case outdated
    /// The name is not possible here.
    case name
    /// A folder to be removed contains items that are not synchronized.
    case inUse
    /// Another process has the database open.
    case databaseInUse
    case database(DisplayText)
    case failure(SystemFailure)

    init(_ failure: SystemFailure) {
        self = failure.isChange ? .changed : .failure(failure)
    }
}

extension SystemFailure {
    /// True for an error by a name that exists, or is missing, against expectation.
    fileprivate var isChange: Bool { Self.changes.contains(number) }

    /// ENOENT, EEXIST, ENOTDIR, EISDIR, ELOOP
    private static let changes: Set<Int32> = [2, 17, 20, 21, 40]
}

/// Effect of a step, for the index and for the disk.
struct StepEffect: Sendable {
    /// The file or folder that the step made, or whose metadata it set.
    var handle: FileHandleID?
    /// Present state of places; nil for a place that is empty, or that a scan must read.
    var files: [(place: FilePlace, file: KnownFile?)] = []
    var history: HistoryRecord?
    /// Folders with added or removed names, and files with changed metadata, to be flushed.
    var touched: [Descriptor] = []

    /// Metadata, as the disk shows them, of the file or folder that the step made or changed.
    var shown: ItemMetadata? { handle == nil ? nil : files.last?.file?.metadata }
}
