package enum NodeKind: UInt8, Hashable, Sendable, CaseIterable {
    case folder, file, link
}

/// Place of a node, set by a change.
package struct NodePlace: Hashable, Sendable {
    package var parent: NodeID
    package var name: SyncName

    package init(_ parent: NodeID, _ name: SyncName) {
        self.parent = parent
        self.name = name
    }
}

/// Part of content that must be equal in equal versions: bytes and attributes.
package struct ContentForm: Hashable, Comparable, Sendable {
    package var digest: ContentDigest
    /// Permission bits that are synchronized.
    package var attributes: UInt64
    /// Extended attributes that are synchronized, in the order of their names.
    package var extended: [ExtendedAttribute]

    package init(_ digest: ContentDigest, attributes: UInt64 = 0, extended: [ExtendedAttribute] = []) {
        self.digest = digest
        self.attributes = attributes
        self.extended = extended
    }

    package static func < (left: Self, right: Self) -> Bool {
        if left.digest != right.digest { return left.digest < right.digest }
        if left.attributes != right.attributes { return left.attributes < right.attributes }
        return left.extended.lexicographicallyPrecedes(right.extended)
    }
}

/// Version of a file or link.
package struct FileVersion: Hashable, Sendable {
    package var form: ContentForm
    package var size: UInt64
    /// Modification time of the file when the version was written. Conflict names have its day.
    package var modified: ModificationTime
    /// Time that a later change gave to the file, without other content.
    package var touch: RankedValue<ModificationTime>?
    /// Name of the device that wrote it, at that time.
    package var author: String
    /// The version was deleted. It counts only if there is no other and the node is alive, because a member without the
    /// deletion moved it.
    package var isDeleted = false

    package init(
        form: ContentForm, size: UInt64 = 0, modified: ModificationTime = ModificationTime(0),
        author: String = ""
    ) {
        self.form = form
        self.size = size
        self.modified = modified
        self.author = author
    }

    /// Modification time of the file.
    package var time: ModificationTime { touch?.value ?? modified }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(form)
        hasher.combine(isDeleted)
    }
}

/// Value with the change that set it. Several are kept if their changes were concurrent.
package struct StampedValue<Value: Hashable & Sendable>: Hashable, Sendable {
    package var dot: Dot
    package var value: Value

    package init(_ dot: Dot, _ value: Value) {
        self.dot = dot
        self.value = value
    }
}

/// State of one node as exchanged between members. ``merge(_:)`` is commutative, associative and idempotent, so that
/// members with the same changes have the same records, for any order of arrival.
package struct NodeRecord: Hashable, Sendable {
    package let id: NodeID
    package let kind: NodeKind
    /// Places that no known change has replaced, ordered by dot; the last one counts.
    package var places: [StampedValue<NodePlace>] = []
    /// Versions that no known change has replaced, ordered by dot: more than one is a conflict. Empty for a folder. A
    /// dot that a replica gave twice, because it was set back, has several, in their order.
    package var contents: [StampedValue<FileVersion>] = []
    /// Changes that keep the node alive and that no deletion covers. Empty is the explicit mark of deletion.
    package var life: [Dot] = []
    /// Permissions of a folder. Nil if an earlier version of the program made it, and for a file or link.
    package var permissions: RankedValue<UInt16>?
    /// Known changes of this node.
    package var version = VersionVector()

    package init(id: NodeID, kind: NodeKind) {
        self.id = id
        self.kind = kind
    }

    /// A node without life or content is deleted.
    package var isDeleted: Bool { life.isEmpty && !isWrittenAndDeleted || kind != .folder && contents.isEmpty }
    package var place: NodePlace? { places.last?.value }

    /// True if each of several changes has taken away another version, or a replica that was set back gave one dot to
    /// the time of one version and to a write: a deletion of the node would have left a deleted version.
    package var lacksContent: Bool { kind != .folder && contents.isEmpty }

    /// True if one dot is a write and a deletion: the version that was written stays.
    private var isWrittenAndDeleted: Bool {
        zip(contents, contents.dropFirst()).contains { $0.dot == $1.dot && $0.value.isDeleted != $1.value.isDeleted }
    }

    /// Versions that count, ordered by dot.
    package var versions: [StampedValue<FileVersion>] {
        let kept = contents.filter { !$0.value.isDeleted }
        return kept.isEmpty ? contents.suffix(1) : kept
    }
}

// MARK: - Changes by this replica

extension NodeRecord {
    package mutating func move(_ dot: Dot, to place: NodePlace) {
        places = [StampedValue(dot, place)]
        revive(dot)
    }

    /// Gives versions dots of their own if they share a dot with the one that the writer had: a change of that one is
    /// no change of them.
    ///
    /// - Parameters:
    ///   - seen: dots of the versions that the writer had.
    ///   - form: content that the writer had.
    package mutating func part(_ seen: [Dot], from form: ContentForm?, _ newDot: () -> Dot) {
        for dot in seen {
            let places = contents.indices.filter { contents[$0].dot == dot && !contents[$0].value.isDeleted }
            guard places.count > 1 else { continue }
            for place in places where contents[place].value.form != form {
                let new = newDot()
                contents[place].dot = new
                version.add(new)
            }
        }
        contents.sort(by: Self.precedes)
    }

    /// Replaces the versions that the writer had before it by a new one.
    package mutating func write(_ dot: Dot, _ content: FileVersion, replacing seen: [Dot]) {
        contents.removeAll { seen.contains($0.dot) || $0.value.isDeleted }
        contents.append(StampedValue(dot, content))
        contents.sort(by: Self.precedes)
        revive(dot)
    }

    /// Deletes the given versions; the node remains if there are others.
    package mutating func delete(_ dot: Dot, seen: [Dot]) {
        let last = versions.last?.value
        contents.removeAll { seen.contains($0.dot) || $0.value.isDeleted }
        revive(dot)
        guard contents.isEmpty else { return }
        life = []
        guard var last else { return }
        last.isDeleted = true
        contents = [StampedValue(dot, last)]
    }

    /// Undoes a deletion.
    package mutating func revive(_ dot: Dot) {
        life = [dot]
        version.add(dot)
    }
}

// MARK: - Merging

extension NodeRecord {
    package mutating func merge(_ other: NodeRecord) {
        precondition(id == other.id && kind == other.kind)
        guard version != other.version || self != other else { return }
        let kept = merged(places, other.places, other) {
            $0.name < $1.name || ($0.name == $1.name && $0.parent < $1.parent)
        }
        // None is left if a replica that was set back gave one dot to a move and to another change.
        places = kept.isEmpty ? (places + other.places).max { $0.dot < $1.dot }.map { [$0] } ?? [] : kept
        let before = contents
        contents = mergedContents(other)
        mergeMetadata(other, before: before)
        life =
            life.filter { !other.version.covers($0) || other.life.contains($0) }
            + other.life.filter { !version.covers($0) }
        life.sort()
        version.join(other.version)
    }

    /// Keeps a value that both sides have, or that one side has and the other does not know. If a member gives two
    /// values one dot, `precedes` decides.
    private func merged<Value>(
        _ mine: [StampedValue<Value>], _ theirs: [StampedValue<Value>], _ other: NodeRecord,
        _ precedes: (Value, Value) -> Bool
    ) -> [StampedValue<Value>] {
        if mine == theirs { return mine }
        var kept: [StampedValue<Value>] = []
        for stamped in mine {
            if let same = theirs.first(where: { $0.dot == stamped.dot }) {
                kept.append(precedes(stamped.value, same.value) ? same : stamped)
            } else if !other.version.covers(stamped.dot) {
                kept.append(stamped)
            }
        }
        kept += theirs.filter { stamped in
            !version.covers(stamped.dot) && !mine.contains { $0.dot == stamped.dot }
        }
        return kept.sorted { $0.dot < $1.dot }
    }

    /// Keeps all values of a dot that both sides have, and those of a dot that one side has and the other does not
    /// know.
    private func mergedContents(_ other: NodeRecord) -> [StampedValue<FileVersion>] {
        if contents == other.contents { return contents }
        var kept = contents.filter { mine in
            !other.version.covers(mine.dot) || other.contents.contains { $0.dot == mine.dot }
        }
        for theirs in other.contents {
            guard !version.covers(theirs.dot) || contents.contains(where: { $0.dot == theirs.dot }) else { continue }
            if let place = kept.firstIndex(where: { $0.dot == theirs.dot && $0.value.isSame(as: theirs.value) }) {
                if kept[place].value.describedBefore(theirs.value) { kept[place] = theirs }
            } else {
                kept.append(theirs)
            }
        }
        return kept.sorted(by: Self.precedes)
    }

    fileprivate static func precedes(_ one: StampedValue<FileVersion>, _ other: StampedValue<FileVersion>) -> Bool {
        if one.dot != other.dot { return one.dot < other.dot }
        if one.value.form != other.value.form { return one.value.form < other.value.form }
        return !one.value.isDeleted && other.value.isDeleted
    }
}

extension FileVersion {
    /// True if two values of one dot are one version, whatever they say about it.
    fileprivate func isSame(as other: Self) -> Bool { form == other.form && isDeleted == other.isDeleted }

    /// Order of the descriptions of one version.
    fileprivate func describedBefore(_ other: Self) -> Bool {
        if modified != other.modified { return modified < other.modified }
        if size != other.size { return size < other.size }
        return author.utf8.lexicographicallyPrecedes(other.author.utf8)
    }
}

// MARK: - Records of others

extension NodeRecord {
    /// Most versions or places of one node, and most replicas of one version.
    package static let maximumSiblings = 64
    package static let maximumReplicas = 1024

    /// True if the record of a member meets the rules for records.
    package var isWellFormed: Bool {
        id != .root && version.parts.count <= Self.maximumReplicas && version.covers(id.creation)
            && (1...Self.maximumSiblings).contains(places.count) && life.count <= Self.maximumSiblings
            && contents.count <= (kind == .folder ? 0 : Self.maximumSiblings)
            && isOrdered(places.map(\.dot)) && isOrdered(life) && contents.map(\.dot).allSatisfy(version.covers)
            && zip(contents, contents.dropFirst()).allSatisfy(Self.precedes)
            && places.allSatisfy { $0.value.name.isComponent && $0.value.parent != id }
            && contents.allSatisfy { $0.value.author.utf8.count <= SyncName.maximumBytes }
            && contents.map(\.value.form.extended).allSatisfy { $0.isEmpty || kind == .file && $0.isWellFormed }
            && hasValidMetadata
    }

    /// True if the version has places left for changes of members.
    var leavesRoom: Bool { version.parts.count <= Self.maximumReplicas - Self.maximumSiblings }

    private func isOrdered(_ dots: [Dot]) -> Bool {
        dots.allSatisfy(version.covers) && zip(dots, dots.dropFirst()).allSatisfy(<)
    }
}

extension NodeRecord {
    /// Bytes that the record takes in a message at most, with all replicas that it names.
    package var mostBytes: Int {
        let dot = 17
        let replica = 48
        return 32 + 2 * dot + replica + dot + (replica + dot) * (1 + version.parts.count + life.count)
            + places.reduce(0) { $0 + 2 * (replica + dot) + 8 + $1.value.name.text.utf8.count }
            + contents.reduce(0) { $0 + 2 * (replica + dot) + 112 + $1.value.author.utf8.count }
            + contents.map(\.value.form.extended).reduce(0) { $0 + $1.weight + 8 * $1.count }
    }
}
