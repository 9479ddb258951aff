import Glibc
import PortolanValues

/// File or folder of a path at one moment. It is found again only while the path leads to the same one.
///
/// Content may change. A file may be replaced by another one, as editors do: by a regular file with a single name, of
/// the same owner, that those may read who might before, in the same folder, in which only its owner may write. Any
/// other replacement of the path or a part of it is refused, since another user
/// with write access to the folder could lead the path to files that only this user may read.
///
/// Calls block and may come from any thread.
package struct HeldSource: Hashable, Sendable {
    /// Properties of the source at one moment.
    package struct Look: Hashable, Sendable {
        /// Bytes of a file's content, as ``SourceTree/contentSize``; nil for a folder.
        package let contentSize: UInt64?
        /// Bytes of a file, holes counted; nil for a folder.
        package let size: UInt64?
        /// Sample that shows later if a file has only grown; nil for a folder.
        package let sample: FileSample?
        /// Restriction stored with the source (``StoredVisibility``).
        package let restriction: Restriction
    }

    package let isFolder: Bool
    /// Path as the person named it.
    package internal(set) var path: String
    /// Absolute path without links and dots, with a closing NUL.
    let resolved: [CChar]
    var identity: FileIdentity
    let owner: uid_t
    /// Permissions, generation and time when it was made, in nanoseconds since 1970; nil where they are not known.
    let mode: UInt16?
    let generation: UInt64?
    let birth: Int64?
    /// Folder that contains it, and the time when that was made.
    var parent: FileIdentity
    let parentBirth: Int64?

    /// - Parameter path: a symbolic link is followed.
    /// - Throws: ``FileError`` if the path leads to no file or folder.
    package init(path: String) throws(FileError) {
        self.path = path
        let status: FileStatus
        let folder: Descriptor
        let storage = KernelStorage()
        do throws(SystemFailure) {
            resolved = try storage.resolve(path)
            folder = try Self.openFolder(above: resolved)
            parent = try folder.status().identity
            status = try folder.status(of: Self.lastName(of: resolved))
        } catch {
            throw .reading(DisplayText(path), error)
        }
        guard status.isOrdinary else {
            throw FileError(.notFileOrFolder, "“\(DisplayText(path))” is neither a file nor a folder.")
        }
        isFolder = status.kind == .folder
        identity = status.identity
        owner = status.owner
        mode = status.mode
        parentBirth = storage.birth(of: folder)
        // Of a file that cannot be read, or that is replaced at this moment, less is known.
        let opened = try? storage.openFile(Self.lastName(of: resolved), in: folder)
        let known = opened.flatMap { (try? $0.status().identity) == status.identity ? $0 : nil }
        generation = known.map { storage.generation(of: $0) }
        birth = known.flatMap { storage.birth(of: $0) }
    }

    /// The same source under its actual path; nil for a path that is no text.
    package var underItsResolvedPath: HeldSource? {
        guard let resolvedPath else { return nil }
        var source = self
        source.path = resolvedPath
        return source
    }

    /// Returns the present size and restriction of the source.
    ///
    /// - Throws: ``FileError/Kind/sourceChanged`` if another file is at the path now, or the error of reading it.
    package func look() throws(FileError) -> Look {
        let (source, status) = try open()
        let restriction = try StoredVisibility.read(ofOpen: source.number)
        guard !isFolder else { return Look(contentSize: nil, size: nil, sample: nil, restriction: restriction) }
        let storage = KernelStorage()
        return Look(
            contentSize: storage.contentSize(of: source, status, upTo: status.size), size: status.size,
            sample: FileSample(of: source, size: status.size, by: storage), restriction: restriction)
    }

    /// Calls `body` with a path at which this process can open the source, even if its name changes.
    ///
    /// - Throws: ``FileError`` as ``SourceTree`` does, and errors of `body`.
    package func withOpened<Result>(
        shownTo shown: Restriction, _ body: (String) async throws -> Result
    ) async throws -> Result {
        let (source, _, _) = try open(shownTo: shown)
        defer { withExtendedLifetime(source) {} }
        return try await body("/proc/self/fd/\(source.number)")
    }

    /// Opens the source for sending, and reads its restriction.
    ///
    /// - Throws: ``FileError/Kind/sourceChanged`` if the path leads to another file or folder,
    ///   ``FileError/Kind/keptFromOthers`` if it may not be shown to all of `shown`, or the error of reading it.
    func open(shownTo shown: Restriction) throws(FileError) -> (Descriptor, FileStatus, Restriction) {
        let (source, status) = try open()
        return (source, status, try StoredVisibility.read(ofOpen: source, at: path, shownTo: shown))
    }

    /// Opens the source and checks the opened descriptor.
    private func open() throws(FileError) -> (Descriptor, FileStatus) {
        do throws(SystemFailure) {
            if let found = try find() { return found }
        } catch {
            // A part of the path is a circular link, or not a folder any more.
            guard error.number == ELOOP || error.number == ENOTDIR else { throw .reading(DisplayText(path), error) }
        }
        throw FileError(
            .sourceChanged,
            "“\(DisplayText(path))” is not what it was when it was named: something else has its place.")
    }

    /// - Returns: nil if the path leads to another file or folder.
    private func find() throws(SystemFailure) -> (Descriptor, FileStatus)? {
        let storage = KernelStorage()
        guard try storage.resolve(path) == resolved else { return nil }
        let folder = try Self.openFolder(above: resolved)
        let above = try folder.status()
        guard above.identity == parent, !Self.differ(parentBirth, storage.birth(of: folder)) else { return nil }
        // Another user who may write there could put any file of the owner in its place.
        let mayBeReplaced = !isFolder && above.isWritable(onlyBy: [owner])
        // Checked before opening, which can have effects on a device, and after, since it may be another file by then.
        let before = try folder.status(of: Self.lastName(of: resolved))
        guard isAlike(before), before.identity == identity || mayBeReplaced else { return nil }
        let source = try storage.openFile(Self.lastName(of: resolved), in: folder)
        let status = try source.status()
        guard isAlike(status) else { return nil }
        let isItself =
            status.identity == identity && !Self.differ(generation, storage.generation(of: source))
            && !Self.differ(birth, storage.birth(of: source))
        // Another name of a file could be in a folder that only its owner can enter.
        let isReplacement = mayBeReplaced && status.links == 1 && !isNarrower(status)
        return isItself || isReplacement ? (source, status) : nil
    }

    private func isAlike(_ status: FileStatus) -> Bool {
        status.kind == (isFolder ? .folder : .file) && status.owner == owner
    }

    /// True if fewer may read a file than the one that was held.
    private func isNarrower(_ status: FileStatus) -> Bool { (mode ?? 0) & 0o044 & ~status.mode != 0 }

    /// True if both are known and not the same.
    private static func differ<Part: Equatable>(_ one: Part?, _ other: Part?) -> Bool {
        if let one, let other { one != other } else { false }
    }

    /// Opens the folder of an absolute path, for looking up names.
    private static func openFolder(above path: [CChar]) throws(SystemFailure) -> Descriptor {
        let end = path.lastIndex(of: CChar(UInt8(ascii: "/"))) ?? 0
        let number = retrying { Glibc.open(Array(path[...end]) + [0], __O_PATH | O_DIRECTORY | O_CLOEXEC) }
        guard number >= 0 else { throw .last }
        return Descriptor(owning: number)
    }

    /// Returns the last component of an absolute path, with a closing NUL; `.` for the root.
    private static func lastName(of path: [CChar]) -> [CChar] {
        let name = path.suffix(from: (path.lastIndex(of: CChar(UInt8(ascii: "/"))) ?? 0) + 1)
        return name.count > 1 ? Array(name) : [CChar(UInt8(ascii: ".")), 0]
    }
}
