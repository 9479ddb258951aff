import CPortolanLinux
import Glibc
import PortolanTrust

/// The folder where received items land.
///
/// Partial items stay in it, hidden, until they are complete; see ``PartialItem``. The folder is looked up anew for each
/// item, so one that was removed and made again is found again; one that lies on another file system than before is not
/// written to, because then a disk was unmounted.
package struct Inbox: Sendable {
    /// What the names of partials begin with; no item or file of an item may be called so.
    package static let partialPrefix = ".portolan-partial-"

    /// Absolute, as given.
    package let path: String
    let features: KernelFeatures
    private let device: UInt64

    /// - Parameter createIfMissing: makes the folder, and those above it, for its owner alone (0700).
    /// - Throws: ``FileError`` where there is no such folder, or it is not writable.
    package init(path: String, createIfMissing: Bool) throws(FileError) {
        try self.init(path: path, createIfMissing: createIfMissing, features: .detected)
    }

    init(path: String, createIfMissing: Bool, features: KernelFeatures) throws(FileError) {
        self.path = try Self.absolute(path)
        self.features = features
        if createIfMissing { try Self.create(self.path) }
        let folder = try Self.open(self.path)
        device = try folder.identity.device
        // Better now than when the first item is at the door.
        guard access(self.path, W_OK | X_OK) == 0 else { throw .storing(DisplayText(path), .last) }
    }

    /// Bytes that an ordinary user can still write there; nil where the file system does not say.
    package func freeSpace() throws(FileError) -> UInt64? {
        try open().freeSpace()
    }

    /// Begins to receive an item.
    ///
    /// - Parameter restriction: who may see it; kept with each file and folder of it (``StoredVisibility``).
    /// - Throws: ``FileError`` where the folder is gone or not writable, or its file system cannot keep the restriction.
    package func newPartial(for restriction: Restriction = .everyone) throws(FileError) -> PartialItem {
        let folder = try open()
        let workspace = try Workspace(in: folder, path: path, features: features)
        do throws(SystemFailure) {
            try StoredVisibility.keep(restriction, on: workspace.folder)
        } catch {
            workspace.remove()
            if case .noSpace = error.reason { throw .storing(DisplayText(path), error) }
            throw FileError(
                .visibilityNotKept,
                "The item is only for \(restriction), and the file system of “\(DisplayText(path))” cannot remember that. "
                    + "Receive it into a folder on a file system with extended attributes.")
        }
        return PartialItem(workspace: workspace, inbox: folder, inboxPath: path, restriction: restriction)
    }

    /// Removes partials that a process left when it was killed.
    ///
    /// A partial is locked as long as a process works on it; a locked one is never touched, nor one of another user, nor one
    /// that was changed less than `age` ago.
    ///
    /// - Returns: how many were removed.
    @discardableResult
    package func removeAbandonedPartials(olderThan age: Duration) throws(FileError) -> Int {
        let folder = try open()
        let names: DirectoryListing
        do throws(SystemFailure) {
            names = try DirectoryListing(of: folder)
        } catch {
            throw .storing(DisplayText(path), error)
        }
        var removed = 0
        for entry in names where entry.name.starts(with: Self.partialPrefix.utf8) {
            if Workspace.removeAbandoned(entry.name, in: folder, olderThan: age, features: features) { removed += 1 }
        }
        return removed
    }

    private func open() throws(FileError) -> Descriptor {
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
        let number = retrying { Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
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
        guard let current = getcwd(nil, 0) else { throw .storing(DisplayText(path), .last) }
        defer { free(current) }
        return String(cString: current) + "/" + path
    }

    private static func create(_ path: String) throws(FileError) {
        var ends = path.utf8.indices.dropFirst().filter { path.utf8[$0] == UInt8(ascii: "/") }
        ends.append(path.utf8.endIndex)
        for end in ends {
            let part = String(path[..<end])
            if mkdir(part, 0o700) == 0 || errno == EEXIST || errno == EISDIR { continue }
            // A folder above may be one that we cannot write to and need not; what is missing shows further down.
            let failure = SystemFailure.last
            var status = stat()
            if stat(part, &status) != 0 { throw .storing(DisplayText(part), failure) }
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

    /// Bytes free for ordinary users on this file's file system; nil where it does not say.
    func freeSpace() -> UInt64? {
        var status = statvfs()
        guard fstatvfs(number, &status) == 0, status.f_blocks > 0 else { return nil }
        return UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue
    }
}
