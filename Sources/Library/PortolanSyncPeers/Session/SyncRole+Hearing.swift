import PortolanConcurrency
import PortolanProtocol
import PortolanSyncFolder
import PortolanSyncPlan

extension SyncRole {
    /// Limit on the answers in memory, of all sessions: each has ``Limits/changes`` at most until it is merged.
    private static let places = TaskLock(places: 8)
    /// Number of answers after which other folders get their turn.
    private static let mostAnswers = 1024

    /// Requests the peer's changes of a folder, one answer after the other, until all announced ones are merged.
    ///
    /// - Throws: the error that ended the session; ``SyncError``.
    func hear(_ folder: SyncFolderID, upTo latest: SyncPosition, into replica: FolderReplica) async throws {
        var heard = try await replica.heard(of: DeviceID(peer)).flatMap { SyncPosition($0) }
        let isFromStart = heard?.epoch != latest.epoch
        var isOfUse = true
        for _ in 0..<Self.mostAnswers where !latest.isCovered(by: heard) {
            let (since, asks) = (heard, isOfUse)
            let answer = try await hearing.withLock {
                try await Self.places.withLock { () -> (merged: SyncPosition?, isOfUse: Bool)? in
                    let takes =
                        asks
                        ? try await replica.takesContents(
                            fromStart: isFromStart, bytes: UInt64(Limits.changes.bytes)) : false
                    let wanted: Message.SyncSince.Contents = !takes ? .none : isFromStart ? .all : .own
                    guard let (news, contents) = try await self.changes(of: folder, since: since, with: wanted) else {
                        return nil
                    }
                    // The peer may have lost the folder since it was asked.
                    guard try await host.isShared(folder, with: self) else { return nil }
                    guard try await replica.mayTake(news) else { return nil }
                    let merged = try await replica.receive(news).acknowledged
                    // The contents are on the disk before further ones are requested. Merged changes are acknowledged
                    // even if the contents cannot be kept.
                    let isOfUse = (try? await replica.keep(contents, of: news, upTo: Limits.syncContent)) ?? false
                    return (SyncPosition(merged), isOfUse)
                }
            }
            guard let answer, let merged = answer.merged else { return }
            isOfUse = answer.isOfUse
            acknowledge(merged, of: folder)
            // A peer without progress is not asked again.
            if merged.isCovered(by: heard) { return }
            heard = merged
        }
    }
}

extension SyncPosition {
    /// True if a device that knows the changes up to another position knows those up to this one.
    func isCovered(by heard: SyncPosition?) -> Bool {
        guard let heard else { return false }
        return heard.epoch == epoch && heard.sequence >= sequence
    }
}
