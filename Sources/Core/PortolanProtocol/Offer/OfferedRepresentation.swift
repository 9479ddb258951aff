import PortolanValues

/// Channel on which the bytes of a representation travel.
public enum Channel: String, Hashable, Sendable, CaseIterable {
    /// In-line channel of one run of bytes, for content in memory.
    case data
    /// Channel of a file or a folder of files, from disk to disk.
    case file
}

/// Form in which a peer offers an item.
public struct OfferedRepresentation: Hashable, Sendable {
    public let type: OfferedType
    /// Peers that may see it. A receiver stores it with the item and honours it when passing the item on. A
    /// representation for nobody is never part of an offer.
    public let restriction: Restriction
    public let channel: Channel
    /// Most bytes of its content without holes; for a folder, of all its files; nil if unknown. It is binding: more is
    /// not stored.
    public let size: UInt64?
    /// The size that it appears to have, in bytes, holes counted; nil where ``size`` is. It binds the sender likewise.
    public let apparentSize: UInt64?
    /// About how many bytes of content a folder without ``size`` comes to; nil if unknown. For people only: it binds
    /// nobody, and decides nothing.
    public private(set) var estimatedSize: UInt64?
    /// A name to store it under. Peer text that is no safe file name yet: `FileName` decides that.
    public let suggestedName: String?
    /// True if it is a folder; only on the file channel.
    public let isFolder: Bool
    /// Identifier of the source file or folder, independent of its content; 16 bytes, or none. Specific to this
    /// receiver: later offers from the same path have the same identifier.
    public private(set) var source: [UInt8]

    public init(
        type: OfferedType, restriction: Restriction = .everyone, channel: Channel,
        size: UInt64? = nil, apparentSize: UInt64? = nil, estimatedSize: UInt64? = nil, suggestedName: String? = nil,
        isFolder: Bool = false, source: [UInt8] = []
    ) throws(InvalidValue) {
        try InvalidValue.checkSize(size, "A representation")
        try InvalidValue.checkSize(apparentSize, "A representation")
        try InvalidValue.check(
            apparentSize.map({ $0 >= size ?? .max }) ?? true,
            "A representation appears to be smaller than its content is, or than is known of it.")
        try InvalidValue.checkSize(estimatedSize, "A representation")
        try InvalidValue.check(
            estimatedSize == nil || isFolder && size == nil,
            "Only the size of a folder is estimated, and not if it is known.")
        if let suggestedName { try InvalidValue.checkText(suggestedName, "A suggested name", maximum: Limits.name) }
        guard !isFolder || channel == .file else { throw InvalidValue("A folder travels on the file channel only.") }
        guard source.isEmpty || source.count == 16 else { throw InvalidValue("A source's identity has 16 bytes.") }
        self.type = type
        self.restriction = restriction
        self.channel = channel
        self.size = size
        self.apparentSize = apparentSize ?? size
        self.estimatedSize = estimatedSize
        self.suggestedName = suggestedName
        self.isFolder = isFolder
        self.source = source
    }

    var withoutSource: OfferedRepresentation {
        var copy = self
        copy.source = []
        return copy
    }

    /// A folder without a size, with its estimate; another representation as it is.
    func estimated(at size: UInt64) -> OfferedRepresentation {
        guard isFolder, self.size == nil else { return self }
        var copy = self
        copy.estimatedSize = min(size, Limits.size)
        return copy
    }
}
