/// Strategy that moves a complete item to its place in the inbox. Each way is one type: ``NewItem``, ``FolderUpdate``,
/// ``InPlaceItem``.
///
/// The item is durable when it is placed. Each step of a strategy leaves every visible file whole, in its old or its
/// new version, also after a crash of the process or the machine.
protocol PublishingStrategy: Sendable {
    /// The name that the item has in the inbox, or that was proposed for it.
    var name: FileName { get }
    /// True if the item was in the inbox before.
    var isUpdate: Bool { get }

    /// Fails if the place has changed since it was looked up. Called before the item is synced.
    func check() throws(FileError)

    /// Puts the item, or its new entries, into place. On a failure, the rest stays in the workspace.
    ///
    /// - Parameter outcome: of the item so far; gets the entries that could not be placed unchanged.
    /// - Returns: the name in the inbox.
    func place(_ outcome: inout StoredOutcome) throws(FileError) -> FileName
}

/// Result of the entries of an item: number of stored ones, and losses.
struct StoredOutcome: Sendable {
    var tally: ArrivalTally
    var report: FidelityReport
}
