import Glibc
import PortolanConcurrency
import PortolanFiles
import PortolanSyncPlan
import PortolanValues
import Synchronization

/// Reports changes in a folder and the folders below it.
///
/// A thread waits for events of the kernel (inotify), at no cost meanwhile. Folders are reached through descriptors,
/// links are not followed, other file systems and the control folder are omitted. The reports name the folders that may
/// have changed, without details.
package final class FolderWatch: Sendable {
    /// Time without an event after which changes are reported, and the longest wait for such a time.
    private static let quietTime = Duration.milliseconds(20)
    private static let longestWait = Duration.seconds(2)
    private static let events = UInt32(
        IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB | IN_DELETE_SELF
            | IN_MOVE_SELF | IN_ONLYDIR | IN_DONT_FOLLOW | IN_EXCL_UNLINK)

    private let path: String
    private let own: OwnFiles
    private let calls: WatchCalls
    private let queue: Descriptor
    /// End of a pair of sockets that is readable when the other end is closed.
    private let stopping: Descriptor
    private let stopper: Mutex<Descriptor?>

    private init(_ path: String, _ own: OwnFiles, _ calls: WatchCalls) throws(SystemFailure) {
        self.own = own
        self.path = path
        self.calls = calls
        let number = inotify_init1(CInt(O_CLOEXEC | O_NONBLOCK))
        guard number >= 0 else { throw SystemFailure(errno) }
        queue = Descriptor(owning: number)
        var ends: [CInt] = [-1, -1]
        let type = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw SystemFailure(errno) }
        stopping = Descriptor(owning: ends[0])
        stopper = Mutex(Descriptor(owning: ends[1]))
    }

    /// Watches until the task is cancelled, or changes may be missed.
    ///
    /// - Parameters:
    ///   - folder: absolute path.
    ///   - own: files of the program, which changes with each synchronization.
    ///   - ready: called on a thread of the watch when all folders are watched; earlier changes need a scan.
    ///   - changed: called on that thread with the changed folders after a quiet time; must return quickly.
    package static func run(
        _ folder: String, without own: OwnFiles = .none, calls: WatchCalls = WatchCalls(),
        ready: @escaping @Sendable () -> Void,
        changed: @escaping @Sendable (FolderChanges) -> Void
    ) async -> WatchEnd {
        do {
            let watch = try FolderWatch(folder, own, calls)
            let thread = try WorkerThread(named: "watch") { try watch.work(ready, changed) }
            return try await withTaskCancellationHandler {
                try await thread.value
            } onCancel: {
                watch.stopper.withLock { $0 = nil }
            }
        } catch let failure as SystemFailure {
            return ending(of: failure)
        } catch {
            return .failed("\(error)")
        }
    }

    private static func ending(of failure: SystemFailure) -> WatchEnd {
        switch failure.number {
        case ENOENT, ENOTDIR, ELOOP: .gone
        case ENOSPC: .failed("the system allows no more folders to be watched (fs.inotify.max_user_watches)")
        case EMFILE: .failed("the system allows no more watches (fs.inotify.max_user_instances)")
        default: .failed(failure.text)
        }
    }

    // MARK: The thread

    private func work(_ ready: () -> Void, _ changed: (FolderChanges) -> Void) throws -> WatchEnd {
        let number = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw SystemFailure(errno) }
        let root = Descriptor(owning: number)
        var tree = WatchTree(root: root, own: own, queue: queue, events: Self.events, calls: calls)
        try tree.begin()
        ready()
        let clock = ContinuousClock()
        /// Time of the first event that was not reported.
        var first: ContinuousClock.Instant?
        var latest = clock.now
        while true {
            var wait: CInt = -1
            if let first {
                let due = min(latest + Self.quietTime, first + Self.longestWait)
                wait = clock.now.duration(to: due).pollMilliseconds
            }
            switch try sleep(for: wait) {
            case .stopped: return .stopped
            case .over: break
            case .events:
                switch try tree.read() {
                case .nothing: break
                case .changed:
                    latest = clock.now
                    first = first ?? latest
                case .overflow: return .failed("more changes came than the system remembers")
                case .gone:
                    changed(.whole)
                    return .gone
                }
            }
            if let begin = first {
                let now = clock.now
                guard now >= latest + Self.quietTime || now >= begin + Self.longestWait else { continue }
                first = nil
                tree.removeMoved()
                changed(tree.takeChanges())
            }
        }
    }

    private enum WakeReason { case stopped, over, events }

    /// - Parameter milliseconds: negative for no limit.
    private func sleep(for milliseconds: CInt) throws(SystemFailure) -> WakeReason {
        var waits = [
            pollfd(fd: queue.number, events: Int16(POLLIN), revents: 0),
            pollfd(fd: stopping.number, events: Int16(POLLIN), revents: 0),
        ]
        let count = poll(&waits, nfds_t(waits.count), milliseconds)
        if count < 0 {
            guard errno == EINTR else { throw SystemFailure(errno) }
            return .over
        }
        if waits[1].revents != 0 { return .stopped }
        return waits[0].revents != 0 ? .events : .over
    }
}
