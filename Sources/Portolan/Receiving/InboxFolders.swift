import PortolanFiles
import Synchronization

/// Folders that a node stores received items in: its inbox, and others that decisions name.
final class InboxFolders: Sendable {
    let inbox: Inbox
    private let partialLifetime: Duration
    private let remember: @Sendable (_ path: String) -> Void
    private let others = Mutex<[Destination: Inbox]>([:])

    /// Opens the inbox, made if it is not there. May block.
    ///
    /// - Parameters:
    ///   - partialLifetime: older partials are removed from each folder.
    ///   - remember: called with the path of each folder that is used, from any thread.
    /// - Throws: `FileError` where the inbox cannot be used.
    init(
        inbox path: String, partialLifetime: Duration, remember: @escaping @Sendable (_ path: String) -> Void
    ) throws(FileError) {
        self.partialLifetime = partialLifetime
        self.remember = remember
        inbox = try Self.prepared(at: path, partialLifetime, remember)
    }

    /// The folder of a destination, made if it is not there. May block.
    ///
    /// - Throws: `FileError` where it cannot be used.
    func folder(_ destination: Destination) throws(FileError) -> Inbox {
        guard let path = destination.folder else { return inbox }
        if let known = others.withLock({ $0[destination] }) { return known }
        let opened =
            if let known = known(at: path) { known } else { try Self.prepared(at: path, partialLifetime, remember) }
        return others.withLock { others in
            // Another session may have been quicker.
            let folder = others[destination] ?? opened
            others[destination] = folder
            return folder
        }
    }

    /// One that is used already has its index of partials.
    private func known(at path: String) -> Inbox? {
        path == inbox.path ? inbox : others.withLock { $0.first { $0.key.folder == path }?.value }
    }

    private static func prepared(
        at path: String, _ partialLifetime: Duration, _ remember: (_ path: String) -> Void
    ) throws(FileError) -> Inbox {
        let folder = try Inbox(path: path, createIfMissing: true)
        try folder.removeExpiredPartials(olderThan: partialLifetime)
        try folder.listPartials()
        // A disk that is full now may not be when the first item comes.
        _ = try? folder.keepsRestrictions()
        remember(folder.path)
        return folder
    }

    /// The inbox and all folders that were used; those for quarantine first.
    var all: [(destination: Destination, folder: Inbox)] {
        let others = others.withLock(\.self).map { (destination: $0.key, folder: $0.value) }
        return others.filter { $0.destination.isQuarantine } + [(destination: .inbox, folder: inbox)]
            + others.filter { !$0.destination.isQuarantine }
    }

    /// Whether a partial of an item may be in any folder, by the indexes alone: no disk is touched.
    func mayHoldPartial(of identity: ItemIdentity) -> Bool {
        all.contains { $0.folder.mayHoldPartial(of: identity) }
    }

    /// Removes partials that are too old from all folders. May block.
    func removeExpiredPartials() {
        for (_, folder) in all { _ = try? folder.removeExpiredPartials(olderThan: partialLifetime) }
    }
}
