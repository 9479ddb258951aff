import CPortolanLinux
import Glibc

/// Locks by which the processes that have a database open wait for each other (sqlite.org/lockingv3.html and
/// walformat.html). Those of Portolan belong to an open file, so that no other use of the file ends them, and keep
/// nobody from reading.
enum DatabaseLocks {
    /// First byte of the locks of a file; a page there has no content.
    static let pending: Int64 = 0x4000_0000
    private static let reserved = pending + 1
    private static let shared = (start: pending + 2, length: Int64(510))
    /// Byte of the log's index that a checkpoint locks.
    private static let checkpoint: Int64 = 121

    /// Keeps others from writing to a database without a log, until the file is closed.
    ///
    /// - Returns: false if somebody writes now.
    static func holdFile(_ file: Descriptor) throws(SystemFailure) -> Bool {
        guard try lock(file, pending, 1) else { return false }
        defer { _ = portolan_unlock_range(file.number, pending, 1) }
        return try lock(file, shared.start, shared.length)
    }

    static func releaseFile(_ file: Descriptor) {
        _ = portolan_unlock_range(file.number, shared.start, shared.length)
    }

    /// Keeps others from moving pages of a log into the database, until the index is closed.
    ///
    /// - Returns: false if somebody does it now.
    static func holdLog(index: Descriptor) throws(SystemFailure) -> Bool { try lock(index, checkpoint, 1) }

    /// True if a process prepares a transaction in a database without a log.
    static func isReserved(_ file: Descriptor) -> Bool { portolan_range_is_locked(file.number, reserved, 1) == 1 }

    private static func lock(_ file: Descriptor, _ start: Int64, _ length: Int64) throws(SystemFailure) -> Bool {
        guard portolan_lock_range(file.number, start, length) != 0 else { return true }
        guard errno == EAGAIN || errno == EACCES else { throw .last }
        return false
    }
}

extension Descriptor {
    /// True if anybody else has the file open; nil if the system does not tell.
    package var isOpenElsewhere: Bool? {
        switch portolan_is_open(number) {
        case 0: false
        case 1: true
        default: nil
        }
    }
}
