import Synchronization

/// Items that were copied last, each in all its representations. No representation is produced before the item is
/// pasted.
///
/// ```swift
/// Pasteboard.general.copy([note])
/// if Pasteboard.general.canPaste(String.self) { texts = try await Pasteboard.general.paste(String.self) }
/// ```
///
/// A pasteboard lives in its process, which sees all visibilities. Its items can be sent (``items``).
public final class Pasteboard: Sendable {
    private struct State {
        var items: [Item] = []
        var changeCount = 0
        var watchers: [Int: AsyncStream<Int>.Continuation] = [:]
        var nextWatcher = 0
    }

    /// Pasteboard that all parts of a program share.
    public static let general = Pasteboard()

    private let state = Mutex(State())

    public init() {}

    /// Items on the pasteboard.
    public var items: [Item] { state.withLock(\.items) }

    /// Increases by one with each change.
    public var changeCount: Int { state.withLock(\.changeCount) }

    /// The change count now and after each change, until the stream is released. Changes in quick succession may be
    /// combined.
    public var changes: AsyncStream<Int> {
        let (stream, watcher) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            defer { state.nextWatcher += 1 }
            state.watchers[state.nextWatcher] = watcher
            watcher.yield(state.changeCount)
            return state.nextWatcher
        }
        // The task that ends the stream holds a lock for which a change under way may wait.
        watcher.onTermination = { [weak self] _ in
            Task { _ = self?.state.withLock { $0.watchers.removeValue(forKey: number) } }
        }
        return stream
    }

    // MARK: Copying and cutting

    /// Replaces the content.
    public func copy(_ items: [Item]) {
        state.withLock { state in
            state.items = items
            state.changeCount += 1
            for watcher in state.watchers.values { watcher.yield(state.changeCount) }
        }
    }

    /// Replaces the content by these values; does nothing without values, as for an empty selection.
    ///
    /// - Throws: an error if the representations of their type refer to each other without end.
    public func copy<Value: Transferable>(_ values: [Value]) throws {
        guard !values.isEmpty else { return }
        copy(try values.map { try Item($0) })
    }

    /// Moves values from their source to the pasteboard.
    ///
    /// - Parameter action: removes the values from their source, and returns them.
    /// - Throws: errors of ``copy(_:)-([Value])``.
    public func cut<Value: Transferable>(for type: Value.Type = Value.self, action: () -> [Value]) throws {
        try copy(action())
    }

    /// Empties it.
    public func clear() {
        copy([] as [Item])
    }

    // MARK: Pasting

    /// True if an item on the pasteboard can be pasted as values of this type.
    public func canPaste<Value: Transferable>(_ type: Value.Type) -> Bool {
        items.contains { item in item.representations.contains { Value.canImport($0.contentType) } }
    }

    /// Makes a value of each item, by the first representation, in the item's order, that can be imported.
    ///
    /// Items without such a representation are skipped.
    /// - Returns: the values in the order of the items; never none.
    /// - Throws: `NodeError` if no item can be pasted as this type; the error of the first importer if all importers
    ///   failed.
    public func paste<Value: Transferable>(_ type: Value.Type = Value.self) async throws -> [Value] {
        let importers = Value.importableRepresentations()
        var values: [Value] = []
        var failure: (any Error)?
        for item in items {
            for choice in item.pasteChoices(importers) {
                do {
                    values.append(try await choice.importer.importing(choice.representation.payload()))
                    break
                } catch is CancellationError {
                    throw CancellationError()
                } catch {
                    failure = failure ?? error
                }
            }
        }
        guard values.isEmpty else { return values }
        throw failure ?? NodeError(.nothingInCommon, "Nothing that was copied can be pasted as \(Value.self).")
    }
}

extension Item {
    /// The ways to make a value of this item, the best first.
    fileprivate func pasteChoices<Value>(
        _ importers: [ImportableRepresentation<Value>]
    ) -> [(representation: ItemRepresentation, importer: ImportableRepresentation<Value>)] {
        representations.flatMap { representation in
            importers.filter { representation.contentType.conforms(to: $0.contentType) }.map { (representation, $0) }
        }
    }
}
