/// Entry from a peer whose name or link target is refused.
///
/// A receiver leaves it out, with everything in it and all other names of it.
package struct RefusedEntry: Hashable, Sendable {
    package let index: UInt32
    /// Index of its folder.
    package let parent: UInt32
    /// Bytes of its name, as received.
    package let name: [UInt8]
    package let isFolder: Bool
    /// True if a later entry may be a hard link to this file.
    package let isLinkTarget: Bool
    package let reason: Loss.Reason

    package init(
        index: UInt32, parent: UInt32, name: [UInt8], isFolder: Bool = false, isLinkTarget: Bool = false,
        reason: Loss.Reason
    ) {
        self.index = index
        self.parent = parent
        self.name = name
        self.isFolder = isFolder
        self.isLinkTarget = isLinkTarget
        self.reason = reason
    }
}
