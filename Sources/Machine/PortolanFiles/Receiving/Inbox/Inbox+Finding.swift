import Glibc
import PortolanValues

/// State of an item in the inbox before its transfer begins.
package enum StoredItemState: Hashable, Sendable {
    case nothing
    /// An interrupted transfer left this many bytes of an item, which was accepted with a size or without one.
    case partial(bytes: UInt64, acceptedSize: UInt64?)
    /// The item was stored under this name, and can be brought up to date.
    case stored(name: FileName)
}

/// An item to look up in the inbox.
package struct ItemQuery: Hashable, Sendable {
    package let identity: ItemIdentity
    /// The name that the item would get.
    package let name: FileName
    package let isFolder: Bool
    /// Sender of the item, whose other items may contain the same files; nil for none.
    let sender: SenderIdentity?
    /// Bytes of the item, if they are known.
    let size: UInt64?

    package init(
        _ identity: ItemIdentity, called name: FileName, isFolder: Bool, from sender: SenderIdentity? = nil,
        size: UInt64? = nil
    ) {
        self.identity = identity
        self.name = name
        self.isFolder = isFolder
        self.sender = sender
        self.size = size
    }
}

/// Content of an item in the inbox, at the time of the look-up.
package struct ItemTraces: Hashable, Sendable {
    package let known: StoredItemState
    /// The name that was looked for.
    let name: FileName
    /// Stored items that can be updated: one folder, or several versions of a file.
    let targets: [FileName]
    /// Folders of partials, the one with the most content first.
    let partials: [String]
    /// Other items of the sender; only if nothing of this item is stored.
    let related: [FileName]
    /// Title and name under which the first of the partials was accepted.
    package let accepted: AcceptedNames?

    package struct AcceptedNames: Hashable, Sendable {
        package let title: String
        package let name: String
    }

    /// True if the inbox may hold content that need not be sent.
    package var mayHoldContent: Bool { known != .nothing || !related.isEmpty }
}

extension Inbox {
    /// Looks up items, with at most one listing of the inbox for the partials of all of them, and one for related
    /// items.
    ///
    /// Between two items the thread runs other jobs, and checks for cancellation of the task.
    ///
    /// - Parameter listing: true to search partials of other processes and other items of the sender as well.
    /// - Throws: ``FileError`` if the folder is missing or cannot be listed; `CancellationError`.
    package func find(_ queries: some Sequence<ItemQuery>, listing: Bool) async throws -> [ItemTraces] {
        try Task.checkCancellation()
        if listing { try listPartials() }
        var found: [ItemTraces] = []
        let related = listing ? RelatedItems(in: try open(), features: features) : nil
        for query in queries {
            if !found.isEmpty { await Task.yield() }
            try Task.checkCancellation()
            found.append(try find(query, related))
        }
        return found
    }

    /// Looks up an item: a stored one by at most ``variants`` possible names, a partial by the index
    /// (``listPartials()``).
    ///
    /// - Parameter relating: true to search other items of the sender, by one listing of the inbox.
    package func find(_ query: ItemQuery, relating: Bool) throws(FileError) -> ItemTraces {
        try find(query, relating ? RelatedItems(in: open(), features: features) : nil)
    }

    private func find(_ query: ItemQuery, _ others: RelatedItems?) throws(FileError) -> ItemTraces {
        let (identity, name, isFolder) = (query.identity, query.name, query.isFolder)
        let folder = try open()
        let targets = targets(identity, called: name, isFolder: isFolder, in: folder)
        let partials = partials(of: identity, in: folder)
        let known: StoredItemState =
            if let target = targets.first {
                .stored(name: target)
            } else if let partial = partials.first {
                .partial(bytes: partial.bytes, acceptedSize: partial.acceptedSize)
            } else {
                .nothing
            }
        var related: [FileName] = []
        if let others, targets.isEmpty, let sender = query.sender {
            related = others.find(of: sender, isFolder: isFolder, size: query.size)
        }
        return ItemTraces(
            known: known, name: name, targets: targets, partials: partials.map(\.name), related: related,
            accepted: partials.first?.accepted)
    }

    package func find(
        _ identity: ItemIdentity, called name: FileName, isFolder: Bool
    ) throws(FileError) -> ItemTraces {
        try find(ItemQuery(identity, called: name, isFolder: isFolder), relating: false)
    }

    /// Returns true if a partial of the item may exist, by the index alone: the disk is not read.
    package func mayHoldPartial(of identity: ItemIdentity) -> Bool { !index.names(of: identity).isEmpty }

    private struct FoundPartial {
        let name: String
        let bytes: UInt64
        let acceptedSize: UInt64?
        let accepted: ItemTraces.AcceptedNames?
    }

    /// Partials of an item that no process works on. Several may remain after disk errors.
    private func partials(of identity: ItemIdentity, in folder: Descriptor) -> [FoundPartial] {
        index.names(of: identity).compactMap { name in
            guard let partial = summary(of: name, in: folder), partial.about?.identity == identity else {
                index.remove(name)
                return nil
            }
            guard partial.holdsItem, !partial.isLocked else { return nil }
            return FoundPartial(
                name: name, bytes: partial.bytes, acceptedSize: partial.about?.acceptedSize,
                accepted: partial.about.map { .init(title: $0.title, name: $0.name) })
        }.sorted { ($1.bytes, $0.name) < ($0.bytes, $1.name) }
    }

    /// Number of numbered names under which a stored item is searched.
    private static let variants = 64

    /// Returns the names of stored items of this identity: one folder, or untouched files.
    func targets(
        _ identity: ItemIdentity, called name: FileName, isFolder: Bool, in folder: Descriptor
    ) -> [FileName] {
        let name = name.ofItem
        var targets: [FileName] = []
        for number in 1...Self.variants {
            let candidate = number == 1 ? name : name.numbered(number, isFolder: isFolder)
            if let target = StoredTarget(candidate, in: folder, of: identity, isFolder: isFolder, features: features),
                isFolder || ReceivedMark.isTrue(of: target.root)
            {
                targets.append(candidate)
                if isFolder { break }
            } else if number > 3, (try? folder.status(of: candidate.text)) == nil {
                // A few numbers may have been removed; a longer gap is the end.
                break
            }
        }
        return targets
    }
}
