import PortolanFiles
import Synchronization

/// Folders that a node stores received items in: its inbox, and others that decisions name.
final class InboxFolders: Sendable {
    /// Most folders besides the inbox that are kept open, the last used ones: a rule may name a new one every day.
    private static let most = 256

    let inbox: Inbox
    private let partialLifetime: Duration
    private let remember: @Sendable (_ path: String) -> Void
    /// The last used last.
    private let others = Mutex<[(destination: Destination, folder: Inbox)]>([])

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

    /// True if these are the folders for items received at a path, and the inbox still exists. May block.
    func isFor(_ path: String, _ partialLifetime: Duration) -> Bool {
        // A path with a different text is not resolved, since it may lead to another folder by now.
        path.hasPrefix("/") && inbox.path == path && self.partialLifetime == partialLifetime && inbox.isThere
    }

    /// Opens the folder of a destination; creates it if it is missing. May block.
    ///
    /// - Throws: `FileError` if it cannot be used.
    func folder(_ destination: Destination) throws(FileError) -> Inbox {
        guard let path = destination.folder else { return inbox }
        if let known = use(destination, or: nil) { return known }
        let opened =
            if let known = known(at: path) { known } else { try Self.prepared(at: path, partialLifetime, remember) }
        // Another session may have been quicker.
        return use(destination, or: opened) ?? opened
    }

    /// Returns the open folder of a destination and marks it as the one used last.
    ///
    /// - Parameter opened: folder to add if none is open.
    private func use(_ destination: Destination, or opened: Inbox?) -> Inbox? {
        others.withLock { others in
            let place = others.firstIndex { $0.destination == destination }
            guard let folder = place.map({ others.remove(at: $0).folder }) ?? opened else { return nil }
            others.append((destination, folder))
            if others.count > Self.most { others.removeFirst() }
            return folder
        }
    }

    /// Returns a folder that is in use already, with its index of partials.
    private func known(at path: String) -> Inbox? {
        path == inbox.path ? inbox : others.withLock { $0.first { $0.destination.folder == path }?.folder }
    }

    private static func prepared(
        at path: String, _ partialLifetime: Duration, _ remember: (_ path: String) -> Void
    ) throws(FileError) -> Inbox {
        let folder = try Inbox(path: path, createIfMissing: true)
        try folder.removeExpiredPartials(olderThan: partialLifetime)
        try folder.listPartials()
        // The check is repeated when the first item comes, since a full disk may have space by then.
        _ = try? folder.keepsRestrictions()
        remember(folder.path)
        return folder
    }

    /// The inbox and the open folders; quarantine folders first.
    var all: [(destination: Destination, folder: Inbox)] {
        let others = others.withLock(\.self)
        return others.filter { $0.destination.isQuarantine } + [(destination: .inbox, folder: inbox)]
            + others.filter { !$0.destination.isQuarantine }
    }

    /// True if a folder may have a partial of an item, by the indexes alone: no disk is touched.
    func mayHoldPartial(of identity: ItemIdentity) -> Bool {
        all.contains { $0.folder.mayHoldPartial(of: identity) }
    }

    /// Removes partials that are too old from all folders. May block.
    func removeExpiredPartials() {
        for (_, folder) in all { _ = try? folder.removeExpiredPartials(olderThan: partialLifetime) }
    }
}
