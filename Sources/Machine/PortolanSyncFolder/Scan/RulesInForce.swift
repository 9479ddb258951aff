import PortolanSyncPlan

/// Rules that count for what is new in one folder, and in those on the way down to it.
///
/// An entry is excluded by the rules that this device has accepted, and also by those in the ignore files now.
struct RulesInForce: Sendable {
    enum Judgement: Hashable, Sendable {
        case free
        case excluded(ExcludingRule)
        /// The rules are not known.
        case stopped
    }

    private var accepted = IgnoreRules()
    private var present = IgnoreRules()
    private var areSame = true
    /// Inodes of the folders from the root down.
    private var folders: [UInt64] = []
    private var isStopped = false
    /// Rule that excludes the folder itself, and thereby what is new in it.
    private var inherited: ExcludingRule?

    /// True if this device has accepted rules that count in the folder.
    var hasRules: Bool { !accepted.isEmpty }

    /// Adds the rules of a folder.
    mutating func enter(_ folder: UInt64, _ file: RulesFile, _ rules: AcceptedRules) {
        let depth = folders.count
        folders.append(folder)
        let before = IgnoreRules.patterns(of: rules.files[folder]?.text ?? [])
        var now = before
        switch file {
        case .text(let bytes): now = IgnoreRules.patterns(of: bytes)
        case .missing: now = []
        case .unusable: isStopped = true
        }
        accepted.add(before, depth: depth)
        present.add(now, depth: depth)
        if now != before { areSame = false }
    }

    /// Goes down to a folder that is excluded itself, but was synchronized before.
    mutating func inherit(_ judgement: Judgement) {
        if case .excluded(var rule) = judgement {
            rule.isLasting = true
            inherited = inherited ?? rule
        }
    }

    /// Judges a new entry of the folder, or an earlier folder, in which there may be new ones.
    ///
    /// - Parameter inode: inode of the earlier folder.
    func judge(
        _ name: SyncName, in path: [SyncName], isFolder: Bool, earlier inode: UInt64? = nil, _ rules: AcceptedRules
    ) -> Judgement {
        if isStopped { return .stopped }
        if let inherited { return .excluded(inherited) }
        guard let folder = folders.last else { return .free }
        let kept = rules.excluded[folder]?[name.text] ?? inode.flatMap { rules.excluded[$0]?[AcceptedRules.itself] }
        if accepted.isEmpty, areSame, kept == nil { return .free }
        let names = (path + [name]).map { Array($0.text.utf8) }
        let match = accepted.match(names, isFolder: isFolder)
        if let match, !match.pattern.isNegated { return .excluded(rule(match)) }
        if !areSame, let match = present.match(names, isFolder: isFolder), !match.pattern.isNegated {
            return .excluded(rule(match))
        }
        // The folders above had other names when it was excluded.
        if match == nil, let kept, rules.hasRule(kept) { return .excluded(kept) }
        return .free
    }

    private func rule(_ match: IgnoreRules.Match) -> ExcludingRule {
        ExcludingRule(
            folder: folders[match.depth], line: match.pattern.mark,
            isLasting: match.depth > 0 || match.pattern.isAnchored)
    }
}
