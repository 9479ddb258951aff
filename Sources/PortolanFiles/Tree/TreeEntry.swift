import PortolanValues

/// File, folder or link of an item, as the sender describes it and the receiver stores it.
///
/// Entries are numbered 0, 1, 2…; entry 0 is the item itself, and a folder comes before its entries.
package struct TreeEntry: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// - Parameter size: bytes, where the sender knows it beforehand.
        case file(size: UInt64?)
        case folder
        case symbolicLink(LinkTarget)
        /// Another name of a file that came before: its content, permissions, time and attributes are that one's.
        ///
        /// - Parameter to: the index of that file, whose ``TreeEntry/isLinkTarget`` is set.
        case hardLink(to: UInt32)
    }

    /// Largest depth of nested folders, the item itself counted.
    package static let maximumFolders = 128

    package let index: UInt32
    /// The folder this lies in; 0 for entry 0, which lies in none.
    package let parent: UInt32
    /// Name in its folder. The name of entry 0 is a proposal.
    package let name: FileName
    package let kind: Kind
    /// The mode's permission bits, 0 to 0o777, as the sender has them.
    ///
    /// They are kept as far as the receiver's umask and file system let them; there are no set-user, set-group or
    /// sticky bits.
    package let permissions: UInt16
    package let modified: FileTime
    /// True if a later entry may be a hard link to this file.
    package let isLinkTarget: Bool
    /// A file's or folder's extended attributes, where they are carried; see ``FileAttribute/maximumCount``.
    package let attributes: [FileAttribute]
    /// True if it came with attributes that are not stored.
    package let lacksAttributes: Bool
    /// Restriction of a file or folder, the restriction of its folder included; nil if it is just that.
    package let restriction: Restriction?

    package init(
        index: UInt32, parent: UInt32, name: FileName, kind: Kind, permissions: UInt16, modified: FileTime,
        isLinkTarget: Bool = false, attributes: [FileAttribute] = [], lacksAttributes: Bool = false,
        restriction: Restriction? = nil
    ) {
        self.index = index
        self.parent = parent
        self.name = name
        self.kind = kind
        self.permissions = permissions & 0o777
        self.modified = modified
        self.isLinkTarget = isLinkTarget
        self.attributes = attributes
        self.lacksAttributes = lacksAttributes
        self.restriction = restriction
    }
}
