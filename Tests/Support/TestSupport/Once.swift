import Synchronization

/// A value that is set later, once.
public final class Once<Value: Sendable>: Sendable {
    private let stored = Mutex<Value?>(nil)

    public init() {}

    public var value: Value? { stored.withLock { $0 } }

    public func set(_ value: Value) {
        stored.withLock { stored in
            precondition(stored == nil, "set twice")
            stored = value
        }
    }
}
