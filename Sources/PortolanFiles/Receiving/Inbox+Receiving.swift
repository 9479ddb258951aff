import Glibc
import PortolanTrust

/// What there is of an item before its transfer begins.
package enum Known: Hashable, Sendable {
    case nothing
    /// A transfer that was broken off left so many bytes.
    case partial(bytes: UInt64)
    /// It was stored under this name, and can be brought up to date.
    case stored(name: FileName)
}

extension Inbox {
    /// Begins to receive an item that is not gone on with when its transfer breaks off.
    ///
    /// - Parameter restriction: who may see it; kept with each file and folder of it (``StoredVisibility``).
    /// - Throws: ``FileError`` where the folder is gone or not writable, or its file system cannot keep the restriction.
    package func newPartial(for restriction: Restriction = .everyone) throws(FileError) -> PartialItem {
        let folder = try open()
        let place = PartialItem.Place(
            inbox: self, folder: folder, about: nil, required: [], targets: [])
        let workspace = try newWorkspace(in: folder, for: restriction, about: nil)
        return PartialItem(place: place, workspace: workspace, restriction: restriction, reserve: 0)
    }

    /// What there is of an item.
    ///
    /// - Parameter name: what it is to be called.
    package func find(_ identity: ItemIdentity, called name: FileName, isFolder: Bool) throws(FileError) -> Known {
        let folder = try open()
        if let target = targets(identity, called: name, isFolder: isFolder, in: folder).first {
            return .stored(name: target.name)
        }
        // The one that saves most, where a disk in trouble has left several.
        for partial in try partials().sorted(by: { $0.bytes > $1.bytes })
        where partial.about?.identity == identity && !partial.isLocked && partial.holdsItem {
            return .partial(bytes: partial.bytes)
        }
        return .nothing
    }

    /// Begins to receive an item, or goes on with it.
    ///
    /// Where the item was stored from the same source before, that is brought up to date; what an earlier transfer left is taken
    /// over, unless another process works on it. With neither, or when `asking` is false, it begins anew.
    ///
    /// - Parameters:
    ///   - about: what is written down, so that another transfer can go on with it; nil where none is to.
    ///   - name: what it is to be called.
    ///   - restriction: who may see it; kept with each file and folder of it (``StoredVisibility``).
    ///   - required: what must not be lost.
    ///   - reserve: bytes that are to stay free on the disk.
    ///   - asking: whether the sender asks what is needed; if not, it sends everything.
    /// - Throws: ``FileError`` where the folder is gone or not writable, has no room for the item or cannot keep what must be
    ///   kept.
    package func receive(
        _ about: PartialAbout?, called name: FileName, for restriction: Restriction = .everyone,
        keeping required: Fidelity = [], reserve: UInt64 = 0, asking: Bool
    ) throws(FileError) -> PartialItem {
        let folder = try open()
        var targets: [StoredTarget] = []
        var workspace: Workspace?
        if asking, let about {
            targets = self.targets(about.identity, called: name, isFolder: about.isFolder, in: folder)
            if about.isFolder, targets.first?.lock() == false { targets = [] }
            workspace = try resumable(about.identity, in: folder)
        }
        if let size = about?.size, workspace == nil, targets.isEmpty, !required.contains(.sparse) {
            try SpaceWatch(folder, reserve: reserve).check(roomFor: size, name)
        }
        if targets.isEmpty, workspace == nil {
            workspace = try newWorkspace(in: folder, for: restriction, about: about)
        }
        let place = PartialItem.Place(
            inbox: self, folder: folder, about: about, required: required, targets: targets)
        return PartialItem(place: place, workspace: workspace, restriction: restriction, reserve: reserve)
    }

    /// A place to put an item together.
    func newWorkspace(
        in folder: Descriptor, for restriction: Restriction, about: PartialAbout?
    ) throws(FileError) -> Workspace {
        let workspace: Workspace
        do throws(SystemFailure) {
            workspace = try Workspace(in: folder, features: features, storage: storage)
        } catch {
            throw .storing(DisplayText(path), error)
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
            throw FileError(
                .visibilityNotKept,
                "The item is only for \(restriction), and the file system of “\(DisplayText(path))” cannot remember that. "
                    + "Receive it into a folder on a file system with extended attributes.")
        }
        return workspace
    }

    private func resumable(_ identity: ItemIdentity, in folder: Descriptor) throws(FileError) -> Workspace? {
        for partial in try partials()
        where partial.about?.identity == identity && !partial.isLocked && partial.holdsItem {
            do throws(SystemFailure) {
                let found = try Workspace.resume(
                    Self.partialPrefix + partial.id, of: identity, in: folder, features: features, storage: storage)
                if let found {
                    // An order to stop was for whoever worked on it before.
                    unlinkat(found.folder.number, Workspace.stopName, 0)
                    return found
                }
            } catch {
                // What cannot be taken over for another reason is left alone, and the item begins anew.
                if error.isTrouble || error.reason == .noSpace { throw .storing(DisplayText(path), error) }
            }
        }
        return nil
    }

    /// How many numbered names are looked at for what was stored.
    private static let variants = 64

    /// What was stored of a source: one folder, or the files, which may be several versions.
    private func targets(
        _ identity: ItemIdentity, called name: FileName, isFolder: Bool, in folder: Descriptor
    ) -> [StoredTarget] {
        let name = name.visible
        var targets: [StoredTarget] = []
        for number in 1...Self.variants {
            let candidate = number == 1 ? name : name.numbered(number, isFolder: isFolder)
            if let target = StoredTarget(candidate, in: folder, of: identity, isFolder: isFolder, features: features),
                isFolder || ReceivedMark.isTrue(of: target.root)
            {
                targets.append(target)
                if isFolder { break }
            } else if number > 3, (try? folder.status(of: candidate.text)) == nil {
                // One or two may have been taken away; behind a longer gap there is nothing.
                break
            }
        }
        return targets
    }
}

extension PartialItem {
    /// Where the item is put together; made when the first thing has to be.
    func workspace(_ state: inout State) throws(FileError) -> Workspace {
        if let workspace = state.workspace { return workspace }
        let workspace = try place.inbox.newWorkspace(in: place.folder, for: restriction, about: place.about)
        state.workspace = workspace
        return workspace
    }
}
