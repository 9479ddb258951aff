import CPortolanLinux
import Glibc
import PortolanValues

/// Folder for received items.
///
/// Partial items stay in it, hidden, until they are complete; see ``PartialItem``. The folder is opened again for each
/// item, so that a recreated folder is found. If it is on a different file system than before, nothing is written,
/// because a disk was probably unmounted.
package struct Inbox: Sendable {
    /// Absolute, as given.
    package let path: String
    let features: KernelFeatures
    let storage: any Storage
    let index = PartialIndex()
    let attributes = AttributeProbe()
    private let device: UInt64

    /// - Parameter createIfMissing: true to create the folder, and those above it, for its owner alone (0700).
    /// - Throws: ``FileError`` if there is no such folder, or it is not writable.
    package init(path: String, createIfMissing: Bool) throws(FileError) {
        try self.init(path: path, createIfMissing: createIfMissing, features: .detected)
    }

    init(
        path: String, createIfMissing: Bool, features: KernelFeatures, storage: (any Storage)? = nil
    ) throws(FileError) {
        self.path = try Self.absolute(path)
        self.features = features
        self.storage = storage ?? KernelStorage(features: features)
        if createIfMissing { try Self.create(self.path) }
        let folder = try Self.open(self.path)
        device = try folder.identity.device
        // Better now than when the first item is at the door.
        guard access(self.path.pathBytes, W_OK | X_OK) == 0 else { throw .storing(DisplayText(path), .last) }
    }

    /// Returns the default number of bytes that stay free: 1 % of the file system, at most 256 MiB.
    package func usualReserve() throws(FileError) -> UInt64 { try open().usualReserve() }

    /// Returns the number of bytes that an ordinary user can still write there; nil if the file system does not report
    /// it.
    package func freeSpace() throws(FileError) -> UInt64? {
        try open().freeSpace()
    }

    /// True if the folder exists, on the same file system as before.
    package var isThere: Bool { (try? open()) != nil }

    func open() throws(FileError) -> Descriptor {
        let folder = try Self.open(path)
        guard try folder.identity.device == device else {
            throw FileError(
                .destinationGone,
                "“\(DisplayText(path))” is on another file system than before; a disk was probably unmounted. Mount it again."
            )
        }
        return folder
    }

    private static func open(_ path: String) throws(FileError) -> Descriptor {
        let number = retrying { Glibc.open(path.pathBytes, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        if number >= 0 { return Descriptor(owning: number) }
        let shown = DisplayText(path)
        throw switch errno {
        case ENOENT: FileError(.destinationGone, "There is no folder “\(shown)”; make it or choose another one.")
        case ENOTDIR: FileError(.notFolder, "“\(shown)” is not a folder; choose one to receive into.")
        default: .storing(shown, .last)
        }
    }

    private static func absolute(_ path: String) throws(FileError) -> String {
        if path.utf8.first == UInt8(ascii: "/") { return path }
        if path.isEmpty { throw FileError(.destinationGone, "An empty path names no folder to receive into.") }
        do throws(WorkingFolderError) {
            return try WorkingFolder.absolute(path)
        } catch {
            throw FileError(.destinationGone, error.description)
        }
    }

    private static func create(_ path: String) throws(FileError) {
        var ends = path.utf8.indices.dropFirst().filter { path.utf8[$0] == UInt8(ascii: "/") }
        ends.append(path.utf8.endIndex)
        var above = "/"
        for end in ends {
            let part = String(path[..<end])
            defer { above = part }
            if mkdir(part.pathBytes, 0o700) == 0 || errno == EEXIST || errno == EISDIR { continue }
            // A folder above need not be writable; missing rights fail at the folder itself.
            let failure = SystemFailure.last
            var status = stat()
            guard stat(part.pathBytes, &status) != 0 else { continue }
            // ENOENT means a link above that leads nowhere, or a file system that makes its own folders alone.
            throw .making(DisplayText(part), failure, isAboveThere: stat(above.pathBytes, &status) == 0)
        }
    }
}

extension Descriptor {
    fileprivate var identity: FileIdentity {
        get throws(FileError) {
            do throws(SystemFailure) {
                return try status().identity
            } catch {
                throw .storing(DisplayText("the inbox"), error)
            }
        }
    }
}
