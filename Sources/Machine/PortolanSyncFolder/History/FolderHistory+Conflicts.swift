import Foundation
import GRDB
import PortolanConcurrency
import PortolanFiles
import PortolanSyncPlan
import PortolanValues

/// Version of a file that stays under its name when a person settles a conflict.
package enum KeptVersion: String, CaseIterable, Sendable {
    /// Version of this device.
    case mine
    case theirs
    case both
}

/// Resolution of conflicts, by renames: removed versions go to the history, and the changes are announced as those of a
/// person.
extension FolderHistory {
    /// Resolves the conflict of a file.
    ///
    /// - Parameters:
    ///   - path: the second version, or the file itself, which stands for all its second versions.
    ///   - author: name of this device.
    /// - Returns: paths of the remaining versions.
    package func resolve(_ path: String, keeping kept: KeptVersion, author: String) async throws -> [String] {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let folder = parts.dropLast().joined(separator: "/")
        let prefix = folder.isEmpty ? "" : folder + "/"
        let name = SyncName(parts.last ?? "")
        let names = try await names(in: folder)
        let originals = try await originals(in: folder)
        let original = originals[name] ?? name
        let copies = names.filter { originals[name] == nil ? originals[$0] == original : $0 == name }
        guard !copies.isEmpty else {
            throw SyncError(
                .noSuchContent,
                "“\(DisplayText(path, limit: 200))” has no second version; see 'portolan sync conflicts'.")
        }
        guard kept != .both else { return try await number(copies, of: original, in: prefix, names) }
        let isThere = names.contains(original)
        let winner = try winner(copies, original, kept, SyncName.shown(author: author), isThere: isThere)
        for copy in copies where copy != winner { try await putAway(prefix + copy.text) }
        guard let winner else { return [prefix + original.text] }
        if isThere { try await putAway(prefix + original.text) }
        do {
            try await rename(prefix + winner.text, to: original)
        } catch {
            // The synchronizing process may have given the last version its name already.
            guard try await self.isThere(prefix + original.text), try await !self.isThere(prefix + winner.text) else {
                throw error
            }
        }
        return [prefix + original.text]
    }

    /// Gives a file a free name of its own, like that of a remaining second version.
    ///
    /// - Returns: its new path.
    package func setAside(_ path: String) async throws -> String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let folder = parts.dropLast().joined(separator: "/")
        let name = SyncName(parts.last ?? "")
        let original = try await originals(in: folder)[name] ?? name
        let paths = try await number(
            [name], of: original, in: folder.isEmpty ? "" : folder + "/", try await names(in: folder))
        return paths[0]
    }

    /// Returns the second version that gets the name; nil for the one that has it.
    private func winner(
        _ copies: [SyncName], _ original: SyncName, _ kept: KeptVersion, _ author: String, isThere: Bool
    ) throws -> SyncName? {
        let own = copies.filter { $0.conflictAuthor == author }
        let others = copies.filter { $0.conflictAuthor != author }
        var candidates: [SyncName?] = kept == .mine ? own : others
        // The version with the original name is the one that is not among the others.
        if kept == .mine ? own.isEmpty : isThere && !own.isEmpty { candidates.append(nil) }
        guard candidates.count == 1, let winner = candidates.first else {
            throw SyncError(
                .noSuchContent, "Several versions could be meant: name the second version instead of the file.")
        }
        if winner == nil, !isThere {
            throw SyncError(.noSuchContent, "No file is called “\(DisplayText(original.text, limit: 200))”.")
        }
        return winner
    }

    /// Gives second versions free names.
    private func number(
        _ copies: [SyncName], of original: SyncName, in prefix: String, _ names: [SyncName]
    ) async throws -> [String] {
        var taken = Set(names)
        var paths: [String] = []
        for copy in copies {
            var number = 2
            while taken.contains(original.numbered(number)) { number += 1 }
            let free = original.numbered(number)
            try await rename(prefix + copy.text, to: free)
            taken.insert(free)
            paths.append(prefix + free.text)
        }
        return paths
    }
}

// MARK: - Second versions

/// Second version of a file. The index knows it: a file that a person calls so is none.
package struct ConflictCopy: Hashable, Sendable {
    /// Path in the folder.
    package var path: String
    /// Name of the file in the records.
    package var name: SyncName
}

extension FolderHistory {
    /// Returns the second versions in the whole folder, in the order of their paths.
    package func conflicts() async throws -> [ConflictCopy] {
        try await FolderReplica.threads.run {
            try self.withTable { try ConflictCopy.all(in: $0.database) }.sorted { $0.path < $1.path }
        }
    }

    /// Names of the second versions in a folder, with the names of their files.
    private func originals(in folder: String) async throws -> [SyncName: SyncName] {
        var originals: [SyncName: SyncName] = [:]
        for copy in try await conflicts() {
            let parts = copy.path.split(separator: "/")
            guard parts.dropLast().joined(separator: "/") == folder, let last = parts.last else { continue }
            originals[SyncName(String(last))] = copy.name
        }
        return originals
    }
}

extension ConflictCopy {
    fileprivate static func all(in database: Database) throws -> [ConflictCopy] {
        let sql = """
            SELECT e.parent, e.name, min(n.name) FROM entry e INDEXED BY entry_displaced
                CROSS JOIN entry_node x ON x.entry = e.id CROSS JOIN node n ON n.id = x.node
                WHERE e.displaced AND +e.id > 0 GROUP BY +e.id
            """
        return try Row.fetchAll(database, sql: sql).compactMap { row in
            guard let folder = try path(of: row[0], in: database) else { return nil }
            let name = String(decoding: row[1] as Data, as: UTF8.self)
            return ConflictCopy(
                path: folder + name, name: SyncName(String(decoding: row[2] as Data, as: UTF8.self)))
        }
    }

    /// Path of a folder with a closing slash, empty for the root; nil for one that is not below the root.
    private static func path(of folder: Int, in database: Database) throws -> String? {
        var (path, next) = ("", folder)
        while next != EntryID.root.number {
            guard next != EntryID.parking.number, path.utf8.count < 1 << 20,
                let row = try Row.fetchOne(
                    database, sql: "SELECT parent, name FROM entry WHERE id = ?", arguments: [next])
            else { return nil }
            path = String(decoding: row[1] as Data, as: UTF8.self) + "/" + path
            next = row[0]
        }
        return path
    }
}
