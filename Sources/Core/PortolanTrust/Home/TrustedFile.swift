import Glibc
import PortolanValues

/// Small file that the user writes by hand. Others may read it; it is used only if this user and root alone can change
/// it.
package enum TrustedFile {
    /// Reads a file. Owner and mode are those of the open file, and symbolic links are followed.
    ///
    /// - Parameters:
    ///   - folder: the directory of the file, which must meet the same rules.
    ///   - root: a directory above that one, which must meet them, too; nil for none.
    /// - Returns: nil if there is no such file.
    /// - Throws: ``StoreError`` if another user can write the file, or it cannot be read.
    package static func read(
        _ name: String, in folder: String, below root: String?, limit: Int
    ) throws(StoreError) -> [UInt8]? {
        let path = folder + "/" + name
        guard let directory = try open(folder, at: AT_FDCWD, shown: folder, O_DIRECTORY) else { return nil }
        defer { close(directory) }
        guard let file = try open(name, at: directory, shown: path, O_NONBLOCK) else { return nil }
        defer { close(file) }
        if let root, let opened = try open(root, at: AT_FDCWD, shown: root, O_DIRECTORY) {
            defer { close(opened) }
            _ = try check(opened, path: root)
        }
        _ = try check(directory, path: folder)
        guard try check(file, path: path) == S_IFREG else {
            throw StoreError(.wrongKind(expected: "a regular file"), path: path)
        }
        return try bytes(of: file, path: path, limit: limit)
    }

    /// - Returns: nil if the file does not exist.
    private static func open(
        _ name: String, at directory: Int32, shown: String, _ flags: Int32
    ) throws(StoreError) -> Int32? {
        let opened = openat(directory, name.pathBytes, O_RDONLY | O_CLOEXEC | flags)
        if opened >= 0 { return opened }
        if errno == ENOENT || errno == ENOTDIR { return nil }
        throw StoreError(.system(action: "open", code: errno), path: shown)
    }

    /// - Returns: the kind of file.
    private static func check(_ descriptor: Int32, path: String) throws(StoreError) -> mode_t {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw StoreError(.system(action: "look at", code: errno), path: path)
        }
        guard [geteuid(), 0].contains(status.st_uid) else {
            throw StoreError(.foreignOwner(owner: status.st_uid), path: path)
        }
        guard status.st_mode & 0o022 == 0 else {
            throw StoreError(.writable(mode: status.st_mode & 0o7777), path: path)
        }
        return status.st_mode & S_IFMT
    }

    private static func bytes(of file: Int32, path: String, limit: Int) throws(StoreError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit + 1)
        var filled = 0
        while filled < bytes.count {
            let count = bytes[filled...].withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress, $0.count) }
            if count == 0 { break }
            if count > 0 {
                filled += count
            } else if errno != EINTR {
                throw StoreError(.system(action: "read", code: errno), path: path)
            }
        }
        guard filled <= limit else { throw StoreError(.tooLarge(limit: limit), path: path) }
        return Array(bytes.prefix(filled))
    }
}
