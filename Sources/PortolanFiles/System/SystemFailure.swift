import Glibc

/// A system call failed: the error number, and what that means for files.
package struct SystemFailure: Error, Hashable, Sendable {
    package let number: Int32
    /// Whether the file system cannot keep a restriction with what is stored on it, however much space it has.
    let isRestrictionRefused: Bool

    package init(_ number: Int32) {
        self.number = number
        isRestrictionRefused = false
    }

    private init(refusingRestriction number: Int32) {
        self.number = number
        isRestrictionRefused = true
    }

    /// The file system cannot keep a restriction.
    static let restrictionRefused = SystemFailure(refusingRestriction: ENOTSUP)

    /// The failure of the call just made on this thread.
    package static var last: SystemFailure { SystemFailure(errno) }

    enum Reason: Hashable, Sendable {
        case noSpace, readOnly, notPermitted, missing, inTheWay, name, tooLarge, descriptors, restriction
        case other(String)
    }

    var reason: Reason {
        if isRestrictionRefused { return .restriction }
        return switch number {
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
