import Synchronization

/// A Boolean that threads share.
final class Flag: Sendable {
    private let value: Atomic<Bool>

    init(_ isSet: Bool = false) { value = Atomic(isSet) }

    var isSet: Bool { value.load(ordering: .acquiring) }

    func set() { value.store(true, ordering: .releasing) }

    func clear() { value.store(false, ordering: .releasing) }
}
