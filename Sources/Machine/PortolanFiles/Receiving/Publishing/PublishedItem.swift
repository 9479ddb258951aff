/// Result of an item in the inbox. A receiver derives the sender's `StoredItem` from it, which has fewer facts and is
/// bounded.
package struct PublishedItem: Hashable, Sendable {
    /// Its name in the inbox, which may differ from the proposed one.
    package let name: FileName
    /// Number of files, folders and links of the item, including those that were present before.
    package let entries: UInt64
    package let bytes: UInt64
    /// Properties and entries that were lost.
    package let report: FidelityReport
    /// Number of entries that were present before.
    package let keptEntries: UInt64
    /// Number of bytes that were present before, so that they were not sent.
    package let keptBytes: UInt64
    /// True if a stored item was brought up to date, or was up to date already.
    package let updated: Bool
    /// Files of an updated item that an earlier transfer stored and this one did not contain. They stay.
    package let surplus: UInt64
}
