import CPortolanLinux
import Glibc

/// Features of the kernel and the file system; each missing one has a slower replacement that is as safe.
struct KernelFeatures: Sendable {
    /// openat2(2): Linux 5.6, and not forbidden by a seccomp filter.
    var openBeneath: Bool
    /// renameat2(2) with RENAME_NOREPLACE; a file system may still refuse it.
    var renameWithoutReplacing: Bool
    /// link(2); a file system may still refuse it.
    var hardLinks: Bool
    /// getxattrat(2) and listxattrat(2): Linux 6.13, and not forbidden by a seccomp filter.
    var attributesByName = false

    static let detected: KernelFeatures = {
        let number = portolan_open_beneath(AT_FDCWD, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        if number >= 0 { close(number) }
        let missing = number < 0 && (errno == ENOSYS || errno == EPERM)
        // The call itself is probed; an attribute of this name need not exist.
        let length = portolan_get_attribute_below(AT_FDCWD, ".", "user.portolan.probe", nil, 0)
        let readsAttributes = length >= 0 || errno == ENODATA || errno == ENOTSUP
        let names = portolan_list_attributes_below(AT_FDCWD, ".", nil, 0)
        let attributesByName = readsAttributes && (names >= 0 || errno == ENOTSUP)
        return KernelFeatures(
            openBeneath: !missing, renameWithoutReplacing: true, hardLinks: true, attributesByName: attributesByName)
    }()
}
