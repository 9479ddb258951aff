import Foundation
import GRDB
import PortolanSyncPlan

/// The agreed tree.
extension StoredIndex {
    private var state: IndexState { transaction.state }

    func entry(_ id: EntryID) -> AgreedEntry? {
        if let entry = transaction.entries[id] { return entry }
        return transaction.attempt(nil) {
            let sql = """
                SELECT id, parent, name, kind, inode, generation, digest, attributes, seen, displaced, held, extended,
                        metadata, metadata_part, shown, shown_part
                    FROM entry
                    WHERE id = ?
                """
            guard let entry = try transaction.first(sql, [id.number], entry) else { return nil }
            keep(entry)
            return entry
        }
    }

    private func entry(_ row: Row) throws -> AgreedEntry {
        guard let kind = NodeKind(rawValue: row[3]) else { throw SyncError.damagedIndex }
        var entry = AgreedEntry(
            id: EntryID(row[0]), parent: EntryID(row[1]), name: try row.name(2), kind: kind,
            handle: FileHandleID(row.unsigned(4), generation: row.unsigned(5)),
            form: try form(row),
            seen: try state.replicas.seen(row.bytes(8)), isDisplaced: row[9])
        let held = row[10] as Int
        (entry.isHeld, entry.isSpared) = (held == 1, held == 2)
        entry.metadata = metadata(row, 12, kind)
        entry.shown = metadata(row, 14, kind)
        return entry
    }

    /// - Returns: nil for NULL.
    private func metadata(_ row: Row, _ column: Int, _ kind: NodeKind) -> ItemMetadata? {
        guard let number: Int64 = row[column], let part: Int64 = row[column + 1] else { return nil }
        if kind == .folder { return .permissions(UInt16(truncatingIfNeeded: number)) }
        return .time(ModificationTime(number, UInt32(truncatingIfNeeded: part)))
    }

    private func form(_ row: Row) throws -> ContentForm? {
        guard let digest = try row.digest(6) else { return nil }
        return ContentForm(digest, attributes: row.unsigned(7), extended: try row.attributes(11) ?? [])
    }

    private func keep(_ entry: AgreedEntry) {
        if transaction.entries.count >= IndexTransaction.maximumKept { transaction.entries = [:] }
        transaction.entries[entry.id] = entry
    }

    private func first(_ sql: String, _ arguments: StatementArguments) -> EntryID? {
        transaction.attempt(nil) { try transaction.first(sql, arguments) { EntryID($0[0]) } }
    }

    private func all(_ sql: String, _ arguments: StatementArguments = []) -> [EntryID] {
        transaction.attempt([]) { try transaction.all(sql, arguments) { EntryID($0[0]) } }
    }

    func entry(with handle: FileHandleID) -> EntryID? {
        first(
            "SELECT id FROM entry WHERE inode = ? AND generation = ? ORDER BY id LIMIT 1",
            [Int64(bitPattern: handle.number), Int64(bitPattern: handle.generation)])
    }

    func entry(in folder: EntryID, named name: SyncName) -> EntryID? {
        first(
            "SELECT id FROM entry WHERE parent = ? AND name = ? AND id > 0 ORDER BY id LIMIT 1",
            [folder.number, Data(name.text.utf8)])
    }

    func entry(in folder: EntryID, occupying name: SyncName) -> EntryID? {
        if let same = entry(in: folder, named: name) { return same }
        guard let folded = fold(name) else { return nil }
        return first(
            "SELECT id FROM entry WHERE parent = ? AND folded = ? AND id > 0 ORDER BY id LIMIT 1",
            [folder.number, folded])
    }

    /// Key of a name on a file system that treats different names as equal; nil on others.
    private func fold(_ name: SyncName) -> Data? {
        guard nameRules.ignoresCase else { return nil }
        return Data(name.text.lowercased().decomposedStringWithCanonicalMapping.utf8)
    }

    func entries(of node: NodeID) -> [EntryID] {
        guard let key = transaction.key(node) else { return [] }
        return all("SELECT entry AS id FROM entry_node WHERE node = ? ORDER BY entry", [key])
    }

    func entries(in folder: EntryID) -> [EntryID] {
        all("SELECT id FROM entry WHERE parent = ? AND id > 0 ORDER BY id", [folder.number])
    }

    var allEntries: [EntryID] { all("SELECT id FROM entry WHERE id > 0 ORDER BY id") }

    var entryCount: Int {
        transaction.attempt(0) {
            try transaction.first("SELECT count(*) FROM entry WHERE id > 0") { $0[0] } ?? 0
        }
    }

    func newEntryID() -> EntryID { EntryID(state.lastEntry + 1) }

    func set(_ entry: AgreedEntry) {
        let before = entry.id.number > state.lastEntry ? nil : self.entry(entry.id)
        guard before != entry else { return }
        state.lastEntry = max(state.lastEntry, entry.id.number)
        transaction.attempt(()) {
            try transaction.execute(
                "INSERT OR REPLACE INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    entry.id.number, entry.parent.number, Data(entry.name.text.utf8), fold(entry.name),
                    Int64(entry.kind.rawValue), Int64(bitPattern: entry.handle.number),
                    Int64(bitPattern: entry.handle.generation), entry.form.map { Data($0.digest.bytes) },
                    Int64(bitPattern: entry.form?.attributes ?? 0), entry.isDisplaced,
                    entry.isHeld ? 1 : entry.isSpared ? 2 : 0,
                    Data(state.replicas.blob(entry.seen)), entry.form?.extended.blob,
                    entry.metadata?.number, entry.metadata?.part, entry.shown?.number, entry.shown?.part,
                ])
            if before?.seen != entry.seen {
                if before != nil { try forgetNodes(of: entry.id) }
                for node in Set(entry.seen.map(\.node)) {
                    try transaction.execute(
                        "INSERT INTO entry_node VALUES (?, ?)", [transaction.newKey(node), entry.id.number])
                }
            }
            keep(entry)
        }
    }

    func removeEntry(_ id: EntryID) {
        transaction.entries[id] = nil
        transaction.attempt(()) {
            try transaction.execute("DELETE FROM entry WHERE id = ?", [id.number])
            try forgetNodes(of: id)
        }
    }

    private func forgetNodes(of entry: EntryID) throws {
        try transaction.execute("DELETE FROM entry_node WHERE entry = ?", [entry.number])
    }

    // MARK: Beyond the model

    /// True if there are as many known files as entries, so that each missing entry is noticed.
    var knowsAllEntries: Bool {
        transaction.attempt(false) {
            let sql = "SELECT (SELECT count(*) FROM entry WHERE id > 0) = (SELECT count(*) FROM file)"
            return try transaction.first(sql) { $0[0] } ?? false
        }
    }

    /// True if there are entries of an earlier version of the program whose metadata no scan has seen.
    var hasUnknownMetadata: Bool {
        transaction.attempt(false) {
            let sql = "SELECT 1 FROM entry WHERE id > 0 AND metadata IS NULL AND shown IS NULL LIMIT 1"
            return try transaction.first(sql) { _ in true } ?? false
        }
    }

    /// True if entries are missing by a deletion that waits for confirmation.
    var hasHeldEntries: Bool {
        transaction.attempt(true) {
            try transaction.first("SELECT 1 FROM entry WHERE held = 1 LIMIT 1") { _ in true } ?? false
        }
    }

    /// Returns the entries in a folder that are no files.
    func foldersAndLinks(in folder: EntryID) -> [EntryID] {
        all(
            "SELECT id FROM entry WHERE parent = ? AND id > 0 AND kind <> ? ORDER BY id",
            [folder.number, Int64(NodeKind.file.rawValue)])
    }

    /// Second versions of files, a limited number.
    func displacedEntries(limit: Int) -> [EntryID] {
        all(
            "SELECT id FROM entry INDEXED BY entry_displaced WHERE displaced AND +id > 0 ORDER BY +id LIMIT ?", [limit])
    }

    /// Returns files with this content.
    func entries(with digest: ContentDigest) -> [EntryID] {
        all("SELECT id FROM entry WHERE digest = ? ORDER BY id LIMIT 16", [Data(digest.bytes)])
    }

    /// Returns the names from the root down to an entry; nil if it is not below the root.
    func path(of id: EntryID) -> [SyncName]? {
        var names: [SyncName] = []
        var next = id
        while next != .root {
            guard names.count < 4096, next != .parking, let entry = entry(next) else { return nil }
            names.append(entry.name)
            next = entry.parent
        }
        return names.reversed()
    }
}

extension ItemMetadata {
    fileprivate var number: Int64 {
        switch self {
        case .time(let time): time.seconds
        case .permissions(let bits): Int64(bits)
        }
    }

    fileprivate var part: Int64 { Int64(time?.nanoseconds ?? 0) }
}
