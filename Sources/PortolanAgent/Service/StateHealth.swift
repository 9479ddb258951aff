import Synchronization

/// Whether the agent can write its state; without that it receives nothing.
final class StateHealth: Sendable {
    private let fault = Mutex<String?>(nil)
    private let tell: @Sendable (String?) -> Void

    /// - Parameter tell: told of each new fault, a sentence, and with nil that it is over.
    init(tell: @escaping @Sendable (String?) -> Void) { self.tell = tell }

    /// Sentence about the last attempt to write; nil if it succeeded.
    var problem: String? { fault.withLock(\.self) }

    /// Runs a transaction, and remembers whether the state could be written.
    func writing<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
        do {
            let value = try await body()
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
