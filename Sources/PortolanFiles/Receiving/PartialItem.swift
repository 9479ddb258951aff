import CPortolanLinux
import Glibc
import PortolanTrust
import Synchronization

/// An item on its way in: hidden in the inbox, checked entry by entry, and visible only as a whole.
///
/// Every entry is checked against the rules of a tree before anything is done: entries are numbered without gaps and come
/// depth first, no name comes twice in a folder, links stay inside, ranges of bytes do not overlap and cover a file from end to
/// end. What breaks a rule throws ``FileError/Kind/malformedTree``, and nothing of the item has been visible. Files are made
/// below held descriptors; a link is never followed.
///
/// ```swift
/// let partial = try inbox.receive(about, called: name, asking: false)
/// try partial.add(entry)
/// try partial.write(0, at: 0, bytes)
/// try partial.finish(0, size: UInt64(bytes.count))
/// let stored = try partial.publish(as: name)
/// ```
///
/// Calls block. Entries come in their order; what concerns their content may come from any thread, and ranges in any order, before
/// the end of their file. Memory does not grow with the number of entries. A partial that is dropped without having been
/// published is suspended where it can be gone on with (``suspend()``), and removes itself where it cannot.
package final class PartialItem: Sendable {
    /// How many files may have begun and not ended at a time: as many as a transfer may have, and one for each connection, which
    /// may just be ending what counts as ended already.
    package static let maximumOpenFiles = 64 + 16
    /// How many files may wait for their content at a time, counted likewise.
    package static let maximumWaitingFiles = 8192 + 16
    /// How many files that later entries may be links to are remembered.
    package static let maximumLinkTargets = 65_536
    /// How many links there may be to files that are not complete.
    package static let maximumUnfinishedLinks = 65_536

    /// Restriction of the item; kept with each file and folder that has no stricter one.
    package let restriction: Restriction
    let place: Place
    let space: SpaceWatch
    let inMemory: Bool
    let state: Mutex<State>
    let keeper: ProgressKeeper
    /// Polled by long copies.
    let isInterrupted = Atomic(false)

    /// Where the item comes from and where it goes.
    struct Place: Sendable {
        let inbox: Inbox
        /// The inbox, open.
        let folder: Descriptor
        /// What is written down about it, so that another transfer can go on with it; nil where none can.
        let about: PartialAbout?
        /// What must not be lost.
        let required: Fidelity
        /// The folder in the inbox that is brought up to date, or the files there that may be what comes.
        let targets: [StoredTarget]

        var target: StoredTarget? { targets.first { $0.folder != nil } }
    }

    struct State: Sendable {
        var isOpen = true
        /// Set when something could not be stored; from then on nothing can.
        var failure: FileError?
        /// The disk did not take what was written before: what is there cannot be trusted, even if it can be read.
        var isTainted = false
        var workspace: Workspace?
        /// Whether what is written down about the item survives a loss of power.
        var isAboutKept = false
        var nextIndex: UInt64 = 0
        /// The item itself, once it was made.
        var root: FileIdentity?
        var rootIsFolder = false
        /// The file in the inbox that came once more.
        var kept: StoredTarget?
        /// The folders on the way to the last entry, the item itself first.
        var stack: [ItemFolder] = []
        var folders: OpenFolders
        var waiting: [UInt32: WaitingFile] = [:]
        var files: [UInt32: PartialFile] = [:]
        /// Files with names that the file system refused when their content came; the rest of it is dropped.
        var dropped: Set<UInt32> = []
        var linkTargets: [UInt32: LinkTargetFile] = [:]
        var links = UnfinishedLinks()
        var leftOut = LeftOutEntries()
        var unsynced = UnsyncedFiles()
        var umask = Umask()
        /// What the progress record of an earlier transfer says of files that did not come up yet.
        var records: [String: PartialProgress.File] = [:]
        var tally = Tally()
        var report = FidelityReport()
        /// Sizes of the files that were announced, and bytes that came of others. No sum of sizes of the item is larger.
        private(set) var extent: UInt64 = 0

        /// Counts the size of a file that is announced, or bytes of one whose size is not known.
        mutating func extend(by size: UInt64, _ name: FileName) throws(FileError) {
            let (sum, overflow) = extent.addingReportingOverflow(size)
            guard !overflow, sum <= UInt64(Int64.max) else {
                throw .malformed("“\(name)”, with which its files are together larger than any file can be")
            }
            extent = sum
        }
    }

    /// What was counted.
    struct Tally: Hashable, Sendable {
        var stored: UInt64 = 0
        var bytes: UInt64 = 0
        var keptEntries: UInt64 = 0
        var keptBytes: UInt64 = 0
        /// Files of which an earlier transfer had brought something and that have changed at the sender's since.
        var changedFiles: UInt64 = 0
        /// Files that came from the source earlier and did not come this time.
        var surplus: UInt64 = 0
        /// Whether the file system keeps the marks by which files are recognised.
        var keepsMarks = true
    }

    init(place: Place, workspace: Workspace?, restriction: Restriction, reserve: UInt64) {
        self.place = place
        self.restriction = restriction
        space = SpaceWatch(place.folder, reserve: reserve)
        inMemory = place.inbox.storage.isInMemory(place.folder)
        keeper = ProgressKeeper(inMemory: inMemory)
        var state = State(folders: OpenFolders(features: place.inbox.features))
        state.workspace = workspace
        state.records = workspace?.earlierFiles ?? [:]
        self.state = Mutex(state)
    }

    deinit { suspend() }

    var storage: any Storage { place.inbox.storage }
    var features: KernelFeatures { place.inbox.features }

    /// What could not be kept so far.
    package var report: FidelityReport { state.withLock(\.report) }

    /// How many files had partly come before and begin afresh, because they have changed at the sender's since.
    package var changedFiles: UInt64 { state.withLock(\.tally.changedFiles) }

    /// Whether somebody wants it to be stopped (``Inbox/stopPartial(_:)``).
    package var isToStop: Bool {
        guard let folder = state.withLock({ $0.workspace?.folder }) else { return false }
        return faccessat(folder.number, Workspace.stopName, F_OK, 0) == 0
    }

    /// Removes everything that was received; does nothing after ``publish(as:)`` and ``suspend()``.
    package func discard() {
        close()?.remove()
    }

    /// Ends the work on it.
    ///
    /// - Returns: the workspace; nil where it had ended before or none was made.
    func close() -> Workspace? {
        interrupt()
        return state.withLock { state in
            guard state.isOpen else { return nil }
            state.isOpen = false
            state.files = [:]
            state.waiting = [:]
            state.stack = []
            for target in place.targets { target.unlock() }
            return state.workspace
        }
    }

    /// Runs one step; a step that throws is the item's last.
    func change<Result: Sendable>(
        _ step: (inout State) throws(FileError) -> Result
    ) throws(FileError) -> Result {
        try state.withLock { state throws(FileError) in
            if let failure = state.failure { throw failure }
            guard state.isOpen else { throw FileError.stopped }
            do throws(FileError) {
                return try step(&state)
            } catch {
                state.failure = error
                throw error
            }
        }
    }

    /// Runs what needs no look at the other entries outside the lock; a failure is the item's last step, too.
    func outside<Result>(
        _ name: FileName, _ step: () throws(SystemFailure) -> Result
    ) throws(FileError) -> Result {
        do throws(SystemFailure) {
            return try step()
        } catch {
            let failure = FileError.storing(DisplayText(name.text), error)
            state.withLock { $0.failure = $0.failure ?? failure }
            throw failure
        }
    }

    /// Reports that something of an entry was lost, or fails where that must not be.
    func lose(
        _ reason: Omission.Reason, of name: FileName?, in folder: ItemFolder?, _ state: inout State
    ) throws(FileError) {
        try lose(
            reason, of: name.map(\.description) ?? "the item",
            at: Array(ItemFolder.path(of: name, in: folder).utf8), &state)
    }

    /// - Parameters:
    ///   - subject: the entry, for a person.
    ///   - path: as in ``Omission/path``.
    func lose(
        _ reason: Omission.Reason, of subject: @autoclosure () -> String, at path: @autoclosure () -> [UInt8],
        _ state: inout State
    ) throws(FileError) {
        if !place.required.isDisjoint(with: Fidelity(lostBy: reason)) {
            throw FileError(
                .fidelity, "“\(subject())” would lose something that must be kept: \(reason.sentence).")
        }
        state.report.add(reason, at: path())
    }
}

/// A file that later entries may be links to.
struct LinkTargetFile: Sendable {
    /// Where it lies: in the partial, or in the item that is brought up to date.
    let folder: HeldFolder
    let name: String
    let identity: FileIdentity
    let restriction: Restriction
}

/// Links that came while the content of what they lead to was not complete.
struct UnfinishedLinks: Sendable {
    struct Link: Sendable {
        let entry: TreeEntry
        let folder: ItemFolder
        /// Where the file system has no hard links: it gets the content when that is complete.
        let isCopy: Bool
    }

    private var links: [UInt32: [Link]] = [:]
    private(set) var count = 0

    mutating func add(_ link: Link, to target: UInt32) {
        links[target, default: []].append(link)
        count += 1
    }

    mutating func remove(to target: UInt32) -> [Link] {
        let removed = links.removeValue(forKey: target) ?? []
        count -= removed.count
        return removed
    }
}
