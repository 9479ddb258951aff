import CPortolanLinux
import Glibc
import PortolanTrust
import Synchronization

/// An item on its way in: hidden in the inbox, checked entry by entry, and visible only as a whole.
///
/// Every entry is checked against the rules of a tree before anything is done: entries are numbered without gaps, a parent
/// is a folder that came before, no name comes twice in a folder, links stay inside, bytes follow one another and are as many
/// as announced. What breaks a rule throws ``FileError/Kind/malformedTree``, and nothing of the item has been visible. Files are
/// made below held descriptors; a link is never followed.
///
/// ```swift
/// let partial = try inbox.newPartial()
/// try partial.add(entry)
/// try partial.write(0, at: 0, bytes)
/// try partial.finish(0, size: UInt64(bytes.count))
/// let stored = try partial.publish(as: name)
/// ```
///
/// Calls block. They may come from any thread; entries and bytes must come in their order. A partial that is dropped without
/// having been published removes itself.
package final class PartialItem: Sendable {
    /// How many files may be unfinished at a time.
    package static let maximumOpenFiles = 64

    /// Who may see it; kept with each file and folder.
    package let restriction: Restriction
    let workspace: Workspace
    let inbox: Descriptor
    let inboxPath: String
    let inMemory: Bool
    let state: Mutex<State>

    struct State: Sendable {
        var isOpen = true
        /// Set when something could not be stored; from then on nothing can.
        var failure: FileError?
        var nextIndex: UInt64 = 0
        var rootIdentity: FileIdentity?
        var rootIsFolder = false
        var folders: FolderTable
        var files: [UInt32: PartialFile] = [:]
        var unsynced = UnsyncedFiles()
        var stored: UInt64 = 0
        var bytes: UInt64 = 0
        var report = FidelityReport()
    }

    init(workspace: Workspace, inbox: Descriptor, inboxPath: String, restriction: Restriction) {
        self.workspace = workspace
        self.inbox = inbox
        self.inboxPath = inboxPath
        self.restriction = restriction
        inMemory = portolan_is_in_memory(workspace.folder.number) != 0
        state = Mutex(State(folders: FolderTable(features: workspace.features)))
    }

    deinit { discard() }

    /// What could not be kept so far.
    package var report: FidelityReport { state.withLock(\.report) }

    /// The next entry: makes the file, folder or link.
    ///
    /// A file needs ``finish(_:size:)`` after its bytes, an empty one too.
    package func add(_ entry: TreeEntry) throws(FileError) {
        try change { state throws(FileError) in
            let parent = try self.parent(of: entry, state)
            state.nextIndex += 1
            let directory: Descriptor
            if let parent { directory = try state.folders.folder(at: parent) } else { directory = workspace.folder }
            let name = parent == nil ? Workspace.itemName : entry.name.text
            do throws(SystemFailure) {
                try make(entry, named: name, in: directory, parent: parent, &state)
            } catch {
                if error.number == EEXIST, parent != nil {
                    throw .malformed("two entries called “\(entry.name)” in one folder")
                }
                throw .storing(DisplayText(entry.name.text), error)
            }
        }
    }

    /// The next bytes of a file.
    ///
    /// - Parameter offset: where they belong, in bytes; they must follow those before.
    package func write(_ entry: UInt32, at offset: UInt64, _ bytes: UnsafeRawBufferPointer) throws(FileError) {
        let (file, writeback) = try change { state throws(FileError) -> (PartialFile, Range<UInt64>?) in
            guard var file = state.files.removeValue(forKey: entry) else {
                throw .malformed("bytes for entry \(entry), which is no unfinished file")
            }
            defer { state.files[entry] = file }
            try file.take(bytes.count, at: offset)
            return (file, inMemory ? nil : file.nextWriteback())
        }
        // Outside the lock, so that other files can be written meanwhile.
        do throws(SystemFailure) {
            try file.descriptor.write(bytes, at: offset)
        } catch {
            let failure = FileError.storing(DisplayText(file.name.text), error)
            state.withLock { $0.failure = $0.failure ?? failure }
            throw failure
        }
        if let writeback {
            _ = portolan_start_writeback(
                file.descriptor.number, Int64(writeback.lowerBound), Int64(writeback.count))
        }
    }

    /// The file has all its bytes.
    ///
    /// - Parameter size: how many the sender says there are.
    package func finish(_ entry: UInt32, size: UInt64) throws(FileError) {
        try change { state throws(FileError) in
            guard let file = state.files.removeValue(forKey: entry) else {
                throw .malformed("the end of entry \(entry), which is no unfinished file")
            }
            guard file.taken == size, file.announced ?? size == size else {
                let promised = file.announced ?? size
                throw .malformed(
                    "\(file.taken) bytes of “\(file.name)”, where \(promised) were announced and \(size) claimed")
            }
            setModified(file.descriptor, file.modified, of: file.folder, file.name, &state)
            state.unsynced.add(file.descriptor)
            state.stored += 1
            state.bytes += size
        }
    }

    /// Leaves out a file of a folder that the sender could not read to its end; what came of it is removed.
    package func leaveOut(_ entry: UInt32, because reason: Omission.Reason) throws(FileError) {
        try change { state throws(FileError) in
            guard let file = state.files.removeValue(forKey: entry) else {
                throw .malformed("the end of entry \(entry), which is no unfinished file")
            }
            guard let folder = file.folder else {
                throw FileError(
                    .sourceChanged, "The other side could not read “\(file.name)” to its end; ask for it again.")
            }
            let directory = try state.folders.folder(at: folder)
            guard unlinkat(directory.number, file.name.text, 0) == 0 else {
                throw .storing(DisplayText(file.name.text), .last)
            }
            let path = state.folders.path(of: file.name, in: folder)
            state.report.add(Omission(path: path, reason: reason))
        }
    }

    /// Removes everything that was received; does nothing after ``publish(as:)``.
    package func discard() {
        let wasOpen = state.withLock { state in
            defer { state.isOpen = false }
            state.files = [:]
            return state.isOpen
        }
        if wasOpen { workspace.remove() }
    }

    /// Runs one step; a step that throws is the item's last.
    func change<Result: Sendable>(
        _ step: (inout State) throws(FileError) -> Result
    ) throws(FileError) -> Result {
        try state.withLock { state throws(FileError) in
            if let failure = state.failure { throw failure }
            guard state.isOpen else { throw FileError.stopped }
            do throws(FileError) {
                return try step(&state)
            } catch {
                state.failure = error
                throw error
            }
        }
    }
}

extension PartialItem {
    /// Where the entry's folder stands; nil for the item itself.
    private func parent(of entry: TreeEntry, _ state: borrowing State) throws(FileError) -> Int? {
        guard entry.index == state.nextIndex else {
            throw .malformed("entry \(entry.index), where \(state.nextIndex) was next")
        }
        if entry.index == 0 {
            guard entry.parent == 0 else { throw .malformed("an item inside something") }
            if case .symbolicLink = entry.kind { throw .malformed("an item that is a symbolic link") }
            return nil
        }
        guard let parent = state.folders.position(of: entry.parent) else {
            throw .malformed("“\(entry.name)” inside entry \(entry.parent), which is no folder")
        }
        let depth = Int(state.folders.folders[parent].depth)
        switch entry.kind {
        case .folder where depth >= TreeEntry.maximumDepth:
            throw .malformed("more than \(TreeEntry.maximumDepth) folders inside one another")
        case .symbolicLink(let target) where !target.staysInside(fromDepth: depth):
            throw .malformed("a symbolic link “\(entry.name)” that leads out of it")
        case .file where state.files.count >= Self.maximumOpenFiles:
            throw .malformed("more than \(Self.maximumOpenFiles) unfinished files")
        case .hardLink: throw .malformed("a hard link “\(entry.name)”, which nobody asked for")
        default: return parent
        }
    }

    private func make(
        _ entry: TreeEntry, named name: String, in directory: Descriptor, parent: Int?, _ state: inout State
    ) throws(SystemFailure) {
        switch entry.kind {
        case .file(let size):
            let file = try Beneath.open(
                name, in: directory, O_WRONLY | O_CREAT | O_EXCL, mode: KeptPermissions.ofFile(entry.permissions),
                features: workspace.features)
            if parent == nil { state.rootIdentity = try file.status().identity }
            try StoredVisibility.keep(restriction, on: file)
            if let size { try file.reserve(size, inMemory: inMemory) }
            state.files[entry.index] = PartialFile(descriptor: file, entry: entry, folder: parent, announced: size)
        case .folder:
            guard mkdirat(directory.number, name, KeptPermissions.ofFolder(entry.permissions)) == 0 else { throw .last }
            let folder = try openMade(name, in: directory)
            if parent == nil {
                state.rootIdentity = try folder.status().identity
                state.rootIsFolder = true
            }
            try StoredVisibility.keep(restriction, on: folder)
            try state.folders.add(entry, in: parent, folder)
            state.stored += 1
        case .symbolicLink(let target):
            try link(entry, to: target, in: directory, parent: parent, &state)
        case .hardLink: preconditionFailure("a hard link that was not refused")
        }
    }

    /// Opens the folder that was just made.
    private func openMade(_ name: String, in directory: Descriptor) throws(SystemFailure) -> Descriptor {
        do throws(SystemFailure) {
            return try Beneath.open(name, in: directory, O_RDONLY | O_DIRECTORY, features: workspace.features)
        } catch {
            // Gone already: somebody moved it away, which is the same trouble as something else in its place.
            throw error.number == ENOENT ? SystemFailure(ELOOP) : error
        }
    }

    private func link(
        _ entry: TreeEntry, to target: LinkTarget, in directory: Descriptor, parent: Int?, _ state: inout State
    ) throws(SystemFailure) {
        guard symlinkat(target.text, directory.number, entry.name.text) == 0 else {
            guard errno == EPERM || errno == ENOTSUP || errno == ENOSYS else { throw .last }
            let path = state.folders.path(of: entry.name, in: parent)
            state.report.add(Omission(path: path, reason: .linksUnsupported))
            return
        }
        let times = [timespec(tv_sec: 0, tv_nsec: FileTime.omitted), entry.modified.timespec]
        if utimensat(directory.number, entry.name.text, times, AT_SYMLINK_NOFOLLOW) != 0 {
            let path = state.folders.path(of: entry.name, in: parent)
            state.report.add(Omission(path: path, reason: .modificationTime))
        }
        state.stored += 1
    }

    func setModified(
        _ descriptor: Descriptor, _ time: FileTime, of folder: Int?, _ name: FileName?, _ state: inout State
    ) {
        do throws(SystemFailure) {
            try descriptor.setModified(time)
        } catch {
            let path = state.folders.path(of: name, in: folder)
            state.report.add(Omission(path: path, reason: .modificationTime))
        }
    }
}
