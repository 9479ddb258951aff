/// Counts of an item while it arrives.
struct ItemTally: Hashable, Sendable {
    var stored: UInt64 = 0
    var bytes: UInt64 = 0
    var keptEntries: UInt64 = 0
    var keptBytes: UInt64 = 0
    /// Files that came from the source earlier and did not come this time.
    var surplus: UInt64 = 0

    /// Counts an entry that was in the inbox before, and bytes of it that were.
    mutating func countKept(_ bytes: UInt64) {
        stored += 1
        keptEntries += 1
        self.bytes += bytes
        keptBytes += bytes
    }
}
