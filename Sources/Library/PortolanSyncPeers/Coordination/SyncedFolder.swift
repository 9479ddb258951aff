import PortolanConcurrency
import PortolanProtocol
import PortolanSyncFolder
import PortolanSyncPlan
import PortolanValues
import Synchronization

/// A folder that is being synchronized.
final class SyncedFolder: Sendable {
    struct State {
        var entry: SyncFolderEntry
        /// Position in the list: of two folders that have files in common, the later one is not synchronized.
        var rank: Int
        var place: SyncFolderPlace
        /// This device's latest change; nil before there is a copy.
        var latest: SyncPosition?
        /// Positions up to which changes of others have been processed.
        var taken: [DeviceID: SyncPosition] = [:]
        var status = SyncFolderList.Status()
        /// Status as last written; nil before.
        var written: SyncFolderList.Status?
        /// Deletions that wait for a person.
        var held: [HeldDeletion] = []
        /// Lacks of this device, for the other members.
        var lacks: [MemberLack] = []
        /// Lacks that the members in sight told last, and those that persons read of all members.
        var heardLacks: [DeviceID: [MemberLack]] = [:]
        var others: [DeviceID: [SyncOtherLack]] = [:]
        /// Times of the latest events about other members.
        var lackEvents: [ContinuousClock.Instant] = []
        /// Content that no member has.
        var missing = MissingContents()
        /// Sentences about members that tell of changes by this device that it did not make.
        var doubts: Set<String> = []
        /// Stop of this device, which has the folder stand still; nil for none.
        var stop: SyncStop?
        /// Newest stops of members; nil before they are read.
        var stops: [DeviceID: ReplicaSeal]?
        /// Stops of this device, as members gave them back, that have no effect any more.
        var heeded: [DeviceID: ReplicaSeal] = [:]
        /// Machines that this device has met, by their keys.
        var met: [DeviceID: MetMachines] = [:]
        /// Machines with this device's key, as a member told last.
        var known: [KeyMachine] = []
        /// True if the folder is neither synchronized nor announced because of a problem.
        var isHalted = false
        /// Callers that wait for a round of work.
        var waiting: [OneShot<Void, Never>] = []
        var hasEnded = false
        /// Time that the last round of work took.
        var roundTime = Duration.zero
        /// Number of rounds of work that have begun, and of those that have ended.
        var begun = 0
        var over = 0
        /// True if the system reports changes.
        var isWatched = false
        /// Folders to read in the next round of work.
        var changes = FolderChanges.whole
        /// Folders to read once more at `lateTime`, when the times of their files show all changes.
        var late = FolderChanges.none
        /// Folders that changed since `lateTime` was set: they are read once more at the time after that.
        var later = FolderChanges.none
        var lateTime: ContinuousClock.Instant?
        /// Folders with files that are being written, and the time at which they are read once more.
        var unsettled = FolderChanges.none
        var unsettledTime: ContinuousClock.Instant?
        /// Time of the next scan of the whole folder, and the interval of such scans, which grows while nothing
        /// changes.
        var wholeTime: ContinuousClock.Instant?
        var wholeInterval = SyncedFolder.safetyTime
        /// Time of the next round of work in a folder that something stands in the way of, such as a full disk.
        var retryTime: ContinuousClock.Instant?
        /// Time of the next scan of a folder that is not watched.
        var pollTime: ContinuousClock.Instant?

        /// True if something remains to be done, or stands in the way.
        var isOpen: Bool { isHalted || !status.waits.isEmpty }
    }

    let id: SyncFolderID
    let replica: FolderReplica
    let state: Mutex<State>
    /// Signal after a change of the folder, or of the peers' announcements.
    let bell: AsyncStream<Void>
    private let ringer: AsyncStream<Void>.Continuation
    /// Contents that are fetched beside the rounds of work.
    let contents = ContentQueue()
    /// Signal when contents begin to go to a member.
    let (goings, going) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    /// Lock for writing the status.
    let writing = TaskLock()

    init(
        _ entry: SyncFolderEntry, _ id: SyncFolderID, _ replica: FolderReplica, rank: Int, at place: SyncFolderPlace
    ) {
        self.id = id
        self.replica = replica
        state = Mutex(State(entry: entry, rank: rank, place: place))
        (bell, ringer) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    func ring() { ringer.yield() }

    func beginGoing() { going.yield() }

    /// Ends the folder's work after the present step.
    func end() {
        let waiting = state.withLock { state in
            state.hasEnded = true
            return exchange(&state.waiting, with: [])
        }
        for one in waiting { one.settle() }
        ringer.finish()
        going.finish()
        contents.finish()
    }

    /// Returns when a round of work that began after this call has ended.
    func waitForRound() async {
        let isDone = OneShot<Void, Never>()
        let isWaiting = state.withLock { state in
            guard !state.hasEnded else { return false }
            state.waiting.append(isDone)
            return true
        }
        guard isWaiting else { return }
        ring()
        await isDone.value(ifCancelled: .success(()))
    }

    /// Takes the callers that wait for a round of work that begins now, which then scans the whole folder: they may
    /// know of changes that the system has not reported yet.
    func takeWaiting() -> [OneShot<Void, Never>] {
        state.withLock { state in
            defer { state.waiting = [] }
            if !state.waiting.isEmpty { state.changes = .whole }
            return state.waiting
        }
    }

    /// Takes the folders to read in a round of work that begins now.
    func takeChanges() -> FolderChanges {
        state.withLock { state in
            defer { state.changes = .none }
            return state.isWatched ? state.changes : .whole
        }
    }

    var entry: SyncFolderEntry { state.withLock(\.entry) }

    /// Announcement of the folder for one device; nil while there is none.
    ///
    /// - Parameter lacks: largest number of lacks.
    func told(to device: DeviceID, lacks: Int) -> Message.SyncFolders.Folder? {
        state.withLock { state in
            if let stop = state.stop {
                return try? Message.SyncFolders.Folder(
                    id: id, name: state.entry.name, latest: nil, taken: nil, stop: stop)
            }
            guard !state.isHalted, let latest = state.latest else { return nil }
            let heardStop = state.stops?[device].flatMap { try? HeardStop($0, state.met[device]?.told ?? []) }
            return try? Message.SyncFolders.Folder(
                id: id, name: state.entry.name, latest: latest, taken: state.taken[device],
                lacks: Array(state.lacks.prefix(lacks)), heardStop: heardStop)
        }
    }

    /// True if this device and another one have processed all changes that they know of each other, and what the other
    /// one lacks is in the status.
    func isQuiet(with device: DeviceID, telling told: Message.SyncFolders.Folder) -> Bool {
        state.withLock { state in
            let known = told.heardStop?.seal
            // The member has the stop when it gives it back.
            if let stop = state.stop { return known.map { $0 >= stop.seal } ?? false }
            if state.isHalted { return true }
            if let known, state.heeded[device] != known { return false }
            if let stop = told.stop { return state.stops?[device].map { $0 >= stop.seal } ?? false }
            guard let latest = state.latest, let theirs = told.latest else { return false }
            return theirs.isCovered(by: state.taken[device]) && latest.isCovered(by: told.taken)
                && told.lacks == state.heardLacks[device] ?? []
        }
    }
}
