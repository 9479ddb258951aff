// Names from SwiftUI for copying, cutting and pasting, without views. Each closure is called at the user's command, not
// before.

/// Source of values for a pasteboard, by copying (`copyable(_:)` of a view) or by cutting (`cuttable(for:action:)`).
public struct PasteboardSource<Value: Transferable>: Sendable {
    private let pasteboard: Pasteboard
    private let selection: @Sendable () -> [Value]

    init(_ pasteboard: Pasteboard, selection: @escaping @Sendable () -> [Value]) {
        self.pasteboard = pasteboard
        self.selection = selection
    }

    /// Performs the Copy or Cut command. Returns true if there were values.
    ///
    /// - Throws: an error if the representations of the type refer to each other without end.
    @discardableResult
    public func perform() throws -> Bool {
        let values = selection()
        try pasteboard.copy(values)
        return !values.isEmpty
    }
}

/// Destination of pasting, as by a view's `pasteDestination(for:action:validator:)`.
public struct PasteDestination<Value: Transferable>: Sendable {
    private let pasteboard: Pasteboard
    private let action: @Sendable ([Value]) -> Void
    private let validator: @Sendable ([Value]) -> [Value]

    init(
        _ pasteboard: Pasteboard, action: @escaping @Sendable ([Value]) -> Void,
        validator: @escaping @Sendable ([Value]) -> [Value]
    ) {
        self.pasteboard = pasteboard
        self.action = action
        self.validator = validator
    }

    /// True if the Paste command can do anything now.
    public var canPaste: Bool { pasteboard.canPaste(Value.self) }

    /// Performs the Paste command: passes the values through the validator, and calls the action unless none is left.
    /// Returns true if the action was called.
    ///
    /// - Throws: errors of ``Pasteboard/paste(_:)``.
    @discardableResult
    public func paste() async throws -> Bool {
        let values = validator(try await pasteboard.paste(Value.self))
        guard !values.isEmpty else { return false }
        action(values)
        return true
    }
}

extension Pasteboard {
    /// Makes a source for copying values.
    /// - Parameter payload: selected values; evaluated at each Copy.
    public func copyable<Value: Transferable>(
        _ payload: @autoclosure @escaping @Sendable () -> [Value]
    ) -> PasteboardSource<Value> {
        PasteboardSource(self, selection: payload)
    }

    /// Makes a source for cutting values.
    /// - Parameter action: removes the selected values, and returns them.
    public func cuttable<Value: Transferable>(
        for payloadType: Value.Type = Value.self, action: @escaping @Sendable () -> [Value]
    ) -> PasteboardSource<Value> {
        PasteboardSource(self, selection: action)
    }

    /// Makes a destination of pasting.
    /// - Parameters:
    ///   - action: called with the pasted values; never with none.
    ///   - validator: selects, orders and changes the values for the action.
    public func pasteDestination<Value: Transferable>(
        for payloadType: Value.Type = Value.self, action: @escaping @Sendable ([Value]) -> Void,
        validator: @escaping @Sendable ([Value]) -> [Value] = { $0 }
    ) -> PasteDestination<Value> {
        PasteDestination(self, action: action, validator: validator)
    }
}
