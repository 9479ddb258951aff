import CPortolanLinux
import Glibc

/// Looks at the kernel's limits and its clocks. May block.
enum SystemProbe {
    /// Both clocks at one moment, in seconds.
    struct Clocks: Sendable {
        let wall: Double
        let monotonic: Double

        static var now: Clocks { Clocks(wall: read(CLOCK_REALTIME), monotonic: read(CLOCK_MONOTONIC)) }

        private static func read(_ clock: clockid_t) -> Double {
            var time = timespec()
            clock_gettime(clock, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
    }

    static func facts(since start: Clocks, isSynchronised: Bool?) -> SystemFacts {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let now = Clocks.now
        let spent = now.monotonic - start.monotonic
        return SystemFacts(
            watchLimit: number("max_user_watches"), instanceLimit: number("max_user_instances"),
            openFiles: UInt64(limit.rlim_cur), landlock: Int(portolan_landlock_version()),
            clock: ClockFacts(
                wall: Int64(now.wall), jump: now.wall - start.wall - spent, wentBack: spent < 0,
                isSynchronised: isSynchronised))
    }

    private static func number(_ name: String) -> Int? {
        let file = open("/proc/sys/fs/inotify/" + name, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: 32)
        let count = read(file, &buffer, buffer.count)
        guard count > 0 else { return nil }
        return Int(String(decoding: buffer[..<count].prefix { $0 != 10 }, as: UTF8.self))
    }
}
