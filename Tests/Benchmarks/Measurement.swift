import Foundation
import Glibc
import Synchronization
import TestSupport

/// What one contestant took in one round.
struct Measurement {
    /// From the start of the sending process to the receipt: the end of the sending process, or of the receiving one
    /// where only that one knows.
    var seconds: Double
    /// Of all processes of each side.
    var processorSeconds = (sender: 0.0, receiver: 0.0)
    /// The largest resident memory of each side's processes, added up, in MiB. Parts of files that a process has mapped count.
    var peak = (sender: 0.0, receiver: 0.0)
}

/// One way of carrying a file from a to b.
protocol Contestant: Sendable {
    var name: String { get }
    /// Programs it cannot do without.
    var needs: [String] { get }

    /// What is done once: keys, daemons.
    func prepare(from a: TestHost, to b: TestHost) async throws
    /// The receiving process, ready to take the file, as it is before the clock starts.
    func receiver(on b: TestHost, into folder: String) async throws -> RunningCommand
    /// The command that sends.
    func sender(of file: String, to b: TestHost, into folder: String) -> Command
    /// Whether the receiving process ends with the file, and only then the file is there.
    var receiverEnds: Bool { get }
    /// Whether the receiving process is there for all rounds.
    var receiverStays: Bool { get }
}

extension Contestant {
    var needs: [String] { [] }
    var receiverEnds: Bool { false }
    var receiverStays: Bool { false }
    func prepare(from a: TestHost, to b: TestHost) async throws {}

    /// Carries one file once, and compares what arrived.
    ///
    /// - Parameter watchesMemory: looking at memory costs the contestants some processor time, too much in a short run.
    func carry(_ file: String, from a: TestHost, to b: TestHost, watchesMemory: Bool) async throws -> Measurement {
        let folder = b.files + "/in"
        try Files.makeFolder(folder)
        let receiver = try await receiver(on: b, into: folder)
        let before = ProcessTree.processorSeconds(of: receiver.pid)
        let sender = try await a.start(sender(of: file, to: b, into: folder))
        let memory = watchesMemory ? MemoryWatch([sender.pid, receiver.pid]) : nil

        let sending = try await sender.finish(within: .seconds(600))
        guard sending.code == 0 else { throw HostsError("\(name) failed\n\(sending)") }
        var end = sender.started + sending.duration
        let receiving: Double
        if receiverEnds {
            let ended = try await receiver.finish(within: .seconds(60))
            guard ended.code == 0 else { throw HostsError("\(name) failed\n\(ended)") }
            end = max(end, receiver.started + ended.duration)
            receiving = ended.processorSeconds
        } else {
            receiving = ProcessTree.processorSeconds(of: receiver.pid)
        }
        let peaks = memory?.stop() ?? [0, 0]
        let duration = end - sender.started
        if !receiverStays { try await receiver.stop() }

        let names = try Files.visibleNames(in: folder)
        guard names.count == 1 else { throw HostsError("\(name) left \(names) where one file should be") }
        guard try Files.areEqual(file, folder + "/" + names[0]) else { throw HostsError("\(name) changed the file") }
        try Files.remove(folder + "/" + names[0])
        return Measurement(
            seconds: duration / .seconds(1), processorSeconds: (sending.processorSeconds, receiving - before),
            peak: (peaks[0], peaks[1]))
    }
}

/// Runs every contestant once a round, round after round, and collects what each took.
///
/// - Returns: by contestant's name; those whose programs are missing are left out with a word.
func interleave(
    _ contestants: [any Contestant], rounds: Int, file: String, from a: TestHost, to b: TestHost, watchesMemory: Bool
) async throws -> [String: [Measurement]] {
    var running: [any Contestant] = []
    for contestant in contestants {
        if let missing = HostLink.missing(contestant.needs) {
            say("\(contestant.name) is left out: no '\(missing)' here (Config/setup --benchmark installs it)")
            continue
        }
        do {
            try await contestant.prepare(from: a, to: b)
            running.append(contestant)
        } catch {
            say("\(contestant.name) is left out: \(error)")
        }
    }
    var results: [String: [Measurement]] = [:]
    // The first round warms the caches and does not count.
    for round in 0...rounds {
        for contestant in running {
            let result = try await contestant.carry(file, from: a, to: b, watchesMemory: watchesMemory)
            if round > 0 { results[contestant.name, default: []].append(result) }
        }
    }
    return results
}

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
        let kibibytes = members(of: root).map { pid in
            let line = read("/proc/\(pid)/status").split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
            return line?.split(whereSeparator: { " \t".contains($0) }).compactMap { Int($0) }.first ?? 0
        }
        return Double(kibibytes.reduce(0, +)) / 1024
    }

    private static func read(_ path: String) -> String {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }
}

/// Looks at processes now and then until told to stop, since a process that has ended has no memory to look at.
final class MemoryWatch: Sendable {
    private let roots: [pid_t]
    private let state: Mutex<(peaks: [Double], isOver: Bool)>

    init(_ roots: [pid_t]) {
        self.roots = roots
        state = Mutex(([Double](repeating: 0, count: roots.count), false))
        Thread.detachNewThread { [self] in
            while !look() { usleep(20_000) }
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
