import PortolanValues
import Synchronization

/// Counts of an item while it is received, its losses, and the files to be synced. No lock is held here during a call
/// to the disk.
final class ItemLedger: Sendable {
    /// Values of the ledger at one moment.
    struct Contents: Sendable {
        var tally = ArrivalTally()
        /// Losses so far.
        var report = FidelityReport()
        var unsynced = UnsyncedFiles()
    }

    private let required: Fidelity
    private let state = Mutex(Contents())
    private let areMarksKept = Atomic(true)
    private let isListLimited = Atomic(false)

    /// - Parameter required: properties that must not be lost.
    init(required: Fidelity) { self.required = required }

    var contents: Contents { state.withLock(\.self) }

    /// True if the file system supports the marks by which files are recognised, as far as known.
    var keepsMarks: Bool { areMarksKept.load(ordering: .relaxed) }

    func loseMarks() { areMarksKept.store(false, ordering: .relaxed) }

    /// True if the sender's permissions deny others rights that the inbox's access control list grants.
    var limitsAccessList: Bool { isListLimited.load(ordering: .relaxed) }

    func limitAccessList() { isListLimited.store(true, ordering: .relaxed) }

    func count(_ body: (inout ArrivalTally) -> Void) { state.withLock { body(&$0.tally) } }

    /// Notes a file or folder that changed.
    func noteUnsynced(_ file: Descriptor) { state.withLock { $0.unsynced.add(file) } }

    /// Notes a symbolic link that was made.
    func noteUnsyncedLink() { state.withLock { $0.unsynced.addLink() } }

    /// Reports a loss of an entry, or fails if the lost property is required.
    ///
    /// - Parameters:
    ///   - name: nil for `folder` itself.
    ///   - folder: nil for the item itself, which has no folder.
    func lose(_ reason: Loss.Reason, of name: FileName?, in folder: ItemFolder?) throws(FileError) {
        try lose(
            reason, of: name.map(\.description) ?? "the item",
            at: Array(ItemFolder.path(of: name, in: folder).utf8))
    }

    /// - Parameters:
    ///   - subject: the entry, for a person.
    ///   - path: as in ``Loss/path``.
    func lose(
        _ reason: Loss.Reason, of subject: @autoclosure () -> String, at path: @autoclosure () -> [UInt8]
    ) throws(FileError) {
        guard required.isDisjoint(with: Fidelity(lostBy: reason)) else {
            throw .lost(reason, of: subject())
        }
        state.withLock { $0.report.add(reason, at: path()) }
    }
}
