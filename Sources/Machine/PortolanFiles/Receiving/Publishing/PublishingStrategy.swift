/// Strategy that moves a complete item to its place in the inbox. Each way is one type: ``NewItem``, ``FolderUpdate``,
/// ``InPlaceItem``.
///
/// The item is durable before it is placed. After each step of a strategy every visible file is complete, in its old or
/// new version, even after a crash of the process or the machine.
protocol PublishingStrategy: Sendable {
    /// Name of the item in the inbox, or its proposed name.
    var name: FileName { get }
    /// True if the item was in the inbox before.
    var isUpdate: Bool { get }

    /// Fails if the place has changed since it was looked up. Called before the item is synced.
    func check() throws(FileError)

    /// Puts the item, or its new entries, into place. On a failure, the rest stays in the workspace.
    ///
    /// - Parameter outcome: outcome of the item so far; entries that could not be placed unchanged are added.
    /// - Returns: the name in the inbox.
    func place(_ outcome: inout StoredOutcome) throws(FileError) -> FileName
}

/// Result of the entries of an item: number of stored ones, and losses.
struct StoredOutcome: Sendable {
    var tally: ArrivalTally
    var report: FidelityReport
}
