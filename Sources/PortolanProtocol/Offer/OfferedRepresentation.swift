import PortolanTrust

/// How the bytes of a representation travel.
public enum Channel: String, Hashable, Sendable, CaseIterable {
    /// In-line, one run of bytes: what is in memory.
    case data
    /// As a file or a folder of files, from disk to disk.
    case file
}

/// One form in which a peer offers an item.
public struct OfferedRepresentation: Hashable, Sendable {
    public let type: OfferedType
    /// Who may see it. Whoever stores the item keeps this with it and honours it when passing it on.
    public let visibility: Visibility
    /// Whom the levels `team` and `group` mean. Where it is missing with one of them, that is nobody, and the representation
    /// is never part of an offer. Of a `team` representation it holds the team alone.
    public let audience: Audience?
    public let channel: Channel
    /// Bytes it will have, where that is known; for a folder, of all its files. A hint until the transfer ends.
    public let size: UInt64?
    /// A name to store it under. Peer text that is no safe file name yet: `FileName` decides that.
    public let suggestedName: String?
    /// Whether it is a folder; only on the file channel.
    public let isFolder: Bool
    /// Names the file or folder that it is, whatever is in it at the moment; 16 bytes, or none. The sender makes it for
    /// this receiver, to whom alone it means something: what comes from the same place again has the same.
    public let source: [UInt8]

    public init(
        type: OfferedType, visibility: Visibility = .all, audience: Audience? = nil, channel: Channel,
        size: UInt64? = nil, suggestedName: String? = nil, isFolder: Bool = false, source: [UInt8] = []
    ) throws(InvalidValue) {
        switch visibility {
        case .all, .ownProcess:
            guard audience == nil else { throw InvalidValue("Only what is for a team or its groups names them.") }
            self.audience = nil
        case .team: self.audience = audience?.withoutGroups
        case .group:
            guard audience?.groups.isEmpty != true else { throw InvalidValue("What is for groups names none.") }
            self.audience = audience
        }
        try InvalidValue.checkSize(size, "A representation")
        if let suggestedName { try InvalidValue.checkText(suggestedName, "A suggested name", maximum: Limits.name) }
        guard !isFolder || channel == .file else { throw InvalidValue("A folder travels on the file channel only.") }
        guard source.isEmpty || source.count == 16 else { throw InvalidValue("A source's identity has 16 bytes.") }
        self.type = type
        self.visibility = visibility
        self.channel = channel
        self.size = size
        self.suggestedName = suggestedName
        self.isFolder = isFolder
        self.source = source
    }
}

extension Audience {
    /// The whole team.
    fileprivate var withoutGroups: Audience {
        do {
            return try Audience(team: team)
        } catch {
            preconditionFailure("No groups are never too many: \(error)")
        }
    }
}
