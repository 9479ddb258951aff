import PortolanValues

/// File, folder or link of an item, as described by the sender and stored by the receiver.
///
/// Entries are numbered 0, 1, 2…; entry 0 is the item itself, and a folder comes before its entries.
package struct TreeEntry: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// - Parameter size: bytes, if the sender knows the size in advance.
        case file(size: UInt64?)
        case folder
        case symbolicLink(LinkTarget)
        /// Another name of an earlier file, with the same content, permissions, time and attributes.
        ///
        /// - Parameter to: the index of that file, whose ``TreeEntry/isLinkTarget`` is set.
        case hardLink(to: UInt32)
    }

    /// Most nested folders, including the item itself.
    package static let maximumFolders = 128

    package let index: UInt32
    /// Index of its folder; 0 for entry 0, which has none.
    package let parent: UInt32
    /// Name in its folder. The name of entry 0 is a proposal.
    package let name: FileName
    package let kind: Kind
    /// Permission bits at the sender, 0 to 0o777.
    ///
    /// They are stored as far as the receiver's umask and file system allow; there are no set-user, set-group or sticky
    /// bits.
    package let permissions: UInt16
    package let modified: FileTime
    /// True if a later entry may be a hard link to this file.
    package let isLinkTarget: Bool
    /// Extended attributes of a file or folder, if they are sent; see ``FileAttribute/maximumCount``.
    package let attributes: [FileAttribute]
    /// True if the sender's entry had attributes that are not stored.
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
