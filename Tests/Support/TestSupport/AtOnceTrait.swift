import Synchronization
import Testing

extension Trait where Self == AtOnceTrait {
    /// Trait for suites whose tests mostly wait for other programs: at most `count` of the tests run at a time, in all
    /// suites within.
    package static func atOnce(_ count: Int) -> Self { Self(places: Places(count)) }
}

package struct AtOnceTrait: TestTrait, SuiteTrait, TestScoping {
    fileprivate let places: Places

    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        await places.take()
        defer { places.giveBack() }
        try await function()
    }
}

private final class Places: Sendable {
    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(_ count: Int) { state = Mutex(State(free: count)) }

    func take() async {
        await withCheckedContinuation { continuation in
            let hasPlace = state.withLock { state in
                guard state.free > 0 else {
                    state.waiting.append(continuation)
                    return false
                }
                state.free -= 1
                return true
            }
            if hasPlace { continuation.resume() }
        }
    }

    func giveBack() {
        let next: CheckedContinuation<Void, Never>? = state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
