/// Result of an item in the inbox. A receiver makes the sender's `StoredItem` from it, which has fewer facts and is
/// bounded.
package struct PublishedItem: Hashable, Sendable {
    /// Its name in the inbox, which need not be the one that was proposed.
    package let name: FileName
    /// Files, folders and links of the item, those that were there already among them.
    package let entries: UInt64
    package let bytes: UInt64
    /// Properties and entries that were not kept.
    package let report: FidelityReport
    /// Of the entries, those that were there already.
    package let keptEntries: UInt64
    /// Of the bytes, those that were there already and were not sent.
    package let keptBytes: UInt64
    /// True if a stored item was brought up to date, or was up to date already.
    package let updated: Bool
    /// Files of an item that was brought up to date that came from its source earlier and did not come this time. They
    /// stay.
    package let surplus: UInt64
}
