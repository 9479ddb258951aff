import PortolanFiles
import Synchronization

/// Folders that a node stores received items in: its inbox, and others that decisions name.
final class InboxFolders: Sendable {
    /// Most folders besides the inbox that are kept open, the last used ones: a rule may name a new one every day.
    private static let most = 256

    let inbox: Inbox
    private let partialLifetime: Duration
    private let own: OwnFiles
    private let remember: @Sendable (_ path: String) -> Void
    /// The last used last.
    private let others = Mutex<[(destination: Destination, folder: Inbox)]>([])

    /// Opens the inbox, made if it is not there. May block.
    ///
    /// - Parameters:
    ///   - own: files of the program, among which nothing is stored.
    ///   - partialLifetime: older partials are removed from each folder.
    ///   - remember: called with the path of each folder that is used, from any thread.
    /// - Throws: `FileError` where the inbox cannot be used.
    init(
        inbox path: String, besides own: OwnFiles, partialLifetime: Duration,
        remember: @escaping @Sendable (_ path: String) -> Void
    ) throws(FileError) {
        self.partialLifetime = partialLifetime
        self.own = own
        self.remember = remember
        inbox = try Self.prepared(Inbox(path: path, createIfMissing: true, besides: own), partialLifetime, remember)
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
        // The name of a sender's folder may be an item's by now, and that may have the inode of the folder.
        let inUse = use(destination, or: nil)
        if let inUse {
            guard let owner = destination.owners.last else { return inUse }
            if inUse.isUnchanged, ReceivingPlace.isThere(inUse.path, for: owner) { return inUse }
        }
        let place =
            destination.owners.isEmpty
            ? path
            : try ReceivingPlace.path(
                path, owners: destination.owners, besides: own, isQuarantine: destination.isQuarantine)
        let opened =
            if let known = known(at: place) {
                known
            } else {
                try Self.prepared(
                    Inbox(path: place, createIfMissing: true, besides: own, isQuarantine: destination.isQuarantine),
                    partialLifetime, remember)
            }
        // Another session may have been quicker.
        return use(destination, or: opened, isMoved: inUse != nil) ?? opened
    }

    /// Returns the open folder of a destination and marks it as the one used last.
    ///
    /// - Parameters:
    ///   - opened: folder to add if none is open.
    ///   - isMoved: true if it replaces the open one.
    private func use(_ destination: Destination, or opened: Inbox?, isMoved: Bool = false) -> Inbox? {
        others.withLock { others in
            let place = others.firstIndex { $0.destination == destination }
            let former = place.map { others.remove(at: $0).folder }
            guard let folder = isMoved ? opened : former ?? opened else { return nil }
            others.append((destination, folder))
            if others.count > Self.most { others.removeFirst() }
            return folder
        }
    }

    /// Returns a folder that is in use already, with its index of partials.
    private func known(at path: String) -> Inbox? {
        if path == inbox.path { return inbox }
        let known = others.withLock { $0.first { $0.folder.path == path }?.folder }
        return known?.isUnchanged == true ? known : nil
    }

    private static func prepared(
        _ folder: Inbox, _ partialLifetime: Duration, _ remember: (_ path: String) -> Void
    ) throws(FileError) -> Inbox {
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
