import PortolanConcurrency
import PortolanFiles
import Synchronization

/// File that would be sent without a restriction, although its content was received for a team or group.
public struct UnmarkedCopy: Sendable, Hashable {
    public let path: String
    /// Restriction that the content was received for.
    public let restriction: Restriction
    /// The restriction in words, with the team's name.
    public let audience: String
}

extension Node {
    /// Finds unmarked copies among the items: files whose content was received for a team or group, but whose
    /// restriction attribute was lost, so that more peers would see them. Folders may take long.
    ///
    /// Only files with the size of a recorded file are read.
    /// - Parameter folders: true to search folders as well as single files.
    public func unmarkedCopies(in items: [Item], folders: Bool, found: @escaping @Sendable (UnmarkedCopy) -> Void) async
    {
        let isAny = items.contains { item in
            item.representations.contains { $0.sourcePath != nil && $0.isFolder == folders }
        }
        guard isAny else { return }
        // The idle thread has to wait for an idle processor.
        let store = RestrictedContentStore(home: configuration.home)
        guard await withLookupThread({ !store.isEmpty }) else { return }
        let isCancelled = Atomic(false)
        await withIdleThread {
            self.findUnmarkedCopies(
                in: items, folders: folders, isCancelled: { isCancelled.load(ordering: .relaxed) }, found: found)
        } onCancel: {
            isCancelled.store(true, ordering: .relaxed)
        }
    }

    private func findUnmarkedCopies(
        in items: [Item], folders: Bool, isCancelled: () -> Bool, found: (UnmarkedCopy) -> Void
    ) {
        let contents = RestrictedContentStore(home: configuration.home).contents()
        guard !contents.isEmpty, let resolved = try? environment.resolved(items) else { return }
        let names = (try? store.teams.names()) ?? [:]
        for resolved in resolved.flatMap(\.representations) where resolved.representation.isFolder == folders {
            guard let path = resolved.representation.sourcePath,
                let tree = try? SourceTree(path: path, shownTo: resolved.restriction, options: .forDigests)
            else { continue }
            while !isCancelled(), let entry = try? tree.next() {
                guard
                    let restriction = contents.restriction(
                        of: entry, shownTo: resolved.restriction, isCancelled: isCancelled)
                else { continue }
                found(
                    UnmarkedCopy(
                        path: entry.path, restriction: restriction,
                        audience: restriction.description { names[$0] }))
            }
        }
    }
}

extension RestrictedContents {
    /// Restriction under which the content of a file was received, if the file is about to be shown to more peers than
    /// any such restriction allows.
    fileprivate func restriction(
        of entry: SourceEntry, shownTo shown: Restriction, isCancelled: () -> Bool
    ) -> Restriction? {
        guard case .file(let size?) = entry.entry.kind, holds(size: size),
            let digest = try? entry.open().digest(while: { _ in !isCancelled() })
        else { return nil }
        let restrictions = restrictions(size: size, digest: digest)
        return restrictions.contains { $0.allows(shown) } ? nil : restrictions.first
    }
}
