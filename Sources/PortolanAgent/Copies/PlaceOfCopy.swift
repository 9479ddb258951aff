import CPortolanLinux
import Glibc

/// Entry of a tree that is copied, with the place of its copy. Names may have bytes that are not UTF-8.
struct PlaceOfCopy {
    /// Path of the source, with a closing NUL.
    let source: [CChar]
    let copy: [CChar]
    let isRoot: Bool
    var text: String { String(decoding: source.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self) }

    /// - Parameters:
    ///   - path: path of the entry, which begins with `root`.
    ///   - root: path of the tree.
    ///   - destination: path of the copy of the tree.
    init(path: UnsafePointer<CChar>, root: String, destination: String) {
        source = Array(UnsafeBufferPointer(start: path, count: strlen(path) + 1))
        isRoot = source.count == root.utf8.count + 1
        copy = destination.utf8CString.dropLast() + source.dropFirst(root.utf8.count)
    }

    func makeFolder() throws(CopyError) {
        guard mkdir(copy, 0o700) == 0 else { throw .last("make a copy of", text) }
    }

    /// Sets the properties of a folder that adding entries would change.
    func finishFolder(_ status: stat) throws(CopyError) {
        let from = open(source, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard from >= 0 else { throw .last("read", text) }
        defer { close(from) }
        let to = open(copy, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard to >= 0 else { throw .last("keep a copy of", text) }
        defer { close(to) }
        try copyAttributes(from, to)
        // A folder without write permission for its owner could not be removed later.
        guard fchmod(to, status.st_mode & 0o777 | 0o700) == 0, futimens(to, [status.st_atim, status.st_mtim]) == 0,
            fsync(to) == 0
        else { throw .last("keep a copy of", text) }
    }

    func makeLink(_ status: stat) throws(CopyError) {
        var target = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        guard readlink(source, &target, target.count - 1) >= 0 else { throw .last("read", text) }
        guard symlink(target, copy) == 0,
            utimensat(AT_FDCWD, copy, [status.st_atim, status.st_mtim], AT_SYMLINK_NOFOLLOW) == 0
        else { throw .last("make a copy of", text) }
    }

    /// Makes the placeholder of a file that is not copied.
    func makeLinkToSource() throws(CopyError) {
        guard symlink(source, copy) == 0 else { throw .last("make a copy of", text) }
    }

    /// Makes the placeholder of a pipe, a socket or a device: a pipe that is never opened.
    func makeMark() throws(CopyError) {
        guard mkfifo(copy, 0o600) == 0 else { throw .last("make a copy of", text) }
    }

    /// Copies the user attributes. The audience of a file is one of them, so that one that cannot be copied is an
    /// error.
    func copyAttributes(_ from: Int32, _ to: Int32) throws(CopyError) {
        var names = [UInt8](repeating: 0, count: 64 << 10)
        let length = portolan_list_attributes(from, &names, UInt64(names.count))
        if length < 0 {
            guard errno == ENOTSUP else { throw .last("read the attributes of", text) }
            return
        }
        var value = [UInt8](repeating: 0, count: 64 << 10)
        for bytes in names.prefix(Int(length)).split(separator: 0) where bytes.starts(with: "user.".utf8) {
            let name = bytes.map { CChar(bitPattern: $0) } + [0]
            let size = portolan_get_attribute(from, name, &value, UInt64(value.count))
            guard size >= 0 else { throw .last("read the attributes of", text) }
            guard portolan_set_attribute(to, name, value, UInt64(size)) == 0 else {
                throw .last("keep the attributes of", text)
            }
        }
    }
}
