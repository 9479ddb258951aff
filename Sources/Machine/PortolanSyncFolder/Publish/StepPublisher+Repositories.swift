import PortolanFiles
import PortolanSyncPlan

/// Repositories: no step changes what is git's own.
extension StepPublisher {
    /// Refuses steps that make something in a repository besides the files that devices write for each other, and moves
    /// that make or unmake a repository.
    func guardRepositories(_ step: SyncStep) throws(StepRefusal) {
        switch step {
        case .makeFolder(_, let target): try refuseGits(in: target.parent, target.name, isFolder: true)
        case .place(_, let target): try refuseGits(in: target.parent, target.name, isFolder: false)
        case .move(let seen, let target, _):
            try refuseGits(seen)
            try refuseGits(in: target.parent, target.name, isFolder: seen.form == nil)
            let (isGit, becomesGit) = (GitFolder.isName(seen.name), GitFolder.isName(target.name))
            guard isGit == becomesGit, try isRepository(seen.parent) == isRepository(target.parent) else {
                throw .name
            }
        case .park(let seen):
            try refuseGits(seen)
            guard !GitFolder.isName(seen.name) else { throw .name }
        case .replace(let seen, _), .set(let seen, _), .remove(let seen): try refuseGits(seen)
        case .bind: break
        }
    }

    private func refuseGits(_ seen: Expectation) throws(StepRefusal) {
        try refuseGits(in: seen.parent, seen.name, isFolder: seen.form == nil)
    }

    private func refuseGits(in folder: EntryID, _ name: SyncName, isFolder: Bool) throws(StepRefusal) {
        guard try !GitFolder.isGits(places.path(of: folder) + [name], isFolder: isFolder) else { throw .name }
    }

    /// True for the folder of a repository.
    private func isRepository(_ folder: EntryID) throws(StepRefusal) -> Bool {
        try places.path(of: folder).last.map(GitFolder.isName) == true
    }
}
