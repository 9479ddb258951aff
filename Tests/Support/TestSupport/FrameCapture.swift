import CTestSupport
import Foundation
import Glibc
import Synchronization

/// A recording of every frame that crosses a host's interface: what anybody on the link could see, and more.
///
/// A capture on the host in question holds all it says and hears; one on another host holds what the network gives that one. It
/// is complete or it throws: a test that asks what was not to be seen must not pass because something was not recorded.
public final class FrameCapture: Sendable {
    private struct State {
        var frames: [[UInt8]] = []
        var bytes = 0
        var isStopping = false
        var hasEnded = false
        /// Why the recording is not the whole.
        var gap: String?
    }

    private let socket: Int32
    private let limit: Int
    private let place: String
    private let state = Mutex(State())

    /// Begins to record from a socket, which it closes in the end.
    ///
    /// - Parameter place: what is recorded, for people.
    init(from socket: Int32, limit: Int, place: String) {
        self.socket = socket
        self.limit = limit
        self.place = place
        Thread.detachNewThread { [self] in record() }
    }

    deinit { close(socket) }

    /// Ends the recording.
    ///
    /// - Returns: the frames in the order in which they came.
    /// - Throws: `HostsError` where frames were lost or there were more than the limit.
    public func stop() async throws -> CapturedFrames {
        end()
        while !state.withLock(\.hasEnded) { try await Task.sleep(for: .milliseconds(5)) }
        let lost = portolan_frames_lost(socket)
        let (frames, gap) = state.withLock { ($0.frames, $0.gap) }
        if let gap { throw HostsError("the recording at \(place) is not whole: \(gap)") }
        guard lost >= 0 else { throw HostsError("cannot tell what the recording at \(place) lost", status: lost) }
        guard lost == 0 else { throw HostsError("the recording at \(place) is not whole: \(lost) frames lost") }
        return CapturedFrames(frames: frames)
    }

    /// Lets the recording end, whole or not.
    func end() { state.withLock { $0.isStopping = true } }

    /// Takes frames until there are no more after `stop()`; the socket wakes it several times a second.
    private func record() {
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            // Asked before reading: what came before the end is still taken.
            let isStopping = state.withLock(\.isStopping)
            let count = recv(socket, &buffer, buffer.count, Int32(MSG_TRUNC))
            let number = errno
            if count < 0, number == EINTR { continue }
            let goesOn = state.withLock { state in
                if count < 0 {
                    if number == EAGAIN, !isStopping { return true }
                    if number != EAGAIN { state.gap = String(cString: strerror(number)) }
                } else if count > buffer.count || state.bytes + count > limit {
                    state.gap = "more than \(limit) bytes"
                } else {
                    state.frames.append(Array(buffer.prefix(count)))
                    state.bytes += count
                    return true
                }
                state.hasEnded = true
                return false
            }
            if !goesOn { return }
        }
    }
}

/// What a capture recorded.
public struct CapturedFrames: Sendable {
    /// Each from its Ethernet header on.
    public let frames: [[UInt8]]

    public init(frames: [[UInt8]]) { self.frames = frames }

    /// The frames that hold these bytes in a row.
    public func holding(_ bytes: [UInt8]) -> [[UInt8]] {
        precondition(!bytes.isEmpty, "every frame holds nothing")
        return frames.filter { frame in portolan_holds(frame, frame.count, bytes, bytes.count) }
    }

    /// The frames that hold a text in UTF-8, letters of ASCII in either case.
    public func holding(_ text: String) -> [[UInt8]] {
        let wanted = lowercased(Array(text.utf8))
        precondition(!wanted.isEmpty, "every frame holds nothing")
        return frames.filter { frame in
            let frame = lowercased(frame)
            return portolan_holds(frame, frame.count, wanted, wanted.count)
        }
    }
}

private func lowercased(_ bytes: [UInt8]) -> [UInt8] {
    bytes.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
}
