import PortolanFiles
import PortolanRepositories
import PortolanSyncPlan
import PortolanValues

/// Repositories that a folder has, and what was last found out about each.
struct KnownRepositories: Sendable {
    struct Known: Sendable {
        /// State of the disk at an exchange that changed nothing.
        var signature: [UInt64]?
        var report: RepositoryReport?
    }

    /// By their paths.
    var known: [[SyncName]: Known] = [:]

    /// Takes over which repositories a scan has found.
    mutating func take(_ result: ScanResult) {
        if result.isWhole { known = known.filter { result.repositories.contains($0.key) } }
        for path in result.repositories where known[path] == nil { known[path] = Known() }
    }

    /// Repositories of which a folder may have changed.
    func paths(in changes: FolderChanges) -> [[SyncName]] {
        guard let paths = changes.paths else { return Array(known.keys) }
        return Set(paths.compactMap { GitFolder.repository(of: $0) }).filter { known[$0] != nil }
    }

    /// Reports that tell something, in the order of their paths.
    var reports: [RepositoryReport] {
        known.sorted { $0.key.lexicographicallyPrecedes($1.key) }.compactMap(\.value.report)
    }
}

/// State of a repository, for people.
package struct RepositoryReport: Hashable, Sendable {
    package enum State: Hashable, Sendable {
        case exchanged(apart: [RefApart], waits: [RepositoryWait], isForgotten: Bool)
        case refused(RepositoryRefusal)
    }

    /// Path of the folder above `.git`.
    package var path: String
    package var state: State
}

extension FolderReplica {
    /// Exchanges the changes of repositories with what others have told.
    ///
    /// - Parameter paths: folders above `.git`.
    /// - Returns: folders in which something was written.
    func exchangeRepositories(_ paths: some Sequence<[SyncName]>, in folder: OpenFolder) throws -> FolderChanges {
        var changes = FolderChanges.none
        for path in paths {
            try Task.checkCancellation()
            guard let above = open(path, in: folder) else {
                repositories.known[path] = nil
                continue
            }
            let signature = RepositoryExchange.signature(of: above, storage)
            let known = repositories.known[path]
            if let signature, known?.signature == signature { continue }
            var report = RepositoryReport(path: path.map(\.text).joined(separator: "/"), state: .refused(.incomplete))
            var isSettled = false
            do throws(RepositoryRefusal) {
                let outcome = try RepositoryExchange.run(
                    in: above, of: index.author, owner: Hexadecimal.text(opener.device.bytes), tells: ways.tells,
                    storage: storage)
                isSettled = !outcome.hasTold && !outcome.hasTaken
                for told in outcome.folders { changes.add(FolderChanges(paths: [path + told.map { SyncName($0) }])) }
                report.state = .exchanged(
                    apart: outcome.apart, waits: outcome.waits, isForgotten: outcome.isForgotten)
            } catch {
                if error == .interrupted { throw CancellationError() }
                isSettled = if case .leftAlone = error { true } else { false }
                report.state = .refused(error)
            }
            repositories.known[path] = KnownRepositories.Known(signature: isSettled ? signature : nil, report: report)
        }
        return changes
    }

    /// Opens the folder at a path, without following links.
    private func open(_ path: [SyncName], in folder: OpenFolder) -> Descriptor? {
        var descriptor = folder.root
        for name in path {
            guard let next = try? storage.openFolder(name.text, in: descriptor),
                (try? storage.status(of: next).identity.device) == folder.device
            else { return nil }
            descriptor = next
        }
        return descriptor
    }
}
