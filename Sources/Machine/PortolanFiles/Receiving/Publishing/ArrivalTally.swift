/// Counts of an item while it arrives.
struct ArrivalTally: Hashable, Sendable {
    var stored: UInt64 = 0
    var bytes: UInt64 = 0
    var keptEntries: UInt64 = 0
    var keptBytes: UInt64 = 0
    /// Files that an earlier transfer of the source stored and this one did not contain.
    var surplus: UInt64 = 0

    /// Counts an entry that was in the inbox before, and its bytes that were present.
    mutating func countKept(_ bytes: UInt64) {
        stored += 1
        keptEntries += 1
        self.bytes += bytes
        keptBytes += bytes
    }

    /// Takes an entry out that is not stored after all, and its bytes.
    mutating func discount(_ bytes: UInt64) {
        stored -= min(1, stored)
        self.bytes -= min(bytes, self.bytes)
        keptEntries = min(keptEntries, stored)
        keptBytes = min(keptBytes, self.bytes)
    }
}
