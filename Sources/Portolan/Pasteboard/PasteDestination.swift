import CoreTransferable

// The words that views have for copying, cutting and pasting, without the views: what each is given is asked for when the user's command
// comes, and not before.

/// Something that can be copied from: `copyable(_:)` of a view.
public struct Copyable<Value: Transferable>: Sendable {
    private let pasteboard: Pasteboard
    private let payload: @Sendable () -> [Value]

    init(_ pasteboard: Pasteboard, payload: @escaping @Sendable () -> [Value]) {
        self.pasteboard = pasteboard
        self.payload = payload
    }

    /// The Copy command. Returns whether there was anything to copy.
    ///
    /// - Throws: when the representations of the type refer to each other without end.
    @discardableResult
    public func copy() throws -> Bool {
        let values = payload()
        try pasteboard.copy(values)
        return !values.isEmpty
    }
}

/// Something that can be cut from: `cuttable(for:action:)` of a view.
public struct Cuttable<Value: Transferable>: Sendable {
    private let pasteboard: Pasteboard
    private let action: @Sendable () -> [Value]

    init(_ pasteboard: Pasteboard, action: @escaping @Sendable () -> [Value]) {
        self.pasteboard = pasteboard
        self.action = action
    }

    /// The Cut command. Returns whether there was anything to cut.
    ///
    /// - Throws: when the representations of the type refer to each other without end.
    @discardableResult
    public func cut() throws -> Bool {
        let values = action()
        try pasteboard.copy(values)
        return !values.isEmpty
    }
}

/// A place to paste to: `pasteDestination(for:action:validator:)` of a view.
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

    /// Whether the Paste command can do anything now.
    public var canPaste: Bool { pasteboard.canPaste(Value.self) }

    /// The Paste command: what can be pasted goes through the validator, and to the action unless nothing is left. Returns whether the
    /// action was called.
    ///
    /// - Throws: as ``Pasteboard/paste(_:)`` does.
    @discardableResult
    public func paste() async throws -> Bool {
        let values = validator(try await pasteboard.paste(Value.self))
        guard !values.isEmpty else { return false }
        action(values)
        return true
    }
}

extension Pasteboard {
    /// Something that can be copied from.
    /// - Parameter payload: what is selected; evaluated at each Copy.
    public func copyable<Value: Transferable>(
        _ payload: @autoclosure @escaping @Sendable () -> [Value]
    ) -> Copyable<Value> {
        Copyable(self, payload: payload)
    }

    /// Something that can be cut from.
    /// - Parameter action: removes what is selected, and returns it.
    public func cuttable<Value: Transferable>(
        for payloadType: Value.Type = Value.self, action: @escaping @Sendable () -> [Value]
    ) -> Cuttable<Value> {
        Cuttable(self, action: action)
    }

    /// A place to paste to.
    /// - Parameters:
    ///   - action: takes what is pasted; never called with nothing.
    ///   - validator: chooses, orders and changes what the action is given.
    public func pasteDestination<Value: Transferable>(
        for payloadType: Value.Type = Value.self, action: @escaping @Sendable ([Value]) -> Void,
        validator: @escaping @Sendable ([Value]) -> [Value] = { $0 }
    ) -> PasteDestination<Value> {
        PasteDestination(self, action: action, validator: validator)
    }
}
