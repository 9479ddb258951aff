import PortolanConcurrency
import PortolanFiles
import PortolanSyncPlan
import PortolanValues
import Synchronization

/// A device's copy of a synchronized folder: connects the index, scans, the planner and the disk.
///
/// ```swift
/// let replica = try await FolderReplica.open(folder: path, index: database, device: key, author: "laptop")
/// let news = try await other.announcement(since: replica.heard(of: otherKey))
/// try await other.acknowledge(try await replica.receive(news), by: key)
/// let report = try await replica.synchronize(from: provider)
/// ```
///
/// The type does no network input or output. Its calls run one at a time on threads for blocking work, except for
/// reading content.
package final class FolderReplica: Sendable {
    static let threads = BlockingThreads(named: "sync", limit: 4)

    let index: FolderIndex
    let opener: FolderOpener
    let storage: any Storage
    let now: @Sendable () -> FileTime
    let settings: SyncSettings
    let databases: DatabaseWriter
    let seals: SealMaker
    /// Small contents that arrived with changes of members.
    let carried: CarriedContents
    /// Contents that were fetched beside the rounds of work.
    let arrived = ArrivedContents()
    private let turn = TaskLock()

    private struct State {
        var folder: OpenFolder?
        var members: Set<DeviceID> = []
        var confirmed: Set<HeldDeletion> = []
        var ways = SyncWays()
        var audience: @Sendable (Restriction) -> Bool = { _ in false }
        var isOwn: @Sendable (Restriction) -> Bool = { _ in true }
        var sees: @Sendable (DeviceID, Restriction) -> Bool = { _, _ in true }
        /// Paths of changes that are not announced; nil before the first scan for them.
        var untold: [String]?
        /// True if the next scan reports all files to the model, and not only differences, because the index may have
        /// entries that are missing unnoticed.
        var looksAtAll = true
        /// Files that the scans have skipped, each at the last reading of its folder.
        var skipped: [SkippedFile] = []
        var missing = MissingFiles()
        var unsettled = UnsettledFiles()
        /// Rules of exclusion, as last stored in the folder, and as they count; nil before they are read.
        var rules: (folder: FileHandleID, stored: AcceptedRules, present: AcceptedRules)?
        var confirmedRules: Set<String> = []
        /// Reason of a new epoch that was not reported yet.
        var newEpoch: ReplicaStart.Reason?
        var checks = SealChecks()
        /// Targets that would lead out of the folder, by their digests and the depths of their links.
        var refusedLinks: [RefusedLink: DisplayText] = [:]
        /// Nodes that waited without a reason after the last synchronization.
        var unexplained: Set<NodeID> = []
        var repositories = KnownRepositories()
        /// Paths of deletions that were forgotten lately, which another member may still hold back.
        var forgotten: [NodeID: String] = [:]
    }

    private struct RefusedLink: Hashable {
        let digest: ContentDigest
        let depth: Int
    }

    private let state = Mutex(State())

    private init(
        _ folder: String, _ chosen: String?, _ index: FolderIndex, _ device: DeviceID, _ seals: SealMaker,
        _ settings: SyncSettings, _ databases: DatabaseWriter, _ storage: any Storage, _ own: OwnFiles,
        _ now: @escaping @Sendable () -> FileTime
    ) {
        self.index = index
        self.seals = seals
        self.settings = settings
        self.databases = databases
        self.storage = storage
        self.now = now
        carried = CarriedContents(storage)
        opener = FolderOpener(
            path: folder, device: device, index: index, storage: storage,
            chosen: chosen.flatMap { RootIdentity(text: $0) }, own: own, now: now)
    }

    /// Opens the index, and creates it if it is missing. Each synchronization opens the folder.
    ///
    /// - Parameters:
    ///   - folder: path of the shared folder.
    ///   - chosen: identity of the folder that a person chose; nil if it is not known.
    ///   - index: path of the SQLite file, outside of the folder.
    ///   - device: key of this device.
    ///   - author: name of this device, for other persons.
    ///   - seals: maker of this device's seals for this folder.
    ///   - writer: program that writes into databases, by ``DatabaseWriterProcess``.
    ///   - own: files of the program, which are not synchronized.
    ///   - now: the system's clock.
    package static func open(
        folder: String, chosen: String? = nil, index: String, device: DeviceID, author: String, seals: SealMaker,
        settings: SyncSettings = SyncSettings(), writer: String? = nil, storage: any Storage = KernelStorage(),
        without own: OwnFiles = .none, now: @escaping @Sendable () -> FileTime = { .now }
    ) async throws -> FolderReplica {
        try await threads.run {
            let replica = FolderReplica(
                folder, chosen, try FolderIndex(path: index, author: author), device, seals, settings,
                DatabaseWriter(program: writer ?? DatabaseWriter.ownProgram), storage, own, now)
            try replica.readStop()
            return replica
        }
    }

    package func close() async throws {
        try await exclusively { replica in
            replica.carried.drop()
            replica.index.close()
        }
    }

    /// Runs a call on threads that may block, exclusively.
    func exclusively<Result: Sendable>(
        _ body: @Sendable (FolderReplica) async throws -> Result
    ) async throws -> Result {
        try await turn.withLock { try await Self.threads.run { try await body(self) } }
    }

    // MARK: Decisions of persons

    /// Sets the other members, which must acknowledge a deletion before it is forgotten.
    package func setMembers(_ members: Set<DeviceID>) { state.withLock { $0.members = members } }

    var members: Set<DeviceID> { state.withLock { $0.members } }

    /// Sets the directions of synchronization, for all later ones.
    package func setWays(_ ways: SyncWays) {
        state.withLock { state in
            if state.ways != ways { state.untold = nil }
            state.ways = ways
        }
    }

    var ways: SyncWays { state.withLock { $0.ways } }

    /// True for a mark that is for all who have the folder.
    var audience: @Sendable (Restriction) -> Bool {
        get { state.withLock { $0.audience } }
        set { state.withLock { $0.audience = newValue } }
    }

    /// True for a mark that is for this device.
    var isOwn: @Sendable (Restriction) -> Bool {
        get { state.withLock { $0.isOwn } }
        set { state.withLock { $0.isOwn = newValue } }
    }

    /// True for a mark that a member may see.
    var sees: @Sendable (DeviceID, Restriction) -> Bool {
        get { state.withLock { $0.sees } }
        set { state.withLock { $0.sees = newValue } }
    }

    /// Paths of changes that are not announced, at the last scan.
    var untold: [String]? {
        get { state.withLock { $0.untold } }
        set { state.withLock { $0.untold = newValue } }
    }

    var looksAtAll: Bool {
        get { state.withLock { $0.looksAtAll } }
        set { state.withLock { $0.looksAtAll = newValue } }
    }

    var skipped: [SkippedFile] {
        get { state.withLock { $0.skipped } }
        set { state.withLock { $0.skipped = newValue } }
    }

    var checks: SealChecks { state.withLock(\.checks) }

    func changeChecks(_ body: (inout SealChecks) -> Void) { state.withLock { body(&$0.checks) } }

    var forgotten: [NodeID: String] { state.withLock(\.forgotten) }

    /// Keeps the paths of deletions that are forgotten now.
    func keepPaths(_ paths: [NodeID: String]) {
        guard !paths.isEmpty else { return }
        state.withLock { state in
            if state.forgotten.count + paths.count > Self.mostForgotten { state.forgotten = [:] }
            state.forgotten.merge(paths) { _, new in new }
        }
    }

    /// Reason why a link with this target is not made at this depth, as was found before.
    func refusedLink(_ digest: ContentDigest, depth: Int) -> DisplayText? {
        state.withLock { $0.refusedLinks[RefusedLink(digest: digest, depth: depth)] }
    }

    func refuseLink(_ digest: ContentDigest, depth: Int, _ reason: DisplayText) {
        state.withLock { state in
            if state.refusedLinks.count >= Self.mostForgotten { state.refusedLinks = [:] }
            state.refusedLinks[RefusedLink(digest: digest, depth: depth)] = reason
        }
    }

    /// - Returns: the nodes that waited without a reason before.
    func exchangeUnexplained(with nodes: Set<NodeID>) -> Set<NodeID> {
        state.withLock { exchange(&$0.unexplained, with: nodes) }
    }

    /// Largest number of forgotten deletions whose paths are kept, and of refused links.
    static let mostForgotten = 4096

    var repositories: KnownRepositories {
        get { state.withLock { $0.repositories } }
        set { state.withLock { $0.repositories = newValue } }
    }

    var missing: MissingFiles {
        get { state.withLock { $0.missing } }
        set { state.withLock { $0.missing = newValue } }
    }

    var unsettled: UnsettledFiles {
        get { state.withLock { $0.unsettled } }
        set { state.withLock { $0.unsettled = newValue } }
    }

    var accepted: AcceptedRules {
        get { state.withLock { $0.rules?.present } ?? .empty }
        set { state.withLock { $0.rules?.present = newValue } }
    }

    /// Reads the rules of exclusion of a folder that was just opened.
    func readRules(of folder: OpenFolder) throws(SyncError) {
        guard state.withLock({ $0.rules?.folder }) != folder.handle else { return }
        let rules = try folder.control.acceptedRules()
        state.withLock { $0.rules = (folder.handle, rules, rules) }
    }

    /// Stores the rules of exclusion, if they have changed. On a full disk a later scan does.
    func storeRules(in folder: OpenFolder) throws(SyncError) {
        guard let rules = state.withLock(\.rules), rules.stored != rules.present else { return }
        do throws(SyncError) {
            try folder.control.write(rules.present)
            state.withLock { $0.rules?.stored = rules.present }
        } catch { if !error.isFull { throw error } }
    }

    /// Agrees to rules of others that exclude less, by their marks. The next scan of the whole folder takes them over.
    package func confirmRules(_ marks: Set<String>) { state.withLock { $0.confirmedRules.formUnion(marks) } }

    var confirmedRules: Set<String> { state.withLock(\.confirmedRules) }

    /// Confirms a large deletion, which the next synchronization makes or announces.
    package func confirm(_ deletion: HeldDeletion) {
        state.withLock { _ = $0.confirmed.insert(deletion) }
    }

    var confirmed: Set<HeldDeletion> { state.withLock { $0.confirmed } }

    /// Forgets confirmations of deletions that were made, so that later deletions of the same files are judged again.
    func forgetConfirmations() throws(SyncError) {
        let confirmed = confirmed
        guard !confirmed.isEmpty else { return }
        let made = try index.read { index in
            confirmed.filter { $0.nodes.allSatisfy { index.entries(of: $0).isEmpty } }
        }
        state.withLock { $0.confirmed.subtract(made) }
    }

    /// Rejects a large deletion: missing files are restored, and files that others deleted are revived everywhere,
    /// unless this device does not announce changes.
    package func reject(_ deletion: HeldDeletion) async throws {
        try await exclusively { replica in
            try replica.index.transact { index in
                index.reject(deletion)
                // A device that does not announce changes revives no files: deletions by others stay held.
                if replica.ways.tells { index.revive(deletion.nodes) }
            }
        }
    }

    /// Starts again with the contents of the folder, after it was halted and a person has checked it.
    package func startOver() async throws {
        try await exclusively { replica in _ = try replica.openFolder(startsOver: true) }
    }

    // MARK: Folder

    /// The folder, as last opened.
    var folder: OpenFolder? { state.withLock { $0.folder } }

    /// Returns the reason of an epoch that has begun since the last call.
    func takeNewEpoch() -> ReplicaStart.Reason? {
        state.withLock { $0.newEpoch.take() }
    }

    /// Opens the folder, or the one that is now at its path.
    @discardableResult
    func openFolder(startsOver: Bool = false) throws -> OpenFolder {
        if startsOver { changeChecks { $0 = SealChecks(stop: $0.stop) } }
        if checks.stop != nil {
            state.withLock { $0.folder = nil }
            throw SyncError(.halted(.keyElsewhere), ReplicaStart.Stop.keyElsewhere.sentence)
        }
        switch try opener.open(startsOver: startsOver) {
        case .open(let folder, let reason):
            state.withLock { state in
                state.folder = folder
                if reason != nil {
                    state.newEpoch = reason
                    state.confirmed = []
                    state.looksAtAll = true
                }
            }
            return folder
        case .halted(let stop):
            state.withLock { $0.folder = nil }
            throw SyncError(.halted(stop), stop.sentence)
        }
    }

    /// Begins an epoch, because other members know changes of this replica that it does not.
    ///
    /// - Parameters:
    ///   - cause: state that members know; nil for none.
    ///   - begun: time when the latest known epoch began, in nanoseconds since 1970.
    func beginEpoch(after cause: SealedState? = nil, _ begun: UInt64 = 0) throws -> SyncError {
        let epoch = cause.map { seals.epoch(after: $0) }
        try opener.begin(try openFolder(), epoch, after: max(begun, cause?.begun ?? 0))
        state.withLock { state in
            state.newEpoch = .databaseOld
            state.confirmed = []
            state.looksAtAll = true
            state.checks.known = [:]
        }
        return SyncError(.epochEnded, "The index of the folder was an old one, and a new one has begun.")
    }
}

extension ReplicaStart.Stop {
    /// Sentence for people.
    package var sentence: String {
        switch self {
        case .rootMissing: "The folder is not there; nothing is done until it is."
        case .rootEmptied: "The folder is empty and has no marker, as if its disk were not mounted; nothing is done."
        case .otherFileSystem: "The folder is on another file system than before; nothing is done."
        case .rootIsLink:
            "A link is in the place of the folder; nothing is done. Put the folder back, or keep the other one alike instead."
        case .rootRestored:
            """
            Another folder with the marker of this one is in its place, as after a restore or from a copy; nothing is done \
            until somebody agrees: “portolan sync check --repair”.
            """
        case .rootReplaced:
            "Another folder is in the place of this one; nothing is done until “portolan sync check --repair” takes it."
        case .keyElsewhere:
            """
            Another machine uses the key of this device, as a copy of its disk does; nothing is done on both. \
            “portolan id --new-key” on one of them makes two devices of them, and “portolan id --keep-key” lets the other go on.
            """
        }
    }
}
