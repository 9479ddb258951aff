/// Deleted folders with and without a living node in them, remembered while the records below them stay as they are.
///
/// Each record of a deleted tree asks for the folders above it. Without a memory, it would cost a look at the whole
/// tree.
package final class PresenceMemory {
    enum Contents {
        /// A living node is this number of levels below the folder.
        case living(Int)
        /// No living node is within this number of levels; `.max` if there is none at all.
        case deleted(Int)
    }

    /// Each folder that the contents of a folder in here depend on is in here, too, unless it is alive.
    private var folders: [NodeID: Contents] = [:]
    private static let maximumKept = 65_536

    package init() {}

    subscript(folder: NodeID) -> Contents? {
        get { folders[folder] }
        set { folders[folder] = newValue }
    }

    /// Limits the number of folders, before a question.
    func limit() { if folders.count >= Self.maximumKept { forgetAll() } }

    package func forgetAll() { folders = [:] }

    /// - Returns: true if the folder was in the memory.
    func forget(_ folder: NodeID) -> Bool { folders.removeValue(forKey: folder) != nil }
}

extension SyncIndex {
    /// Forgets the folders whose presence may change with that of a node.
    func forgetPresence(above record: NodeRecord) {
        guard let presence else { return }
        var next = record.place?.parent
        while let folder = next, presence.forget(folder) { next = self.record(folder)?.place?.parent }
    }

    package func hasLivingChild(_ folder: NodeID) -> Bool {
        children(of: folder).contains { record($0)?.isDeleted == false }
    }
}

extension RecordView {
    /// True if the node is shown: it is alive, or a folder with a live node inside.
    package func isPresent(_ record: NodeRecord) -> Bool {
        if !record.isDeleted { return true }
        guard record.kind == .folder else { return false }
        index.presence?.limit()
        return levelOfLife(in: record.id, within: Self.maximumDepth).level != nil
    }

    /// Number of levels from a deleted folder down to a living node.
    ///
    /// - Returns: the number, nil if there is none within the limit; and false if there may be one further down.
    private func levelOfLife(in folder: NodeID, within limit: Int) -> (level: Int?, isWhole: Bool) {
        guard limit > 0 else { return (nil, false) }
        switch index.presence?[folder] {
        case .living(let level) where level <= limit: return (level, true)
        case .deleted(let depth) where depth >= limit: return (nil, depth == .max)
        default: break
        }
        var isWhole = true
        // A node that breaks a cycle is in the root, whatever its record says.
        var level = index.cycleBreakers.isEmpty && index.hasLivingChild(folder) ? 1 : nil
        for child in level == nil ? index.children(of: folder) : [] {
            guard let record = index.record(child), parent(of: record) == folder else { continue }
            if record.isDeleted {
                guard record.kind == .folder else { continue }
                let below = levelOfLife(in: child, within: limit - 1)
                isWhole = isWhole && below.isWhole
                level = below.level.map { $0 + 1 }
            } else {
                level = 1
            }
            if level != nil { break }
        }
        index.presence?[folder] = level.map { .living($0) } ?? .deleted(isWhole ? .max : limit)
        return (level, level != nil || isWhole)
    }
}
