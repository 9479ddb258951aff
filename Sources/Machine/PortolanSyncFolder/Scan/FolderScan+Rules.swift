import PortolanFiles
import PortolanSyncPlan

/// Rules of exclusion during a scan.
extension FolderScan {
    /// Reads the ignore file of a folder, and takes note of its changes.
    ///
    /// - Parameter tells: true to list a file whose rules are not known.
    mutating func readRules(_ level: inout Level, tells: Bool) throws(SyncError) {
        level.forgotten = rules.forgottenNames(in: level.handle, at: level.path)
        var file = RulesFile(in: level.descriptor, by: storage)
        let folder = level.handle.number
        let path = level.path + [SyncName(IgnoreRules.fileName)]
        let text: [UInt8]? =
            switch file {
            case .text(let bytes): bytes
            case .missing: []
            case .unusable: nil
            }
        if let text, file != .missing || rules.files[folder] != nil {
            let (now, index, found) = (look.now().seconds, index, file)
            let isTaken = try rules.take(
                text, in: folder, at: path.map(\.text).joined(separator: "/"), isBelowRules: level.rules.hasRules,
                confirmed: confirmed, now: now
            ) { () throws(SyncError) in try Self.isOwn(found, in: folder, index) }
            if !isTaken { file = .unusable("the folder has too many rules") }
        }
        let isAway = file == .missing && rules.files[folder]?.next?.isOwn == true
        if tells, case .unusable(let reason) = file { result.skip(path, .rules(reason)) }
        // Editors take a file away before they write it anew.
        level.rules.enter(folder, isAway ? .unusable("it is away") : file, rules)
    }

    /// True if a person has changed an ignore file here, and no step of a synchronization.
    private static func isOwn(
        _ file: RulesFile, in folder: UInt64, _ index: FolderIndex
    ) throws(SyncError) -> Bool {
        let place = FilePlace(folder: folder, name: SyncName(IgnoreRules.fileName))
        return try index.read { index in
            // A step forgets a file that it takes away, and records one that it brings.
            guard let known = index.file(at: place) else { return file != .missing }
            guard case .text(let text) = file else { return true }
            let isKnown = known.stamp.kind == .link || known.form?.digest == FileLook.digest(text)
            guard isKnown, let entry = index.entry(with: known.handle).flatMap({ index.entry($0) }) else { return true }
            return entry.seen.contains { $0.writes.contains { $0.replica.device == index.replica.device } }
        }
    }

    /// Passes over an entry that is kept alike here no more; for others it is deleted.
    mutating func forget(_ name: SyncName, _ level: Level, _ known: KnownFile?) {
        result.skip(level.path + [name], .forgotten)
        guard known != nil else { return }
        result.observation.forgotten.append(ObservedPlace(parent: level.handle, name: name))
        vanish(name, level, known)
    }

    /// Judges a new entry, or an earlier folder, by the rules.
    ///
    /// - Parameter inode: inode of the earlier folder.
    mutating func judge(
        _ name: SyncName, _ level: Level, isFolder: Bool, earlier inode: UInt64?
    ) -> RulesInForce.Judgement {
        let judgement = level.rules.judge(name, in: level.path, isFolder: isFolder, earlier: inode, rules)
        guard case .excluded(var rule) = judgement else { return judgement }
        rules.keep(rule, for: name.text, in: level.handle.number)
        if let inode {
            rule.isLasting = true
            rules.keep(rule, for: AcceptedRules.itself, in: inode)
        }
        return judgement
    }
}
