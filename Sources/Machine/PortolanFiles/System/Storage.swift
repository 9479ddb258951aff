import Glibc

/// System calls that write received items to the disk: all calls that change files, and the effect of a crash on them.
///
/// The state after a crash depends on these and their order alone, so a simulated disk that separates written bytes
/// from surviving ones needs no others. ``KernelStorage`` is the implementation for real disks.
package protocol Storage: ReadableStorage {
    /// Creates a file that must not exist, and opens it for reading and writing. `mode` is before the process's umask.
    func makeFile(_ name: String, in folder: Descriptor, mode: UInt32) throws(SystemFailure) -> Descriptor
    /// Opens a file of this user for reading and writing, to continue it.
    func reopenFile(_ name: String, in folder: Descriptor) throws(SystemFailure) -> Descriptor
    func makeFolder(_ name: String, in folder: Descriptor, mode: UInt32) throws(SystemFailure)
    func makeLink(_ name: String, to target: String, in folder: Descriptor) throws(SystemFailure)
    /// Gives the file `name` in `folder` another name, which must be free.
    func link(
        _ name: String, in folder: Descriptor, as other: String, in otherFolder: Descriptor
    ) throws(SystemFailure)
    func move(
        _ name: String, in folder: Descriptor, to other: String, in otherFolder: Descriptor, _ manner: MoveManner
    ) throws(SystemFailure)
    func remove(_ name: UnsafePointer<CChar>, in folder: Descriptor, isFolder: Bool) throws(SystemFailure)

    /// Writes all of `bytes` at `offset`.
    func write(_ bytes: UnsafeRawBufferPointer, to file: Descriptor, at offset: UInt64) throws(SystemFailure)
    func resize(_ file: Descriptor, to size: UInt64) throws(SystemFailure)
    /// Gives a file the blocks of a range of another one, at `offset`, until one of both files is written to.
    ///
    /// - Returns: false if the file system cannot do that, or not for this range.
    func share(_ range: Range<UInt64>, of source: Descriptor, with file: Descriptor, at offset: UInt64) -> Bool
    /// Makes a range inside the file read as zeros, without space where the file system can.
    func clear(_ range: Range<UInt64>, of file: Descriptor) throws(SystemFailure)

    func setModified(_ time: FileTime, of file: Descriptor) throws(SystemFailure)
    func setModified(_ time: FileTime, ofLink name: String, in folder: Descriptor) throws(SystemFailure)
    func setPermissions(_ mode: UInt16, of file: Descriptor) throws(SystemFailure)
    func setAttribute(
        _ name: String, _ value: UnsafeRawBufferPointer, of file: Descriptor
    ) throws(SystemFailure)

    /// Syncs everything that was written to this file, or entered into this folder; returns when it is on the disk.
    func sync(_ file: Descriptor) throws(SystemFailure)
    /// Syncs everything on the file system of `file`, like ``sync(_:)``.
    func syncAll(_ file: Descriptor) throws(SystemFailure)
    /// Returns true if the file system of `file` loses everything with the power, synced or not.
    func isInMemory(_ file: Descriptor) -> Bool
}

/// Behaviour of a move if the new name is taken.
package enum MoveManner: Hashable, Sendable {
    /// The move fails with EEXIST; with EINVAL if the file system cannot promise that.
    case withoutReplacing
    case replacing
    /// The two entries are exchanged.
    case exchanging
}

extension Storage {
    package func reopenFile(_ name: String, in folder: Descriptor) throws(SystemFailure) -> Descriptor {
        throw SystemFailure(ENOTSUP)
    }

    package func share(
        _ range: Range<UInt64>, of source: Descriptor, with file: Descriptor, at offset: UInt64
    ) -> Bool { false }

    package func setAttribute(_ name: String, _ value: [UInt8], of file: Descriptor) throws(SystemFailure) {
        try value.withUnsafeBufferPointer { value throws(SystemFailure) in
            try setAttribute(name, UnsafeRawBufferPointer(value), of: file)
        }
    }

    /// Sets an attribute of a file or folder that is stored as well without it.
    ///
    /// - Returns: true if it is kept. A file system that has no attributes, or no room for one more, is no failure; a
    ///   disk in trouble is.
    func setMark(_ name: String, _ value: UnsafeRawBufferPointer, of file: Descriptor) throws(SystemFailure) -> Bool {
        do throws(SystemFailure) {
            try setAttribute(name, value, of: file)
            return true
        } catch {
            if error.isTrouble { throw error }
            return false
        }
    }

    /// Sets a mark that is a text, in UTF-8.
    @discardableResult
    func setMark(_ name: String, _ text: String, of file: Descriptor) throws(SystemFailure) -> Bool {
        try Array(text.utf8).withUnsafeBufferPointer { value throws(SystemFailure) in
            try setMark(name, UnsafeRawBufferPointer(value), of: file)
        }
    }

    package func remove(_ name: String, in folder: Descriptor, isFolder: Bool = false) throws(SystemFailure) {
        try name.utf8CString.withUnsafeBufferPointer { name throws(SystemFailure) in
            guard let name = name.baseAddress else { preconditionFailure("a name without its end") }
            try remove(name, in: folder, isFolder: isFolder)
        }
    }

    /// Removes an entry of this name, if there is one, so that a file can be created.
    package func removeIfPresent(_ name: String, in folder: Descriptor) throws(SystemFailure) {
        do throws(SystemFailure) {
            try remove(name, in: folder)
        } catch {
            guard error.number == ENOENT else { throw error }
        }
    }

    /// Sets permissions that a file or folder is stored as well without.
    ///
    /// - Returns: false if it keeps others: some file systems let nobody change them.
    func adoptPermissions(_ mode: UInt16, of file: Descriptor) throws(SystemFailure) -> Bool {
        if try file.status().mode & 0o7777 == mode { return true }
        do throws(SystemFailure) {
            try setPermissions(mode, of: file)
            return true
        } catch {
            guard [EPERM, EACCES, ENOTSUP, ENOSYS].contains(error.number) else { throw error }
            return false
        }
    }

    /// Sets the final permissions of a file or folder, removing the owner's temporary ones.
    ///
    /// - Parameter owner: temporary permissions of the owner.
    /// - Returns: false if the file system keeps others.
    func narrow(_ file: Descriptor, to permissions: UInt16, owner: UInt16) throws(SystemFailure) -> Bool {
        guard permissions & owner != owner else { return true }
        return try adoptPermissions(file.status().mode & permissions, of: file)
    }
}
