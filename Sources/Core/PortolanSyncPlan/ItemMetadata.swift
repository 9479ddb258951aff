/// Modification time of a file or link.
package struct ModificationTime: Hashable, Comparable, Sendable {
    /// Since 1970.
    package var seconds: Int64
    /// 0 to 999,999,999.
    package var nanoseconds: UInt32

    package init(_ seconds: Int64, _ nanoseconds: UInt32 = 0) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    package static func < (left: Self, right: Self) -> Bool {
        (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
    }

    /// True if the nanoseconds are less than a second.
    var isValid: Bool { nanoseconds < 1_000_000_000 }
}

/// Metadata of an item on the disk that members keep alike, and whose change makes no version: the time of a file or
/// link, or the nine permission bits of a folder.
package enum ItemMetadata: Hashable, Sendable {
    case time(ModificationTime)
    case permissions(UInt16)

    package var time: ModificationTime? { if case .time(let time) = self { time } else { nil } }
    package var permissions: UInt16? { if case .permissions(let bits) = self { bits } else { nil } }

    /// Permissions of a folder with these mode bits. The owner may always read it, so that each scan sees all of it.
    package init(folderMode mode: UInt16) { self = .permissions(mode & 0o777 | 0o500) }
}

/// Metadata with the change that set them, of which the last one counts.
package struct RankedValue<Value: Comparable & Hashable & Sendable>: Hashable, Comparable, Sendable {
    package var dot: Dot
    package var value: Value
    /// The rank is one above those that the change replaced, so that a change is later than each that its writer knew.
    /// The permissions of a new folder have rank 0.
    package var rank: UInt32

    package init(_ dot: Dot, _ value: Value, rank: UInt32 = 0) {
        self.dot = dot
        self.value = value
        self.rank = rank
    }

    package static func < (left: Self, right: Self) -> Bool {
        (left.rank, left.dot, left.value) < (right.rank, right.dot, right.value)
    }

    /// - Parameter other: values that this one replaces.
    package func replacing(_ other: [Self]) -> Self {
        let highest = other.map(\.rank).max() ?? 0
        return Self(dot, value, rank: highest == .max ? .max : highest + 1)
    }
}

// MARK: - Records

extension NodeRecord {
    /// Sets the time of some versions, or the permissions of a folder. No version is replaced, and nothing is revived.
    ///
    /// - Returns: false if the record has none of the versions.
    package mutating func set(_ metadata: ItemMetadata, _ dot: Dot, of seen: [Dot]) -> Bool {
        switch metadata {
        case .time(let time):
            let touched = contents.indices.filter { seen.contains(contents[$0].dot) }
            guard !touched.isEmpty else { return false }
            let touch = RankedValue(dot, time).replacing(contents.compactMap(\.value.touch))
            for place in touched { contents[place].value.touch = touch }
        case .permissions(let bits):
            guard kind == .folder else { return false }
            permissions = RankedValue(dot, bits).replacing(permissions.map { [$0] } ?? [])
        }
        version.add(dot)
        return true
    }

    /// Takes metadata that changed later in another record.
    ///
    /// - Parameter before: versions of this record before it was merged.
    mutating func mergeMetadata(_ other: NodeRecord, before: [StampedValue<FileVersion>]) {
        permissions = later(permissions, other.permissions)
        for place in contents.indices {
            for one in before + other.contents where one.dot == contents[place].dot {
                contents[place].value.touch = later(contents[place].value.touch, one.value.touch)
            }
        }
    }

    private func later<Value>(_ one: RankedValue<Value>?, _ other: RankedValue<Value>?) -> RankedValue<Value>? {
        guard let one, let other else { return one ?? other }
        return max(one, other)
    }

    var hasValidMetadata: Bool {
        let times = contents.map(\.value.modified) + contents.compactMap { $0.value.touch?.value }
        return times.allSatisfy(\.isValid)
            && contents.allSatisfy { $0.value.touch.map { version.covers($0.dot) } ?? true }
            && (permissions.map { kind == .folder && version.covers($0.dot) && $0.value <= 0o777 } ?? true)
    }
}

extension TreeItem {
    /// Nil for a folder whose permissions no record has.
    package var metadata: ItemMetadata? {
        content.map { .time($0.time) } ?? permissions.map { .permissions($0) }
    }

    /// Takes the time of an equal version if it changed later.
    mutating func takeTime(of version: FileVersion, written dot: Dot) {
        guard let content, let first = seen.first?.writes.first else { return }
        let before = content.touch ?? RankedValue(first, content.time)
        let other = version.touch ?? RankedValue(dot, version.time)
        if (before.rank, before.dot) < (other.rank, other.dot) { self.content?.touch = other }
    }
}

// MARK: - Agreed tree

extension AgreedEntry {
    /// Metadata that the disk has; nil for an entry by an earlier version of the program, before a scan has seen it.
    package var onDisk: ItemMetadata? { shown ?? metadata }

    /// - Parameter shown: metadata that the disk shows instead of them.
    mutating func hold(_ metadata: ItemMetadata?, shown: ItemMetadata? = nil) {
        self.metadata = metadata
        self.shown = shown == metadata ? nil : shown
    }
}
