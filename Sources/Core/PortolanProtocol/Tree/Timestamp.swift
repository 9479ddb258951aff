/// A moment of a file's history.
package struct Timestamp: Hashable, Sendable {
    /// Since 1970-01-01T00:00:00Z, without leap seconds; negative before it.
    package let seconds: Int64
    /// 0 ..< 1,000,000,000, counted forwards also before 1970.
    package let nanoseconds: UInt32

    package init(seconds: Int64, nanoseconds: UInt32) throws(InvalidValue) {
        guard nanoseconds < 1_000_000_000 else { throw InvalidValue("A time has more than a second of nanoseconds.") }
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }
}
