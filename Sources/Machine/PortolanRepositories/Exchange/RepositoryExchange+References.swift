import PortolanFiles

/// References of other devices: which move here, and which are shown beside those of this device.
extension RepositoryExchange {
    /// Changes of references that git makes together, or one by one.
    struct RefChange: Hashable {
        var name: RefName
        /// Nil to delete it.
        var new: ObjectName?
        /// Nil if it must not be there.
        var old: ObjectName?

        /// Command for git-update-ref, with `-z`.
        func command(_ format: ObjectFormat) -> String {
            guard let new else { return "delete \(name.text)\0\(old?.text ?? "")\0" }
            return "update \(name.text)\0\(new.text)\0\(old?.text ?? format.none)\0"
        }
    }

    /// Takes what another device has, as far as this one has nothing else.
    mutating func take(_ other: RepositoryState, _ sight: inout RepositorySight) throws(RepositoryRefusal) {
        var decided: [RefName: (decision: RefDecision, version: RefVersion)] = [:]
        for (name, theirs) in other.refs {
            if isDropped(name, theirs, other, sight), let ours = own.refs[name] {
                let version = ours.version.merged(with: theirs.version).changed(by: memory.writer)
                own.refs[name]?.version = version
            }
            decided[name] = try RefDecision.of(own.refs[name], theirs) { (new, old) throws(RepositoryRefusal) in
                try descends(new, from: old)
            }
        }
        // The branch of the head moves with the index, or not at all.
        let result = try takeCheckout(of: other, decided.mapValues(\.decision), &sight)
        let current = sight.head?.branch
        var shown: [RefName: ObjectName] = [:]
        var moving: [RefChange] = []
        for (name, theirs) in other.refs.sorted(by: { $0.key < $1.key }) {
            guard let (decision, version) = decided[name] else { continue }
            switch decision {
            case .same, .keep: own.refs[name]?.version = version
            case .apart: shown[name] = theirs.value
            case .take:
                if name == result.moved {
                    own.refs[name] = Versioned(theirs.value, version)
                } else if name == current {
                    // A branch that the other device has deleted is in use here.
                    if !result.waits, theirs.value != nil { shown[name] = theirs.value }
                } else if name.moves, !sight.elsewhere.contains(name) {
                    moving.append(RefChange(name: name, new: theirs.value, old: sight.refs[name]))
                } else {
                    shown[name] = theirs.value
                }
            }
        }
        for change in try make(moving, of: other) {
            guard let decided = decided[change.name] else { continue }
            own.refs[change.name] = Versioned(change.new, decided.version)
            sight.refs[change.name] = change.new
            outcome.hasTaken = true
        }
        for change in moving where sight.refs[change.name] != change.new { shown[change.name] = change.new }
        // The commit of a head without a branch may have no other name.
        if let theirs = other.head, case .commit(let commit) = theirs.value, isNeeded(theirs, own.head),
            let name = RefName("refs/HEAD")
        {
            shown[name] = commit
        }
        try show(shown, of: other, &sight)
    }

    /// True if a person has removed what was shown of another device: the reference that is here counts.
    private func isDropped(
        _ name: RefName, _ theirs: Versioned<ObjectName?>, _ other: RepositoryState, _ sight: RepositorySight
    ) -> Bool {
        guard let place = name.apart(of: other.slug), let shown = memory.shown[place] else { return false }
        return shown == theirs.value && sight.apart[place] == nil
            && own.refs[name]?.version.covers(theirs.version) == false
    }

    /// True if a commit has another one among its ancestors. What is no commit has none.
    private func descends(_ new: ObjectName, from old: ObjectName) throws(RepositoryRefusal) -> Bool {
        try git.run(["merge-base", "--is-ancestor", old.text, new.text]).isSuccess
    }

    /// - Returns: the changes that were made.
    func make(_ changes: [RefChange], of other: RepositoryState) throws(RepositoryRefusal) -> [RefChange] {
        guard !changes.isEmpty else { return [] }
        if try update(changes, of: other) { return changes }
        guard changes.count > 1 else { return [] }
        var made: [RefChange] = []
        // Names that exclude each other, and locks of others, keep back single ones.
        for change in changes where try update([change], of: other) { made.append(change) }
        return made
    }

    private func update(_ changes: [RefChange], of other: RepositoryState) throws(RepositoryRefusal) -> Bool {
        let commands = changes.map { $0.command(own.format) }.joined()
        return try git.run(
            ["update-ref", "-m", "portolan: from \(other.slug)", "--stdin", "-z"],
            input: git.input(commands)
        ).isSuccess
    }

    /// Shows the references of another device that did not move here, and no others of it.
    private mutating func show(
        _ shown: [RefName: ObjectName], of other: RepositoryState, _ sight: inout RepositorySight
    ) throws(RepositoryRefusal) {
        let prefix = "\(RefName.apart)\(other.slug)/"
        var wanted: [RefName: ObjectName] = [:]
        for (name, value) in shown.sorted(by: { $0.key < $1.key }) {
            guard let place = name.apart(of: other.slug) else { continue }
            wanted[place] = value
            outcome.apart.append(
                RefApart(
                    name: String(name.text.dropFirst("refs/".count)), device: other.device,
                    shown: String(place.text.dropFirst("refs/".count))))
        }
        memory.shown = memory.shown.filter { !$0.key.text.hasPrefix(prefix) || wanted[$0.key] != nil }
        let present = sight.apart.filter { $0.key.text.hasPrefix(prefix) }
        let gone = present.filter { wanted[$0.key] == nil }.map { RefChange(name: $0.key, new: nil, old: $0.value) }
        let new = wanted.filter { present[$0.key] != $0.value }
            .map { RefChange(name: $0.key, new: $0.value, old: present[$0.key]) }
        for changes in [gone, new] {
            let made = try make(changes.sorted { $0.name < $1.name }, of: other)
            for change in made {
                sight.apart[change.name] = change.new
                memory.shown[change.name] = change.new
            }
            if !made.isEmpty { outcome.hasTaken = true }
        }
    }
}

extension RepositoryState {
    private static let longestSlug = 60

    /// Name of a device in references: letters and digits, everything else as hyphens.
    static func slug(_ device: String) -> String {
        let characters = device.unicodeScalars.prefix(Self.longestSlug).map { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)) ? Character(scalar) : "-"
        }
        let name = String(characters).split(separator: "-").joined(separator: "-")
        return name.isEmpty ? "device" : name
    }
}
