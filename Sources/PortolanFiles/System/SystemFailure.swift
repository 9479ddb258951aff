import Glibc

/// A system call failed: the error number, and what that means for files.
package struct SystemFailure: Error, Hashable, Sendable {
    package let number: Int32

    package init(_ number: Int32) { self.number = number }

    /// The failure of the call just made on this thread.
    package static var last: SystemFailure { SystemFailure(errno) }

    enum Reason: Hashable, Sendable {
        case noSpace, readOnly, notPermitted, missing, inTheWay, name, tooLarge, descriptors
        case other(String)
    }

    var reason: Reason {
        switch number {
        case ENOSPC, EDQUOT: .noSpace
        case EROFS: .readOnly
        case EACCES, EPERM: .notPermitted
        case ENOENT, ESTALE, ENODEV, ENXIO: .missing
        case ELOOP, ENOTDIR, EISDIR, EEXIST, EXDEV: .inTheWay
        case ENAMETOOLONG, EINVAL, EILSEQ: .name
        case EFBIG: .tooLarge
        case EMFILE, ENFILE: .descriptors
        default: .other(text)
        }
    }

    /// Whether the disk is in trouble, rather than unable to keep what it was asked to.
    var isTrouble: Bool { number == EIO || number == EROFS }

    /// The C library's words for it.
    package var text: String { String(cString: strerror(number)) }
}
