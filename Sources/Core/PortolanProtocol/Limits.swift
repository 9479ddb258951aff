import PortolanValues

/// Limits of a peer's messages (PORTOLAN.md, "Limits"). Larger values are refused before memory is allocated for them.
public enum Limits {
    /// Largest frame of the handshake, in bytes, its two length bytes not counted.
    package static let handshakeFrame = 4096
    /// The plaintext of one control record, in bytes.
    package static let control = 256 << 10
    /// The data in one payload record, in bytes, its header not counted.
    package static let payload = 1 << 20

    /// The plaintext of one tree record, in bytes.
    package static let treeRecord = 1 << 20
    /// Lanes of one direction of a session that are open at a time.
    package static let lanes = 16

    /// Items in one offer, and in one part of a list.
    public static let items = 1024
    /// Longest position in a list, in bytes.
    package static let listPlace = 32
    /// Lists and requests of one side that are not answered.
    package static let questions = 16
    /// Representations of one item.
    public static let representations = 32
    /// Ancestors, extensions and MIME types of one content type, each.
    public static let ancestors = 64
    /// A type identifier, extension or MIME type, in bytes of UTF-8.
    public static let identifier = 255
    /// A file or device-local name, in bytes.
    public static let name = 255
    /// A title, description or detail, in bytes of UTF-8.
    public static let text = 1024
    /// Most inline content of all items of one offer, in bytes.
    package static let inlineContent = 128 << 10
    /// A picture of a preview, in bytes.
    public static let picture = 32 << 10
    /// Folders inside one another below an item, its root counted.
    public static let depth = 128
    /// The target of a symbolic link and the path of an omission, in bytes.
    package static let path = 4095
    /// Teams in one Hello.
    package static let teams = 16
    /// Heads of one team's roster.
    package static let heads = 8
    /// Statements of members that they have left a team.
    package static let leavings = 64
    /// The roster of one head, in bytes.
    package static let roster = 224 << 10
    /// The rosters of all heads that one side sends in one session, in bytes.
    package static let rosters = 4 << 20
    /// Most heads updates of teams from one side after the beginning of a session; repeated ones count.
    package static let rosterUpdates = 64
    /// Extended attributes of one file or folder.
    package static let attributes = 64
    /// The names and values of all extended attributes of one file or folder, in bytes.
    package static let attributeBytes = 64 << 10
    /// Files of one transfer that are begun and not finished.
    package static let openFiles = 64
    /// Most files of one transfer that are announced and neither kept nor finished, if the receiver is asked.
    package static let pendingFiles = 8192
    /// Footprint of the extended attributes of these files, in bytes, above which no other file is announced.
    package static let pendingAttributes = 4 << 20
    /// Memory that an attribute takes beside its name and its value, in bytes.
    package static let attributeOverhead = 32
    /// Parts of one file that do not touch.
    package static let fileParts = 4096
    /// Files of one transfer that hard links may name.
    package static let linkTargets = 65_536
    /// Decisions in one Wanted.
    package static let decisions = 65_536
    /// Digests in one Holding.
    package static let digests = 8192
    /// Data in one Base, in bytes.
    package static let baseData = 128 << 10
    /// Runs of groups in one Compare.
    package static let groupRuns = 4096
    /// Ranges in one Compare.
    package static let sumRanges = 1024
    /// Most bytes of sums that one Compare requests.
    package static let sumBytes = 4 << 20
    /// Sizes of a file that may be sent as a difference, and of its earlier version, in bytes.
    package static let differenceSize = DifferenceSizes.range.upperBound
    /// Suites that a responder may offer.
    package static let suites = 16
    /// Size of the list of one item's omissions, in bytes of their paths; further omissions are counted.
    package static let omissionBytes = 32 << 10
    /// Most omissions in a list; the others are counted.
    package static let omissions = 1024
    /// Kinds of counts in one message, unknown ones included.
    package static let counts = 16
    /// Bytes of a signed receipt.
    package static let receipt = 1024
    /// Folders in one SyncFolders.
    package static let folders = 256
    /// Lacks of one folder, and in one SyncFolders.
    package static let lacks = (ofFolder: 16, all: 256)
    /// Machines with one key that a member tells of.
    package static let machines = 2
    /// Records in one SyncChanges.
    package static let records = 256
    /// Replicas that the records of one SyncChanges name.
    package static let replicas = 2048
    /// Seals of other devices in one SyncChanges.
    package static let seals = 256
    /// Size of a SyncChanges, in bytes, unless a single record takes more.
    package static let recordBytes = 64 << 10
    /// Changes in all answers to one SyncSince: records, and their bytes.
    package static let changes = (records: 32_768, bytes: 8 << 20)
    /// A content that comes with changes, in bytes.
    package static let syncContent = 64 << 10
    /// Contents in one SyncWant.
    package static let wanted = 1024
    /// Largest size of any content: the range of a signed 64-bit file offset.
    package static let size = UInt64(Int64.max)
}
