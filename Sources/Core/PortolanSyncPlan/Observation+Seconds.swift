/// Files that were second versions before the epoch, and that nobody has changed since.
extension Observer {
    /// Makes a file a second version of the one with a name, which stays the version that counts first.
    ///
    /// - Returns: nil if no file or folder has the name.
    mutating func addSecond(
        _ item: ScannedFile, to name: SyncName, in parent: EntryID
    ) -> SeenVersions? {
        guard var content = content(of: item), let id = index.entry(in: parent, named: name),
            var first = index.entry(id), !first.isDisplaced, first.form?.digest != content.form.digest
        else { return nil }
        content.author = item.name.conflictAuthor ?? content.author
        if first.kind == .folder {
            var named = item
            named.name = name
            let dot = newNode(named, in: parent, content: content)
            return SeenVersions(NodeID(dot), [dot])
        }
        guard first.kind == item.kind, let seen = first.seen.first, var record = index.record(seen.node) else {
            return nil
        }
        record.part(seen.writes, from: first.form) { index.newDot() }
        let dot = index.newDot()
        record.write(dot, content, replacing: [])
        if record.versions.last?.dot == dot,
            var kept = record.versions.last(where: { seen.writes.contains($0.dot) })?.value
        {
            (kept.modified, kept.touch) = (kept.time, nil)
            let later = index.newDot()
            record.write(later, kept, replacing: seen.writes)
            first.seen[0].writes = [later]
            index.set(first)
        }
        index.update(record)
        return SeenVersions(seen.node, [dot])
    }
}
