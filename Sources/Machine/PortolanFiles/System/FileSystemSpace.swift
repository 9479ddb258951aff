import Glibc

extension Descriptor {
    /// Returns the size of this file's file system in bytes; nil if it does not report it.
    func totalSpace() -> UInt64? { fileSystem.map { Self.bytes($0.f_blocks, of: $0) } }

    /// Returns the default number of bytes that stay free: see ``Inbox/usualReserve()``.
    func usualReserve() -> UInt64 { min((totalSpace() ?? 0) / 100, 256 << 20) }

    /// Converts a number of blocks to bytes.
    private static func bytes(_ blocks: UInt, of status: statvfs) -> UInt64 {
        let (bytes, overflow) = UInt64(blocks).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return overflow ? .max : bytes
    }

    /// Returns the number of bytes free for ordinary users on this file's file system; nil if it does not report it.
    package func freeSpace() -> UInt64? { fileSystem.map { Self.bytes($0.f_bavail, of: $0) } }

    private var fileSystem: statvfs? {
        var status = statvfs()
        return fstatvfs(number, &status) == 0 && status.f_blocks > 0 ? status : nil
    }
}
