import PortolanValues
import Synchronization

/// File that later hard links may have as their target.
final class LinkTargetFile: Sendable {
    /// Folder of the file: in the partial, or in the item that is brought up to date.
    let folder: HeldFolder
    let name: String
    let identity: FileIdentity
    let restriction: Restriction
    /// Held while a link to the file is created, and while the file is left out with all its links.
    let linking = Mutex(())

    init(folder: HeldFolder, name: String, identity: FileIdentity, restriction: Restriction) {
        self.folder = folder
        self.name = name
        self.identity = identity
        self.restriction = restriction
    }
}

/// Hard links that came before the content of their target was complete.
///
/// Content comes on several lanes, so that links overtake it: in a folder of 150 files of 3 MB with a second name each,
/// the content of 25 to 30 files was incomplete when their links came. A lane that waited for it would hold up all
/// entries behind the link.
struct UnfinishedLinks: Sendable {
    struct Link: Sendable {
        let entry: TreeEntry
        let folder: ItemFolder
        /// True if the file system has no hard links: the link gets a copy of the content when that is complete.
        let isCopy: Bool
    }

    private var links: [UInt32: [Link]] = [:]
    private(set) var count = 0

    mutating func add(_ link: Link, to target: UInt32) {
        links[target, default: []].append(link)
        count += 1
    }

    mutating func remove(to target: UInt32) -> [Link] {
        let removed = links.removeValue(forKey: target) ?? []
        count -= removed.count
        return removed
    }
}
