import PortolanValues

/// Completely received item, with everything for its publication.
///
/// ``makeDurable()`` comes first, then ``place()``, then ``confirm(_:)``.
struct CompleteItem: Sendable {
    /// The inbox, open.
    let inbox: Descriptor
    let storage: any Storage
    let strategy: any PublishingStrategy
    /// Files and folders that are synced one by one; nil if the whole file system is.
    let unsynced: [Descriptor]?
    let outcome: StoredOutcome

    /// Syncs content, names and attributes. After a failure, the files cannot be trusted: the kernel reports a lost
    /// page once, and another sync would succeed.
    func makeDurable() throws(FileError) {
        try FileError.whileStoring(DisplayText(strategy.name.text)) { () throws(SystemFailure) in
            guard let unsynced else { return try storage.syncAll(inbox) }
            for file in unsynced { try storage.sync(file) }
        }
    }

    /// Makes the item visible.
    func place() throws(FileError) -> PublishedItem {
        var outcome = outcome
        let name = try strategy.place(&outcome)
        let tally = outcome.tally
        return PublishedItem(
            name: name, entries: tally.stored, bytes: tally.bytes, report: outcome.report,
            keptEntries: tally.keptEntries, keptBytes: tally.keptBytes, updated: strategy.isUpdate,
            surplus: tally.surplus)
    }

    /// Makes the name of the item durable.
    ///
    /// Needed even if nothing was moved: an earlier process may have moved the item and ended before this step.
    func confirm(_ stored: PublishedItem) throws(FileError) {
        do throws(SystemFailure) {
            try storage.sync(inbox)
        } catch {
            throw FileError(
                .inputOutput,
                "“\(stored.name)” was stored, but the disk failed to confirm it (\(error.text)); check the disk and the file."
            )
        }
    }
}
