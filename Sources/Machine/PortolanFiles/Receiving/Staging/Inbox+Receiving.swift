import Glibc
import PortolanValues

extension Inbox {
    /// Begins to receive an item, or resumes it.
    ///
    /// An item that was stored from the same source before is updated; the partial of an earlier transfer is resumed,
    /// unless another process works on it. With neither, or if `asking` is false, it begins from the start.
    ///
    /// - Parameters:
    ///   - about: metadata for a later transfer that resumes it; nil if it must not be resumed.
    ///   - identity: identity of the item; nil for that of `about`. A stored item with the same identity and content is
    ///     not stored again.
    ///   - name: its proposed name.
    ///   - restriction: its restriction; stored with each of its files and folders (``StoredVisibility``).
    ///   - required: properties that must not be lost.
    ///   - permitted: allowed permission bits of files; others are reported as lost.
    ///   - reserve: bytes that must stay free on the disk.
    ///   - asking: true if the sender asks for the needed entries; if not, it sends everything.
    ///   - sender: sender of the item; nil to search no files in its other items.
    ///   - traces: result of an earlier look-up of the item; nil looks it up now.
    /// - Throws: ``FileError`` if the folder is missing or not writable, has no room for the item or cannot keep a
    ///   required property.
    package func receive(
        _ about: PartialAbout?, as identity: ItemIdentity? = nil, called name: FileName,
        for restriction: Restriction = .everyone, keeping required: Fidelity = [], permitted: UInt16 = 0o777,
        reserve: UInt64 = 0, asking: Bool, from sender: SenderIdentity? = nil, finding traces: ItemTraces? = nil
    ) throws(FileError) -> PartialItem {
        let folder = try open()
        try makeRoom(for: about?.size ?? Self.leastRoom, reserve: reserve, besides: about?.identity)
        var targets: [StoredTarget] = []
        var related: [RelatedItem] = []
        var workspace: Workspace?
        if asking, let about {
            var traces = traces
            if traces == nil { try listPartials() }
            // The sender may begin with another name than it offered.
            if traces?.name != name {
                let query = ItemQuery(
                    about.identity, called: name, isFolder: about.isFolder, from: sender, size: about.size)
                traces = try find(query, relating: true)
            }
            targets = (traces?.targets ?? []).compactMap {
                StoredTarget($0, in: folder, of: about.identity, isFolder: about.isFolder, features: features)
            }
            if about.isFolder, targets.first?.lock() == false { targets = [] }
            workspace = try resumable(about.identity, traces?.partials ?? [], in: folder)
            if targets.isEmpty, let sender {
                related = (traces?.related ?? []).compactMap {
                    RelatedItem($0, in: folder, of: sender, isFolder: about.isFolder, features: features)
                }
            }
        }
        if let size = about?.size, workspace == nil, targets.isEmpty, !required.contains(.sparse) {
            try SpaceWatch(folder, reserve: reserve).check(roomFor: size, name)
        }
        if targets.isEmpty, workspace == nil {
            workspace = try newWorkspace(in: folder, for: restriction, about: about)
        }
        let place = ItemPlace(
            inbox: self, folder: folder, about: about, identity: about?.identity ?? identity, restriction: restriction,
            required: required, permitted: permitted, targets: targets, reserve: reserve, sender: sender,
            related: related)
        return PartialItem(place, workspace)
    }

    /// Makes a new workspace.
    func newWorkspace(
        in folder: Descriptor, for restriction: Restriction, about: PartialAbout?
    ) throws(FileError) -> Workspace {
        let workspace = try translating(Workspace(in: folder, features: features, storage: storage)) {
            (error: SystemFailure) in
            FileError.storing(DisplayText(path), error)
        }
        do throws(SystemFailure) {
            try about?.save(in: workspace.folder, by: storage, durably: false)
        } catch {
            workspace.remove()
            throw .storing(DisplayText(path), error)
        }
        do throws(SystemFailure) {
            try StoredVisibility.keep(restriction, on: workspace.folder, by: storage)
        } catch {
            workspace.remove()
            if case .noSpace = error.reason { throw .storing(DisplayText(path), error) }
            throw notKept(restriction)
        }
        return workspace
    }

    /// Takes over the first of `partials` that no process works on.
    private func resumable(
        _ identity: ItemIdentity, _ partials: [String], in folder: Descriptor
    ) throws(FileError) -> Workspace? {
        for name in partials {
            do throws(SystemFailure) {
                let found = try Workspace.resume(
                    name, of: identity, in: folder, features: features, storage: storage)
                if let found {
                    index.remove(name)
                    // A stop request was for the process that worked on it before, and space is checked anew.
                    unlinkat(found.folder.number, Workspace.stopName, 0)
                    unlinkat(found.folder.number, Workspace.fullName, 0)
                    return found
                }
            } catch {
                // A partial that cannot be resumed for another reason is left alone, and the item begins from the
                // start.
                if error.isTrouble || error.reason == .noSpace { throw .storing(DisplayText(path), error) }
            }
        }
        return nil
    }

    /// Fewest free bytes for beginning an item of unknown size.
    private static let leastRoom: UInt64 = 16 << 20
}
