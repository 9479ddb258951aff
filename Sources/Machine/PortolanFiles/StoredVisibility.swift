import CPortolanLinux
import Glibc
import PortolanValues

/// Stores the restriction of a file with the file, so that it is honoured when the file is passed on.
///
/// A restriction is one extended attribute, `user.portolan.visibility`, that holds its text (``RestrictionText``); no
/// attribute means ``Restriction/everyone``. It is on each file and folder of an item, and a folder's covers the files
/// in it, so that an editor which replaces a file does not remove its restriction. Any other text counts as
/// ``Restriction/nobody``. Symbolic links cannot have such attributes.
package enum StoredVisibility {
    package static var attribute: String { "\(name)" }

    // A `StaticString`, because the name is passed to the system for each file of a tree.
    private static let name: StaticString = "user.portolan.visibility"

    /// Reads the restriction of a file or folder: its own and those of the folders above it (``Restriction/and(_:)``).
    ///
    /// - Parameter path: a symbolic link is followed; the restriction is that of its target.
    /// - Throws: ``FileError`` if nothing is at the path or its attributes cannot be read.
    package static func read(_ path: String) throws(FileError) -> Restriction {
        try read(path, by: KernelStorage())
    }

    static func read(_ path: String, by storage: any ReadableStorage) throws(FileError) -> Restriction {
        do throws(SystemFailure) {
            var resolved = try storage.resolve(path)
            return try resolved.withUnsafeMutableBufferPointer { path throws(SystemFailure) in
                guard let start = path.baseAddress else { preconditionFailure("a path without its end") }
                let own = try read { (name, value) throws(SystemFailure) in
                    try storage.readAttribute(name, ofPath: start, into: value)
                }
                return own.and(try restrictionOfFolders(above: start, by: storage))
            }
        } catch {
            throw .reading(DisplayText(path), error)
        }
    }

    /// Reads the restriction of an open file or folder before it is shown to an audience.
    ///
    /// - Throws: ``FileError`` of kind ``FileError/Kind/keptFromOthers`` also if it may not be shown to all of `shown`.
    static func read(
        ofOpen file: Descriptor, at path: String, shownTo shown: Restriction
    ) throws(FileError) -> Restriction {
        let restriction = try read(ofOpen: file.number)
        guard restriction.allows(shown) else {
            throw .keptFromOthers(DisplayText(path), restriction, shownTo: shown)
        }
        return restriction
    }

    /// Reads the restriction of an open file: its own and those of the folders above its present or last path. Pipes,
    /// terminals and sockets have none.
    ///
    /// - Throws: ``FileError`` if the descriptor is not open or its attributes cannot be read.
    package static func read(ofOpen descriptor: CInt) throws(FileError) -> Restriction {
        let link = "/proc/self/fd/\(descriptor)"
        return try FileError.whileReading(DisplayText(link)) { () throws(SystemFailure) in
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { throw .last }
            guard FileStatus(status).isOrdinary else { return .everyone }
            let own = try read { (name, value) throws(SystemFailure) in
                let length = portolan_get_attribute(descriptor, name, value.baseAddress, UInt64(value.count))
                guard length >= 0 else { throw .last }
                return Int(length)
            }
            var path = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
            let length = readlink(link, &path, path.count - 1)
            guard length >= 0 else { throw .last }
            guard path[0] == CChar(UInt8(ascii: "/")) else { return own }
            return own.and(
                try path.withUnsafeMutableBufferPointer { path throws(SystemFailure) in
                    guard let start = path.baseAddress else { preconditionFailure("a path without room") }
                    return try restrictionOfFolders(above: start, by: KernelStorage())
                })
        }
    }

    /// Reads the restriction of an open file, without those of the folders above it.
    package static func read(
        _ file: Descriptor, by storage: any ReadableStorage = KernelStorage()
    ) throws(SystemFailure) -> Restriction {
        try read { (attribute, value) throws(SystemFailure) in
            try storage.readAttribute(attribute, of: file, into: value)
        }
    }

    /// Reads the restriction of `name` in a folder, without those of the folders above it and without opening it; needs
    /// ``ReadableStorage/readsAttributesByName``.
    static func read(
        _ name: UnsafePointer<CChar>, in folder: Descriptor, by storage: any ReadableStorage
    ) throws(SystemFailure) -> Restriction {
        try read { (attribute, value) throws(SystemFailure) in
            try storage.readAttribute(attribute, of: name, in: folder, into: value)
        }
    }

    /// Stores a restriction with an open file or folder; does nothing for ``Restriction/everyone``.
    ///
    /// - Throws: a failure that ``SystemFailure/isRestrictionRefused`` if the file system cannot store it.
    package static func keep(
        _ restriction: Restriction, on file: Descriptor, by storage: any Storage = KernelStorage()
    ) throws(SystemFailure) {
        guard restriction != .everyone else { return }
        try translating(storage.setAttribute(attribute, RestrictionText.bytes(of: restriction), of: file)) {
            (error: SystemFailure) in
            error.whereAttributeIsRefused(on: file)
        }
    }

    /// Stores a restriction with an open file before content is written to it, combined with the restriction of its
    /// present content.
    ///
    /// - Returns: true if it is stored; false for a pipe, terminal or socket, which cannot store it.
    /// - Throws: ``FileError`` if a regular file cannot store it.
    package static func keep(_ restriction: Restriction, onOutput descriptor: CInt) throws(FileError) -> Bool {
        guard restriction != .everyone else { return true }
        do throws(SystemFailure) {
            let number = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
            guard number >= 0 else { throw .last }
            let file = Descriptor(owning: number)
            let status = try file.status()
            guard status.kind == .file else { return false }
            try keep(status.size == 0 ? restriction : restriction.and(try read(file)), on: file)
            return true
        } catch {
            throw error.isRestrictionRefused
                ? .visibilityNotKept(restriction, by: "the file that is written to")
                : .storing(DisplayText("the output"), error)
        }
    }

    // MARK: - The attribute

    /// Reads the attribute of this name into the room for its value, and returns the bytes of the value.
    private typealias Reading = (UnsafePointer<CChar>, UnsafeMutableRawBufferPointer) throws(SystemFailure) -> Int

    /// Bytes that most values fit in, on the stack.
    private static let usualBytes = 256

    private static func read(_ getAttribute: Reading) throws(SystemFailure) -> Restriction {
        do throws(SystemFailure) {
            return try read(usualBytes, getAttribute)
        } catch {
            guard error.number == ERANGE else { throw error }
        }
        do throws(SystemFailure) {
            return try read(RestrictionText.maximumBytes, getAttribute)
        } catch {
            guard error.number == ERANGE else { throw error }
            return .nobody
        }
    }

    /// - Throws: ERANGE where the value is larger than `limit` bytes.
    private static func read(_ limit: Int, _ getAttribute: Reading) throws(SystemFailure) -> Restriction {
        let found = withUnsafeTemporaryAllocation(byteCount: limit, alignment: 1) { room in
            let name = UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
            return Result { () throws(SystemFailure) -> Restriction in
                let length = try getAttribute(name, room)
                return RestrictionText.restriction(in: room[..<length]) ?? .nobody
            }
        }
        do throws(SystemFailure) {
            return try found.get()
        } catch {
            guard error.number == ENODATA || error.number == ENOTSUP else { throw error }
            return .everyone
        }
    }

    /// Reads the restrictions of the folders above an absolute path, which is cut from its end meanwhile.
    private static func restrictionOfFolders(
        above path: UnsafeMutablePointer<CChar>, by storage: any ReadableStorage
    ) throws(SystemFailure) -> Restriction {
        var restriction = Restriction.everyone
        var end = strlen(path)
        while true {
            repeat { end -= 1 } while end > 0 && path[end] != CChar(UInt8(ascii: "/"))
            guard end > 0 else { return restriction }
            path[end] = 0
            do throws(SystemFailure) {
                restriction = restriction.and(
                    try read { (name, value) throws(SystemFailure) in
                        try storage.readAttribute(name, ofPath: path, into: value)
                    })
            } catch {
                // A folder that may be passed but not read was not created by Portolan, and a missing one has no
                // restriction.
                if error.number != EACCES, error.number != ENOENT { throw error }
            }
        }
    }
}

extension SystemFailure {
    /// Corrects a misleading failure to set an attribute: if the disk has room, the attribute was refused.
    ///
    /// For an attribute that is too large for its place, ext4 reports a full disk, and other file systems E2BIG or
    /// ERANGE.
    fileprivate func whereAttributeIsRefused(on file: Descriptor) -> SystemFailure {
        switch number {
        case ENOTSUP, E2BIG, ERANGE: return .restrictionRefused
        case ENOSPC:
            guard let free = file.freeSpace(), free >= Self.roomForAttribute else { return self }
            return .restrictionRefused
        default: return self
        }
    }

    /// Free bytes with which every file system has room for an attribute.
    private static let roomForAttribute: UInt64 = 1 << 20
}
