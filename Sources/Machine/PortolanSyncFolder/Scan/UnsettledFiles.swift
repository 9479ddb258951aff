import PortolanFiles
import PortolanSyncPlan

/// Changed files, each by itself: decides when the content of one is read and announced.
///
/// A file that nobody has open for writing is announced at once, also if it changes often, up to some bytes. One that
/// is open is announced when it was quiet for as long as its writing took. One that only grows, as a log does, is
/// announced at intervals that double until it comes to rest. All others wait.
struct UnsettledFiles {
    /// Seconds of quiet after which an open file is complete: as many as its writing took, within these.
    static let quiet: ClosedRange<Double> = 2...10
    /// Longest pause, in seconds, between announcements of a file that does not come to rest.
    static let longestPause: Double = 600
    /// Bytes that are read of a file that is not open at each change, before its announcements have pauses.
    static let freeBytes: UInt64 = 64 << 20
    private static let freeChanges: UInt64 = 64

    private struct State {
        var folder: [SyncName]
        var stamp: FileStatusStamp
        /// Begin of the writing, and the latest change.
        var since: Double
        var changed: Double
        var announced: (stamp: FileStatusStamp, at: Double)?
        /// Number of announcements since the begin of the writing.
        var count: UInt64 = 0
        var pause = UnsettledFiles.quiet.lowerBound
        /// True if the file has been shorter than before: it is not a log.
        var isRewritten = false
        /// Time of the next look; nil if the file is not waiting.
        var due: Double?
    }

    /// Reading of a database, and the pause that follows it.
    private struct DatabaseReading {
        var folder: [SyncName]
        var next: Double
        /// True if the next reading is due even without a change.
        var isDue: Bool
    }

    /// Shortest pause between readings of a database, in seconds, and the part of the time that reading may take.
    private static let databasePause: Double = 0.5
    private static let databaseShare: Double = 0.1

    private var states: [FileHandleID: State] = [:]
    private var databases: [FileHandleID: DatabaseReading] = [:]

    /// Decides if a file may be read and announced now.
    ///
    /// - Parameters:
    ///   - isWritten: true if it is open for writing; nil if the system does not tell.
    ///   - known: state that was announced last; nil for a new file.
    ///   - folder: path of its folder.
    mutating func mayAnnounce(
        _ handle: FileHandleID, _ stamp: FileStatusStamp, isWritten: Bool?, known: FileStatusStamp?,
        in folder: [SyncName], at time: FileTime
    ) -> Bool {
        let now = time.inSeconds
        if known == stamp || states[handle]?.announced?.stamp == stamp {
            states[handle]?.due = nil
            return true
        }
        let modified = min(stamp.modified.inSeconds, now)
        // A new file that is not open needs no state: there may be very many.
        if states[handle] == nil, isWritten == false, known == nil { return true }
        var state =
            states[handle]
            ?? State(
                folder: folder, stamp: stamp, since: modified, changed: modified,
                isRewritten: known.map { stamp.size < $0.size } ?? false)
        state.folder = folder
        if state.stamp != stamp {
            let change = stamp.modified > state.stamp.modified ? modified : now
            if change - state.changed > Self.quiet.upperBound {
                state.since = change
                state.count = 0
                state.pause = Self.quiet.lowerBound
                state.isRewritten = false
            }
            if stamp.size < state.stamp.size { state.isRewritten = true }
            state.stamp = stamp
            state.changed = change
        }
        // The clock may have been set back.
        state.changed = min(state.changed, now)
        state.since = min(state.since, state.changed)
        let took = isWritten == false ? 0 : state.changed - state.since
        let quietAt = state.changed + min(max(took, Self.quiet.lowerBound), Self.quiet.upperBound)
        let isLog = known != nil && !state.isRewritten || isWritten == false
        let pauseAt =
            min(max(state.announced?.at ?? state.since, state.since), now) + (isLog ? state.pause : Self.longestPause)
        let isFree =
            isWritten == false && state.count < Self.freeChanges
            && (state.count == 0 || state.count * stamp.size < Self.freeBytes)
        guard isFree || now >= quietAt || now >= pauseAt else {
            state.due = min(quietAt, pauseAt)
            states[handle] = state
            return false
        }
        if !isFree, now < quietAt { state.pause = min(state.pause * 2, Self.longestPause) }
        state.announced = (stamp, now)
        state.count += 1
        state.due = nil
        states[handle] = state
        return true
    }

    /// Decides if a database that has changed may be read now. Its snapshot is whole, whoever has it open.
    mutating func mayRead(database handle: FileHandleID, in folder: [SyncName], at time: FileTime) -> Bool {
        guard var reading = databases[handle], reading.next > time.inSeconds,
            // The clock may have been set back.
            reading.next < time.inSeconds + Self.longestPause
        else { return true }
        reading.folder = folder
        reading.isDue = true
        databases[handle] = reading
        return false
    }

    mutating func noteReading(
        ofDatabase handle: FileHandleID, took: Duration, isRetried: Bool, in folder: [SyncName], at time: FileTime
    ) {
        let seconds = Double(took.components.seconds) + Double(took.components.attoseconds) / 1e18
        let pause = min(max(Self.databasePause, seconds / Self.databaseShare), Self.longestPause)
        databases[handle] = DatabaseReading(folder: folder, next: time.inSeconds + pause, isDue: isRetried)
    }

    private var waits: [(due: Double, folder: [SyncName])] {
        states.values.compactMap { state in state.due.map { ($0, state.folder) } }
            + databases.values.filter(\.isDue).map { ($0.next, $0.folder) }
    }

    /// Folders of files whose next look is due.
    func dueFolders(at time: FileTime) -> Set<[SyncName]> {
        let now = time.inSeconds
        return Set(waits.filter { $0.due <= now }.map(\.folder))
    }

    /// Seconds until the next look, and the folders that it reads; nil if no file waits.
    func next(at time: FileTime) -> (seconds: Double, folders: Set<[SyncName]>)? {
        let waiting = waits
        guard let first = waiting.map(\.due).min() else { return nil }
        // Looks that are due at nearly the same time are one.
        let folders = waiting.filter { $0.due <= first + 0.5 }.map(\.folder)
        return (max(first - time.inSeconds, 0) + 0.5, Set(folders))
    }

    /// Forgets files that have come to rest, and files that were due at the begin of a scan and not found by it.
    mutating func prune(begun start: FileTime, at time: FileTime) {
        let (start, now) = (start.inSeconds, time.inSeconds)
        databases = databases.filter { $0.value.isDue ? $0.value.next > start : $0.value.next > now }
        states = states.filter { _, state in
            if let due = state.due { return due > start }
            guard let announced = state.announced else { return false }
            return now - announced.at < max(state.pause, Self.quiet.upperBound)
        }
    }
}

extension FileTime {
    fileprivate var inSeconds: Double { Double(seconds) + Double(nanoseconds) / 1e9 }
}
