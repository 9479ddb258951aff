import CArchive

/// Archives a folder as zip, for receivers that want a folder and can only take bytes.
///
/// The archive holds the folder under its own name, entries in the order of their names. Links stay links, and the
/// right to execute stays. Equal folders give equal archives.
/// - Parameter limit: the most bytes, of contents and of archive, to hold in memory.
/// - Throws: ``TransferError`` for a folder beyond the limit, for a name that is not UTF-8, for an entry that cannot
///   be read or is no file (a socket), and where the system has no libarchive. `CancellationError` in a cancelled task.
package func zippedContents(ofFolder folder: URL, limit: Int = 1 << 30) throws -> Data {
    let root = try TransferableFile(folder)
    guard root.isFolder else { throw TransferError.specialFile(folder.path) }
    let archive = try ZipArchive(of: folder, limit: limit)
    try TreeWalk.each(root.path) { entry in
        try Task.checkCancellation()
        try archive.add(entry)
    }
    return try archive.finish()
}

private final class ZipArchive {
    private static let library: Result<PortolanArchive, TransferError> = {
        var table = PortolanArchive()
        guard let reason = portolan_archive_load(&table) else { return .success(table) }
        return .failure(
            TransferError(
                kind: .missingLibrary,
                description: "A folder becomes a zip archive with libarchive, which is not installed (Debian calls it "
                    + "libarchive13): \(String(cString: reason))."))
    }()

    private let library: PortolanArchive
    private let folder: URL
    private let limit: Int
    private let writer: OpaquePointer
    private let entry: OpaquePointer
    private let locale: PortolanLocale
    private let output = Output()
    private var bytesRead = 0

    /// Receiver of libarchive's blocks.
    private final class Output {
        var data = Data()
        var limit = 0
        var isFull = false
    }

    init(of folder: URL, limit: Int) throws {
        library = try Self.library.get()
        guard let writer = library.write_new(), let entry = library.entry_new() else {
            throw TransferError.fileSystem(folder.path, "archived", ENOMEM)
        }
        self.folder = folder
        self.limit = limit
        self.writer = writer
        self.entry = entry
        locale = portolan_enter_utf8()
        output.limit = limit
        try check(library.write_set_format_zip(writer))
        // The last block is not padded.
        try check(library.write_set_bytes_per_block(writer, 0))
        try check(
            library.write_open(
                writer, Unmanaged.passUnretained(output).toOpaque(), nil,
                { _, output, bytes, count in
                    guard let output, let bytes else { return -1 }
                    let target = Unmanaged<Output>.fromOpaque(output).takeUnretainedValue()
                    guard target.data.count + count <= target.limit else {
                        target.isFull = true
                        return -1
                    }
                    target.data.append(bytes.assumingMemoryBound(to: UInt8.self), count: count)
                    return count
                }, nil))
    }

    deinit {
        // `write_free` writes the buffered rest, to this output only, which lives until this function ends.
        _ = library.write_free(writer)
        library.entry_free(entry)
        portolan_leave_utf8(locale)
    }

    func add(_ found: TreeWalk.Entry) throws {
        switch found.kind {
        case .leaving: return
        case .special: throw TransferError.specialFile(found.text)
        case .entering: try addHeader(found, kind: S_IFDIR, size: 0)
        case .link:
            let target = try linkTarget(found.path)
            try addHeader(found, kind: S_IFLNK, size: 0, target: target)
        case .file: try addFile(found)
        }
    }

    func finish() throws -> Data {
        try check(library.write_close(writer))
        return output.data
    }

    private func addFile(_ found: TreeWalk.Entry) throws {
        let file = open(found.path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { throw TransferError.fileSystem(found.text, "read", errno) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw TransferError.specialFile(found.text)
        }
        guard Int(status.st_size) <= limit - bytesRead else { throw tooLarge }
        bytesRead += Int(status.st_size)
        try addHeader(found, kind: S_IFREG, size: status.st_size)
        // A file that grows meanwhile is cut to the size in its header.
        var remaining = Int(status.st_size)
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while remaining > 0 {
            try Task.checkCancellation()
            let count = read(file, &buffer, min(buffer.count, remaining))
            guard count >= 0 else { throw TransferError.fileSystem(found.text, "read", errno) }
            guard count > 0 else { throw TransferError.fileSystem(found.text, "read", ESTALE) }
            guard library.write_data(writer, &buffer, count) == count else { throw failure }
            remaining -= count
        }
    }

    private func addHeader(
        _ found: TreeWalk.Entry, kind: mode_t, size: off_t, target: [CChar]? = nil
    ) throws {
        guard let below = String(validatingCString: found.relativePath) else {
            throw TransferError(
                kind: .malformedContent, contentType: .zip,
                description: "“\(found.text)” has a name that is not UTF-8, which a zip archive cannot hold.")
        }
        let top = folder.lastPathComponent == "/" ? "root" : folder.lastPathComponent
        let name = below.isEmpty ? top : "\(top)/\(below)"
        _ = library.entry_clear(entry)
        library.entry_set_pathname(entry, name)
        library.entry_set_mode(entry, kind | found.status.st_mode & 0o777)
        library.entry_set_size(entry, Int64(size))
        library.entry_set_mtime(entry, found.status.st_mtim.tv_sec, 0)
        if let target { library.entry_set_symlink(entry, target) }
        try check(library.write_header(writer, entry))
    }

    private func check(_ result: CInt) throws {
        // A warning reports a name that was not stored unchanged.
        if result != PORTOLAN_ARCHIVE_OK { throw failure }
    }

    private var failure: TransferError {
        if output.isFull { return tooLarge }
        let reason = library.error_string(writer).map { String(cString: $0) } ?? "libarchive gives no reason"
        return TransferError(
            kind: .fileSystem, contentType: .zip,
            description: "“\(folder.path)” cannot be made into a zip archive: \(reason).")
    }

    private var tooLarge: TransferError {
        TransferError(
            kind: .tooLarge, contentType: .zip,
            description: "“\(folder.path)” holds more than the \(limit) bytes that are zipped in memory. Take it as a "
                + "file instead.")
    }
}
