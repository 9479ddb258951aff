import CTestSupport
import Foundation
import Glibc

/// Delay and loss between two hosts.
public struct Distance: Sendable {
    /// Time of a frame in one direction, half of a round trip.
    public var delay: Duration
    /// Share of the frames that are lost in each direction, at random.
    public var lossPercent: Double
    /// Seed of the losses.
    public var seed: UInt64
    /// Largest number of bytes under way in each direction; frames beyond are dropped.
    public var room = 8 << 20

    public init(delay: Duration, lossPercent: Double = 0, seed: UInt64 = 1) {
        precondition(delay >= .zero && (0...100).contains(lossPercent), "a time, and a share of the frames")
        self.delay = delay
        self.lossPercent = lossPercent
        self.seed = seed
    }
}

/// Cable between two hosts that delays frames: a TAP device at each end, and a thread of this process for each
/// direction. Kernels without netem have no other way. The order of the frames is kept.
///
/// The rate is what the threads can do, about 1 Gbit/s. A faster sender fills the device's queue, which drops frames
/// beyond 1000, as that of a switch does.
final class LongCable: Sendable {
    private let ends: [Int32]
    /// Pipe without content. The threads end when the writing end is closed.
    private let ending: (reading: Int32, writing: Int32)

    init(from one: TestHost, to other: TestHost, _ distance: Distance) async throws {
        let first = try await one.openCableEnd()
        do {
            let second = try await other.openCableEnd()
            ends = [first, second]
            do { ending = try makePipe() } catch {
                close(second)
                throw error
            }
        } catch {
            close(first)
            throw error
        }
        for direction in 0...1 { Thread.detachNewThread { [self] in carry(direction, distance) } }
    }

    deinit { for descriptor in ends + [ending.reading] { close(descriptor) } }

    /// Ends the cable, once. The devices are gone when the threads have noticed.
    func end() { close(ending.writing) }

    /// Carries the frames of one direction.
    private func carry(_ direction: Int, _ distance: Distance) {
        let (source, destination) = (ends[direction], ends[1 - direction])
        var chance = SeededGenerator(seed: distance.seed &+ UInt64(direction))
        var queue = FrameQueue(delay: distance.delay, room: distance.room)
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while portolan_wait_for_frame(source, ending.reading, queue.wait) {
            // Neither reading nor writing keeps the other from its turn.
            for _ in 0..<64 {
                let count = read(source, &buffer, buffer.count)
                if count < 0, errno != EAGAIN, errno != EINTR { return }
                guard count > 0 else { break }
                let isLost = Double.random(in: 0..<100, using: &chance) < distance.lossPercent
                if !isLost { queue.append(buffer[..<count]) }
            }
            for _ in 0..<64 {
                guard let frame = queue.takeDue() else { break }
                // An end that is down loses the frame, as a real one would.
                _ = write(destination, frame, frame.count)
            }
        }
    }
}

/// Frames under way in one direction.
private struct FrameQueue {
    private struct Frame {
        let due: UInt64
        let bytes: [UInt8]
    }

    private let delay: UInt64
    private let room: Int
    private var frames: [Frame] = []
    /// Index of the oldest frame.
    private var first = 0
    private var size = 0

    init(delay: Duration, room: Int) {
        self.delay = UInt64(delay / .nanoseconds(1))
        self.room = room
    }

    private var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

    /// Nanoseconds until the oldest frame is due; negative if there is none.
    var wait: Int64 {
        guard first < frames.count else { return -1 }
        let (due, now) = (frames[first].due, now)
        return due > now ? Int64(due - now) : 0
    }

    /// Adds a frame, or drops it if there is no room.
    mutating func append(_ frame: ArraySlice<UInt8>) {
        guard size + frame.count <= room else { return }
        size += frame.count
        frames.append(Frame(due: now + delay, bytes: Array(frame)))
    }

    /// Removes and returns the oldest frame if it is due.
    mutating func takeDue() -> [UInt8]? {
        guard wait == 0 else { return nil }
        let bytes = frames[first].bytes
        first += 1
        size -= bytes.count
        // Seldom enough that moving the others costs nothing.
        if first == frames.count || first == 4096 {
            frames.removeFirst(first)
            first = 0
        }
        return bytes
    }
}
