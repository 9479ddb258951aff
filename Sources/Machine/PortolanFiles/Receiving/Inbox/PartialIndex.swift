import PortolanValues
import Synchronization

/// Partials of one inbox by the identity of their item, in memory.
///
/// Answers without disk access whether there may be a partial of an item. An entry is a hint: the folder is checked
/// before use, since other processes may resume or remove a partial. A partial of another process is missing until the
/// next listing.
final class PartialIndex: Sendable {
    private struct Entries {
        var identities: [String: ItemIdentity] = [:]
        var names: [ItemIdentity: Set<String>] = [:]
    }

    private let entries = Mutex(Entries())

    /// Returns the names of folders that may be partials of an item.
    func names(of identity: ItemIdentity) -> Set<String> { entries.withLock { $0.names[identity] ?? [] } }

    /// Names of all folders in the index.
    var names: Set<String> { entries.withLock { Set($0.identities.keys) } }

    func add(_ name: String, of identity: ItemIdentity) {
        entries.withLock { entries in
            entries.identities[name] = identity
            entries.names[identity, default: []].insert(name)
        }
    }

    func remove(_ name: String) {
        entries.withLock { entries in
            guard let identity = entries.identities.removeValue(forKey: name) else { return }
            entries.names[identity]?.remove(name)
            if entries.names[identity]?.isEmpty == true { entries.names[identity] = nil }
        }
    }
}

extension Inbox {
    /// Updates the index by one listing of the inbox. Partials that are already in the index are not read.
    package func listPartials() throws(FileError) {
        let known = index.names
        let folder = try open()
        let listed = Set(try partialNames(in: folder))
        // Names that were added since the listing stay.
        for name in known.subtracting(listed) { index.remove(name) }
        for name in listed.subtracting(known) {
            guard let partial = try? Workspace.open(name, in: folder, features: features),
                let about = PartialAbout.read(from: partial, features: features)
            else { continue }
            index.add(name, of: about.identity)
        }
    }
}
