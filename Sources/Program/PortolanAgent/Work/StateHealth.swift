import Synchronization

/// Ability of the agent to write its state, without which it receives no items.
final class StateHealth: Sendable {
    private let fault = Mutex<String?>(nil)
    private let changes: @Sendable () -> Int
    private let tell: @Sendable (String?) -> Void

    /// - Parameters:
    ///   - changes: counts the transactions that have changed the state.
    ///   - tell: receives each new fault, a sentence, and nil at its end.
    init(changes: @escaping @Sendable () -> Int, tell: @escaping @Sendable (String?) -> Void) {
        self.changes = changes
        self.tell = tell
    }

    /// Sentence about the last attempt to write; nil if it succeeded.
    var problem: String? { fault.withLock(\.self) }

    /// Runs a transaction, and records if the state could be written. One that had nothing to write shows nothing.
    func writing<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
        let before = changes()
        do {
            let value = try await body()
            guard changes() != before else { return value }
            let isOver = fault.withLock { fault in
                defer { fault = nil }
                return fault != nil
            }
            if isOver { tell(nil) }
            return value
        } catch let error as AgentStateError {
            let isNew = fault.withLock { fault in
                defer { fault = error.description }
                return fault != error.description
            }
            if isNew { tell(error.description) }
            throw error
        }
    }
}
