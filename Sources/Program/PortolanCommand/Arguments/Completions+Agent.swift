import ArgumentParser
import Portolan
import PortolanClient
import PortolanSettings
import Synchronization

/// Parcels and items that the agent of this home has; none where no agent runs.
extension Completions {
    /// Longest time that a shell waits for the agent.
    private static let patience = Duration.seconds(2)

    /// Parcels of the outbox.
    static var parcels: CompletionKind {
        ofAgent { try await $0.outbox(AgentAPI.Query()).parcels.map(\.id.description) }
    }

    /// Items of the inbox, by their numbers.
    static var inboxItems: CompletionKind {
        ofAgent { client in
            let states = ["waiting", "quarantined"]
            let open = try await client.inbox(AgentAPI.Query(states: states)).items
            return (open.isEmpty ? try await client.inbox(AgentAPI.Query()).items : open).map { "\($0.id.bits)" }
        }
    }

    /// Items that the agent shares.
    static var shelfItems: CompletionKind {
        ofAgent { try await $0.shelf().map(\.id.description) }
    }

    private static func ofAgent(_ words: @escaping @Sendable (AgentClient) async throws -> [String]) -> CompletionKind {
        of { home in
            let client = try AgentClient(socket: Settings(home: home).agentSocket, timeout: patience)
            let (found, done) = (Found(), DispatchSemaphore(value: 0))
            Task.detached {
                found.words = (try? await words(client)) ?? []
                done.signal()
            }
            // The parser needs the words synchronously. This process does no other work, and the pool of tasks has at
            // least two threads.
            _ = done.wait(timeout: .now() + 3)
            return found.words.compactMap(CompletedWord.init)
        }
    }

    private final class Found: Sendable {
        private let value = Mutex<[String]>([])

        var words: [String] {
            get { value.withLock { $0 } }
            set { value.withLock { $0 = newValue } }
        }
    }
}
