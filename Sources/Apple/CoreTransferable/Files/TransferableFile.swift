/// An existing file or folder that was named by an exporter, a program or a peer.
struct TransferableFile: Sendable {
    let url: URL
    let isFolder: Bool
    /// The file system it lies on.
    let device: dev_t

    var path: String { url.path }

    /// - Parameter contentType: stated type, compared with the kind: a folder is not data, and a file is not a folder.
    /// - Throws: ``TransferError`` if neither a file nor a folder exists there.
    init(_ url: URL, as contentType: UTType? = nil) throws {
        guard url.isFileURL, !url.path.isEmpty else { throw TransferError.notAFile(url, as: contentType) }
        var status = stat()
        guard stat(url.path, &status) == 0 else {
            guard errno == ENOENT || errno == ENOTDIR else {
                throw TransferError.fileSystem(url.path, "looked at", errno)
            }
            throw TransferError.missing(url, as: contentType)
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: isFolder = true
        case S_IFREG: isFolder = false
        default: throw TransferError.specialFile(url.path, as: contentType)
        }
        self.url = url
        device = status.st_dev
        guard let contentType else { return }
        let isData = contentType.conforms(to: .data)
        let isDirectory = contentType.conforms(to: .directory)
        if isFolder, isData, !isDirectory { throw TransferError.folderAsData(url, as: contentType) }
        if !isFolder, isDirectory, !isData { throw TransferError.dataAsFolder(contentType) }
    }

    /// The largest file that is read into memory, in bytes. A sparse file can be larger than any memory.
    static let contentsLimit = 2 << 30

    /// Reads the bytes of the file; fails for a folder. Blocks the thread.
    func contents() throws -> Data {
        guard !isFolder else { throw TransferError.folderAsData(url) }
        let size = try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        guard size <= Self.contentsLimit else {
            throw TransferError(
                kind: .tooLarge,
                description: "“\(url.path)” has \(size) bytes, which is more than is read into memory at once.")
        }
        do {
            return try Data(contentsOf: url)
        } catch {
            throw TransferError(
                kind: .fileSystem, underlying: error,
                description: "“\(url.path)” cannot be read: \(error.localizedDescription).")
        }
    }

    /// Reads the bytes on a thread for blocking work.
    func contents() async throws -> Data {
        try await DiskWork.run { _ in try contents() }
    }

    /// Copies the item to a free path, and removes an incomplete copy.
    func copy(to destination: URL, mayLink: Bool = false) async throws {
        let tally = CopyTally.current
        try await DiskWork.run { stop in
            try FileCopy(source: path, destination: destination.path, mayLink: mayLink, tally: tally, stop: stop).make()
        }
    }
}
