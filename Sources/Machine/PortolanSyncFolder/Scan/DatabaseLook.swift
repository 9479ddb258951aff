import Glibc
import PortolanCrypto
import PortolanFiles
import PortolanSyncPlan

/// Databases: a file and those beside it are one content, which is the snapshot of its pages.
extension FileLook {
    /// Receiver of the bytes of a snapshot. A reading that failed begins anew.
    struct SnapshotSink {
        var begin: () throws(SystemFailure) -> Void = {}
        var take: (UnsafeRawBufferPointer) throws(SystemFailure) -> Void = { _ in }
    }

    /// Reads the state of a database.
    ///
    /// - Parameters:
    ///   - isHeld: true if the caller sees to it that nobody writes.
    ///   - known: earlier state, whose time stays while the content is the same.
    /// - Returns: nil for a file that is none.
    func readDatabase(
        _ name: String, in folder: Descriptor, isHeld: Bool = false, known: KnownFile? = nil,
        into sink: SnapshotSink = SnapshotSink()
    ) throws(SystemFailure) -> Outcome? {
        let file = try storage.openFile(name, in: folder)
        guard let stamp = FileStatusStamp(try storage.status(of: file)), stamp.kind == .file else { return .gone }
        let time = now()
        let companions = DatabaseCompanions(name, in: folder, storage, now: time)
        let reading = try DatabaseSnapshot.read(name, in: folder, by: storage, isHeld: isHeld) {
            (snapshot) throws(SystemFailure) -> (digest: ContentDigest, size: UInt64, modified: FileTime) in
            var digester = ContentDigester()
            try sink.begin()
            try snapshot.pass { (piece) throws(SystemFailure) in
                digester.update(piece)
                try sink.take(piece)
            }
            return (Self.digest(digester), snapshot.size, snapshot.modified)
        }
        switch reading {
        case .otherFile: return nil
        case .busy: return .busyDatabase
        case .done(let content):
            let extended = try extended(of: file)
            let form = ContentForm(
                content.digest, attributes: Self.attributes(stamp.mode), extended: extended.attributes)
            let isSame = known?.form?.digest == content.digest
            let written = ModificationTime(content.modified.seconds, content.modified.nanoseconds)
            return .known(
                KnownFile(
                    stamp: stamp, generation: storage.generation(of: file),
                    isRacy: stamp.isRacy(at: time) || companions.isRacy, form: form,
                    lacksAttributes: extended.lacks,
                    database: DatabaseState(
                        size: content.size, time: (isSame ? known?.database?.time : nil) ?? written,
                        companions: companions.fingerprint)))
        }
    }

    /// True if a file begins as a database does.
    func isDatabase(_ file: Descriptor) throws(SystemFailure) -> Bool {
        let bytes = try storage.read(file, at: 0, count: DatabaseHeader.bytes)
        return bytes.withUnsafeBytes { DatabaseHeader($0) } != nil
    }

    /// True for a name of a file that belongs to a database in the folder. A database that is being made is empty.
    ///
    /// - Parameter own: files of the program, among which are databases that it has open itself: they are not opened
    ///   here, since closing them would end the locks on them.
    func isOfDatabase(_ name: String, in folder: Descriptor, without own: OwnFiles) -> Bool {
        guard let owner = DatabaseFiles.owner(of: name), let status = try? storage.status(of: owner, in: folder),
            status.kind == .file
        else { return false }
        if status.size == 0 || own.contains(status.identity) { return true }
        guard let file = try? storage.openFile(owner, in: folder) else { return false }
        return (try? isDatabase(file)) == true
    }

    /// True if a database has a log or a journal, which would count for another file of its name.
    func hasCompanions(_ name: String, in folder: Descriptor) -> Bool {
        [DatabaseFiles.log, DatabaseFiles.journal].contains {
            (try? storage.status(of: name + $0, in: folder)) != nil
        }
    }
}

extension FileLook.Outcome? {
    fileprivate var isBusy: Bool { if case .busyDatabase = self { true } else { false } }
}

extension FolderScan {
    /// True for a file that belongs to a database, and goes with it.
    func isOfDatabase(_ name: SyncName, _ level: Level) -> Bool {
        !level.isParked && look.isOfDatabase(name.text, in: level.descriptor, without: control.own)
    }

    /// Reads a database into a snapshot; without one if the disk has no room for it.
    private func keepingSnapshot(
        _ body: (FileLook.SnapshotSink) throws(SystemFailure) -> FileLook.Outcome?
    ) throws(SystemFailure) -> FileLook.Outcome? {
        do throws(SystemFailure) {
            return try control.keepingSnapshot(body)
        } catch {
            guard error.isFull else { throw error }
            return try body(FileLook.SnapshotSink())
        }
    }

    /// True if the files beside a database are as they were, or it is none.
    func isSame(_ database: DatabaseState?, _ name: SyncName, _ level: Level) -> Bool {
        guard let database else { return true }
        let companions = DatabaseCompanions(name.text, in: level.descriptor, storage, now: look.now())
        return companions.fingerprint == database.companions
    }

    /// Reads a database, and keeps its snapshot if others change it now.
    mutating func readDatabase(
        _ name: SyncName, _ level: Level, _ handle: FileHandleID, _ known: KnownFile?
    ) throws(SystemFailure) -> FileLook.Outcome {
        let begun = ContinuousClock.now
        let companions = DatabaseCompanions(name.text, in: level.descriptor, storage, now: look.now())
        let outcome: FileLook.Outcome?
        if !level.isParked, companions.isFilled || companions.isRacy {
            outcome = try keepingSnapshot { (sink) throws(SystemFailure) in
                try look.readDatabase(name.text, in: level.descriptor, known: known, into: sink)
            }
        } else {
            outcome = try look.readDatabase(name.text, in: level.descriptor, known: known)
        }
        unsettled.noteReading(
            ofDatabase: handle, took: ContinuousClock.now - begun, isRetried: outcome.isBusy, in: level.path,
            at: look.now())
        // Another file has taken its place.
        return outcome ?? .gone
    }
}
