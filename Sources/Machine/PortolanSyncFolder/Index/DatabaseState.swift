import PortolanFiles
import PortolanSyncPlan

/// State of a database by which its next change is detected, beside the status of its file.
struct DatabaseState: Hashable, Sendable {
    /// Size of its snapshot, in bytes.
    var size: UInt64
    /// Time of its content. A checkpoint, or the last close, changes the file and not the content.
    var time: ModificationTime
    /// Fingerprint of the statuses of its log and its journal.
    var companions: UInt64

    var metadata: ItemMetadata { .time(time) }
}

/// Statuses of the files beside a database.
struct DatabaseCompanions {
    /// Fingerprint (FNV-1a) of the statuses.
    private(set) var fingerprint: UInt64 = 0xCBF2_9CE4_8422_2325
    /// True if the times may not show a change just after this look.
    private(set) var isRacy = false
    /// True if the log or the journal has content.
    private(set) var isFilled = false

    init(_ name: String, in folder: Descriptor, _ storage: any ReadableStorage, now: FileTime) {
        for suffix in [DatabaseFiles.log, DatabaseFiles.journal] {
            guard let status = try? storage.status(of: name + suffix, in: folder), status.kind == .file,
                let stamp = FileStatusStamp(status)
            else {
                add(0)
                continue
            }
            for time in [stamp.modified, stamp.changed] {
                add(UInt64(bitPattern: time.seconds))
                add(UInt64(time.nanoseconds))
            }
            add(stamp.inode)
            add(stamp.size)
            if stamp.isRacy(at: now) { isRacy = true }
            if stamp.size > 0 { isFilled = true }
        }
    }

    private mutating func add(_ number: UInt64) { fingerprint = (fingerprint ^ number) &* 0x0100_0000_01B3 }
}
