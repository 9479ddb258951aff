import Foundation
import Glibc
import Synchronization

/// A process and all that it started, as /proc knows them.
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

    /// What the processes and those they have waited for took so far.
    static func processorSeconds(of root: pid_t) -> Double {
        let ticks = members(of: root).map { pid in
            // The name, in parentheses, may hold anything: count from behind it. utime is the 12th field from there.
            let fields = read("/proc/\(pid)/stat").split(separator: ")").last?.split(separator: " ") ?? []
            return fields.count > 14 ? fields[11...14].compactMap { Int($0) }.reduce(0, +) : 0
        }
        return Double(ticks.reduce(0, +)) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// The most memory that each of the processes had resident, added up, in MiB.
    static func peak(of root: pid_t) -> Double {
        let kibibytes = members(of: root).map { field("VmHWM:", in: "/proc/\($0)/status") ?? 0 }
        return Double(kibibytes.reduce(0, +)) / 1024
    }

    /// How often each thread of a process went to sleep so far: as often as it was woken up.
    static func wakeUps(of pid: pid_t) -> [String: Int] {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
        return threads.reduce(into: [:]) { wakeUps, thread in
            wakeUps[thread] = field("voluntary_ctxt_switches:", in: "/proc/\(pid)/task/\(thread)/status")
        }
    }

    /// A process's share of the machine's memory, in MiB: what it shares with others counts in part.
    static func memory(of pid: pid_t) -> Double {
        Double(field("Pss:", in: "/proc/\(pid)/smaps_rollup") ?? 0) / 1024
    }

    /// The number behind a name at the beginning of a line.
    private static func field(_ name: String, in path: String) -> Int? {
        let line = read(path).split(separator: "\n").first { $0.hasPrefix(name) }
        return line?.split(whereSeparator: { " \t".contains($0) }).compactMap { Int($0) }.first
    }

    private static func read(_ path: String) -> String {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }
}

/// Looks at processes now and then until told to stop, since a process that has ended has no memory to look at.
///
/// The system itself keeps the most that each has had. Looking takes the processor from what is measured, the more threads it has the
/// more, so it is done seldom.
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

    /// - Returns: whether to stop.
    private func look() -> Bool {
        let now = roots.map { ProcessTree.peak(of: $0) }
        return state.withLock { state in
            state.peaks = zip(state.peaks, now).map { max($0, $1) }
            return state.isOver
        }
    }

    /// The peak of each root and what it started, in MiB.
    func stop() -> [Double] {
        _ = look()
        return state.withLock { state in
            state.isOver = true
            return state.peaks
        }
    }
}
