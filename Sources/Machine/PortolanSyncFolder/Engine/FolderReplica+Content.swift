import Glibc
import PortolanConcurrency
import PortolanFiles
import PortolanSyncPlan

/// Content of this folder's files, for other members and for equal files of the folder itself.
extension FolderReplica: ContentProvider {
    /// Returns content of the folder or its history. The file is digested again, so that it matches when it is opened.
    ///
    /// Runs beside a synchronization.
    package func content(_ digest: ContentDigest) async throws -> (any ContentSource)? {
        try await Self.threads.run { try self.openContent(digest) }
    }

    /// Returns the contents among these that are here and may go to members, for sending.
    package func sources(of contents: [(digest: ContentDigest, size: UInt64)]) async throws -> [SourceContent] {
        try await Self.threads.run {
            try contents.compactMap { digest, size in
                try Task.checkCancellation()
                guard try self.openContent(digest) != nil else { return nil }
                return SourceContent(
                    name: .sanitised(fromLocal: Array(ArrivingContents.name(of: digest).utf8)), size: size
                ) { try? self.openFile(of: digest) }
            }
        }
    }

    /// Opens content for sending: a file, or a copy of a link's target. Blocks.
    private func openFile(of digest: ContentDigest) throws -> Descriptor? {
        switch try openContent(digest) {
        case .file(let file, _): return file
        case .link(let target):
            guard let folder else { return nil }
            let name = ControlFolder.newPartName()
            let file = try storage.makeFile(name, in: folder.control.staging, mode: 0o600)
            try storage.remove(name, in: folder.control.staging)
            try storage.write(target, to: file, at: 0)
            return file
        case .part, nil: return nil
        }
    }

    /// Returns content, on a thread that may block.
    func openContent(_ digest: ContentDigest) throws -> StoredContent? { try openContents(of: [digest])[0] }

    /// Returns the content of each digest, in one look at the index; nil where it is not here. Blocks.
    func openContents(of digests: [ContentDigest]) throws -> [StoredContent?] {
        guard let folder else { return digests.map { _ in nil } }
        var databases: [Int: DatabasePlace] = [:]
        var contents = try index.read { index in
            let places = EntryPlaces(
                index: index, root: folder.root, control: folder.control, device: folder.device)
            return digests.enumerated().map { position, digest in
                content(digest, at: places, folder) { databases[position] = $0 }
            }
        }
        // Making a snapshot takes longer than a look at the index may.
        for (position, place) in databases {
            contents[position] = snapshot(digests[position], of: place, folder).map { .file($0, storage) }
        }
        return contents
    }

    /// - Parameter isOfDatabase: called for the content of a database, which is not that of its file.
    private func content(
        _ digest: ContentDigest, at places: EntryPlaces, _ folder: OpenFolder,
        isOfDatabase: (DatabasePlace) -> Void
    ) -> StoredContent? {
        let index = places.index
        for id in index.entries(with: digest) {
            guard let entry = index.entry(id), let parent = try? places.open(entry.parent) else { continue }
            let name = entry.parent == .parking ? try? places.parkedName(entry.handle) : entry.name.text
            if let name, let place = database(name, entry, in: parent, index) {
                isOfDatabase(place)
                return nil
            }
            if let name, let source = storedContent(name, in: parent, digest, isOpen: { isOpen($0, for: entry.form) }) {
                return source
            }
        }
        for record in index.history(with: digest) {
            // A kept version with a mark goes to nobody who has come since and may not see it.
            if let source = storedContent(
                record.file, in: folder.control.history, digest, isOpen: { isOpen($0, for: nil) })
            {
                return source
            }
        }
        return nil
    }

    /// Opens a base, if it is in the state of the last scan. A file that was edited since, or that is not announced to
    /// members, is not used: the requests for its difference would reveal its content.
    func earlierVersion(_ base: ContentBase) throws -> EarlierVersion? {
        guard let folder else { return nil }
        let seen = base.file
        var database: DatabasePlace?
        let found = try index.transact { index -> (version: EarlierVersion, isRacy: Bool)? in
            let places = EntryPlaces(
                index: index, root: folder.root, control: folder.control, device: folder.device)
            if let entry = index.entry(seen.entry), entry.form == seen.form, let place = try? places.place(of: seen) {
                database = self.database(place.name, entry, in: place.folder, index)
                if database != nil { return nil }
            }
            guard let place = try? places.place(of: seen), let known = index.file(at: place.file),
                known.handle == seen.handle, known.form == seen.form,
                let version = EarlierVersion(place.name, in: place.folder, known.stamp, storage)
            else { return nil }
            return (version, known.isRacy)
        }
        if let database, let digest = seen.form?.digest {
            return snapshot(digest, of: database, folder).flatMap { EarlierVersion($0, storage) }
        }
        guard let (version, isRacy) = found else { return nil }
        // The stamp of a file that a step has just moved is that after the move: the file may have been edited before.
        if isRacy, !base.isReplaced {
            let look = FileLook(storage: storage, now: now)
            guard let digest = seen.form?.digest, version.hasContent(digest, look) else { return nil }
        }
        return version
    }

    /// Returns a file, or a link if its target has the digest, as content. The reader verifies it.
    ///
    /// - Parameter isOpen: true for an open file that may be read as that content.
    func storedContent(
        _ name: String, in folder: Descriptor, _ digest: ContentDigest, isOpen: (Descriptor) -> Bool = { _ in true }
    ) -> StoredContent? {
        do throws(SystemFailure) {
            let status = try storage.status(of: name, in: folder)
            guard self.folder?.control.own.contains(status.identity) != true else { return nil }
            switch status.kind {
            case .symbolicLink:
                let target = try storage.linkTarget(of: name, in: folder)
                return FileLook.digest(target) == digest ? .link(target) : nil
            case .file:
                let file = try storage.openFile(name, in: folder)
                guard isOpen(file) else { return nil }
                return .file(file, storage)
            default: return nil
            }
        } catch { return nil }
    }

    // MARK: History

    /// Returns replaced and deleted versions of a path, the latest first; those of all paths for nil.
    package func history(of path: String? = nil) async throws -> [HistoryRecord] {
        try await exclusively { replica in try replica.index.transact { $0.history(of: path) } }
    }

    /// Records files that came into the history folder before the process ended.
    func adoptHistory(_ folder: OpenFolder) throws {
        let history = folder.control.history
        let files: [(name: String, status: FileStatus)]
        do throws(SystemFailure) {
            var reader = DirectoryReader(try storage.openFolder(".", in: history), by: storage)
            var found: [(name: String, status: FileStatus)] = []
            for entry in try reader.next(.max, through: DirectoryReader.Buffer()) {
                let name = String(decoding: entry.name, as: UTF8.self)
                found.append((name, try storage.status(of: name, in: history)))
            }
            files = found
        } catch { throw SyncError.folder(error, "read the history of the folder") }
        try index.transact { index in
            for (name, status) in files where !index.hasHistory(name) {
                guard let stamp = FileStatusStamp(status), stamp.kind != .folder else { continue }
                index.add(
                    HistoryRecord(
                        at: self.now().seconds, path: "", kind: stamp.kind, file: name, size: stamp.size, reason: .found
                    ))
            }
        }
    }

    /// Removes versions that are too old, or beyond the size limit.
    func pruneHistory(_ folder: OpenFolder) throws {
        let oldest = now().seconds - settings.historySeconds
        let surplus = try index.transact { $0.surplusHistory(before: oldest, above: self.settings.historyBytes) }
        guard !surplus.isEmpty else { return }
        for record in surplus { try? storage.removeIfPresent(record.file, in: folder.control.history) }
        try index.transact { index in
            for record in surplus { index.removeHistory(record.id) }
            index.forgetRestored(before: oldest)
        }
    }
}

/// Content of a file, which may change at any time: the reader verifies it; or the target of a link.
enum StoredContent: ContentSource {
    case file(Descriptor, any Storage)
    case part(Range<UInt64>, of: Descriptor, any Storage)
    case link([UInt8])

    static let empty = StoredContent.link([])

    func read(at offset: UInt64, count: Int) async throws -> [UInt8] {
        switch self {
        case .file(let file, let storage):
            try await FolderReplica.threads.run { try storage.read(file, at: offset, count: count) }
        case .part(let range, let file, let storage):
            try await FolderReplica.threads.run {
                let start = min(range.lowerBound + offset, range.upperBound)
                return try storage.read(file, at: start, count: min(count, Int(range.upperBound - start)))
            }
        case .link(let target): Array(target.dropFirst(Int(clamping: offset)).prefix(count))
        }
    }
}
