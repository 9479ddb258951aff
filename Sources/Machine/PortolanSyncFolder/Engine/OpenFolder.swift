import Glibc
import PortolanFiles
import PortolanSyncPlan

/// The open shared folder, which matches its index.
struct OpenFolder: Sendable {
    let root: Descriptor
    let identity: RootIdentity
    let device: UInt64
    let control: ControlFolder

    var handle: FileHandleID { identity.handle }

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
    /// The folder that a person chose, for an index that does not know it yet.
    var chosen: RootIdentity?
    var own = OwnFiles.none
    var now: @Sendable () -> FileTime = { .now }

    /// State of the folder at the path, compared with that of the index.
    private struct Look {
        var root: Descriptor
        var status: FileStatus
        var identity: RootIdentity
        var marker: Marker?
        var known: FolderIndex.Identity?
        var opening: ReplicaStart
    }

    /// - Parameter startsOver: true if a person has confirmed the state of the folder against the index.
    func open(startsOver: Bool = false) throws(SyncError) -> FolderOpenResult {
        guard let look = try look(startsOver) else { return .halted(missing) }
        switch look.opening {
        case .halts(let stop): return .halted(stop)
        case .newEpoch(let reason):
            let folder = try folder(look)
            try begin(folder)
            return .open(folder, newEpoch: reason)
        case .goesOn:
            if look.known?.root != look.identity { try index.set(look.identity) }
            let folder = try folder(look)
            if let own = look.known?.marker, own != look.marker { try folder.write(own) }
            return .open(folder, newEpoch: nil)
        }
    }

    /// Reason why the folder is left alone. Nothing is written.
    func stop() throws(SyncError) -> ReplicaStart.Stop? {
        guard let look = try look(false) else { return missing }
        if case .halts(let stop) = look.opening { return stop }
        return nil
    }

    private var missing: ReplicaStart.Stop { SharedRoot.isLink(plainPath) ? .rootIsLink : .rootMissing }

    /// - Returns: nil if there is no folder.
    private func look(_ startsOver: Bool) throws(SyncError) -> Look? {
        guard let root = try openRoot() else { return nil }
        try confirmNotOwn(root)
        let status: FileStatus
        let isEmpty: Bool
        do throws(SystemFailure) {
            status = try storage.status(of: root)
            isEmpty = try self.isEmpty(root)
        } catch { throw .folder(error, "read the folder") }
        let own = RootIdentity(of: root, status, storage)
        let fileSystem = storage.fileSystem(of: root)
        let marker = try ControlFolder.marker(in: root, storage)
        let identity = try index.identity()
        let known = identity.flatMap { $0.device == device ? $0 : nil }
        let isSame = known == nil || known?.fileSystem == 0 || fileSystem == 0 || known?.fileSystem == fileSystem
        let comparison = compare(
            own, with: identity == nil ? chosen : identity?.root, root, isMarked: marker?.epoch == known?.marker.epoch)
        func decide(_ root: ReplicaStart.Root) -> ReplicaStart {
            ReplicaStart.decide(
                database: known?.marker, marker: marker, isEmpty: isEmpty, isSameFileSystem: isSame, root: root,
                hasEntries: known?.hasEntries ?? false)
        }
        var opening = decide(comparison)
        // The index goes on with a restored folder, if it can.
        if startsOver, opening == .halts(.rootRestored) { opening = decide(.same) }
        if startsOver, case .halts = opening { opening = .newEpoch(.databaseForeign) }
        return Look(root: root, status: status, identity: own, marker: marker, known: known, opening: opening)
    }

    /// Begins an epoch, in which a missing file is unknown, not deleted.
    ///
    /// - Parameters:
    ///   - epoch: nil for a random one.
    ///   - begun: time when the latest known epoch began, in nanoseconds since 1970.
    func begin(_ folder: OpenFolder, _ epoch: UInt64? = nil, after begun: UInt64 = 0) throws(SyncError) {
        let epoch = epoch ?? .random(in: 1 ... .max)
        try index.begin(
            ReplicaID(device: device, epoch: epoch), at: time(after: begun),
            fileSystem: storage.fileSystem(of: folder.root), root: folder.handle)
        try index.set(folder.identity)
        try folder.write(Marker(epoch: epoch, generation: 0))
    }

    /// The present time, but after another one, in nanoseconds since 1970.
    func time(after other: UInt64) -> UInt64 {
        let now = now()
        let time = UInt64(min(max(now.seconds, 0), 9_000_000_000)) * 1_000_000_000 + UInt64(now.nanoseconds)
        return max(time, other + 1)
    }

    /// True if the path still leads to this folder.
    func isStill(_ folder: OpenFolder) throws(SyncError) -> Bool {
        guard let root = try openRoot() else { return false }
        do throws(SystemFailure) {
            let identity = try storage.status(of: root).identity
            return identity.inode == folder.handle.number && identity.device == folder.device
        } catch { throw .folder(error, "read the folder") }
    }

    /// The path without slashes at its end, after which a link would be followed.
    private var plainPath: String {
        let end = path.lastIndex { $0 != "/" }
        return end.map { String(path[...$0]) } ?? path
    }

    private func openRoot() throws(SyncError) -> Descriptor? {
        do throws(SystemFailure) {
            return try storage.openFolder(path: plainPath)
        } catch {
            if [ENOENT, ENOTDIR, ELOOP, ESTALE, ENODEV].contains(error.number) { return nil }
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

    private func folder(_ look: Look) throws(SyncError) -> OpenFolder {
        let control = try ControlFolder(in: look.root, storage, without: own)
        let other = try? storage.status(of: ControlFolder.name.uppercased(), in: look.root)
        let named = try? storage.status(of: ControlFolder.name, in: look.root)
        index.use(NameRules(ignoresCase: other != nil && other?.identity == named?.identity))
        return OpenFolder(
            root: look.root, identity: look.identity, device: look.status.identity.device, control: control)
    }
}
