import PortolanConcurrency
import PortolanProtocol
import PortolanSyncFolder
import PortolanSyncPlan
import Synchronization

extension SyncRole {
    /// Limit on the answers in memory, of all sessions: two for each place, of ``Limits/changes`` at most.
    private static let places = TaskLock(places: 4)
    /// Number of answers after which other sessions get their turn.
    private static let answersInTurn = 16
    /// Number of turns after which a round of work ends, whatever the peer still has.
    private static let mostTurns = 64

    /// Requests the peer's changes of a folder, until all announced ones are merged, or part of a first copy is here.
    ///
    /// - Returns: true if more are to be requested once the contents that are here are in the folder.
    /// - Throws: the error that ended the session; ``SyncError``.
    func hear(_ folder: SyncFolderID, upTo latest: SyncPosition, into replica: FolderReplica) async throws -> Bool {
        let heard = try await replica.heard(of: DeviceID(peer)).flatMap { SyncPosition($0) }
        var hearing = Hearing(folder: folder, latest: latest, replica: replica, heard: heard)
        let parts = copies.withLock { $0[folder] ?? 0 }
        var filling: FolderReplica.Filling?
        if parts > 0 { filling = .empty } else if heard?.epoch != latest.epoch { filling = try await replica.filling() }
        // Contents of files that the index does not know yet need not be sent.
        if let filling { hearing.contents = filling == .unknown ? .none : .all }
        for _ in 0..<Self.mostTurns where !latest.isCovered(by: hearing.heard) {
            let isOver = try await self.hearing.withLock {
                try await Self.places.withLock { try await self.hearSome(&hearing) }
            }
            if isOver { break }
            // A first copy deletes nothing, so that no guard needs all of its changes.
            guard filling == .empty, parts < Self.mostTurns else { continue }
            copies.withLock { $0[folder] = parts + 1 }
            return true
        }
        copies.withLock { $0[folder] = nil }
        return false
    }

    /// Changes of a folder of the peer, as far as they have come.
    private struct Hearing {
        let folder: SyncFolderID
        let latest: SyncPosition
        let replica: FolderReplica
        /// Position up to which changes have been merged.
        var heard: SyncPosition?
        /// Contents that are requested with changes.
        var contents = Message.SyncSince.Contents.own
        /// True if contents with further changes are likely to be of use.
        var isOfUse = true

        /// Contents to request with the next changes.
        ///
        /// - Parameter answers: number of answers for which there must be room.
        func wanted(answers: Int) async throws -> Message.SyncSince.Contents {
            guard isOfUse, contents != .none else { return .none }
            return try await replica.takesContents(bytes: UInt64(answers * Limits.changes.bytes)) ? contents : .none
        }
    }

    /// Merges some answers, one after the other. The next one is requested before the last is merged: the peer reads
    /// while this device writes.
    ///
    /// - Returns: true if nothing further is to be requested now.
    private func hearSome(_ hearing: inout Hearing) async throws -> Bool {
        let (folder, replica) = (hearing.folder, hearing.replica)
        var answer = try await changes(
            of: folder, since: hearing.heard, with: try await hearing.wanted(answers: 1))
        for number in 1...Self.answersInTurn {
            guard let (news, contents) = answer, let latest = SyncPosition(news.cursor) else { return true }
            // A peer without progress is not asked again.
            let isLast = hearing.latest.isCovered(by: latest) || latest.isCovered(by: hearing.heard)
            let asksOn = !isLast && number < Self.answersInTurn
            hearing.isOfUse = try await replica.lacksContents(of: news, upTo: Limits.syncContent)
            let wanted = asksOn ? try await hearing.wanted(answers: 2) : .none
            async let next = asksOn ? changes(of: folder, since: latest, with: wanted) : nil
            // The peer may have lost the folder since it was asked.
            guard try await host.isShared(folder, with: self), try await replica.mayTake(news) else { return true }
            let merged = try await replica.receive(news).acknowledged
            // Merged changes are acknowledged even if the contents cannot be kept.
            do { try await replica.keep(contents) } catch { hearing.isOfUse = false }
            guard let merged = SyncPosition(merged) else { return true }
            acknowledge(merged, of: folder)
            hearing.heard = merged
            guard asksOn else { return isLast }
            answer = try await next
        }
        return false
    }
}

extension SyncPosition {
    /// True if a device that knows the changes up to another position knows those up to this one.
    func isCovered(by heard: SyncPosition?) -> Bool {
        guard let heard else { return false }
        return heard.epoch == epoch && heard.sequence >= sequence
    }
}
