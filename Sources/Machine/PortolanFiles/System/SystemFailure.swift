import Glibc
import PortolanValues

/// Failure of a system call: the error number, and its meaning for files.
package struct SystemFailure: Error, Hashable, Sendable {
    package let number: Int32
    /// True if the file system cannot store a restriction with files, regardless of free space.
    let isRestrictionRefused: Bool

    /// True if the failed call names a file.
    private let isOfNaming: Bool

    package init(_ number: Int32) { self.init(number, isRestrictionRefused: false, isOfNaming: false) }

    private init(_ number: Int32, isRestrictionRefused: Bool, isOfNaming: Bool) {
        self.number = number
        self.isRestrictionRefused = isRestrictionRefused
        self.isOfNaming = isOfNaming
    }

    /// The file system cannot keep a restriction.
    static let restrictionRefused = SystemFailure(ENOTSUP, isRestrictionRefused: true, isOfNaming: false)

    /// A long step was given up, because its result is not needed any more.
    package static let interrupted = SystemFailure(ECANCELED)

    /// Copy for a call that gives a file a name. Only in such a call, EINVAL means that the name is refused.
    var ofNaming: SystemFailure {
        SystemFailure(number, isRestrictionRefused: isRestrictionRefused, isOfNaming: true)
    }

    /// Runs a call that gives something a name.
    static func naming<Result>(
        _ call: () throws(SystemFailure) -> Result
    ) throws(SystemFailure) -> Result {
        try translating(call()) { (error: SystemFailure) in error.ofNaming }
    }

    /// The failure of the call just made on this thread.
    package static var last: SystemFailure { SystemFailure(errno) }

    enum Reason: Hashable, Sendable {
        case noSpace, readOnly, notPermitted, missing, inTheWay, name, tooLarge, descriptors, restriction, interrupted
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
        case ENAMETOOLONG, EILSEQ: .name
        case EINVAL where isOfNaming: .name
        case EFBIG: .tooLarge
        case EMFILE, ENFILE: .descriptors
        case ECANCELED: .interrupted
        default: .other(text)
        }
    }

    /// True if the disk has an error, rather than no support for the request.
    package var isTrouble: Bool { number == EIO || number == EROFS }

    /// Returns true for ``isTrouble``, except in a read-only part of the inbox, such as another file system that is
    /// mounted in there.
    func isTrouble(in inbox: Descriptor) -> Bool { isTrouble && !(number == EROFS && !inbox.isReadOnly) }

    /// Returns true if the error concerns a single entry, so that others may still be stored.
    func isOfOneEntry(in inbox: Descriptor) -> Bool {
        switch number {
        case EPERM, EACCES, EXDEV, EBUSY, ETXTBSY, ENAMETOOLONG, EILSEQ, EINVAL, EMLINK, ENOTSUP, EFBIG: true
        case EROFS: !inbox.isReadOnly
        default: false
        }
    }

    /// Message of the C library.
    package var text: String { String(cString: strerror(number)) }
}

extension Descriptor {
    /// True if the file system is mounted read-only.
    fileprivate var isReadOnly: Bool {
        var status = statvfs()
        return fstatvfs(number, &status) != 0 || Int(status.f_flag) & Int(ST_RDONLY) != 0
    }
}
