import Glibc
import PortolanFiles
import PortolanSyncPlan

/// Finds entries of the agreed tree on the disk.
struct EntryPlaces {
    let index: StoredIndex
    let root: Descriptor
    let control: ControlFolder
    let device: UInt64
    private let opened = OpenedFolders()

    private var storage: any Storage { control.storage }

    /// An open folder, and the name of an entry in it.
    struct EntryPlace {
        var folder: Descriptor
        /// Inode of the folder.
        var inode: UInt64
        var name: String

        var file: FilePlace { FilePlace(folder: inode, name: SyncName(name)) }
    }

    /// A held folder, and its inode.
    private typealias OpenedFolder = (descriptor: Descriptor, inode: UInt64, path: [SyncName])

    /// Folders that were found in their places. They are held, and not looked up again.
    private final class OpenedFolders {
        private static let most = 64
        private var folders: [EntryID: OpenedFolder] = [:]

        subscript(_ folder: EntryID) -> OpenedFolder? {
            get { folders[folder] }
            set {
                if folders.count >= Self.most { folders = [:] }
                folders[folder] = newValue
            }
        }
    }

    /// Opens the folder of an entry, if it and all its parents are where the index has them.
    func open(_ folder: EntryID) throws(StepRefusal) -> Descriptor { try find(folder).descriptor }

    private func find(_ folder: EntryID) throws(StepRefusal) -> OpenedFolder {
        if let known = opened[folder] { return known }
        var way: [AgreedEntry] = []
        var next = folder
        while next != .root, next != .parking {
            guard way.count < FolderScan.maximumDepth, let entry = index.entry(next), entry.kind == .folder else {
                throw .outdated
            }
            way.append(entry)
            next = entry.parent
        }
        var descriptor = next == .root ? root : control.staging
        do throws(SystemFailure) {
            var inode = try storage.status(of: descriptor).identity.inode
            for entry in way.reversed() {
                let name = entry.parent == .parking ? try parkedName(entry.handle) : entry.name.text
                guard let name else { throw SystemFailure(ENOENT) }
                descriptor = try storage.openFolder(name, in: descriptor)
                let identity = try storage.status(of: descriptor).identity
                guard identity.inode == entry.handle.number, identity.device == device,
                    storage.generation(of: descriptor) == entry.handle.generation
                else { throw SystemFailure(ENOENT) }
                // Files of the program are changed by nobody, also where they were synchronized before.
                guard !control.leavesOut(entry.name, identity) else { throw SystemFailure(EPERM) }
                inode = identity.inode
            }
            let found = (descriptor, inode, way.reversed().map(\.name))
            opened[folder] = found
            return found
        } catch { throw StepRefusal(error) }
    }

    /// Returns the names from the shared folder down to one.
    func path(of folder: EntryID) throws(StepRefusal) -> [SyncName] {
        folder == .parking ? [] : try find(folder).path
    }

    /// Returns the place of an entry.
    func place(of seen: Expectation) throws(StepRefusal) -> EntryPlace {
        let (folder, inode, _) = try find(seen.parent)
        do throws(SystemFailure) {
            let name = seen.parent == .parking ? try parkedName(seen.handle) : seen.name.text
            guard let name else { throw SystemFailure(ENOENT) }
            return EntryPlace(folder: folder, inode: inode, name: name)
        } catch { throw StepRefusal(error) }
    }

    /// Returns a place whose name is free, by the index, and possible for a file.
    ///
    /// - Parameter entry: the entry that moves there.
    func place(_ target: StepTarget, for entry: EntryID?) throws(StepRefusal) -> EntryPlace {
        guard let name = try? FileName(target.name.text), target.parent != .parking,
            !ControlFolder.isReserved(target.name)
        else { throw .name }
        if let occupant = index.entry(in: target.parent, occupying: target.name), occupant != entry { throw .outdated }
        let (folder, inode, _) = try find(target.parent)
        return EntryPlace(folder: folder, inode: inode, name: name.text)
    }

    /// Number of names in the path of a folder.
    func depth(of folder: EntryID) -> Int { index.path(of: folder)?.count ?? 0 }

    /// Returns the name in the staging folder of the item with a handle; nil if there is none.
    func parkedName(_ handle: FileHandleID) throws(SystemFailure) -> String? {
        for name in try storage.names(in: control.staging) {
            let inode = try storage.status(of: name, in: control.staging).identity.inode
            if inode == handle.number { return name }
        }
        return nil
    }
}
