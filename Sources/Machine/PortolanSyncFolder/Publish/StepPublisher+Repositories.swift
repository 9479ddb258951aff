import PortolanFiles
import PortolanSyncPlan

/// Repositories: no step changes what is git's own.
extension StepPublisher {
    /// Refuses steps that make something in a repository besides the files that devices write for each other, and moves
    /// that make or unmake a repository.
    func guardRepositories(_ step: SyncStep) throws(StepRefusal) {
        switch step {
        case .makeFolder(_, let target): try check(target, isFolder: true)
        case .place(_, let target): try check(target, isFolder: false)
        case .move(let seen, let target, _):
            try check(target, isFolder: seen.form == nil)
            let (isGit, becomesGit) = (GitFolder.isName(seen.name), GitFolder.isName(target.name))
            guard isGit == becomesGit, try isRepository(seen.parent) == isRepository(target.parent) else { throw .name }
        case .park(let seen): guard !GitFolder.isName(seen.name) else { throw .name }
        case .replace, .set, .remove, .bind: break
        }
    }

    private func check(_ target: StepTarget, isFolder: Bool) throws(StepRefusal) {
        let above = try places.name(of: target.parent)
        guard !GitFolder.leavesOut(target.name, isFolder: isFolder, in: above) else { throw .name }
    }

    /// True for the folder of a repository.
    private func isRepository(_ folder: EntryID) throws(StepRefusal) -> Bool {
        try places.name(of: folder).map(GitFolder.isName) == true
    }
}
