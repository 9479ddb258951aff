import Portolan
import PortolanConcurrency
import PortolanProtocol
import PortolanSyncFolder
import PortolanSyncPlan
import PortolanTransport
import PortolanTrust
import PortolanValues
import Synchronization

/// Work on one folder: gets changes of the others, does steps on the disk, and announces changes.
extension SyncCoordinator {
    /// Largest number of waits in the status.
    private static let mostWaits = 20
    /// Pause before the next round of work in a folder that is halted, or whose disk is full.
    private static let retryTime = Duration.seconds(15)

    /// Works on a folder at each signal of its bell, until the folder is ended.
    func keep(_ folder: SyncedFolder) async throws {
        async let _: Void = tellGoing(of: folder)
        async let _: Void = fetchContents(for: folder)
        try await watching(folder) {
            for await _ in folder.bell { try await self.work(on: folder) }
        }
        try? await folder.replica.close()
    }

    /// Runs a round of work. The task that opens folders announces its changes to all peers.
    func work(on folder: SyncedFolder) async throws {
        let waiting = folder.takeWaiting()
        let start = node.configuration.runtime.now
        folder.state.withLock { $0.begun += 1 }
        defer {
            folder.state.withLock { state in
                state.over += 1
                state.roundTime = node.configuration.runtime.now - start
            }
            for one in waiting { one.settle() }
        }
        do {
            if let overlap = await overlap(of: folder) {
                halt(folder, overlap)
            } else if let exclusion = try await exclusion(from: folder.entry) {
                halt(folder, exclusion)
            } else {
                try await keepKey(of: folder)
                while try await round(folder) { try Task.checkCancellation() }
                folder.state.withLock { state in
                    state.isHalted = false
                    state.stop = nil
                    state.status.isCopied = nil
                    state.status.problem = nil
                }
            }
        } catch let error as SyncError {
            // A round that is cancelled fails in any way.
            try Task.checkCancellation()
            halt(folder, error.kind == .halted(.keyElsewhere) ? sentenceOfCopy(folder) : error.description)
        }
        try await writeStatus(of: folder)
        try Task.checkCancellation()
        call()
    }

    /// Records the obstacle of a folder, a sentence that is safe to print.
    private func halt(_ folder: SyncedFolder, _ obstacle: String) {
        let retryTime = node.configuration.runtime.now + Self.retryTime
        let wasHalted = folder.state.withLock { state in
            defer {
                state.isHalted = true
                state.retryTime = retryTime
                state.status.problem = obstacle
            }
            return state.isHalted
        }
        guard !wasHalted else { return }
        let name = DisplayText(folder.entry.name, limit: 100)
        events(.halted(folder: name, reason: DisplayText(sentence: obstacle, limit: 500)))
    }

    /// - Returns: true if another round must follow at once.
    private func round(_ folder: SyncedFolder) async throws -> Bool {
        let entry = folder.entry
        let members = try await entry.members(by: node)
        folder.replica.setMembers(members)
        folder.replica.setWays(entry.ways)
        setAudience(of: folder, entry)
        var sharing: [SyncRole] = []
        for role in roles where role.told?[folder.id] != nil {
            if try await isShared(entry, with: role.peer) { sharing.append(role) }
        }
        try await noteStops(in: folder, sharing)
        var isAgain = false
        for role in sharing {
            // A session that ends meanwhile is skipped.
            do {
                if try await hear(role, folder) { isAgain = true }
            } catch let error as SyncError {
                guard case .epochEnded = error.kind else { throw error }
                isAgain = true
            } catch { try Task.checkCancellation() }
        }
        noteDoubted(folder, sharing)
        let report = try await synchronize(folder, isAlone: sharing.isEmpty)
        folder.contents.want(report.wanted, from: sharing, at: node.configuration.runtime.now)
        let latest = try await folder.replica.position().flatMap { SyncPosition($0) }
        // Changes are taken when their contents are here.
        let isComing = report.waiting.contains(.coming)
        var taken = isComing ? folder.state.withLock(\.taken) : [:]
        for device in sharing.map({ DeviceID($0.peer) }) where !isComing {
            taken[device] = try await folder.replica.heard(of: device).flatMap { SyncPosition($0) }
        }
        let differing = state.withLock { $0.differing.filter { members.contains($0.key) }.values.sorted() }
        let before = folder.state.withLock(\.latest)
        let lacks = try await folder.replica.lacks(report, limit: Limits.lacks.ofFolder) { $0.markBytes }
        let news = note(report, latest, taken, lacks, sharing, differing, folder)
        let hasChanged = report.steps > 0 || latest != before
        try await list(report, in: folder, with: sharing, hasChanged: hasChanged)
        try await noteRemoved(in: folder, members: members)
        try await noteOthers(in: folder, members: members, sharing: sharing, hasChanged: hasChanged)
        let name = DisplayText(entry.name, limit: 100)
        if report.steps > 0 { events(.changed(folder: name, steps: report.steps)) }
        for held in news { events(.held(folder: name, mark: held.mark, count: held.count)) }
        if try await giveUpMissing(report, in: folder, members: members, sharing: sharing) { isAgain = true }
        return try await decide(report, folder) || isAgain
    }

    /// Does the steps on the disk whose contents are here.
    private func synchronize(_ folder: SyncedFolder, isAlone: Bool) async throws -> SyncReport {
        let changes = folder.takeChanges()
        let contents = AwaitedContents(without: isAlone ? nil : folder.contents.missing)
        do {
            let report = try await folder.replica.synchronize(from: contents, changes: changes)
            folder.plan(report.nextLook, at: node.configuration.runtime.now)
            return report
        } catch {
            // The changes must still be read.
            folder.state.withLock { $0.changes.add(changes) }
            throw error
        }
    }

    /// Requests the changes of a peer, if there are any, and merges them.
    ///
    /// - Returns: true if more are to be requested behind the next steps on the disk.
    private func hear(_ role: SyncRole, _ folder: SyncedFolder) async throws -> Bool {
        guard let told = role.told?[folder.id] else { return false }
        let taken = told.taken.map { ChangeCursor($0, of: node.identity.publicKey) }
        try await folder.replica.check(taken, by: DeviceID(role.peer))
        guard let latest = told.latest else { return false }
        return try await role.hear(folder.id, upTo: latest, into: folder.replica)
    }

    /// Reports, once each, members that tell of changes by this device that it did not make.
    private func noteDoubted(_ folder: SyncedFolder, _ sharing: [SyncRole]) {
        for device in folder.replica.takeDoubted() {
            let role = sharing.first { DeviceID($0.peer) == device }
            let name = role.map { "“\($0.shownName)”" } ?? "A member"
            let sentence = "\(name) tells of changes by this device that it did not make; they are passed over."
            // A member may change its name at each session.
            let isNews = folder.state.withLock { state in
                state.doubts.count < Self.mostWaits && state.doubts.insert(sentence).inserted
            }
            if isNews { events(.failed(DisplayText(sentence: sentence, limit: 500))) }
        }
    }

    /// - Returns: large deletions that were not reported before.
    private func note(
        _ report: SyncReport, _ latest: SyncPosition?, _ taken: [DeviceID: SyncPosition], _ lacks: [MemberLack],
        _ sharing: [SyncRole], _ differing: [String], _ folder: SyncedFolder
    ) -> [HeldDeletion] {
        let retryTime = node.configuration.runtime.now + Self.retryTime
        return folder.state.withLock { state in
            state.retryTime = report.waiting.contains(.diskFull) ? retryTime : nil
            state.latest = latest
            state.taken = taken
            state.lacks = lacks
            let news = report.held.filter { !state.held.contains($0) }
            state.held = report.held
            state.status.waits = differing.prefix(Self.mostWaits) + report.sentences(limit: Self.mostWaits)
            let notes = (report.notes(state.entry.ways) ?? []) + state.doubts.sorted()
            state.status.notes = notes.isEmpty ? nil : notes
            state.status.untold = report.untold.isEmpty ? nil : Array(report.untold.prefix(Self.mostWaits))
            state.status.peers = Set(sharing.map(\.shownName.text)).sorted()
            return news
        }
    }

    /// Applies the decision of a person on large deletions, and on rules of others.
    ///
    /// - Returns: true if there was a decision.
    private func decide(_ report: SyncReport, _ folder: SyncedFolder) async throws -> Bool {
        let entry = folder.entry
        let held = report.held
        var isDecided = false
        for deletion in held {
            guard let decision = entry.decisions.first(where: { $0.deletion == deletion.mark }) else { continue }
            if decision.isConfirmed {
                folder.replica.confirm(deletion)
            } else {
                try await folder.replica.reject(deletion)
            }
            isDecided = true
        }
        let agreed = Set(entry.decisions.filter(\.isConfirmed).map(\.deletion))
            .intersection(report.heldRules.map(\.mark))
        if !agreed.isEmpty {
            folder.replica.confirmRules(agreed)
            folder.state.withLock { $0.changes = .whole }
        }
        guard isDecided || !agreed.isEmpty else { return false }
        let marks = agreed.union(held.map(\.mark))
        try await dropDecisions(marks, in: folder)
        return true
    }

    /// Forgets decisions of a person that were carried out.
    func dropDecisions(_ marks: Set<String>, in folder: SyncedFolder) async throws {
        let local = folder.entry.local
        folder.state.withLock { $0.entry.decisions.removeAll { marks.contains($0.deletion) } }
        try await withLookupThread {
            try self.list.change { entries in
                for place in entries.indices where entries[place].local == local {
                    entries[place].decisions.removeAll { marks.contains($0.deletion) }
                }
            }
        }
    }

    func writeStatus(of folder: SyncedFolder) async throws {
        try await folder.writing.withLock {
            let (entry, status, written) = folder.state.withLock { ($0.entry, $0.status, $0.written) }
            guard status != written, try await change(statusOf: entry, { $0 = status }) else { return }
            folder.state.withLock { $0.written = status }
        }
    }

    /// Writes the status of a folder, if it has changed.
    ///
    /// - Returns: false if it could not be written.
    @discardableResult
    func change(
        statusOf entry: SyncFolderEntry, _ body: @escaping @Sendable (inout SyncFolderList.Status?) -> Void
    ) async throws -> Bool {
        do {
            try await withLookupThread {
                let before = try self.list.status(of: entry)
                var status = before
                body(&status)
                if let status, status != before { try self.list.set(status, of: entry) }
            }
            return true
        } catch let error as StoreError {
            // The disk is probably full: synchronization continues, and the next round writes the status.
            guard case .system = error.kind else { throw error }
            return false
        }
    }
}
