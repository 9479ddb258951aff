import PortolanConcurrency
import PortolanProtocol
import PortolanSync
import PortolanSyncModel
import PortolanValues
import Synchronization

/// One folder while it is synchronized.
final class KeptFolder: Sendable {
    struct State {
        var entry: SyncFolderEntry
        /// This device's latest change; nil before there is a copy.
        var latest: SyncPosition?
        /// Changes of others up to which everything has been worked off.
        var taken: [DeviceID: SyncPosition] = [:]
        var status = SyncFolderList.Status()
        /// Deletions that wait for a person.
        var held: [HeldDeletion] = []
        /// Content that nobody who was asked has, with the time of the first refusal.
        var missing: [ContentDigest: ContinuousClock.Instant] = [:]
        /// Nothing is done, and others are not told of the folder.
        var isHalted = false
        /// Callers that wait until the folder has been looked at.
        var waiting: [OneShot<Void, Never>] = []
        var hasEnded = false
        /// Rounds of work that have been begun, and those that are over.
        var begun = 0
        var over = 0
        /// Changes are told by the system.
        var isWatched = false
        /// What has to be read in the next round of work.
        var changes = FolderChanges.whole
        /// What is read once more when the times of its files tell their changes apart, and when that is.
        var late = FolderChanges.none
        var lateTime: ContinuousClock.Instant?
        /// When the whole folder is read again, whatever happens.
        var wholeTime: ContinuousClock.Instant?
    }

    let id: SyncFolderID
    let replica: FolderReplica
    let state: Mutex<State>
    /// One value after the folder, or what others said of it, may have changed.
    let bell: AsyncStream<Void>
    private let ringer: AsyncStream<Void>.Continuation

    init(_ entry: SyncFolderEntry, _ id: SyncFolderID, _ replica: FolderReplica) {
        self.id = id
        self.replica = replica
        state = Mutex(State(entry: entry))
        (bell, ringer) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    func ring() { ringer.yield() }

    /// Nothing is done any more after what is being done.
    func end() {
        let waiting = state.withLock { state in
            state.hasEnded = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for one in waiting { one.settle() }
        ringer.finish()
    }

    /// Returns when a round of work that began after this call has ended.
    func look() async {
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

    /// Those who wait for a round of work that begins now: they may know of changes that the system has not told yet.
    func takeWaiting() -> [OneShot<Void, Never>] {
        state.withLock { state in
            defer { state.waiting = [] }
            if !state.waiting.isEmpty { state.changes = .whole }
            return state.waiting
        }
    }

    /// What has to be read in a round of work that begins now.
    func takeChanges() -> FolderChanges {
        state.withLock { state in
            defer { state.changes = .none }
            return state.isWatched ? state.changes : .whole
        }
    }

    var entry: SyncFolderEntry { state.withLock(\.entry) }

    /// The folder as one device is told of it; nil while nothing can be said.
    func told(to device: DeviceID) -> Message.SyncFolders.Folder? {
        state.withLock { state in
            guard !state.isHalted, let latest = state.latest else { return nil }
            return try? Message.SyncFolders.Folder(
                id: id, name: state.entry.name, latest: latest, taken: state.taken[device])
        }
    }

    /// Whether this device and another one have worked off everything that they know of each other.
    func isQuiet(with device: DeviceID, telling told: Message.SyncFolders.Folder) -> Bool {
        state.withLock { state in
            guard let latest = state.latest, let theirs = told.latest else { return state.isHalted }
            return state.isHalted || theirs.isCovered(by: state.taken[device]) && latest.isCovered(by: told.taken)
        }
    }
}
