import Glibc

/// Sets or clears the immutable flag of chattr(1).
///
/// - Returns: false where the file system or the system does not let it.
func setImmutable(_ isImmutable: Bool, _ path: String) -> Bool {
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    // FS_IOC_GETFLAGS, FS_IOC_SETFLAGS and FS_IMMUTABLE_FL of linux/fs.h.
    let (get, set, immutable): (UInt, UInt, Int) = (0x8008_6601, 0x4008_6602, 0x10)
    var flags = 0
    guard ioctl(file, get, &flags) == 0 else { return false }
    flags = isImmutable ? flags | immutable : flags & ~immutable
    return ioctl(file, set, &flags) == 0
}
