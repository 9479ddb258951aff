import Portolan
import PortolanConcurrency
import PortolanProtocol
import PortolanSyncFolder
import PortolanSyncPlan
import PortolanTransport
import PortolanTrust
import PortolanValues
import Synchronization

/// Paths and reasons in the status of a folder.
extension SyncCoordinator {
    /// Interval in which the progress of contents is written.
    private static let progressTime = Duration.seconds(1)

    /// Records in the status of a folder what waits, what is not kept alike, and what is in conflict, with paths.
    ///
    /// - Parameters:
    ///   - sharing: sessions with members that share the folder.
    ///   - hasChanged: true if files or records have changed since the last call.
    func list(
        _ report: SyncReport, in folder: SyncedFolder, with sharing: [SyncRole], hasChanged: Bool
    ) async throws {
        typealias Status = SyncFolderList.Status
        let before = folder.state.withLock(\.status)
        var deletions: [SyncHeldDeletion] = []
        for held in report.held.prefix(Status.mostListed) {
            let mark = held.mark
            if let same = before.deletions?.first(where: { $0.mark == mark }) {
                deletions.append(same)
                continue
            }
            // All deletions share what is listed.
            let rest = Status.mostListed - deletions.reduce(0) { $0 + $1.paths.count }
            let by = roles.first { DeviceID($0.peer) == held.device }?.shownName.text
            deletions.append(
                SyncHeldDeletion(
                    mark: mark, count: held.count, isOwn: report.heldHere.contains(held), by: by,
                    paths: Status.listed(try await folder.replica.paths(of: held, limit: rest)) { $0 }))
        }
        var conflicts = before.conflicts
        if hasChanged || conflicts == nil {
            conflicts = Status.listed(try await folder.replica.conflicts(limit: Status.mostListed)) { $0 }
        }
        let own = try await node.standing(of: node.identity.publicKey)
        // A file that is being written is only late.
        let busy = report.skipped.filter { $0.reason == .busy || $0.reason == .database }.map { SyncLack($0, own) }
        let unheard = sharing.filter { role in
            let taken = folder.state.withLock { $0.taken[DeviceID(role.peer)] }
            return role.told?[folder.id]?.latest.map { !$0.isCovered(by: taken) } ?? false
        }
        let late = Set(unheard.map(\.shownName.text)).sorted().map { name in
            SyncLack(path: nil, reason: "“\(name)” has changes that have not come yet.", needsPerson: false)
        }
        let shutOut = try await shutOut(of: folder, own)
        let copied = try await copied(in: folder, after: before.lacks ?? [])
        let lacks = Status.listed(copied + late + shutOut + report.lacks + report.repositories.flatMap(\.lacks) + busy)
        { $0.path }
        let name = DisplayText.shellWord(folder.entry.name)
        let rules = report.heldRules.map { SyncLack($0, confirm: "portolan sync confirm \(name) \($0.mark)") }
        let left = report.skipped.filter { $0.reason != .busy && $0.reason != .database }.map { SyncLack($0, own) }
        let skipped = Status.listed(rules + left) { $0.path }
        folder.state.withLock { state in
            state.status.deletions = deletions
            state.status.conflicts = conflicts
            state.status.lacks = lacks
            state.status.skipped = skipped
            state.status.rules = report.heldRules.isEmpty ? nil : report.heldRules.map(\.mark)
            state.status.coming = folder.contents.progress
            if !state.status.peers.isEmpty { state.status.hasMet = true }
        }
        let known = Set(before.skipped ?? [])
        let news = skipped.filter { $0.needsPerson && !known.contains($0) }
        guard let first = news.first else { return }
        events(
            .skipped(
                folder: DisplayText(folder.entry.name, limit: 100), path: DisplayText(first.path ?? "", limit: 1000),
                reason: DisplayText(sentence: first.reason, limit: 500), count: news.count))
    }

    /// Writes the progress of the contents that a folder fetches, until the task is cancelled.
    func tellProgress(of folder: SyncedFolder) async {
        while (try? await node.configuration.runtime.sleep(for: Self.progressTime)) != nil, !Task.isCancelled {
            let now = folder.contents.progress
            folder.state.withLock { $0.status.coming = now }
            try? await writeStatus(of: folder)
        }
    }

    /// Takes over from an earlier process what a status has for longer than one round of work.
    func takeOver(statusOf folder: SyncedFolder) async throws {
        let entry = folder.entry
        guard let stored = try await withLookupThread({ try self.list.status(of: entry) }) else { return }
        folder.state.withLock { state in
            state.status.hasMet = stored.hasMet
            state.status.skipped = stored.skipped
            state.status.others = stored.others
            state.status.machines = stored.machines
            for (key, machines) in Dictionary(grouping: stored.machines ?? [], by: \.device) {
                guard let device = Hexadecimal.bytes(inEitherCase: key).flatMap({ DeviceID($0) }) else { continue }
                state.met[device] = MetMachines(machines)
            }
            for one in stored.others ?? [] {
                guard let device = Hexadecimal.bytes(inEitherCase: one.device).flatMap({ DeviceID($0) }) else {
                    continue
                }
                state.others[device, default: []].append(one)
            }
        }
    }
}

extension SyncReport {
    /// Changes that wait, with paths, in order. Held deletions are listed apart.
    var lacks: [SyncLack] {
        var lacks: Set<SyncLack> = []
        for wait in waiting {
            if case .model(.held) = wait, !held.isEmpty { continue }
            let (reason, needsPerson) = (wait.sentence, wait.needsPerson)
            for path in places[wait]?.map({ $0 }) ?? [nil] as [String?] {
                lacks.insert(SyncLack(path: path, reason: reason, needsPerson: needsPerson))
            }
        }
        return lacks.sorted { ($0.path ?? "", $0.reason) < ($1.path ?? "", $1.reason) }
    }
}

extension SyncReport.RemainingDifference {
    /// True if time alone does not help.
    fileprivate var needsPerson: Bool {
        switch self {
        case .model(.impossibleName), .name, .model(.nameTaken), .inTheWay, .model(.held), .model(.folderInUse),
            .folderInUse, .link, .unexplained:
            true
        case .model(.unknownFolder), .diskFull, .content, .coming, .failure, .databaseInUse: false
        }
    }
}

extension SyncLack {
    fileprivate init(_ rules: HeldRules, confirm: String) {
        path = rules.path
        reason =
            "Others have changed it so that it excludes less. The earlier rules go on here until you agree: '\(confirm)'."
        needsPerson = true
    }

    /// - Parameter own: standing of this device, with the names of teams.
    fileprivate init(_ file: SkippedFile, _ own: Standing) {
        path = file.path.text
        needsPerson = true
        switch file.reason {
        case .special: reason = "A pipe, a socket or a device is not kept alike."
        case .name: reason = "It has a name that no item may have."
        case .own: (reason, needsPerson) = ("It is among the program's own files, which go to nobody.", false)
        case .forgotten: (reason, needsPerson) = ("It is not kept alike here since 'portolan sync forget'.", false)
        case .mount: reason = "Another file system is there, or the same folder once more."
        case .tooDeep: reason = "It lies too deep in the folder."
        case .repository:
            reason = "Its repository is elsewhere, which goes to nobody: a submodule's or a linked work tree's."
            needsPerson = false
        case .attributes: (reason, needsPerson) = ("It is kept alike without some of its extended attributes.", false)
        case .unreadable(let text): reason = "It cannot be read: \(DisplayText(oneLine: text, limit: 200))."
        case .rules(let text):
            reason =
                "Nothing new beside it is announced, since its rules of exclusion are not known: \(DisplayText(oneLine: text, limit: 200))."
        case .busy: (reason, needsPerson) = ("It is being written.", false)
        case .database:
            reason =
                "It is a database in which a program writes without a pause, or that its program has to open first after a crash."
            needsPerson = false
        case .marked(.nobody): reason = "It is marked as never to be passed on."
        case .marked(let mark): reason = "It is for \(own.name(mark)), and waits while others may have the folder."
        }
    }
}
