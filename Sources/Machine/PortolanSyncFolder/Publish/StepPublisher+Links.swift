import Glibc
import PortolanFiles
import PortolanSyncPlan

/// Links that would lead out of the shared folder at another place than the one for which they were checked.
extension StepPublisher {
    /// Returns the links that a move would make lead out of the shared folder: the moved one, or those in a moved
    /// folder. A step takes them off the disk before the move.
    func linksLedOut(by step: SyncStep) throws(StepRefusal) -> [Expectation] {
        guard case .move(let seen, let target, _) = step, let moved = places.index.entry(seen.entry),
            moved.kind != .file
        else { return [] }
        let depth = places.depth(of: target.parent)
        guard seen.parent == .parking || depth < places.depth(of: seen.parent) else { return [] }
        var found: [Expectation] = []
        var rest = [(entry: moved, depth: depth)]
        while let next = rest.popLast() {
            if next.entry.kind == .folder {
                guard next.depth < FolderScan.maximumDepth else { continue }
                let inside = places.index.foldersAndLinks(in: next.entry.id)
                rest += inside.compactMap { places.index.entry($0) }.map { ($0, next.depth + 1) }
            } else {
                let link = Expectation(next.entry)
                let place = try places.place(of: link)
                if try leadsOut(place.name, in: place.folder, atDepth: next.depth) { found.append(link) }
            }
        }
        return found
    }

    /// Refuses a staged link that leads out of the shared folder where an earlier step has moved its folder.
    func checkLink(_ staged: StagedFile, _ kind: NodeKind, into folder: EntryID) throws(StepRefusal) {
        guard kind == .link else { return }
        if try leadsOut(staged.name, in: control.staging, atDepth: places.depth(of: folder)) { throw .outdated }
    }

    /// - Parameter depth: number of names in the path of the folder with the link.
    /// - Returns: false if there is no link, and for a target that leads to the same place from everywhere.
    private func leadsOut(_ name: String, in folder: Descriptor, atDepth depth: Int) throws(StepRefusal) -> Bool {
        do throws(SystemFailure) {
            let bytes = try storage.linkTarget(of: name, in: folder)
            guard let target = try? LinkTarget(bytes) else { return false }
            return !target.staysInside(fromDepth: depth)
        } catch {
            if [ENOENT, EINVAL].contains(error.number) { return false }
            throw StepRefusal(error)
        }
    }
}
