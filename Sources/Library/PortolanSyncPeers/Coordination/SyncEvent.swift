import PortolanSyncFolder
import PortolanSyncPlan
import PortolanValues

/// Event of synchronized folders. All texts are safe to print.
package enum SyncEvent: Sendable {
    /// A folder to be joined was found; whose it is, and for whom.
    case joined(folder: DisplayText, maker: DisplayText, with: DisplayText)
    /// Steps were done on the disk.
    case changed(folder: DisplayText, steps: Int)
    /// A large deletion waits for a person, who names it by its mark.
    case held(folder: DisplayText, mark: String, count: Int)
    /// Files and folders of this device are not kept alike since now; the first of them, with the reason.
    case skipped(folder: DisplayText, path: DisplayText, reason: DisplayText, count: Int)
    /// Another member does not have something alike since now; the first of it, with the path if this device knows it.
    case lacking(folder: DisplayText, by: DisplayText, path: DisplayText?, reason: DisplayText, count: Int)
    /// The folder is not synchronized because of a problem.
    case halted(folder: DisplayText, reason: DisplayText)
    /// The folder is read every few seconds instead of being watched.
    case unwatched(folder: DisplayText, reason: DisplayText)
    case connected(DisplayText)
    case disconnected(DisplayText)
    case failed(DisplayText)
}

extension SyncReport {
    /// Returns the waits as sentences for people, in order.
    func sentences(limit: Int) -> [String] {
        var sentences = lacks.map(\.sentence)
        if !held.isEmpty { sentences.append("A deletion waits for confirmation.") }
        guard sentences.count > limit else { return sentences }
        return sentences.prefix(limit) + ["\(sentences.count - limit) more."]
    }

    /// Returns the changes that this device's mode prevents, as sentences; nil for none.
    func notes(_ ways: SyncWays) -> [String]? {
        var notes: [String] = []
        if withheld > 0 {
            notes.append(
                ways.mode == .sendOnly
                    ? "Changes of others are not made here: \(withheld)."
                    : "Files and folders that others deleted are kept here: \(withheld).")
        }
        if !untold.isEmpty {
            notes.append("Files and folders that were changed here, and others are not told of: \(untold.count).")
        }
        return notes.isEmpty ? nil : notes
    }
}

extension SyncReport.RemainingDifference {
    var sentence: String {
        switch self {
        case .model(.unknownFolder): "The folder that it is in is not known yet."
        case .model(.impossibleName(_, let name)), .name(let name):
            "No file of this device can be called “\(Self.shown(name))”."
        case .model(.nameTaken(_, let name, _)), .inTheWay(let name):
            "Something else here is called “\(Self.shown(name))”."
        case .model(.held): "A deletion waits for confirmation."
        case .model(.folderInUse), .folderInUse: "It was deleted, and has files that are not kept alike."
        case .databaseInUse:
            "It is a database that a program has open; the change of others is made when it is closed."
        case .diskFull: "The disk is full; it goes on when there is room."
        case .content: "Nobody who can be reached has its content."
        case .coming: "Its content is on the way."
        case .link(let text), .failure(let text): text.text
        case .unexplained: "It waits, and there is no reason; 'portolan sync check --repair' mends the index."
        }
    }

    private static func shown(_ name: SyncName) -> DisplayText { DisplayText(name.text, limit: 100) }
}
