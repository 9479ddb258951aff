import GRDB

/// Tables of the state of a home: of the agent's, and of the sendings of commands.
///
/// Times are milliseconds since 1970; identifiers and keys are blobs.
enum AgentSchema {
    /// - Parameter start: cursor before the first entry of a new journal.
    static func migrator(start: Int64) -> DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { database in
            try database.execute(sql: first)
            try database.execute(sql: "INSERT INTO journal VALUES (1, ?, 0)", arguments: [start + 1])
            try database.execute(sql: "INSERT INTO sqlite_sequence VALUES ('entry', ?)", arguments: [start])
        }
        migrator.registerMigration("2") { database in try database.execute(sql: second) }
        migrator.registerMigration("3") { database in
            // Receipt that was signed for the item, to send it again.
            try database.execute(sql: "ALTER TABLE ledger ADD COLUMN receipt BLOB")
        }
        migrator.registerMigration("4") { database in
            try database.execute(sql: "ALTER TABLE shared ADD COLUMN fetches INTEGER NOT NULL DEFAULT 0")
        }
        migrator.registerMigration("5") { database in
            // Fingerprints of the keys that parcels are for; a column of parcel would lie behind its document.
            try database.execute(
                sql: """
                    CREATE TABLE receiver (
                        parcel BLOB PRIMARY KEY REFERENCES parcel (id) ON DELETE CASCADE, fingerprint TEXT NOT NULL
                    ) STRICT, WITHOUT ROWID;
                    """)
        }
        migrator.registerMigration("6") { database in
            // Charges of ``Quota``; sender is NULL for all strangers together.
            try database.execute(
                sql: """
                    CREATE TABLE quota (
                        id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, sender BLOB,
                        peer BLOB NOT NULL CHECK (length(peer) = 32), item TEXT NOT NULL, bytes INTEGER NOT NULL,
                        began INTEGER NOT NULL DEFAULT 0
                    ) STRICT;
                    CREATE INDEX quota_sender ON quota (sender, peer, item);
                    CREATE INDEX quota_at ON quota (at);
                    """)
        }
        migrator.registerMigration("retention") { database in
            // Time of retention, and jumps of the clock that do not count before it is at `due`.
            try database.execute(
                sql: """
                    CREATE TABLE retention (id INTEGER PRIMARY KEY CHECK (id = 1), at INTEGER NOT NULL) STRICT;
                    CREATE TABLE clock_jump (due INTEGER PRIMARY KEY, length INTEGER NOT NULL) STRICT;
                    """)
            // A clock that is wrong now did not write the newest entry.
            try database.execute(
                sql: """
                    INSERT INTO retention
                    SELECT 1, min(?, coalesce((SELECT at FROM entry ORDER BY cursor DESC LIMIT 1), ?))
                    """, arguments: [start, start])
        }
        migrator.registerMigration("owners") { database in
            // Owners of the last components of `folder`, a line each.
            try database.execute(sql: "ALTER TABLE inbox ADD COLUMN owners TEXT")
        }
        migrator.registerMigration("sending") { database in
            // Sendings of commands: their parcels have the state 'sending'. A lock file tells whether a command lives.
            try database.execute(
                sql: """
                    CREATE TABLE sending (
                        parcel BLOB PRIMARY KEY REFERENCES parcel (id) ON DELETE CASCADE, name TEXT NOT NULL UNIQUE,
                        status TEXT NOT NULL, peer TEXT, fingerprint TEXT, folder TEXT NOT NULL, bytes INTEGER NOT NULL,
                        total INTEGER
                    ) STRICT, WITHOUT ROWID;
                    """)
        }
        migrator.registerMigration("final") { database in
            // True for items that a person declined: they are declined in other parcels, too.
            try database.execute(sql: "ALTER TABLE inbox ADD COLUMN final INTEGER NOT NULL DEFAULT 0")
        }
        return migrator
    }

    private static let first = """
        CREATE TABLE entry (
            cursor INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, kind TEXT NOT NULL, transfer TEXT, peer BLOB,
            body TEXT NOT NULL
        ) STRICT;
        CREATE INDEX entry_transfer ON entry (transfer, cursor) WHERE transfer IS NOT NULL;
        -- First entry that is retained, and the bytes of all bodies.
        CREATE TABLE journal (
            id INTEGER PRIMARY KEY CHECK (id = 1), first INTEGER NOT NULL, bytes INTEGER NOT NULL
        ) STRICT;

        -- The document is last: a row is listed without the pages of its document.
        CREATE TABLE parcel (
            place INTEGER PRIMARY KEY AUTOINCREMENT, id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            created INTEGER NOT NULL, expires INTEGER, target TEXT NOT NULL, titles TEXT NOT NULL, state TEXT NOT NULL,
            reason TEXT, attempts INTEGER NOT NULL DEFAULT 0, due INTEGER, changed INTEGER NOT NULL,
            document BLOB NOT NULL
        ) STRICT;
        CREATE INDEX parcel_state ON parcel (state, expires);
        CREATE INDEX parcel_changed ON parcel (changed);
        CREATE TABLE settlement (
            parcel BLOB NOT NULL REFERENCES parcel (id) ON DELETE CASCADE,
            member BLOB NOT NULL CHECK (length(member) = 32),
            item INTEGER NOT NULL, outcome TEXT NOT NULL, reason TEXT, at INTEGER NOT NULL, receipt BLOB,
            PRIMARY KEY (parcel, member, item)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE ledger (
            peer BLOB NOT NULL CHECK (length(peer) = 32), parcel BLOB NOT NULL CHECK (length(parcel) = 16),
            item INTEGER NOT NULL, name TEXT NOT NULL, path TEXT NOT NULL, size INTEGER NOT NULL, digest BLOB,
            at INTEGER NOT NULL, entries INTEGER NOT NULL, PRIMARY KEY (peer, parcel, item)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX ledger_at ON ledger (at);

        CREATE TABLE inbox (
            id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, changed INTEGER NOT NULL, state TEXT NOT NULL,
            reason TEXT, peer BLOB NOT NULL CHECK (length(peer) = 32), sender TEXT NOT NULL, parcel BLOB,
            item INTEGER NOT NULL, title TEXT NOT NULL, rule TEXT, deadline INTEGER, fallback TEXT, name TEXT,
            path TEXT, size INTEGER, digest BLOB, offer TEXT, preview BLOB
        ) STRICT;
        CREATE INDEX inbox_state ON inbox (state, deadline);
        CREATE INDEX inbox_changed ON inbox (changed);
        CREATE UNIQUE INDEX inbox_waiting ON inbox (peer, parcel, item) WHERE state = 'waiting' AND parcel IS NOT NULL;

        CREATE TABLE shared (
            id BLOB PRIMARY KEY CHECK (length(id) = 16), created INTEGER NOT NULL, expires INTEGER, title TEXT NOT NULL,
            path TEXT, restriction TEXT NOT NULL, document BLOB
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX shared_expires ON shared (expires);
        """

    /// Folder for an inbox item that is fetched, and its verdict. An item of a parcel is identified by its place there,
    /// since its number differs between offers.
    private static let second = """
        ALTER TABLE inbox ADD COLUMN place INTEGER;
        UPDATE inbox SET place = item;
        ALTER TABLE inbox ADD COLUMN folder TEXT;
        ALTER TABLE inbox ADD COLUMN quarantine INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE inbox ADD COLUMN verdict TEXT;
        DROP INDEX inbox_waiting;
        CREATE UNIQUE INDEX inbox_waiting ON inbox (peer, parcel, place)
            WHERE state = 'waiting' AND parcel IS NOT NULL;
        CREATE INDEX inbox_parcel ON inbox (peer, parcel, place) WHERE parcel IS NOT NULL;
        """

    /// Throws if the first or the last page of a table cannot be read. Its cost does not grow with the tables.
    static func check(_ database: Database) throws {
        let keys = [
            "entry": "cursor", "journal": "id", "parcel": "place", "settlement": "parcel", "ledger": "peer",
            "inbox": "id", "sending": "parcel", "shared": "id",
        ]
        let present = try Set(String.fetchAll(database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'"))
        guard present.isSuperset(of: keys.keys) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "tables are missing")
        }
        for (table, key) in keys {
            for order in ["ASC", "DESC"] {
                _ = try Row.fetchOne(database, sql: "SELECT * FROM \(table) ORDER BY \(key) \(order) LIMIT 1")
            }
        }
        guard try Row.fetchOne(database, sql: "SELECT * FROM journal") != nil else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the state of the journal is missing")
        }
    }
}
