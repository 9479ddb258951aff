import PortolanValues

/// Position in the changes that one replica announces.
package struct ChangeCursor: Hashable, Sendable {
    package var replica: ReplicaID
    package var sequence: UInt64
    /// Seal that the replica gave with it.
    package var seal: ReplicaSeal?

    package init(_ replica: ReplicaID, _ sequence: UInt64, seal: ReplicaSeal? = nil) {
        self.replica = replica
        self.sequence = sequence
        self.seal = seal
    }
}

/// Proof that a device's replica was in a certain state, which only the device can make and read. The others keep the
/// newest, and give it back: a device that was set back meets states that it does not know.
package struct ReplicaSeal: Hashable, Comparable, Sendable {
    /// Length in bytes.
    package static let length = 56

    package let bytes: [UInt8]

    /// - Returns: nil unless there are 56 bytes.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = Array(bytes)
    }

    /// The newer one of two seals of one device is greater.
    package static func < (left: Self, right: Self) -> Bool { left.bytes.lexicographicallyPrecedes(right.bytes) }
}

/// Changes of a replica after a cursor.
package struct Announcement: Hashable, Sendable {
    package var records: [NodeRecord]
    /// Cursor after these records.
    package var cursor: ChangeCursor
    /// Newest known seals of other devices.
    package var seals: [DeviceID: ReplicaSeal]

    package init(records: [NodeRecord], cursor: ChangeCursor, seals: [DeviceID: ReplicaSeal] = [:]) {
        self.records = records
        self.cursor = cursor
        self.seals = seals
    }
}

/// Positions of other members: how many of their changes this replica knows, and they of its changes.
package struct MemberPositions: Hashable, Sendable {
    package var heard: [DeviceID: ChangeCursor] = [:]
    package var acknowledged: [DeviceID: ChangeCursor] = [:]

    package init() {}
}

extension SyncIndex {
    /// Records that a member does not have; all if it knows another epoch of this device.
    package func announcement(since cursor: ChangeCursor?) -> Announcement {
        let known = cursor?.replica == replica ? cursor?.sequence ?? 0 : 0
        return Announcement(records: records(since: known), cursor: ChangeCursor(replica, sequence))
    }

    /// True if this replica can have given the member this cursor.
    package func knows(_ cursor: ChangeCursor?) -> Bool {
        guard let cursor, cursor.replica == replica else { return true }
        return cursor.sequence <= sequence
    }

    /// True if a record names changes by this replica that it has not made.
    package func isForged(_ record: NodeRecord) -> Bool { record.version[replica] > counter }

    /// Merges the records of an announcement.
    ///
    /// - Parameter tells: true if this replica may make changes.
    /// - Returns: records that were refused: invalid ones, forged ones, and those of another kind than the known ones,
    ///   and those with which the known ones would be too large.
    package mutating func receive(_ records: [NodeRecord], tells: Bool = true) -> [NodeID] {
        let wellFormed = records.filter {
            $0.isWellFormed && $0.leavesRoom && (record($0.id)?.kind ?? $0.kind) == $0.kind && !isForged($0)
        }
        /// An announcement may contain a new node twice, as a file and as a folder: the first one counts.
        var clashing: [NodeID] = []
        var marked = MarkedPlaces()
        var announced: Set<NodeID> = []
        for other in wellFormed {
            guard var merged = record(other.id) else {
                // The deletion of an unknown node changes nothing here. If it counted as a change, members that have
                // forgotten the deletion would send it to each other without end.
                update(other, isNews: !other.isDeleted, &marked)
                if other.kind == .folder { announced = [] }
                announceFolders(of: other, &announced, &marked)
                continue
            }
            guard merged.kind == other.kind else {
                clashing.append(other.id)
                continue
            }
            let before = merged
            merged.merge(other)
            guard merged != before else { continue }
            if tells, merged.lacksContent { write(versionsHere(of: before), to: &merged) }
            // A record beyond the limits would be refused by all that are told of it.
            guard merged.isWellFormed, merged.leavesRoom else {
                clashing.append(other.id)
                continue
            }
            update(merged, &marked)
            if merged.kind == .folder { announced = [] }
            announceFolders(of: merged, &announced, &marked)
        }
        let kept = Set(wellFormed.map(\.id))
        return records.map(\.id).filter { !kept.contains($0) } + clashing
    }

    /// Versions that have files here.
    private func versionsHere(of record: NodeRecord) -> [FileVersion] {
        let forms = Set(entries(of: record.id).compactMap { entry($0)?.form })
        return record.versions.map(\.value).filter { forms.contains($0.form) && !$0.isDeleted }
    }

    /// Writes versions to a node that lost them without having been deleted.
    private mutating func write(_ versions: [FileVersion], to record: inout NodeRecord) {
        for version in versions { record.write(newDot(), version, replacing: []) }
    }

    /// Announces deleted folders that contain a live node, since members may not know them: each once.
    private mutating func announceFolders(
        of record: NodeRecord, _ announced: inout Set<NodeID>, _ marked: inout MarkedPlaces
    ) {
        guard !record.isDeleted else { return }
        var next = record.place?.parent
        for _ in 0..<RecordView<Self>.maximumDepth {
            guard let folder = next.flatMap({ self.record($0) }), folder.isDeleted,
                announced.insert(folder.id).inserted
            else { return }
            update(folder, &marked)
            next = folder.place?.parent
        }
    }

    /// Removes deletions that all other members have acknowledged.
    ///
    /// - Parameters:
    ///   - hidden: by members that are told nothing because of a mark, the marks that they may not see. They need not
    ///     acknowledge the deletion of what has such a mark.
    ///   - willForget: receives their nodes while the records are still there.
    package mutating func forgetDeletions(
        _ membership: MemberPositions, members: Set<DeviceID>, hidden: [DeviceID: Set<Restriction>] = [:],
        willForget: ([NodeID]) -> Void = { _ in }
    ) {
        let others = members.subtracting([replica.device])
        func known(to some: Set<DeviceID>) -> UInt64 {
            some.map { membership.acknowledged[$0]?.sequence ?? 0 }.min() ?? .max
        }
        let (toAll, toOpen) = (known(to: others), known(to: others.subtracting(hidden.keys)))
        let forgotten = tombstones.filter { node in
            guard let changed = sequence(of: node), changed <= toOpen else { return false }
            if changed > toAll {
                let marks = Set(record(node)?.contents.map(\.value.form.restriction) ?? [])
                let seeing = others.filter { hidden[$0]?.isDisjoint(with: marks) ?? true }
                guard changed <= known(to: seeing) else { return false }
            }
            return entries(of: node).isEmpty && children(of: node).isEmpty
        }
        willForget(forgotten)
        for node in forgotten { drop(node) }
    }
}
