import Glibc
import PortolanValues
import Synchronization

/// File or folder on this machine that is being sent.
///
/// Entries are returned depth first and read one at a time: they are not counted in advance, and memory holds a part of
/// the names of one folder per level. Names are in byte order; those of a folder with more than 16,384 names in several
/// sorted runs, so that the first ones come at once. Folders are open while they are walked and links are never
/// followed, so the walk cannot be diverted out of the item. Entries that cannot be sent are in ``report``; entries
/// that the peer may not see are in ``withheld``, and in no other result or count. Entries whose restriction cannot be
/// read are in both, in the former without a path.
///
/// Calls block and may come from any thread.
package final class SourceTree: Sendable {
    /// Name that is proposed to the receiver.
    package let name: FileName
    package let isFolder: Bool
    /// Size of a file in bytes; nil for a folder, whose size is not known in advance.
    package let size: UInt64?
    /// Bytes of a file's content without holes: the most that is sent, unless the file changes.
    package let contentSize: UInt64?
    /// Restriction of the source, from its attribute (``StoredVisibility``).
    package let restriction: Restriction
    private let item: SourceItem
    private let walk: Mutex<SourceWalk>

    /// Opens the source at a path; a symbolic link is followed.
    ///
    /// - Parameters:
    ///   - shown: restriction of the item, and of each entry without its own.
    ///   - filter: tells whether the receiving peer may see an entry; nil if only the item's visibility to the peer is
    ///     known.
    ///   - disk: file systems of the path.
    /// - Throws: ``FileError/Kind/keptFromOthers`` if the item itself may not be shown to the whole audience; or the
    ///   error of reading it.
    package convenience init(
        path: String, shownTo shown: Restriction = .everyone, filter: SourceFilter? = nil,
        options: SourceOptions = SourceOptions(), on disk: SourceDisk = .local
    ) throws(FileError) {
        let filter = filter ?? { restriction in restriction.allows(shown) }
        try self.init(
            path: path, view: SourceView(of: shown, markLifetime: disk.markLifetime, filter: filter), options: options,
            on: disk)
    }

    convenience init(
        path: String, shownTo shown: Restriction = .everyone, filter: SourceFilter? = nil,
        options: SourceOptions = SourceOptions(), features: KernelFeatures
    ) throws(FileError) {
        try self.init(
            path: path, shownTo: shown, filter: filter, options: options, storage: KernelStorage(features: features))
    }

    /// - Parameters:
    ///   - storage: the disk of the path.
    ///   - markLifetime: time for which a read mark stays valid while its file is sent; nil for the whole transfer.
    convenience init(
        path: String, shownTo shown: Restriction = .everyone, filter: SourceFilter? = nil,
        options: SourceOptions = SourceOptions(), storage: any ReadableStorage, markLifetime: Duration? = nil
    ) throws(FileError) {
        try self.init(
            path: path, shownTo: shown, filter: filter, options: options,
            on: SourceDisk(storage: storage, markLifetime: markLifetime))
    }

    private init(
        path: String, view: SourceView, options: SourceOptions, on disk: SourceDisk
    ) throws(FileError) {
        let storage = disk.storage
        let shownPath = DisplayText(path)
        let root: Descriptor
        let status: FileStatus
        if let held = disk.held {
            (root, status, restriction) = try held.open(shownTo: view.restriction)
        } else {
            // The path may lead to another file at each look.
            (root, status) = try Self.open(path, shownPath, by: storage)
            restriction = try StoredVisibility.read(ofOpen: root, at: path, shownTo: view.restriction)
        }
        guard !disk.own.hold(root) else { throw .own(shownPath) }
        isFolder = status.kind == .folder
        var sent = status.size
        if let sample = options.sample, !isFolder, sample.isBeginning(of: root, status, by: storage) {
            sent = sample.size
        }
        size = isFolder ? nil : sent
        contentSize = isFolder ? nil : storage.contentSize(of: root, status, upTo: sent)
        name = Self.name(of: path, by: storage)
        item = SourceItem(path: path, view: view, storage: storage, own: disk.own)
        walk = try translating(Mutex(try SourceWalk(root, status, size: sent, name: name, of: item, options: options)))
        { (error: SystemFailure) in
            FileError.reading(shownPath, error)
        }
    }

    /// Makes a folder of contents, which is not on the disk.
    ///
    /// - Parameter filter: tells whether the receiving peer may see a content with a mark.
    package init(contents: [SourceContent], name: FileName, filter: @escaping SourceFilter) {
        self.name = name
        isFolder = true
        (size, contentSize, restriction) = (nil, nil, .everyone)
        item = SourceItem(
            path: "", view: SourceView(of: .everyone, markLifetime: .seconds(1), filter: filter),
            storage: KernelStorage(), own: .none)
        walk = Mutex(SourceWalk(contents, name: name, of: item))
    }

    /// Measures a file for its offer in the same way as for sending; a symbolic link is followed.
    ///
    /// - Returns: its bytes of content, as ``contentSize``, its size, and a sample that shows later whether it has only
    ///   grown; nil for a folder.
    /// - Throws: ``FileError`` if there is no such file, or it cannot be read.
    package static func sizes(
        ofFileAt path: String
    ) throws(FileError) -> (content: UInt64, apparent: UInt64, sample: FileSample?)? {
        let storage = KernelStorage()
        let (file, status) = try open(path, DisplayText(path), by: storage)
        guard status.kind != .folder else { return nil }
        let sample = FileSample(of: file, size: status.size, by: storage)
        return (storage.contentSize(of: file, status, upTo: status.size), status.size, sample)
    }

    deinit { item.recent.close() }

    /// Returns the next entry; nil after the last.
    ///
    /// - Throws: ``FileError`` if this process cannot continue; an error of one entry is an omission.
    package func next() throws(FileError) -> SourceEntry? {
        try walk.withLock { walk throws(FileError) in try walk.next() }
    }

    /// Entries that could not be sent so far. The peer may be told of each.
    package var report: FidelityReport { walk.withLock { $0.report } }

    /// Entries that the peer may not see, or whose restriction is unknown. Must not be revealed to the peer.
    package var withheld: WithholdingReport { walk.withLock { $0.withheld } }

    /// Reports a file that could not be read to its end. Later names of it are not hard links to it any more.
    package func leaveOut(_ entry: SourceEntry, because error: FileError) {
        walk.withLock { $0.leaveOut(entry, because: error) }
    }

    /// Reports a file that has grown since it was announced, so that only the announced part was sent.
    package func truncate(_ entry: SourceEntry) { walk.withLock { $0.truncate(entry) } }

    static func open(
        _ path: String, _ shown: DisplayText, by storage: any ReadableStorage
    ) throws(FileError) -> (Descriptor, FileStatus) {
        do throws(SystemFailure) {
            // Checked before opening, which can have effects on a device, and after, since it may be another file by
            // then.
            if try storage.status(ofPath: path).isOrdinary {
                let file = try storage.open(path: path)
                let status = try storage.status(of: file)
                guard status.isOrdinary else { throw SystemFailure(ENOENT) }
                return (file, status)
            }
        } catch {
            throw .reading(shown, error)
        }
        throw FileError(
            .notFileOrFolder, "“\(shown)” is neither a file nor a folder; what comes out of a pipe is sent with “-”.")
    }

    /// Returns the proposed name of a file or folder for a peer: its own name, adapted if peers would refuse it.
    package static func name(of path: String) -> FileName { name(of: path, by: KernelStorage()) }

    private static func name(of path: String, by storage: any ReadableStorage) -> FileName {
        let last = PathText.bytes(of: path).split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? []
        let saysLittle = last.isEmpty || last == Array(".".utf8) || last == Array("..".utf8)
        guard saysLittle, let resolved = try? storage.resolve(path) else { return .sanitised(fromLocal: last) }
        let real = resolved.dropLast().map(UInt8.init(bitPattern:)).split(separator: UInt8(ascii: "/")).last
        return .sanitised(fromLocal: real.map(Array.init) ?? [])
    }
}
