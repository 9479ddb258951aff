import Glibc

/// A modification time: seconds since 1970-01-01 UTC, without leap seconds, and nanoseconds into that second.
package struct FileTime: Hashable, Sendable, Comparable {
    package let seconds: Int64
    /// 0 to 999,999,999.
    package let nanoseconds: UInt32

    /// Refuses nanoseconds of a whole second or more: utimensat(2) treats some such values as commands.
    package init(seconds: Int64, nanoseconds: UInt32) throws(FileError) {
        try FileError.checkForm(nanoseconds < 1_000_000_000, "a time with \(nanoseconds) nanoseconds in one second")
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    /// The system's clock.
    package static var now: FileTime {
        var time = Glibc.timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return FileTime(time)
    }

    /// 1970-01-01, for an entry whose time means nothing.
    static let epoch = FileTime(Glibc.timespec(tv_sec: 0, tv_nsec: 0))

    init(_ time: timespec) {
        seconds = Int64(time.tv_sec)
        nanoseconds = UInt32(clamping: time.tv_nsec)
    }

    var timespec: timespec { Glibc.timespec(tv_sec: Int(seconds), tv_nsec: Int(nanoseconds)) }

    /// Calls `body` with this modification time for futimens(2) and utimensat(2), and an unchanged access time.
    func withTimes<Result>(_ body: (UnsafePointer<Glibc.timespec>) -> Result) -> Result {
        withUnsafeTemporaryAllocation(of: Glibc.timespec.self, capacity: 2) { times in
            times.initializeElement(at: 0, to: Glibc.timespec(tv_sec: 0, tv_nsec: Self.omitted))
            times.initializeElement(at: 1, to: timespec)
            guard let first = times.baseAddress else { preconditionFailure("two times without a place") }
            return body(first)
        }
    }

    /// UTIME_OMIT of utimensat(2), which leaves that time unchanged.
    static let omitted = (1 << 30) - 2

    package static func < (earlier: FileTime, later: FileTime) -> Bool {
        (earlier.seconds, earlier.nanoseconds) < (later.seconds, later.nanoseconds)
    }
}
