import CPortolanLinux

/// Walk over a file or folder and its contents, in the order of the names' bytes.
///
/// A link at the root is followed, because the caller named it; a link inside is an entry of its own.
enum TreeWalk {
    enum Kind {
        /// A folder, before and after its contents.
        case entering, leaving
        case file, link
        /// A socket, a pipe or a device.
        case special
    }

    /// A step of the walk. Its pointers are valid until the step returns.
    struct Entry {
        let kind: Kind
        let path: UnsafePointer<CChar>
        /// The path below the root, without a slash at its start; empty for the root.
        let relativePath: UnsafePointer<CChar>
        let status: stat

        var text: String { String(cString: path) }
    }

    /// - Throws: the error of `visit`, or a ``TransferError`` for an entry that cannot be read.
    static func each(_ root: String, _ visit: (Entry) throws -> Void) throws {
        let rootPath = strdup(root)
        defer { free(rootPath) }
        guard let tree = portolan_tree_open(rootPath) else { throw TransferError.fileSystem(root, "read", errno) }
        defer { portolan_tree_close(tree) }
        while true {
            var path: UnsafePointer<CChar>?
            var status = stat()
            let kind: Kind
            switch portolan_tree_next(tree, &path, &status) {
            case PORTOLAN_TREE_END: return
            case PORTOLAN_TREE_ENTERING: kind = .entering
            case PORTOLAN_TREE_LEAVING: kind = .leaving
            case PORTOLAN_TREE_FILE: kind = .file
            case PORTOLAN_TREE_LINK: kind = .link
            case PORTOLAN_TREE_SPECIAL: kind = .special
            default:
                throw TransferError.fileSystem(path.map { String(cString: $0) } ?? root, "read", errno)
            }
            guard let path else { continue }
            var relativePath = path + strlen(root)
            while relativePath.pointee == CChar(bitPattern: UInt8(ascii: "/")) { relativePath += 1 }
            try visit(Entry(kind: kind, path: path, relativePath: relativePath, status: status))
        }
    }
}

/// The bytes of the symbolic link at `path`.
func linkTarget(_ path: UnsafePointer<CChar>) throws -> [CChar] {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let length = readlink(path, &target, target.count - 1)
    guard length >= 0 else { throw TransferError.fileSystem(String(cString: path), "read", errno) }
    return Array(target.prefix(length)) + [0]
}
