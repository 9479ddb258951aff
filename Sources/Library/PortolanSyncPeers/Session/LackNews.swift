import PortolanProtocol
import Synchronization

/// Folders of which the peer of a session has told other lacks than before.
///
/// A peer may change them at any rate: the first change is reported at once, and those within a pause together.
final class LackNews: Sendable {
    private let folders = Mutex<Set<SyncFolderID>>([])
    private let (bell, ringer) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    func add(_ news: Set<SyncFolderID>) {
        guard !news.isEmpty else { return }
        folders.withLock { $0.formUnion(news) }
        ringer.yield()
    }

    /// Reports the folders until the task is cancelled.
    ///
    /// - Parameter pause: waits before the next report.
    func report(pausing pause: () async throws -> Void, _ body: (Set<SyncFolderID>) async -> Void) async {
        for await _ in bell {
            let news = folders.withLock { exchange(&$0, with: []) }
            await body(news)
            guard (try? await pause()) != nil else { return }
        }
    }
}
