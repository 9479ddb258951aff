import CPortolanLinux
import Glibc
import PortolanValues

/// Folder for received items.
///
/// Partial items stay in it, hidden, until they are complete; see ``PartialItem``. The folder is opened again for each
/// item (``FolderPath``), so that a recreated folder is found. If it is on a different file system than before, nothing
/// is written, because a disk was probably unmounted; nor if another user may have exchanged it.
package struct Inbox: Sendable {
    /// Absolute, as given.
    package let path: String
    let features: KernelFeatures
    let storage: any Storage
    let index = PartialIndex()
    let attributes = AttributeProbe()
    /// The folder when this was made.
    private let first: FileIdentity
    private let own: OwnFiles
    private let isQuarantine: Bool

    /// - Parameters:
    ///   - createIfMissing: true to create the folder, and those above it, for its owner alone (0700).
    ///   - own: files of the program, among which nothing is received.
    ///   - isQuarantine: true if the folders that those lend are allowed.
    /// - Throws: ``FileError`` if there is no such folder, it is not writable, or others may choose where its path
    ///   leads.
    package init(
        path: String, createIfMissing: Bool, besides own: OwnFiles = .none, isQuarantine: Bool = false
    ) throws(FileError) {
        try self.init(
            path: path, createIfMissing: createIfMissing, besides: own, isQuarantine: isQuarantine, features: .detected)
    }

    init(
        path: String, createIfMissing: Bool, besides own: OwnFiles = .none, isQuarantine: Bool = false,
        features: KernelFeatures, storage: (any Storage)? = nil
    ) throws(FileError) {
        self.path = try Self.absolute(path)
        self.features = features
        self.storage = storage ?? KernelStorage(features: features)
        self.own = own
        self.isQuarantine = isQuarantine
        // Checked before anything is made there.
        if createIfMissing, own.hold(self.path, lent: !isQuarantine) { throw .amongOwn(DisplayText(path)) }
        let opened = try FolderPath.open(self.path, making: createIfMissing)
        first = opened.identity
        if own.hold(opened.folder, lent: !isQuarantine) { throw .amongOwn(DisplayText(path)) }
        // Better now than when the first item is at the door.
        guard faccessat(opened.folder.number, ".", W_OK | X_OK, 0) == 0 else {
            throw .storing(DisplayText(path), .last)
        }
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

    /// True if the very folder that this was made with is at its path.
    package var isUnchanged: Bool { (try? FolderPath.open(path, making: false).identity) == first }

    func open() throws(FileError) -> Descriptor {
        let opened = try FolderPath.open(path, making: false)
        if opened.identity == first { return opened.folder }
        guard opened.identity.device == first.device else {
            throw FileError(
                .destinationGone,
                "“\(DisplayText(path))” is on another file system than before; a disk was probably unmounted. Mount it again."
            )
        }
        if let loose = opened.loose {
            throw FileError(
                .destinationGone,
                "“\(DisplayText(path))” is another folder than before, and \(loose). Start to receive again if it is meant."
            )
        }
        if own.hold(opened.folder, lent: !isQuarantine) { throw .amongOwn(DisplayText(path)) }
        return opened.folder
    }

    private static func absolute(_ path: String) throws(FileError) -> String {
        if path.utf8.first == UInt8(ascii: "/") { return path }
        if path.isEmpty { throw FileError(.destinationGone, "An empty path names no folder to receive into.") }
        return try translating(WorkingFolder.absolute(path)) { (error: WorkingFolderError) in
            FileError(.destinationGone, error.description)
        }
    }
}
