import Glibc

/// The size, in bytes, beyond which a file system or this process takes no file.
enum LargestFile {
    /// Smallest size for which the limit must be asked: the limit of this process, but no more than the smallest limit
    /// of a file system.
    static var smallest: UInt64 { min(ofProcess, UInt64(Int32.max)) }

    /// The limit of this process (ulimit -f).
    private static var ofProcess: UInt64 {
        var limits = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits) == 0 else { return .max }
        return UInt64(limits.rlim_cur)
    }

    /// Returns true if `file` may have `size` bytes. A network file system may still refuse them when they are
    /// written.
    static func takes(_ size: UInt64, _ file: Descriptor) -> Bool {
        guard size <= ofProcess else { return false }
        // The call writes no bytes: the kernel refuses positions that no file of the file system has.
        guard let end = off_t(exactly: size) else { return false }
        return lseek(file.number, end, SEEK_SET) >= 0 || errno != EINVAL
    }
}
