import Glibc
import Portolan
import PortolanClient
import PortolanConcurrency
import PortolanFiles
import PortolanTransport
import Synchronization

/// Copies of the content of parcels: in the agent's state, one folder for each parcel.
///
/// A copy is durable before its parcel is in the outbox. It is removed when the parcel is delivered, cancelled, expired
/// or forgotten; that of a failed parcel stays for another attempt.
final class OutboxCopies: Sendable {
    let database: AgentDatabase
    /// Absolute path without links.
    private let path: String
    private let own: OwnFiles
    /// Parcels that are being copied, or added to the outbox.
    private let making = Mutex<Set<StateID>>([])

    /// Blocks.
    ///
    /// - Parameters:
    ///   - folder: folder of the agent's state.
    ///   - own: files that are sent to nobody.
    init(_ folder: String, _ database: AgentDatabase, without own: OwnFiles) {
        self.own = own
        let resolved = realpath(folder, nil)
        defer { free(resolved) }
        path = (resolved.map { String(cString: $0) } ?? folder) + "/copies"
        self.database = database
    }

    private func folder(of id: StateID) -> String { "\(path)/\(id)" }

    // MARK: - Making

    /// Copies the files and folders of a parcel, and puts it into the outbox.
    ///
    /// - Parameter add: called with a parcel that delivers the copies, or with the same one if it contains its content.
    /// - Throws: `FileError`, ``StateRefusal`` for a parcel that was copied before, and the error of `add`. The copy
    ///   is removed then.
    func copy<Value: Sendable>(
        _ parcel: Parcel, add: @Sendable (Parcel) async throws -> Value
    ) async throws -> Value {
        let id = StateID(parcel.id)
        guard making.withLock({ $0.insert(id).inserted }) else { throw StateRefusal.parcelExists(id) }
        defer { making.withLock { _ = $0.remove(id) } }
        let stop = StopRequest()
        try await withBlockingThread { [self] () throws in try makeFolder(of: id) }
        do {
            let copied = try await withTaskCancellationHandler {
                try await withBlockingThread { [self] () throws in try copy(parcel, stop) }
            } onCancel: {
                stop.request()
            }
            return try await add(copied)
        } catch {
            await withBlockingThread { [self] in removeTree(folder(of: id)) }
            throw error
        }
    }

    private func makeFolder(of id: StateID) throws {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw FileError.last(storing: path) }
        guard mkdir(folder(of: id), 0o700) == 0 else {
            throw errno == EEXIST ? StateRefusal.parcelExists(id) : FileError.last(storing: folder(of: id))
        }
    }

    private func copy(_ parcel: Parcel, _ stop: StopRequest) throws -> Parcel {
        let folder = folder(of: StateID(parcel.id))
        var copies: [String: String] = [:]
        for case .path(let source) in parcel.items.lazy.flatMap(\.forms).map(\.content) where copies[source] == nil {
            let place = "\(folder)/\(copies.count)"
            guard mkdir(place, 0o700) == 0 else { throw FileError.last(storing: place) }
            // The last name is kept, since a type may depend on it.
            let name = source.split(separator: "/").last.map { String($0) } ?? "root"
            try TreeCopy(into: place, stop: stop, marksSpecialFiles: true, without: own)
                .make(of: source, named: name)
            copies[source] = "\(place)/\(name)"
        }
        guard !copies.isEmpty else {
            rmdir(folder)
            return parcel
        }
        for changed in [folder, path, String(path.dropLast("/copies".count))] { try Self.synchronize(changed) }
        return try parcel.reading(from: copies)
    }

    private static func synchronize(_ folder: String) throws(FileError) {
        do throws(SystemFailure) {
            let storage = KernelStorage()
            try storage.sync(storage.openFolder(path: folder))
        } catch {
            throw .storing(DisplayText(folder), error)
        }
    }

    // MARK: - Reading

    /// True if the copies of a parcel were removed. Blocks briefly.
    func areGone(_ parcel: Parcel) -> Bool {
        let folder = folder(of: StateID(parcel.id))
        return parcel.items.contains { item in
            item.forms.contains { form in
                if case .path(let source) = form.content { source.hasPrefix(folder + "/") } else { false }
            }
        } && access(folder, F_OK) != 0
    }

    // MARK: - Removing

    /// Pause before another attempt if the journal cannot be read.
    private static let pause = Duration.seconds(60)

    /// Removes unneeded copies: those of earlier processes at once, and others when their parcels end, until the task
    /// is cancelled. Called once.
    func run() async {
        while !Task.isCancelled {
            do {
                return try await follow()
            } catch {
                // Copies that stay longer do no harm.
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    private func follow() async throws {
        let newest = try await database.read { try $0.journal.range().newest }
        await removeOrphans()
        for try await entries in database.entries(after: newest) {
            let ends = entries.filter { [.outboxDelivered, .outboxCancelled, .outboxExpired].contains($0.kind) }
            for id in Set(ends.compactMap { $0.transfer.flatMap { StateID(text: $0) } }) { await removeIfOver(id) }
        }
    }

    /// Removes copies whose parcels have ended, or do not exist.
    func removeOrphans() async {
        let names = await withLookupThread { [path] in
            (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        }
        for name in names {
            if let id = StateID(text: name) {
                await removeIfOver(id)
            } else {
                // Files of a removal that was interrupted.
                await withBlockingThread { [path] in removeTree("\(path)/\(name)") }
            }
        }
    }

    private func removeIfOver(_ id: StateID) async {
        guard !making.withLock({ $0.contains(id) }) else { return }
        let gone = "\(path)/.\(id)"
        let copies = folder(of: id)
        // The copy is renamed in the transaction that checks the parcel's end, so that no retry finds it meanwhile.
        let isGone = try? await database.write { change in
            switch try change.outbox.state(of: id) {
            case .waiting, .running, .failed: return false
            case .delivered, .expired, .cancelled, nil: return rename(copies, gone) == 0
            }
        }
        if isGone == true { await withBlockingThread { removeTree(gone) } }
    }
}

/// Removes a file or a folder with its contents, as far as possible.
func removeTree(_ path: String) { try? FileManager.default.removeItem(atPath: path) }

extension FileError {
    /// The failure of a call on this thread that makes or opens a folder for content.
    static func last(storing path: String) -> FileError { .storing(DisplayText(path), .last) }
}
