import Foundation
import Glibc
import Synchronization

/// A process and its descendants, from /proc.
enum ProcessTree {
    static func members(of root: pid_t) -> [pid_t] {
        var members = [root]
        var next = 0
        while next < members.count {
            let pid = members[next]
            next += 1
            for thread in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? [] {
                let children = read("/proc/\(pid)/task/\(thread)/children")
                members += children.split(separator: " ").compactMap { pid_t($0) }
            }
        }
        return members
    }

    /// Processor time so far of the processes and of the children they have waited for.
    static func processorSeconds(of root: pid_t) -> Double {
        let ticks = members(of: root).map { pid in
            // The name, in parentheses, may contain anything, so fields are counted from the end. utime is the 12th
            // after it.
            let fields = read("/proc/\(pid)/stat").split(separator: ")").last?.split(separator: " ") ?? []
            return fields.count > 14 ? fields[11...14].compactMap { Int($0) }.reduce(0, +) : 0
        }
        return Double(ticks.reduce(0, +)) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Largest resident memory of each process, summed, in MiB.
    static func peak(of root: pid_t) -> Double {
        let kibibytes = members(of: root).map { field("VmHWM:", in: "/proc/\($0)/status") ?? 0 }
        return Double(kibibytes.reduce(0, +)) / 1024
    }

    /// Number of voluntary context switches of each thread of a process, which equals that of its wake-ups.
    static func wakeUps(of pid: pid_t) -> [String: Int] {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
        return threads.reduce(into: [:]) { wakeUps, thread in
            wakeUps[thread] = field("voluntary_ctxt_switches:", in: "/proc/\(pid)/task/\(thread)/status")
        }
    }

    /// Proportional share of a process of the machine's memory, in MiB.
    static func memory(of pid: pid_t) -> Double {
        Double(field("Pss:", in: "/proc/\(pid)/smaps_rollup") ?? 0) / 1024
    }

    /// Number after a name at the beginning of a line.
    private static func field(_ name: String, in path: String) -> Int? {
        let line = read(path).split(separator: "\n").first { $0.hasPrefix(name) }
        return line?.split(whereSeparator: { " \t".contains($0) }).compactMap { Int($0) }.first
    }

    private static func read(_ path: String) -> String {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }
}

/// Samples the memory of processes until it is stopped, because a process has none after its end.
///
/// The system itself records the largest value of each. Sampling takes processor time from the measured processes, more
/// with more threads, so it is rare.
final class MemoryWatch: Sendable {
    private static let interval: useconds_t = 250_000

    private let roots: [pid_t]
    private let state: Mutex<(peaks: [Double], isOver: Bool)>

    init(_ roots: [pid_t]) {
        self.roots = roots
        state = Mutex(([Double](repeating: 0, count: roots.count), false))
        Thread.detachNewThread { [self] in
            while !look() { usleep(Self.interval) }
        }
    }

    /// - Returns: true to stop.
    private func look() -> Bool {
        let now = roots.map { ProcessTree.peak(of: $0) }
        return state.withLock { state in
            state.peaks = zip(state.peaks, now).map { max($0, $1) }
            return state.isOver
        }
    }

    /// Returns the peak of each root with its descendants, in MiB.
    func stop() -> [Double] {
        _ = look()
        return state.withLock { state in
            state.isOver = true
            return state.peaks
        }
    }
}
