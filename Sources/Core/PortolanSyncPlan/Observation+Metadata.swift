// MARK: Times and permissions

extension Observer {
    /// Takes the metadata that were found for those of an entry, without a change of the records. An entry by an
    /// earlier version of the program counts as having those of the records.
    func adopt(_ item: ScannedFile, _ entry: inout AgreedEntry) {
        let isUnknown = entry.onDisk == nil && entry.form == item.form
        entry.hold(isUnknown ? RecordView(index).item(for: entry)?.metadata : item.metadata, shown: item.metadata)
    }

    /// - Returns: true if a person has changed the metadata, and the records follow.
    func take(_ metadata: ItemMetadata?, _ entry: inout AgreedEntry, _ wanted: TreeItem?) -> Bool {
        guard entry.onDisk != metadata else { return false }
        if !tells {
            entry.shown = metadata
            return false
        }
        entry.hold(metadata)
        // A step may have been done and not recorded.
        return metadata != wanted?.metadata
    }

    /// Changes the metadata of the nodes of an entry.
    mutating func touch(_ entry: AgreedEntry) {
        guard let metadata = entry.metadata else { return }
        for seen in entry.seen {
            guard var record = index.record(seen.node), record.kind == entry.kind else { continue }
            guard record.set(metadata, Dot(index.replica, index.counter + 1), of: seen.writes) else { continue }
            _ = index.newDot()
            index.update(record)
        }
    }
}
