import GRDB

/// Tables of the index of one folder.
///
/// Nodes are keys of ``Replicas``; names and digests are blobs; unsigned numbers are stored as signed ones with the
/// same bits.
enum IndexSchema {
    static let migrator: DatabaseMigrator = {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { database in try database.execute(sql: first) }
        migrator.registerMigration("ways") { database in try database.execute(sql: ways) }
        migrator.registerMigration("changes") { database in
            try database.execute(sql: "ALTER TABLE history ADD COLUMN change INTEGER NOT NULL DEFAULT 0")
        }
        migrator.registerMigration("extended") { database in try database.execute(sql: extended) }
        migrator.registerMigration("trust") { database in try database.execute(sql: trust) }
        migrator.registerMigration("access") { database in try database.execute(sql: access) }
        migrator.registerMigration("copied") { database in try database.execute(sql: copied) }
        migrator.registerMigration("arrivals") { database in try database.execute(sql: arrivals) }
        migrator.registerMigration("place marks") { database in try database.execute(sql: placeMarks) }
        migrator.registerMigration("seconds") { database in try database.execute(sql: seconds) }
        migrator.registerMigration("restored") { database in try database.execute(sql: restored) }
        migrator.registerMigration("parts") { database in try database.execute(sql: parts) }
        migrator.registerMigration("databases") { database in try database.execute(sql: databases) }
        return migrator
    }()

    /// Throws if a newer version of the program has changed the file, which is not written.
    static func refuseNewer(_ path: String) throws {
        guard try migrator.hasBeenSuperseded(at: path) else { return }
        throw SyncError(
            .newerIndex, "A newer version of the program has changed the index of the folder. Install that version.")
    }

    /// Tables that a new epoch empties. The history stays.
    static let tablesOfEpoch = [
        "folder", "replica", "node", "entry", "entry_node", "dirty", "breaker", "file", "member",
        "told", "node_mark", "arrival",
    ]

    /// Mode of the replica at the last scan, in one row. A new epoch keeps it.
    private static let ways = """
        CREATE TABLE ways (id INTEGER PRIMARY KEY CHECK (id = 1), mode TEXT NOT NULL, keeps INTEGER NOT NULL) STRICT
        """

    /// Extended attributes of versions, and those of files on file systems that do not store all of them. Known files
    /// are read again once.
    private static let extended = """
        ALTER TABLE entry ADD COLUMN extended BLOB;
        ALTER TABLE file ADD COLUMN extended BLOB;
        ALTER TABLE file ADD COLUMN shown BLOB;
        ALTER TABLE file ADD COLUMN lacks INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX file_shown ON file (inode) WHERE shown IS NOT NULL;
        UPDATE file SET racy = 1 WHERE digest IS NOT NULL;
        """

    /// Number of entries that each device deleted in each of the last minutes, which a new epoch keeps. Second
    /// versions, by their folders. Seals: states that the replica told others, by their sequence numbers, and the
    /// newest seals of other devices.
    /// Metadata of agreed files and folders (seconds and nanoseconds of a time, or permissions of a folder), unknown
    /// until the next scan.
    private static let trust = """
        CREATE TABLE deletion (
            device BLOB NOT NULL CHECK (length(device) = 32), time INTEGER NOT NULL,
            count INTEGER NOT NULL CHECK (count > 0), PRIMARY KEY (device, time)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX entry_held ON entry (id) WHERE held = 1;
        CREATE INDEX entry_displaced ON entry (parent) WHERE displaced;

        ALTER TABLE folder ADD COLUMN begun INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE told (
            sequence INTEGER PRIMARY KEY, count INTEGER NOT NULL, random INTEGER NOT NULL
        ) STRICT;
        ALTER TABLE member ADD COLUMN heard_seal BLOB;
        ALTER TABLE member ADD COLUMN newest_seal BLOB;

        ALTER TABLE entry ADD COLUMN metadata INTEGER;
        ALTER TABLE entry ADD COLUMN metadata_part INTEGER;
        ALTER TABLE entry ADD COLUMN shown INTEGER;
        ALTER TABLE entry ADD COLUMN shown_part INTEGER;
        CREATE INDEX entry_unknown ON entry (id) WHERE id > 0 AND metadata IS NULL AND shown IS NULL;
        """

    /// Folders with a living node are found without a look at the deleted ones. Identity of the shared folder itself,
    /// beside the handle of its entry; unknown until it is opened. Marks of the nodes' versions: known files are read
    /// again once, for theirs.
    private static let access = """
        CREATE INDEX node_living ON node (parent) WHERE NOT is_deleted;
        ALTER TABLE folder ADD COLUMN root_birth INTEGER;
        ALTER TABLE folder ADD COLUMN root_owner INTEGER;
        CREATE TABLE node_mark (node BLOB NOT NULL, mark BLOB NOT NULL, PRIMARY KEY (node, mark)) STRICT, WITHOUT ROWID;
        CREATE INDEX node_mark_mark ON node_mark (mark);
        UPDATE file SET racy = 1 WHERE digest IS NOT NULL;
        """

    /// Newest stops of devices whose keys several machines have, which a new epoch keeps.
    private static let copied = """
        CREATE TABLE stop (
            device BLOB PRIMARY KEY CHECK (length(device) = 32), seal BLOB NOT NULL CHECK (length(seal) = 56)
        ) STRICT, WITHOUT ROWID;
        """

    /// Replicas that told the latest version or place of nodes, and the times, in seconds since 1970. Times of the
    /// removals of devices, which a new epoch keeps.
    private static let arrivals = """
        CREATE TABLE arrival (
            node BLOB PRIMARY KEY, replica INTEGER NOT NULL, time INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX arrival_replica ON arrival (replica, time);
        CREATE TABLE removal (
            device BLOB PRIMARY KEY CHECK (length(device) = 32), time INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    /// Marks of the files at their places, which a new epoch keeps: of those that wait, and of those that are away.
    private static let placeMarks = """
        CREATE TABLE place_mark (
            folder INTEGER NOT NULL, name BLOB NOT NULL, inode INTEGER NOT NULL, generation INTEGER NOT NULL,
            birth INTEGER, mark BLOB NOT NULL, emptied INTEGER, PRIMARY KEY (folder, name)
        ) STRICT, WITHOUT ROWID;
        """

    /// Second versions of files, by their paths, from the beginning of an epoch until a scan has found them.
    private static let seconds = """
        CREATE TABLE second (path BLOB PRIMARY KEY, name BLOB NOT NULL, digest BLOB NOT NULL) STRICT, WITHOUT ROWID
        """

    /// Versions that were put back from the history, by their former rows there, with the newest row at that time. A
    /// new epoch keeps them.
    private static let restored = """
        CREATE TABLE restored (
            id INTEGER PRIMARY KEY, at INTEGER NOT NULL, path BLOB NOT NULL, newest INTEGER NOT NULL
        ) STRICT;
        """

    /// Contents of more than one part have other digests than before: such files are read again, and versions of them
    /// in the history are found by their paths alone.
    private static let parts = """
        UPDATE file SET racy = 1 WHERE digest IS NOT NULL AND size > 1048576;
        UPDATE history SET digest = NULL WHERE size > 1048576;
        """

    /// Size and time of the snapshot of a database, and state of the files beside it. The content of a database is
    /// another one than before: such files are read again.
    private static let databases = """
        ALTER TABLE file ADD COLUMN database_size INTEGER;
        ALTER TABLE file ADD COLUMN database_time INTEGER;
        ALTER TABLE file ADD COLUMN database_part INTEGER;
        ALTER TABLE file ADD COLUMN companions INTEGER;
        UPDATE file SET racy = 1 WHERE digest IS NOT NULL AND size >= 512 AND size % 512 = 0;
        """

    private static let first = """
        -- The replica itself, in one row.
        CREATE TABLE folder (
            id INTEGER PRIMARY KEY CHECK (id = 1), device BLOB NOT NULL CHECK (length(device) = 32),
            epoch INTEGER NOT NULL, generation INTEGER NOT NULL, announced INTEGER NOT NULL,
            counter INTEGER NOT NULL, sequence INTEGER NOT NULL, last_entry INTEGER NOT NULL,
            file_system INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE replica (
            number INTEGER PRIMARY KEY, device BLOB NOT NULL CHECK (length(device) = 32), epoch INTEGER NOT NULL
        ) STRICT;

        -- The blob of the record is last: a row is found without its pages.
        CREATE TABLE node (
            id BLOB PRIMARY KEY, sequence INTEGER NOT NULL, is_deleted INTEGER NOT NULL, parent BLOB NOT NULL,
            name BLOB NOT NULL, record BLOB NOT NULL
        ) STRICT;
        CREATE INDEX node_place ON node (parent, name);
        CREATE INDEX node_sequence ON node (sequence);
        CREATE INDEX node_deleted ON node (id) WHERE is_deleted;
        CREATE TABLE dirty (node BLOB PRIMARY KEY) STRICT, WITHOUT ROWID;
        CREATE TABLE breaker (node BLOB PRIMARY KEY) STRICT, WITHOUT ROWID;

        -- The agreed tree. The folded name is there where the file system takes different names for one.
        CREATE TABLE entry (
            id INTEGER PRIMARY KEY, parent INTEGER NOT NULL, name BLOB NOT NULL, folded BLOB, kind INTEGER NOT NULL,
            inode INTEGER NOT NULL, generation INTEGER NOT NULL, digest BLOB, attributes INTEGER NOT NULL,
            displaced INTEGER NOT NULL, held INTEGER NOT NULL, seen BLOB NOT NULL
        ) STRICT;
        CREATE INDEX entry_place ON entry (parent, name);
        CREATE INDEX entry_folded ON entry (parent, folded) WHERE folded IS NOT NULL;
        CREATE INDEX entry_handle ON entry (inode, generation);
        CREATE INDEX entry_digest ON entry (digest) WHERE digest IS NOT NULL;
        CREATE TABLE entry_node (
            node BLOB NOT NULL, entry INTEGER NOT NULL, PRIMARY KEY (node, entry)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX entry_node_entry ON entry_node (entry);

        -- What the last scan saw of each file: while the system says the same, its content is not read again.
        CREATE TABLE file (
            folder INTEGER NOT NULL, name BLOB NOT NULL, kind INTEGER NOT NULL, inode INTEGER NOT NULL,
            generation INTEGER NOT NULL, mode INTEGER NOT NULL, size INTEGER NOT NULL, modified INTEGER NOT NULL,
            modified_part INTEGER NOT NULL, changed INTEGER NOT NULL, changed_part INTEGER NOT NULL,
            racy INTEGER NOT NULL, digest BLOB, attributes INTEGER NOT NULL, PRIMARY KEY (folder, name)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE history (
            id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, path BLOB NOT NULL, kind INTEGER NOT NULL,
            file TEXT NOT NULL UNIQUE, digest BLOB, size INTEGER NOT NULL, reason TEXT NOT NULL
        ) STRICT;
        CREATE INDEX history_path ON history (path, at);
        CREATE INDEX history_digest ON history (digest) WHERE digest IS NOT NULL;
        CREATE INDEX history_at ON history (at);

        -- How far each member has been heard, and how far it has heard this replica.
        CREATE TABLE member (
            device BLOB PRIMARY KEY CHECK (length(device) = 32), heard_epoch INTEGER, heard_sequence INTEGER,
            acknowledged_epoch INTEGER, acknowledged_sequence INTEGER
        ) STRICT, WITHOUT ROWID;
        """
}
