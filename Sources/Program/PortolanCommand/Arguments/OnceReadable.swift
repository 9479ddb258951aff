import Glibc

/// Inputs on the command line that can be read only once: standard input and descriptors that the shell has opened, as
/// for `<(…)`.
enum OnceReadable {
    /// Returns the open descriptor that a path means; nil for the path of a file, a folder, or nothing.
    ///
    /// - Parameter path: `-`, or a path such as `/dev/stdin` or `/dev/fd/63` if it leads to no file name on a disk.
    static func descriptor(of path: String) -> CInt? {
        if path == "-" { return STDIN_FILENO }
        guard let number = number(of: path), fcntl(number, F_GETFD) >= 0 else { return nil }
        var status = stat()
        guard fstat(number, &status) == 0 else { return nil }
        switch status.st_mode & S_IFMT {
        case S_IFIFO, S_IFSOCK: return number
        case S_IFREG:
            // A file without a name can be reached only by its descriptor; shells use such files for here-documents.
            guard let resolved = realpath(path, nil) else { return number }
            free(resolved)
            return nil
        default: return nil
        }
    }

    /// The descriptor that a path names.
    private static func number(of path: String) -> CInt? {
        if path == "/dev/stdin" { return STDIN_FILENO }
        for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) {
            return CInt(path.dropFirst(folder.count)).flatMap { $0 >= 0 ? $0 : nil }
        }
        return nil
    }
}
