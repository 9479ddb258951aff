import PortolanValues

/// Checks the order of a tree's entries: numbered without gaps, depth first, each in a folder above the preceding entry
/// or in that entry itself, and hard links after their targets.
///
/// Its memory is one folder path and the targets of hard links, independent of the size of the tree.
struct IncomingEntries: Sendable {
    private let isFolder: Bool
    /// Number of entries so far.
    private(set) var count: UInt32 = 0
    /// The folders from the root to where entries arrive at the moment.
    private var folders: [UInt32] = []
    /// Entries that hard links may name, ascending.
    private var linkTargets: [UInt32] = []

    /// - Parameter isFolder: true if a folder was offered.
    init(isFolder: Bool) { self.isFolder = isFolder }

    var rememberedCount: Int { folders.count + linkTargets.count }

    func checkNumber(_ index: UInt32) throws(ProtocolViolation) {
        try ProtocolViolation.check(index == count && count < .max, "Entry \(index) came instead of entry \(count).")
    }

    /// Takes the next entry.
    mutating func take(_ entry: TreeEntryElement) throws(ProtocolViolation) {
        try enterFolder(of: entry)
        switch entry.kind {
        case .file(let file):
            guard file.isLinkTarget else { break }
            try ProtocolViolation.check(
                linkTargets.count < Limits.linkTargets, .limit,
                "A transfer has more than \(Limits.linkTargets) files that hard links may refer to.")
            linkTargets.append(entry.index)
        case .folder:
            try ProtocolViolation.check(
                folders.count < Limits.depth, .limit, "More than \(Limits.depth) folders lie inside one another.")
            folders.append(entry.index)
        case .symbolicLink: break
        case .hardLink(let target):
            try ProtocolViolation.check(
                Self.contains(linkTargets, target), "A hard link refers to entry \(target), which it may not refer to.")
        }
        count += 1
    }

    /// Counts an unwanted entry; later ones are not checked.
    mutating func drop() {
        count += 1
        folders = []
        linkTargets = []
    }

    private mutating func enterFolder(of entry: TreeEntryElement) throws(ProtocolViolation) {
        guard count > 0 else {
            guard entry.parent == 0 else { throw ProtocolViolation(.unexpected, "The root lies in another entry.") }
            switch entry.kind {
            case .folder where isFolder: return
            case .file where !isFolder: return
            case .folder, .file:
                throw ProtocolViolation(
                    .unexpected, "A folder came instead of the offered file, or a file instead of the offered folder.")
            case .symbolicLink, .hardLink:
                throw ProtocolViolation(.unexpected, "A link came as an item; only files and folders can be items.")
            }
        }
        guard let depth = folders.lastIndex(of: entry.parent) else {
            throw ProtocolViolation(.unexpected, "An entry lies in entry \(entry.parent), which is no open folder.")
        }
        folders.removeSubrange((depth + 1)...)
    }

    private static func contains(_ ascending: [UInt32], _ number: UInt32) -> Bool {
        let place = ascending.partitionPoint(past: { $0 < number })
        return place < ascending.count && ascending[place] == number
    }
}
