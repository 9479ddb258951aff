import Synchronization

/// Calls to be made when a connection closes.
final class CloseNotices: Sendable {
    private struct State {
        var isClosed = false
        var calls: [UInt64: @Sendable () -> Void] = [:]
        var last: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Notes that the connection is closed.
    func close() {
        let calls = state.withLock { state in
            state.isClosed = true
            return exchange(&state.calls, with: [:])
        }
        for (_, call) in calls.sorted(by: { $0.key < $1.key }) { call() }
    }

    /// Runs `body`, and makes a call if the connection closes meanwhile; at once if it is closed already.
    func notifying<Result>(
        _ call: @escaping @Sendable () -> Void, isolation: isolated (any Actor)? = #isolation,
        during body: () async throws -> Result
    ) async rethrows -> Result {
        let number: UInt64? = state.withLock { state in
            guard !state.isClosed else { return nil }
            state.last += 1
            state.calls[state.last] = call
            return state.last
        }
        if number == nil { call() }
        defer { if let number { state.withLock { $0.calls[number] = nil } } }
        return try await body()
    }
}
