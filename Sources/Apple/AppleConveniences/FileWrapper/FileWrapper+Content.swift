extension FileWrapper {
    enum Content {
        case directory([String: FileWrapper])
        case regularFile(RegularFile)
        case symbolicLink(URL)
    }

    /// Bytes of a file, or the place to read them from.
    enum RegularFile {
        case bytes(Data)
        /// A file that was not read, with its stamp at the time of listing.
        case unread(URL, FileStamp)

        /// - Throws: `CocoaError` if the file was replaced or changed since it was listed.
        func read() throws -> Data {
            switch self {
            case .bytes(let data):
                return data
            case .unread(let url, let stamp):
                // The stamp is compared before opening as well, because opening a pipe would block.
                guard try FileStamp(of: url) == stamp else { throw FileWrapper.changed(url) }
                let data = try Data(contentsOf: url)
                guard try FileStamp(of: url) == stamp else { throw FileWrapper.changed(url) }
                return data
            }
        }
    }

    /// Identity and version of a file, to detect changes.
    struct FileStamp: Equatable {
        enum Kind { case directory, regularFile, symbolicLink, other }

        let kind: Kind
        private let device: dev_t
        private let inode: ino_t
        let size: off_t
        private let seconds: Int
        private let nanoseconds: Int

        /// Reads the stamp of the item itself; a link is not followed.
        /// - Throws: `CocoaError.fileReadNoSuchFile`, or the error of lstat(2).
        init(of url: URL) throws {
            var status = stat()
            guard lstat(url.path, &status) == 0 else {
                let code: CocoaError.Code =
                    switch errno {
                    case ENOENT, ENOTDIR: .fileReadNoSuchFile
                    case EACCES: .fileReadNoPermission
                    default: .fileReadUnknown
                    }
                throw CocoaError(code, userInfo: [NSFilePathErrorKey: url.path])
            }
            kind =
                switch status.st_mode & S_IFMT {
                case S_IFDIR: .directory
                case S_IFREG: .regularFile
                case S_IFLNK: .symbolicLink
                default: .other
                }
            device = status.st_dev
            inode = status.st_ino
            size = status.st_size
            seconds = status.st_mtim.tv_sec
            nanoseconds = status.st_mtim.tv_nsec
        }
    }

    static func changed(_ url: URL) -> CocoaError {
        unreadable(url, "was changed after it was listed")
    }

    static func unreadable(_ url: URL, _ problem: String) -> CocoaError {
        CocoaError(
            .fileReadUnknown,
            userInfo: [NSFilePathErrorKey: url.path, NSLocalizedDescriptionKey: "\(url.path) \(problem)."])
    }
}
