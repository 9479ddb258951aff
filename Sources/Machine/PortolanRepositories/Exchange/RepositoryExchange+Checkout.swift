import PortolanFiles

/// Head, its branch and the index, which move together or not at all.
extension RepositoryExchange {
    /// Fate of the branch that the head names.
    struct CheckoutResult {
        /// Branch that moved with the head or the index.
        var moved: RefName?
        /// True if git works, or a merge or the like is not done: the branch moves later.
        var waits = false
    }

    /// Target of head and index.
    private struct Checkout {
        var head: HeadValue
        var commit: ObjectName
        var takesHead: Bool
        /// Branch that moves, from what it is.
        var branch: RefChange?
        /// Arguments of git-read-tree; nil if the index stays.
        var readTree: [String]?
        /// Version of the other device's index, if that is taken.
        var indexVersion: RefVersion?
    }

    private static let journal = "checkout"
    private static let newIndex = "index.new"
    private static let lock = "index.lock"
    private static let index = "index"

    /// Moves the head, its branch and the index to those of another device, unless something here would be lost.
    mutating func takeCheckout(
        of other: RepositoryState, _ decisions: [RefName: RefDecision], _ sight: inout RepositorySight
    ) throws(RepositoryRefusal) -> CheckoutResult {
        if sight.isBusy { return CheckoutResult(waits: true) }
        guard let checkout = checkout(of: other, decisions, sight) else { return CheckoutResult() }
        var tree: ObjectName?
        if let words = checkout.readTree {
            guard try copyIndex() == sight.indexMark else { throw .atWork }
            // Staged files that differ from both stay as they are.
            guard try git.run(["read-tree"] + words, index: RepositoryFolder.scratchIndex).isSuccess else {
                return CheckoutResult()
            }
            tree = try writtenTree()
            guard tree != nil else { return CheckoutResult() }
            try lockIndex(checkout, sight)
        }
        do throws(RepositoryRefusal) {
            guard try move(checkout, of: other) else {
                try unlockIndex(keepsNew: false)
                return CheckoutResult()
            }
        } catch {
            try? unlockIndex(keepsNew: false)
            throw error
        }
        if tree != nil { try unlockIndex(keepsNew: true) }
        outcome.hasTaken = true
        if checkout.takesHead, let theirs = other.head { own.head = theirs }
        try noteIndex(tree, checkout, other)
        sight = try observe()
        return CheckoutResult(moved: checkout.branch?.name)
    }

    /// - Returns: nil if nothing is to be done.
    private mutating func checkout(
        of other: RepositoryState, _ decisions: [RefName: RefDecision], _ sight: RepositorySight
    ) -> Checkout? {
        var takesHead = own.head == nil && other.head != nil
        if let ours = own.head, let theirs = other.head {
            if ours.value == theirs.value {
                own.head?.version = ours.version.merged(with: theirs.version)
            } else {
                takesHead = theirs.version != ours.version && theirs.version.covers(ours.version)
            }
        }
        guard let head = takesHead ? other.head?.value : own.head?.value else { return nil }
        var branch: RefChange?
        if case .branch(let name) = head {
            if takesHead, sight.elsewhere.contains(name) { return nil }
            if decisions[name] == .take, name.moves, !sight.elsewhere.contains(name), let new = other.refs[name]?.value
            {
                branch = RefChange(name: name, new: new, old: sight.refs[name])
            }
        }
        let present: ObjectName? =
            switch head {
            case .branch(let name): sight.refs[name]
            case .commit(let name): name
            }
        guard let commit = branch?.new ?? present else { return nil }
        var result = Checkout(head: head, commit: commit, takesHead: takesHead, branch: branch)
        if let theirs = other.index, other.headCommit == commit, isFurther(theirs) {
            if theirs.value != own.index?.value {
                result.readTree = (sight.indexMark == nil ? [] : ["-i", "-m"]) + [theirs.value.text]
            }
            result.indexVersion = theirs.version
        } else if commit != sight.commit {
            result.readTree = ["-i", "-m", sight.commit?.text ?? own.format.emptyTree, commit.text]
        }
        if takesHead || branch != nil || result.readTree != nil { return result }
        if let version = result.indexVersion, let ours = own.index {
            own.index?.version = ours.version.merged(with: version)
        }
        return nil
    }

    /// True if another device's index has all that was staged here.
    private func isFurther(_ theirs: Versioned<ObjectName>) -> Bool {
        guard let ours = own.index else { return true }
        return ours.value == theirs.value || ours.version != theirs.version && theirs.version.covers(ours.version)
    }

    /// - Returns: false if git does not let the branch or the head move.
    private func move(_ checkout: Checkout, of other: RepositoryState) throws(RepositoryRefusal) -> Bool {
        if let branch = checkout.branch, try make([branch], of: other).isEmpty { return false }
        guard checkout.takesHead else { return true }
        let reason = ["-m", "portolan: from \(other.slug)"]
        return switch checkout.head {
        case .branch(let name): try git.run(["symbolic-ref"] + reason + ["HEAD", name.text]).isSuccess
        case .commit(let name): try git.run(["update-ref", "--no-deref"] + reason + ["HEAD", name.text]).isSuccess
        }
    }

    /// Records what the index has become.
    private mutating func noteIndex(
        _ tree: ObjectName?, _ checkout: Checkout, _ other: RepositoryState
    ) throws(RepositoryRefusal) {
        let before = own.index?.version ?? RefVersion()
        if let version = checkout.indexVersion, let theirs = other.index {
            own.index = Versioned(theirs.value, before.merged(with: version))
            return
        }
        guard let tree else { return }
        let clean = try git.run(["rev-parse", "--verify", "\(checkout.commit.text)^{tree}"])
        if let theirs = other.index, other.headCommit == checkout.commit, theirs.value.text == clean.line {
            // The other device has staged nothing: this index has all of both.
            let both = before.merged(with: theirs.version)
            own.index = Versioned(tree, tree == theirs.value ? both : both.changed(by: memory.writer))
        } else if tree != own.index?.value {
            own.index = Versioned(tree, before.changed(by: memory.writer))
        }
    }

    // MARK: The lock

    /// Takes git's lock of the index, whose file is the new index; a journal says what is done under it.
    private func lockIndex(_ checkout: Checkout, _ sight: RepositorySight) throws(RepositoryRefusal) {
        do throws(SystemFailure) {
            let local = try folder.local()
            try storage.removeIfPresent(Self.newIndex, in: local)
            let source = try storage.openFile(Self.index, in: local)
            let new = try storage.makeFile(Self.newIndex, in: local, mode: 0o666)
            try storage.copy(0..<storage.status(of: source).size, of: source, to: new, at: 0)
            try storage.sync(new)
            let inode = try storage.status(of: new).identity.inode
            try folder.replace(
                Self.journal, in: local, with: "\(inode)\n\(checkout.head.text)\n\(checkout.commit.text)\n", mode: 0o600
            )
            try storage.link(Self.newIndex, in: local, as: Self.lock, in: folder.git)
        } catch {
            // The lock is another one's.
            try folder.disk { () throws(SystemFailure) in try storage.removeIfPresent(Self.journal, in: folder.local())
            }
            throw error.number == 17 ? .atWork : .failure(error)
        }
        let mark = try? storage.status(of: Self.index, in: folder.git)
        guard mark.map({ FileMarkOfIndex($0) }) == sight.indexMark else {
            try unlockIndex(keepsNew: false)
            throw .atWork
        }
    }

    /// Gives the lock back.
    ///
    /// - Parameter keepsNew: true if its file becomes the index.
    private func unlockIndex(keepsNew: Bool) throws(RepositoryRefusal) {
        try folder.disk { () throws(SystemFailure) in
            let local = try folder.local()
            guard folder.has(Self.journal, in: local) else { return }
            if keepsNew {
                try storage.move(Self.lock, in: folder.git, to: Self.index, in: folder.git, .replacing)
            } else {
                try storage.removeIfPresent(Self.lock, in: folder.git)
            }
            try storage.sync(folder.git)
            try storage.removeIfPresent(Self.newIndex, in: local)
            try storage.removeIfPresent(Self.journal, in: local)
        }
    }

    /// Completes or gives up what a process that was killed has begun.
    func finishCheckout() throws(RepositoryRefusal) {
        let local = try folder.disk { () throws(SystemFailure) in try folder.local() }
        guard let text = folder.text(Self.journal, in: local) else { return }
        let lines = text.split(separator: "\n")
        let lock = try? storage.status(of: Self.lock, in: folder.git)
        guard lines.count == 3, let lock, String(lock.identity.inode) == lines[0] else {
            return try folder.disk { () throws(SystemFailure) in
                try storage.removeIfPresent(Self.newIndex, in: local)
                try storage.removeIfPresent(Self.journal, in: local)
            }
        }
        let commit = try git.run(["rev-parse", "--verify", "HEAD"]).line
        try unlockIndex(keepsNew: headValue()?.text == String(lines[1]) && commit == lines[2])
    }
}
