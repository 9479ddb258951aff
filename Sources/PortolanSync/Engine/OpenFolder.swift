import Glibc
import PortolanFiles
import PortolanSyncModel

/// The open shared folder, which matches its index.
struct OpenFolder: Sendable {
    let root: Descriptor
    let handle: FileHandleID
    let device: UInt64
    let control: ControlFolder

    /// Writes the marker. On a full disk, contents that have come in part are removed: they come again.
    func write(_ marker: Marker) throws(SyncError) {
        do throws(SyncError) {
            try control.write(marker)
        } catch {
            guard error.isFull else { throw error }
            try? ContentStager(control: control, look: FileLook(storage: control.storage, now: { .now }))
                .removeParts(except: [])
            try control.write(marker)
        }
    }
}

/// Outcome of opening a folder.
enum FolderOpenResult {
    case open(OpenFolder, newEpoch: ReplicaStart.Reason?)
    case halted(ReplicaStart.Stop)
}

/// Decides if a folder and an index belong together, and begins a new epoch otherwise.
struct FolderOpener {
    let path: String
    let device: DeviceID
    let index: FolderIndex
    let storage: any Storage
    var own = OwnFiles.none
    var now: @Sendable () -> FileTime = { .now }

    /// - Parameter startsOver: true if a person has confirmed the state of the folder against the index.
    func open(startsOver: Bool = false) throws(SyncError) -> FolderOpenResult {
        guard let root = try openRoot() else { return .halted(.rootMissing) }
        try confirmNotOwn(root)
        let status: FileStatus
        let isEmpty: Bool
        do throws(SystemFailure) {
            status = try storage.status(of: root)
            isEmpty = try self.isEmpty(root)
        } catch { throw .folder(error, "read the folder") }
        let handle = FileHandleID(status.identity.inode, generation: storage.generation(of: root))
        let fileSystem = storage.fileSystem(of: root)
        let marker = try ControlFolder.marker(in: root, storage)
        let identity = try index.identity()
        let known = identity.flatMap { $0.device == device ? $0 : nil }
        let isSame = known == nil || known?.fileSystem == 0 || fileSystem == 0 || known?.fileSystem == fileSystem
        var opening = ReplicaStart.decide(
            database: known?.marker, marker: marker, isEmpty: isEmpty, isSameFileSystem: isSame,
            hasEntries: known?.hasEntries ?? false)
        if startsOver, case .halts = opening { opening = .newEpoch(.databaseForeign) }
        switch opening {
        case .halts(let stop): return .halted(stop)
        case .newEpoch(let reason):
            let folder = try folder(root, handle, status)
            try begin(folder)
            return .open(folder, newEpoch: reason)
        case .goesOn:
            let folder = try folder(root, handle, status)
            if let own = known?.marker, own != marker { try folder.write(own) }
            try index.transact { index in
                guard var entry = index.entry(.root), entry.handle != handle else { return }
                entry.handle = handle
                index.set(entry)
            }
            return .open(folder, newEpoch: nil)
        }
    }

    /// Begins an epoch, in which a missing file is unknown, not deleted.
    ///
    /// - Parameter begun: time when the latest known epoch began, in nanoseconds since 1970.
    func begin(_ folder: OpenFolder, after begun: UInt64 = 0) throws(SyncError) {
        let epoch = UInt64.random(in: 1 ... .max)
        let now = now()
        let time = UInt64(min(max(now.seconds, 0), 9_000_000_000)) * 1_000_000_000 + UInt64(now.nanoseconds)
        try index.begin(
            ReplicaID(device: device, epoch: epoch), at: max(time, begun + 1),
            fileSystem: storage.fileSystem(of: folder.root), root: folder.handle)
        try folder.write(Marker(epoch: epoch, generation: 0))
    }

    /// True if the path still leads to this folder.
    func isStill(_ folder: OpenFolder) throws(SyncError) -> Bool {
        guard let root = try openRoot() else { return false }
        do throws(SystemFailure) {
            let identity = try storage.status(of: root).identity
            return identity.inode == folder.handle.number && identity.device == folder.device
        } catch { throw .folder(error, "read the folder") }
    }

    private func openRoot() throws(SyncError) -> Descriptor? {
        do throws(SystemFailure) {
            let root = try storage.open(path: path)
            guard try storage.status(of: root).kind == .folder else { return nil }
            return root
        } catch {
            if [ENOENT, ENOTDIR, ESTALE, ENODEV].contains(error.number) { return nil }
            throw .folder(error, "open the folder")
        }
    }

    private func confirmNotOwn(_ root: Descriptor) throws(SyncError) {
        guard own.hold(root, lent: true) else { return }
        throw SyncError(
            .folder(SystemFailure(EPERM)),
            "The folder is among the program's own files, which are kept alike with nobody.")
    }

    /// True if the folder contains only the control folder.
    func isEmpty(_ root: Descriptor) throws(SystemFailure) -> Bool {
        var reader = DirectoryReader(try storage.openFolder(".", in: root), by: storage)
        let buffer = DirectoryReader.Buffer()
        while !reader.isAtEnd {
            for entry in try reader.next(1, through: buffer) where !entry.name.elementsEqual(ControlFolder.name.utf8) {
                return false
            }
        }
        return true
    }

    private func folder(
        _ root: Descriptor, _ handle: FileHandleID, _ status: FileStatus
    ) throws(SyncError) -> OpenFolder {
        let control = try ControlFolder(in: root, storage, without: own)
        let other = try? storage.status(of: ControlFolder.name.uppercased(), in: root)
        let own = try? storage.status(of: ControlFolder.name, in: root)
        index.use(NameRules(ignoresCase: other != nil && other?.identity == own?.identity))
        return OpenFolder(root: root, handle: handle, device: status.identity.device, control: control)
    }
}
