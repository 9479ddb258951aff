import PortolanFiles
import PortolanSyncPlan
import PortolanValues

/// Exchange of changes with other members, by values that the network layer transports.
extension FolderReplica {
    /// This replica, in its present epoch; nil before the folder was first opened.
    package func replica() async throws -> ReplicaID? {
        try await exclusively { replica in
            try replica.index.identity().map { ReplicaID(device: $0.device, epoch: $0.marker.epoch) }
        }
    }

    /// Looks something up in the index.
    ///
    /// - Parameter none: result before the folder was first opened.
    func lookUp<Value: Sendable>(
        before none: Value, _ body: @escaping @Sendable (StoredIndex) throws -> Value
    ) async throws -> Value {
        try await exclusively { replica in
            try replica.index.identity() == nil ? none : replica.index.transact { try body($0) }
        }
    }

    /// Devices with known changes, including this one and former members.
    package func writers() async throws -> Set<DeviceID> {
        try await lookUp(before: []) { $0.transaction.state.replicas.devices }
    }

    /// Latest change of this replica; nil before the folder was first opened.
    package func position() async throws -> PortolanSyncPlan.ChangeCursor? {
        try await lookUp(before: nil) { PortolanSyncPlan.ChangeCursor($0.replica, $0.sequence) }
    }

    /// Position up to which the changes of a member are known; nil for none.
    package func heard(of device: DeviceID) async throws -> PortolanSyncPlan.ChangeCursor? {
        try await lookUp(before: nil) { $0.membership.heard[device] }
    }

    /// Returns changes that a member does not know: the first of them, if they are many. The cursor is their end.
    ///
    /// - Parameters:
    ///   - cursor: position up to which the member knows this device's changes. One that is ahead of them counts as
    ///     none.
    ///   - member: the member that asks.
    ///   - contents: selection of small contents to send with the changes, which are fewer then.
    /// - Throws: ``SyncError`` of kind `epochEnded` if the machine was set back, and `halted` if another machine has
    ///   this device's key.
    package func announcement(
        since cursor: PortolanSyncPlan.ChangeCursor?, by member: DeviceID? = nil, size: AnnouncementSize = .normal,
        with contents: SmallContents? = nil
    ) async throws -> Announcement {
        try await exclusively { replica in
            let folder = try replica.openFolder()
            if let member { try replica.check(cursor?.seal, by: member) }
            let isAhead = try replica.index.transact { !$0.knows(cursor) }
            if isAhead, let member { replica.doubt(member) }
            try replica.raiseGeneration(in: folder, onlyForNews: true)
            return try replica.index.transact { index in
                var news = index.announcement(since: isAhead ? nil : cursor, size: size, with: contents)
                news.cursor.seal = index.lastTold?.seal(by: replica.seals)
                news.seals = index.newestSeals(limit: Self.mostSeals)
                return news
            }
        }
    }

    /// Number of other devices whose seals are passed on.
    private static let mostSeals = 256

    /// Merges changes of another member.
    ///
    /// - Returns: the position to acknowledge to the member.
    /// - Throws: ``SyncError`` of kind `epochEnded` if the machine was set back.
    package func receive(
        _ announcement: Announcement
    ) async throws -> (acknowledged: PortolanSyncPlan.ChangeCursor, refused: [NodeID]) {
        try await exclusively { replica in
            let folder = try replica.openFolder()
            let (members, sees) = (replica.members, replica.sees)
            let (tells, now) = (replica.ways.tells, replica.now().seconds)
            let member = announcement.cursor.replica.device
            try replica.check(announcement.seals[replica.opener.device], by: member, isPassedOn: true)
            let (refused, isForged, forgotten) = try replica.index.transact(isCancellable: true) { index in
                let isForged = announcement.records.contains { index.isForged($0) }
                index.transaction.teller = (announcement.cursor.replica, now)
                let refused = index.receive(announcement.records, tells: tells)
                index.hear(announcement.cursor)
                index.keep(announcement.seals)
                return (refused, isForged, index.forgetDeletions(members, sees))
            }
            replica.keepPaths(forgotten)
            if isForged { replica.doubt(member) }
            try replica.raiseGeneration(in: folder, onlyForNews: false)
            return (announcement.cursor, refused)
        }
    }

    /// Records that a member knows this replica's changes up to a position, which ``announcement(since:)`` gave.
    ///
    /// - Returns: true if a mark was forgotten with the deletion of its last file, so that more members may be told.
    @discardableResult
    package func acknowledge(_ cursor: PortolanSyncPlan.ChangeCursor, by device: DeviceID) async throws -> Bool {
        try await exclusively { replica in
            let (members, sees) = (replica.members, replica.sees)
            try replica.check(cursor.seal, by: device)
            let (forgotten, opens) = try replica.index.transact { index -> ([NodeID: String], Bool) in
                guard cursor.replica == index.replica, index.knows(cursor) else { return ([:], false) }
                index.acknowledge(cursor, by: device)
                let before = index.marks
                let forgotten = index.forgetDeletions(members, sees)
                return (forgotten, !before.isEmpty && index.marks != before)
            }
            replica.keepPaths(forgotten)
            return opens
        }
    }

    /// Forgets deletions that all have acknowledged who were told of them, without a word of a member.
    package func forgetDeletions() async throws {
        try await exclusively { replica in
            guard try replica.index.identity() != nil else { return }
            let (members, sees) = (replica.members, replica.sees)
            replica.keepPaths(try replica.index.transact { $0.forgetDeletions(members, sees) })
        }
    }

    /// Withdraws contents that no member has any more, because their writer has lost its index and the files were
    /// replaced.
    ///
    /// - Parameter deletes: true to delete a version if this device has no file either. Another member may have one,
    ///   and must have had the time to keep it by a new version.
    /// - Returns: the contents of which records have changed.
    package func withdraw(_ digests: Set<ContentDigest>, deletes: Bool) async throws -> Set<ContentDigest> {
        try await exclusively { replica in
            guard replica.ways.tells else { return [] }
            return try replica.index.transact(isCancellable: true) { index in
                let plan = index.plan(
                    guard: replica.settings.deletionGuard, confirmed: replica.confirmed, ways: replica.ways,
                    now: replica.now().seconds)
                var marked = MarkedPlaces()
                var withdrawn: Set<ContentDigest> = []
                for step in plan.steps {
                    guard let digest = step.content?.form.digest, digests.contains(digest) else { continue }
                    let before = index.sequence
                    switch step {
                    case .place(let item, _):
                        if deletes { index.withdraw(item, own: nil, &marked) }
                    case .replace(let seen, let item):
                        let own = index.content(of: seen)
                        if deletes || own != nil { index.withdraw(item, own: own, &marked) }
                    default: continue
                    }
                    if index.sequence != before { withdrawn.insert(digest) }
                }
                return withdrawn
            }
        }
    }

    /// Raises the generation before members rely on the index, so that an older copy of the index is recognised.
    private func raiseGeneration(in folder: OpenFolder, onlyForNews: Bool) throws {
        let marker: Marker? = try index.transact(durably: true) { index in
            let isNews = index.announced < index.sequence || index.lastTold == nil
            if onlyForNews, !isNews { return nil }
            if isNews { index.addTold() }
            index.announced = index.sequence
            index.generation += 1
            return Marker(epoch: index.replica.epoch, generation: index.generation)
        }
        if let marker { try folder.write(marker) }
    }
}

extension StoredIndex {
    /// Content of a file here.
    fileprivate func content(of seen: Expectation) -> FileVersion? {
        guard let form = seen.form, let folder = entry(seen.parent)?.handle.number,
            let known = file(at: FilePlace(folder: folder, name: seen.name))
        else { return nil }
        return FileVersion(
            form: form, size: known.size, modified: known.metadata.time ?? ModificationTime(0), author: author)
    }

    /// - Parameters:
    ///   - members: the other members; without any, no deletion is forgotten.
    ///   - sees: true for a mark that a member may see.
    /// - Returns: the paths of what is forgotten while its folder is not deleted.
    fileprivate func forgetDeletions(
        _ members: Set<DeviceID>, _ sees: (DeviceID, Restriction) -> Bool
    ) -> [NodeID: String] {
        guard !members.isEmpty else { return [:] }
        let marks = marks
        var hidden: [DeviceID: Set<Restriction>] = [:]
        for member in marks.isEmpty ? [] : members {
            let unseen = marks.filter { !sees(member, $0) }
            if !unseen.isEmpty { hidden[member] = Set(unseen) }
        }
        var (index, paths) = (self, [NodeID: String]())
        index.forgetDeletions(membership, members: members, hidden: hidden) { nodes in
            for node in nodes where paths.count < FolderReplica.mostForgotten {
                guard let folder = record(node)?.place?.parent, record(folder)?.isDeleted != true else { continue }
                paths[node] = text(of: node)
            }
        }
        return paths
    }
}
