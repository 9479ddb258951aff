import Glibc
import PortolanFiles

/// The folder `.git` of a repository, held open, with what devices write there for each other.
///
/// `portolan` has a folder of each writer, and is kept alike. `portolan-local` is of this device alone.
struct RepositoryFolder {
    static let name = ".git"
    static let shared = "portolan"
    private static let local = "portolan-local"
    static let scratchIndex = "\(name)/\(local)/index"

    let storage: any Storage
    /// Folder above `.git`.
    let above: Descriptor
    /// `.git` itself.
    let git: Descriptor

    /// - Returns: nil if there is no folder of this name.
    init?(in above: Descriptor, _ storage: any Storage) throws(RepositoryRefusal) {
        self.storage = storage
        self.above = above
        do throws(SystemFailure) {
            git = try storage.openFolder(Self.name, in: above)
        } catch {
            switch error.number {
            case ENOENT: return nil
            case ENOTDIR, ELOOP: throw .leftAlone(.file)
            default: throw .failure(error)
            }
        }
    }

    /// Does something on the disk.
    func disk<Result>(_ body: () throws(SystemFailure) -> Result) throws(RepositoryRefusal) -> Result {
        do throws(SystemFailure) { return try body() } catch { throw .failure(error) }
    }

    func has(_ name: String, in folder: Descriptor? = nil) -> Bool {
        (try? storage.status(of: name, in: folder ?? git)) != nil
    }

    /// True if git takes it for a repository.
    var isRepository: Bool { has("HEAD") }

    /// Opens a folder below `.git`.
    private func folder(_ names: [String], makes: Bool = false) throws(SystemFailure) -> Descriptor {
        var folder = git
        for name in names {
            do throws(SystemFailure) {
                folder = try storage.openFolder(name, in: folder)
            } catch {
                guard makes, error.number == ENOENT else { throw error }
                try storage.makeFolder(name, in: folder, mode: name == Self.local ? 0o700 : 0o777)
                try storage.sync(folder)
                folder = try storage.openFolder(name, in: folder)
            }
        }
        return folder
    }

    /// Reason to leave the repository alone; nil for none.
    var kind: RepositoryKind? {
        if has("commondir") { return .linked }
        if let info = try? folder(["objects", "info"]), has("alternates", in: info) { return .alternates }
        if has("reftable") { return .tables }
        if has("shallow") { return .shallow }
        if let packs = try? folder(["objects", "pack"]), let names = try? storage.names(in: packs),
            names.contains(where: { $0.hasSuffix(".promisor") })
        {
            return .partial
        }
        return nil
    }

    /// True while a merge, a rebase or the like is not done, or git works on the index.
    var isBusy: Bool {
        [
            "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "BISECT_LOG", "rebase-merge", "rebase-apply", "sequencer",
            "index.lock", "HEAD.lock",
        ].contains { has($0) }
    }

    // MARK: Writers

    func shared(makes: Bool = false) throws(SystemFailure) -> Descriptor { try folder([Self.shared], makes: makes) }

    /// Writers that have told something, in order.
    func writers() throws(RepositoryRefusal) -> [WriterID] {
        do throws(SystemFailure) {
            return try storage.names(in: shared()).compactMap { WriterID($0) }.sorted()
        } catch {
            guard error.number == ENOENT else { throw .failure(error) }
            return []
        }
    }

    func folder(of writer: WriterID, makes: Bool = false) throws(SystemFailure) -> Descriptor {
        try folder([Self.shared, writer.text], makes: makes)
    }

    /// Reads the text of what a writer has told; nil if there is none.
    func stateText(of writer: WriterID) -> String? {
        guard let folder = try? folder(of: writer) else { return nil }
        return text(RepositoryState.fileName, in: folder)
    }

    func text(_ name: String, in folder: Descriptor) -> String? {
        guard let file = try? storage.openFile(name, in: folder), let status = try? storage.status(of: file),
            status.kind == .file, status.size <= UInt64(RepositoryState.maximumBytes),
            let bytes = try? storage.read(file, at: 0, count: Int(status.size))
        else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Writes a file in the place of another one, durably.
    ///
    /// - Parameter folder: where it comes to be; it is written in the folder of this device.
    func replace(_ name: String, in folder: Descriptor, with text: String, mode: UInt32 = 0o666)
        throws(SystemFailure)
    {
        let local = try local()
        let new = "new"
        try storage.removeIfPresent(new, in: local)
        let file = try storage.makeFile(new, in: local, mode: mode)
        try storage.write(Array(text.utf8), to: file, at: 0)
        try storage.sync(file)
        try storage.move(new, in: local, to: name, in: folder, .replacing)
        try storage.sync(folder)
    }

    // MARK: This device

    func local() throws(SystemFailure) -> Descriptor { try folder([Self.local], makes: true) }

    /// Numbers by which this repository differs from a copy of it.
    func identity() throws(SystemFailure) -> String {
        let status = try storage.status(of: git)
        return "\(status.identity.inode)-\(storage.generation(of: git))-\(storage.birth(of: git) ?? 0)"
    }

    /// Numbers that change with what this type's users read.
    func signature() -> [UInt64] {
        var numbers: [UInt64] = []
        func add(_ name: String, _ folder: Descriptor) {
            guard let status = try? storage.status(of: name, in: folder) else { return }
            numbers += [
                status.identity.inode, status.size, UInt64(bitPattern: status.changed.seconds),
                UInt64(status.changed.nanoseconds),
            ]
        }
        func walk(_ names: [String], _ depth: Int) {
            guard depth < 32, let folder = try? folder(names) else { return }
            for name in (try? storage.names(in: folder))?.sorted() ?? [] {
                add(name, folder)
                if (try? storage.status(of: name, in: folder))?.kind == .folder { walk(names + [name], depth + 1) }
            }
        }
        for name in (try? storage.names(in: git))?.sorted() ?? []
        where !["objects", "logs", "hooks", "info", Self.local].contains(name) { add(name, git) }
        walk(["refs"], 0)
        walk([Self.shared], 0)
        return numbers
    }
}
