/// Position in the changes that one replica announces.
package struct ChangeCursor: Hashable, Sendable {
    package var replica: ReplicaID
    package var sequence: UInt64

    package init(_ replica: ReplicaID, _ sequence: UInt64) {
        self.replica = replica
        self.sequence = sequence
    }
}

/// Changes of a replica after a cursor.
package struct Announcement: Hashable, Sendable {
    package var records: [NodeRecord]
    /// Cursor after these records.
    package var cursor: ChangeCursor

    package init(records: [NodeRecord], cursor: ChangeCursor) {
        self.records = records
        self.cursor = cursor
    }
}

/// Positions of other members: how many of their changes this replica knows, and they of its changes.
package struct MemberPositions: Hashable, Sendable {
    package var heard: [DeviceID: ChangeCursor] = [:]
    package var acknowledged: [DeviceID: ChangeCursor] = [:]

    package init() {}
}

/// Result of an announcement that was received.
package enum AnnouncementResult: Hashable, Sendable {
    /// The records were merged, except invalid ones.
    case merged(refused: [NodeID])
    /// A member knows changes by this replica that its own database does not have: the database is outdated, and a new
    /// epoch begins. Nothing was merged.
    case ownChangesUnknown
}

extension SyncIndex {
    /// Records that a member does not have; all if it knows another epoch of this device.
    package func announcement(since cursor: ChangeCursor?) -> Announcement {
        let isKnown = cursor?.replica == replica || cursor != nil && mistakes.contains(.ignoresEpochOfPeer)
        var records = records(since: isKnown ? cursor?.sequence ?? 0 : 0)
        if mistakes.contains(.keepsNewsToItself) { records.removeAll { $0.version[replica] == 0 } }
        return Announcement(records: records, cursor: ChangeCursor(replica, sequence))
    }

    /// True if this replica can have given the member this cursor.
    package func knows(_ cursor: ChangeCursor?) -> Bool {
        guard let cursor, cursor.replica == replica else { return true }
        return cursor.sequence <= sequence
    }

    /// Merges all records of an announcement, or none.
    package mutating func receive(_ records: [NodeRecord]) -> AnnouncementResult {
        let wellFormed = records.filter { $0.isWellFormed && (record($0.id)?.kind ?? $0.kind) == $0.kind }
        if !mistakes.contains(.ignoresMarker), wellFormed.contains(where: { $0.version[replica] > counter }) {
            return .ownChangesUnknown
        }
        /// An announcement may contain a new node twice, as a file and as a folder: the first one counts.
        var clashing: [NodeID] = []
        for other in wellFormed {
            guard var merged = record(other.id) else {
                // The deletion of an unknown node changes nothing here. If it counted as a change, members that have
                // forgotten the deletion would send it to each other without end.
                update(other, isNews: !other.isDeleted)
                announceFolders(of: other)
                continue
            }
            guard merged.kind == other.kind else {
                clashing.append(other.id)
                continue
            }
            let before = merged
            merged.merge(other, mistakes)
            guard merged != before else { continue }
            update(merged)
            announceFolders(of: merged)
        }
        let kept = Set(wellFormed.map(\.id))
        return .merged(refused: records.map(\.id).filter { !kept.contains($0) } + clashing)
    }

    /// Announces deleted folders that contain a live node, since members may not know them.
    private mutating func announceFolders(of record: NodeRecord) {
        guard !record.isDeleted else { return }
        var next = record.place?.parent
        for _ in 0..<RecordView<Self>.maximumDepth {
            guard let folder = next.flatMap({ self.record($0) }), folder.isDeleted else { return }
            update(folder)
            next = folder.place?.parent
        }
    }

    /// Removes deletions that all other members have acknowledged.
    package mutating func forgetDeletions(_ membership: MemberPositions, members: Set<DeviceID>) {
        let cursors = members.subtracting([replica.device]).map { membership.acknowledged[$0] }
        var known: UInt64 = .max
        for cursor in cursors where !mistakes.contains(.forgetsDeletionsEarly) {
            known = min(known, cursor?.sequence ?? 0)
        }
        let view = RecordView(self)
        let forgotten = tombstones.filter { node in
            guard let record = record(node), let changed = sequence(of: node), changed <= known else { return false }
            return !view.isPresent(record) && entries(of: node).isEmpty && children(of: node).isEmpty
        }
        for node in forgotten { drop(node) }
    }
}
