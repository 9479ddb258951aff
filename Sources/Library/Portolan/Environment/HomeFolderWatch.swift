import PortolanConcurrency
import PortolanFiles
import Synchronization

/// Reports possible changes of the files in a folder of the home, by any process.
///
/// A thread waits for inotify, at no cost. If the user has no inotify instance left, a change is reported at intervals.
package struct HomeFolderWatch {
    private let folder: String
    private let pause: Duration

    /// - Parameters:
    ///   - folder: path; the folder may not exist yet, but the one around it.
    ///   - pause: interval of reports without inotify.
    package init(_ folder: String, pause: Duration) {
        self.folder = folder
        self.pause = pause
    }

    /// An element for each change, several at a time being one. Ends when the task that iterates is cancelled.
    package var changes: AsyncStream<Void> {
        let (changes, feed) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        do {
            let parent = folder.lastIndex(of: "/").map { String(folder[..<$0]) } ?? "."
            let watch = try FolderOfFilesWatch(folder, in: parent)
            try watch.start { feed.yield() }
            feed.onTermination = { _ in watch.stop() }
        } catch {
            let timer = Task { [pause] in
                while (try? await Task.sleep(for: pause)) != nil { feed.yield() }
            }
            feed.onTermination = { _ in timer.cancel() }
        }
        return changes
    }
}

/// Watches one folder, which may not exist yet, inside an existing one.
private final class FolderOfFilesWatch: Sendable {
    private let folder: String
    private let descriptor: CInt
    /// Number of the watch on the folder around.
    private let around: CInt
    private let isStopped = Atomic(false)

    init(_ folder: String, in parent: String) throws {
        self.folder = folder
        descriptor = inotify_init1(CInt(IN_CLOEXEC))
        around = inotify_add_watch(descriptor, parent, UInt32(IN_MOVED_TO | IN_CREATE))
        if around < 0 { throw SystemFailure.last }
        watchFolder()
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// - Parameter changed: called on a thread of the watch's own, which ends some time after ``stop()``.
    func start(_ changed: @escaping @Sendable () -> Void) throws {
        try startThread(named: "files") { [self] in
            var events = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = read(descriptor, &events, events.count)
                guard !isStopped.load(ordering: .acquiring), count > 0 || errno == EINTR else { return }
                // Before a reader opens the folder, since it may have been created or replaced.
                watchFolder()
                changed()
            }
        }
    }

    private func watchFolder() {
        // Its files are replaced whole.
        inotify_add_watch(descriptor, folder, UInt32(IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE))
    }

    func stop() {
        isStopped.store(true, ordering: .releasing)
        // The thread is notified of the removed watch, and wakes up.
        inotify_rm_watch(descriptor, around)
    }
}
