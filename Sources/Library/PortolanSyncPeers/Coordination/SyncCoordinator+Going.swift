import Portolan
import PortolanProtocol
import PortolanTransport
import Synchronization

/// Progress of contents that go to members.
extension SyncCoordinator {
    private static let interval = Duration.seconds(1)
    /// Looks without a change after which nothing is going any more.
    private static let mostIdleLooks = 5

    package func sends(_ folder: SyncFolderID, to role: SyncRole) {
        for one in folders where one.id == folder { one.beginGoing() }
    }

    /// Writes the progress of contents while members fetch some, until the folder is ended.
    func tellGoing(of folder: SyncedFolder) async {
        for await _ in folder.goings {
            var before: [SyncGoing] = []
            var idleLooks = 0
            while idleLooks < Self.mostIdleLooks,
                (try? await node.configuration.runtime.sleep(for: Self.interval)) != nil
            {
                let now = going(of: folder)
                idleLooks = now == before || now.isEmpty ? idleLooks + 1 : 0
                before = now
                await write(now, folder)
            }
            guard !Task.isCancelled else { return }
            for role in roles { role.going.end(folder.id) }
            await write([], folder)
        }
    }

    private func going(of folder: SyncedFolder) -> [SyncGoing] {
        roles.compactMap { role -> SyncGoing? in
            guard let now = role.going.progress(of: folder.id) else { return nil }
            return SyncGoing(
                files: now.files, bytes: max(now.bytes, now.doneBytes), doneFiles: now.doneFiles,
                doneBytes: now.doneBytes, to: role.shownName.text)
        }.sorted { ($0.to, $0.doneBytes) < ($1.to, $1.doneBytes) }
    }

    private func write(_ going: [SyncGoing], _ folder: SyncedFolder) async {
        folder.state.withLock { $0.status.going = going.isEmpty ? nil : going }
        try? await writeStatus(of: folder)
    }
}
