/// What became of an item in the inbox. A receiver makes of it the `StoredItem` that it tells the sender, which says less and is bounded.
package struct PublishedItem: Hashable, Sendable {
    /// Its name in the inbox, which need not be the one that was proposed.
    package let name: FileName
    /// Files, folders and links of the item, those that were there already among them.
    package let entries: UInt64
    package let bytes: UInt64
    /// What could not be kept.
    package let report: FidelityReport
    /// Of the entries, those that were there already.
    package let keptEntries: UInt64
    /// Of the bytes, those that were there already and were not sent.
    package let keptBytes: UInt64
    /// Whether an item that was there was brought up to date, or was found to be.
    package let updated: Bool
    /// Files of an item that was brought up to date that came from its source earlier and did not come this time. They stay.
    package let surplus: UInt64
}
