import PortolanSyncPlan

extension StoredIndex {
    /// Makes a part of the index true. No file is changed, and only a second node of one item is deleted.
    mutating func mend(_ mending: SyncMending) {
        switch mending {
        case .scan: break
        case .forget(let place): forget(place)
        case .forgetFolder(let inode): forgetFiles(in: inode)
        case .release(let id): release(id, depth: 0)
        case .merge(let id, let kept): merge(id, into: kept)
        case .bring(let id):
            guard var entry = entry(id) else { return }
            entry.isHeld = false
            set(entry)
            mark(entry.seen.map(\.node))
        case .plan(let nodes): mark(nodes.filter { record($0) != nil })
        case .join(let node, let kept): join(node, with: kept)
        case .leaveRing(let node):
            cycleBreakers.remove(node)
            mark([node] + children(of: node))
        case .forgetPosition(let device): acknowledge(PortolanSyncPlan.ChangeCursor(replica, 0), by: device)
        }
    }

    private func release(_ id: EntryID, depth: Int) {
        guard id.number > 0, depth < FolderScan.maximumDepth, let entry = entry(id) else { return }
        for child in entries(in: id) { release(child, depth: depth + 1) }
        mark(entry.seen.map(\.node))
        removeEntry(id)
    }

    private func merge(_ id: EntryID, into kept: EntryID) {
        for child in entries(in: id) {
            guard var entry = entry(child), self.entry(in: kept, named: entry.name) == nil else { continue }
            entry.parent = kept
            set(entry)
        }
        release(id, depth: 0)
        if let entry = entry(kept) { mark(entry.seen.map(\.node)) }
    }
}
