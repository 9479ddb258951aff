import Glibc
import PortolanValues
import Synchronization

/// Folder of a source, while any of its entries may be opened.
///
/// The folder is open while the walk is in it and for a while after. Later it is opened again from the item down, by
/// its earlier names, and used only if it is the same folder.
final class SourceFolder: Sendable {
    let item: SourceItem
    /// Path below the item, with a closing `/`; empty for the item itself.
    let path: String
    /// Restriction of the folder, combined with those of the folders above it and of the item.
    let restriction: Restriction
    private let parent: SourceFolder?
    private let name: FileName
    private let identity: FileIdentity
    private let held: Mutex<Descriptor?>
    private let watched: WatchedRestriction

    init(
        _ folder: Descriptor, _ identity: FileIdentity, of item: SourceItem, at place: SourcePlace, name: FileName,
        for restriction: Restriction
    ) {
        self.item = item
        self.name = name
        self.restriction = restriction
        watched = WatchedRestriction(restriction, for: item.view.markLifetime)
        self.identity = identity
        held = Mutex(folder)
        switch place {
        case .item, .content:
            parent = nil
            path = ""
        case .below(let folder, _):
            parent = folder
            path = folder.path + name.text + "/"
        }
    }

    /// Returns the restriction of the folder, narrowed by marks that were added to it, a folder above it or the item
    /// since the walk entered it.
    ///
    /// - Throws: ``FileError`` if the marks cannot be read. The marks of a folder that was moved away count as
    ///   unchanged.
    func currentRestriction() throws(FileError) -> Restriction {
        try watched.value { () throws(FileError) in
            let above =
                if let parent { try parent.currentRestriction() } else { try item.currentRestriction() }
            do throws(SystemFailure) {
                return above.and(try StoredVisibility.read(descriptor(), by: item.storage))
            } catch {
                if error.reason == .missing || error.reason == .inTheWay { return above }
                throw .reading(DisplayText("\(item.path)/\(path)", limit: 1024), error)
            }
        }
    }

    /// - Throws: ELOOP if another entry has its place.
    func descriptor() throws(SystemFailure) -> Descriptor {
        if let held = held.withLock({ $0 }) { return held }
        // The item itself is open as long as any of its folders.
        guard let parent else { preconditionFailure("an item that was let go") }
        let above = try parent.descriptor()
        let folder = try item.storage.openFolder(name.text, in: above)
        guard try item.storage.status(of: folder).identity == identity else { throw SystemFailure(ELOOP) }
        held.withLock { $0 = folder }
        item.recent.keep(self)
        return folder
    }

    /// Closes the folder as soon as it is unused.
    func letGo() {
        if parent != nil { held.withLock { $0 = nil } }
    }
}

/// Keeps recently left folders open, since a receiver mostly asks for recently announced files.
final class RecentFolders: Sendable {
    /// Most open folders; a process may have few open files, and each level of the walk already has one.
    static let maximum = 32

    private struct State {
        var folders: [SourceFolder] = []
        var oldest = 0
        var isClosed = false
    }

    private let state = Mutex(State())

    func keep(_ folder: SourceFolder) {
        let left: SourceFolder? = state.withLock { state in
            if state.isClosed { return folder }
            if state.folders.count < Self.maximum {
                state.folders.append(folder)
                return nil
            }
            defer {
                state.folders[state.oldest] = folder
                state.oldest = (state.oldest + 1) % Self.maximum
            }
            return state.folders[state.oldest]
        }
        left?.letGo()
    }

    /// Releases all folders, and each that is added later.
    func close() {
        let folders = state.withLock { state in
            defer { state = State(isClosed: true) }
            return state.folders
        }
        for folder in folders { folder.letGo() }
    }
}
