import CAvahi
import Glibc
import PortolanConcurrency
import Synchronization

/// Thread that owns Avahi's objects: it runs commands and returns values.
///
/// libavahi is not thread-safe and its client blocks, so its objects are used on this thread only.
final class StationThread: Sendable {
    typealias Command = @Sendable (AvahiStation) -> Void

    private struct Inbox {
        var commands: [Command] = []
        var isClosed = false
    }

    private let inbox = Mutex(Inbox())
    private let bell: LoopWaker

    /// - Parameters:
    ///   - makeStation: called on the new thread.
    ///   - onOpening: called there once with success or the error; after an error the thread ends.
    init(
        makeStation: @escaping @Sendable (AvahiLoop) throws(MissingLibrary) -> AvahiStation,
        onOpening: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) throws(ThreadError) {
        bell = try LoopWaker()
        try startThread(named: "mdns") { [self] in
            do {
                let loop = try AvahiLoop()
                let station = try makeStation(loop)
                run(station, in: loop, onOpening)
            } catch {
                onOpening(.failure(error))
                inbox.withLock { $0.isClosed = true }
            }
        }
    }

    /// Runs `command` on the thread, in the order of calls. Returns false, without running it, after the station has
    /// ended.
    @discardableResult
    func perform(_ command: @escaping Command) -> Bool {
        let isAccepted = inbox.withLock { inbox in
            guard !inbox.isClosed else { return false }
            inbox.commands.append(command)
            return true
        }
        if isAccepted { bell.ring() }
        return isAccepted
    }

    private func run(
        _ station: AvahiStation, in loop: AvahiLoop, _ onOpening: @escaping (Result<Void, any Error>) -> Void
    ) {
        let watch = bell.watch(in: loop)
        station.open(onOpening)
        while true {
            for command in takeCommands(orCloseIf: station.isOver) { command(station) }
            if isClosed { break }
            if !station.isOver { loop.turn() }
        }
        station.close()
        loop.cancelAll()
        loop.api.pointee.watch_free(watch)
    }

    private func takeCommands(orCloseIf isOver: Bool) -> [Command] {
        inbox.withLock { inbox in
            if isOver, inbox.commands.isEmpty { inbox.isClosed = true }
            return exchange(&inbox.commands, with: [])
        }
    }

    private var isClosed: Bool { inbox.withLock(\.isClosed) }
}

/// Wakes the loop from any thread. Avahi's own wake-up call is lost if it comes just before the loop begins to wait.
private final class LoopWaker: Sendable {
    private let descriptor: Int32

    init() throws(ThreadError) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        if descriptor < 0 { throw ThreadError(code: errno) }
    }

    deinit { close(descriptor) }

    func ring() {
        // This fails only if the counter is full, when a wake-up is pending anyway.
        _ = eventfd_write(descriptor, 1)
    }

    func watch(in loop: AvahiLoop) -> OpaquePointer? {
        loop.api.pointee.watch_new(
            loop.api, descriptor, AVAHI_WATCH_IN,
            { _, descriptor, _, _ in
                var count: eventfd_t = 0
                _ = eventfd_read(descriptor, &count)
            }, nil)
    }
}
