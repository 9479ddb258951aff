import CTestSupport
import Foundation
import Glibc
import Synchronization

/// Recording of every frame on a host's interface, which includes all that others on the link could see.
///
/// A capture on a host has all its frames; one on another host has the frames that the network delivers there. An
/// incomplete capture throws: a test for the absence of data must not pass because of missing frames.
public final class FrameCapture: Sendable {
    private struct State {
        var frames: [[UInt8]] = []
        var bytes = 0
        var isStopping = false
        var hasEnded = false
        /// Reason why the recording is incomplete.
        var gap: String?
    }

    private let socket: Int32
    private let limit: Int
    private let place: String
    private let state = Mutex(State())

    /// Begins to record from a socket, which it closes in the end.
    ///
    /// - Parameter place: name of the place, for messages.
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
    /// - Throws: `HostsError` if frames were lost or exceed the limit.
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

    /// Ends the recording, complete or not.
    func end() { state.withLock { $0.isStopping = true } }

    /// Records frames until none are left after `stop()`; the socket wakes the thread several times a second.
    private func record() {
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            // The flag is read before the socket, so that earlier frames are still recorded.
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

/// Frames of a capture.
public struct CapturedFrames: Sendable {
    /// Frames, each from its Ethernet header on.
    public let frames: [[UInt8]]

    public init(frames: [[UInt8]]) { self.frames = frames }

    /// Returns the frames that contain these bytes in a row.
    public func holding(_ bytes: [UInt8]) -> [[UInt8]] {
        precondition(!bytes.isEmpty, "every frame holds nothing")
        return frames.filter { frame in portolan_holds(frame, frame.count, bytes, bytes.count) }
    }

    /// Returns the frames that contain a text in UTF-8, with ASCII letters in either case.
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
