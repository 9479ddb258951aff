/// Step of building the new content.
package enum DeltaOperation: Hashable, Sendable {
    /// Copies this range of the base.
    case copy(base: Range<UInt64>)
    /// Sends this range of the new content literally.
    case literal(Range<UInt64>)

    package var length: UInt64 {
        switch self {
        case .copy(let range), .literal(let range): UInt64(range.count)
        }
    }
}

/// Joins neighbours that are parts of one operation.
package struct OperationMerger: Sendable {
    private var pending: DeltaOperation?

    package init() {}

    /// - Returns: the operation before, if this one does not continue it.
    package mutating func add(_ operation: DeltaOperation) -> DeltaOperation? {
        guard operation.length > 0 else { return nil }
        switch (pending, operation) {
        case (.copy(let last), .copy(let range)) where last.upperBound == range.lowerBound:
            pending = .copy(base: last.lowerBound..<range.upperBound)
            return nil
        case (.literal(let last), .literal(let range)) where last.upperBound == range.lowerBound:
            pending = .literal(last.lowerBound..<range.upperBound)
            return nil
        default:
            return exchange(&pending, with: operation)
        }
    }

    /// - Returns: the last operation.
    package mutating func finish() -> DeltaOperation? {
        pending.take()
    }
}
