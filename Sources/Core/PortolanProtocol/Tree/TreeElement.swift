import PortolanCrypto
import PortolanValues

/// Element of a tree record (FILES.md, "Tree records").
///
/// Its bytes are slices of the read record, or of the bytes to write, and valid only as long as those.
package enum TreeElement {
    /// A file, folder or link; on lane 0 only.
    case entry(TreeEntryElement)
    /// The whole content of a file that was asked for.
    case content(entry: UInt32, UnsafeRawBufferPointer)
    /// Part of a file that reads as zeros and is not stored.
    case hole(entry: UInt32, offset: UInt64, length: UInt64)
    /// Part of a file that is a range of the earlier version that the receiver has.
    case copy(CopyElement)
    case fileEnd(FileEndElement)
    /// End of this transfer on this lane.
    case mark
}

/// Entry of a tree in the protocol's form.
package struct TreeEntryElement {
    package enum Kind {
        case file(File)
        case folder
        /// Symbolic link with its target at the sender.
        case symbolicLink(target: UnsafeRawBufferPointer)
        /// Another name of an earlier file.
        case hardLink(to: UInt32)
    }

    package struct File {
        /// If present, the content must have this size.
        package let size: UInt64?
        /// True if hard links that follow may name it.
        package let isLinkTarget: Bool
        /// The whole content, if it comes with the entry.
        package let content: UnsafeRawBufferPointer?

        package init(size: UInt64?, isLinkTarget: Bool = false, content: UnsafeRawBufferPointer? = nil) {
            precondition(
                content.map { size == UInt64($0.count) } ?? true, "Content that comes with the entry is all of it")
            self.size = size
            self.isLinkTarget = isLinkTarget
            self.content = content
        }
    }

    /// True if no further content of it comes.
    var isWhole: Bool { if case .file(let file) = kind { file.content != nil } else { true } }

    /// 0 for the root, one more for each that follows.
    package let index: UInt32
    /// Index of its folder; 0 also for the root itself.
    package let parent: UInt32
    /// Path component; empty for the root, whose name is in `Begin`. Untrusted until `FileName` has checked it. In a
    /// read entry it is valid until the next element is read.
    package let name: UnsafeRawBufferPointer
    package let kind: Kind
    /// Permission bits, at most `0o777`. Meaningless for a link.
    package let permissions: UInt16
    /// Modification time. Meaningless for a hard link.
    package let modified: Timestamp
    /// Of a file or folder.
    package let attributes: TreeAttributes?
    /// Restriction of a file or folder, if it differs from its folder's; its level is `team` or `group`.
    package let restriction: Restriction?

    package init(
        index: UInt32, parent: UInt32, name: UnsafeRawBufferPointer, kind: Kind, permissions: UInt16,
        modified: Timestamp, attributes: TreeAttributes? = nil, restriction: Restriction? = nil
    ) {
        self.index = index
        self.parent = parent
        self.name = name
        self.kind = kind
        self.permissions = permissions
        self.modified = modified
        self.attributes = attributes
        self.restriction = restriction
    }
}

/// Copied part of a file that is sent as a difference: its position in the file and in the earlier version.
package struct CopyElement: Hashable, Sendable {
    package let entry: UInt32
    package let offset: UInt64
    /// Offset in the earlier version.
    package let base: UInt64
    /// At least 1.
    package let length: UInt64

    package init(entry: UInt32, offset: UInt64, base: UInt64, length: UInt64) {
        self.entry = entry
        self.offset = offset
        self.base = base
        self.length = length
    }

    /// Range in the file.
    package var range: Range<UInt64> { offset..<offset + length }
}

/// End of a file whose content came in ranges, or did not have to come.
package struct FileEndElement: Hashable, Sendable {
    package let entry: UInt32
    /// Size of the whole file.
    package let size: UInt64
    /// Number of its bytes that were sent, in ranges and as holes; the receiver held the rest.
    package let sent: UInt64
    /// If set, the sent content is not the file.
    package let failure: SourceFailure?
    /// `FileDigest` of the whole file, if it has copied parts; none for a failed file.
    package let digest: [UInt8]?

    package init(
        entry: UInt32, size: UInt64, sent: UInt64, failure: SourceFailure? = nil, digest: [UInt8]? = nil
    ) {
        precondition(digest.map { failure == nil && $0.count == KeyedDigest.length } ?? true, "No digest of the file")
        self.entry = entry
        self.size = size
        self.sent = sent
        self.failure = failure
        self.digest = digest
    }
}

/// The numbers of the wire.
enum TreeElementKind: UInt8 {
    case file = 1
    case folder = 2
    case symbolicLink = 3
    case hardLink = 4
    case content = 5
    case hole = 6
    case fileEnd = 7
    case mark = 8
    case copy = 9
    /// The end of a file, with its digest.
    case builtEnd = 10

    var isEntry: Bool { rawValue <= TreeElementKind.hardLink.rawValue }
}

/// Single bits, and plain numbers: they are looked at for each of a million files.
enum TreeEntryFlags {
    static let sizeKnown: UInt8 = 1
    static let content: UInt8 = 2
    static let linkTarget: UInt8 = 4
    static let attributes: UInt8 = 8
    static let restriction: UInt8 = 16
}

/// First byte of an element: its kind, and for an entry the parts that it contains.
enum TreeElementHead {
    static let kind: UInt8 = 15
    /// Number and parent follow.
    static let place: UInt8 = 16
    static let permissions: UInt8 = 32
    /// The form of the time is in the bits from here on.
    static let timeShift: UInt8 = 6
    /// All parts are there, as in the first entry of a record.
    static let full: UInt8 = 0xF0
}

extension SourceFailure {
    /// Status of a failed file; 0 is that of a complete one.
    var status: UInt8 { self == .unspecified ? .max : UInt8(wire.rawValue) }

    init?(status: UInt8) {
        if status == 0 { return nil }
        self = WireSourceFailure(rawValue: Int(status)).map(SourceFailure.init) ?? .unspecified
    }
}
