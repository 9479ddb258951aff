import Foundation
import Glibc

extension FileWrapper {
    enum Content {
        case directory([String: FileWrapper])
        case regularFile(RegularFile)
        case symbolicLink(URL)
    }

    /// The bytes of a file, or where they are.
    enum RegularFile {
        case bytes(Data)
        /// Unread, as it was when it had this stamp.
        case unread(URL, FileStamp)

        /// - Throws: where the file is no longer the one that was listed.
        func read() throws -> Data {
            switch self {
            case .bytes(let data):
                return data
            case .unread(let url, let stamp):
                // Before as well, so that nothing is opened which has become a pipe.
                guard try FileStamp(of: url) == stamp else { throw FileWrapper.changed(url) }
                let data = try Data(contentsOf: url)
                guard try FileStamp(of: url) == stamp else { throw FileWrapper.changed(url) }
                return data
            }
        }
    }

    /// What tells that a file is the same and unchanged.
    struct FileStamp: Equatable {
        enum Kind { case directory, regularFile, symbolicLink, other }

        let kind: Kind
        private let device: dev_t
        private let inode: ino_t
        let size: off_t
        private let seconds: Int
        private let nanoseconds: Int

        /// Of what is at this place itself, if it is a link.
        /// - Throws: `CocoaError.fileReadNoSuchFile`, or what else lstat(2) says.
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
