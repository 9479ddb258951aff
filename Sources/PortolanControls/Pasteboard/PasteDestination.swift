import CoreTransferable
import Portolan

// The words that views have for copying, cutting and pasting, without the views: what each is given is asked for when
// the user's command comes, and not before.

/// Source of values for a pasteboard, by copying (`copyable(_:)` of a view) or by cutting (`cuttable(for:action:)`).
public struct PasteboardSource<Value: Transferable>: Sendable {
    private let pasteboard: Pasteboard
    private let selection: @Sendable () -> [Value]

    init(_ pasteboard: Pasteboard, selection: @escaping @Sendable () -> [Value]) {
        self.pasteboard = pasteboard
        self.selection = selection
    }

    /// The Copy or Cut command. Returns whether there was anything to put there.
    ///
    /// - Throws: an error if the representations of the type refer to each other without end.
    @discardableResult
    public func perform() throws -> Bool {
        let values = selection()
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

    /// True if the Paste command can do anything now.
    public var canPaste: Bool { pasteboard.canPaste(Value.self) }

    /// The Paste command: what can be pasted goes through the validator, and to the action unless nothing is left.
    /// Returns whether the action was called.
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
    /// Makes a source that values can be copied from.
    /// - Parameter payload: selected values; evaluated at each Copy.
    public func copyable<Value: Transferable>(
        _ payload: @autoclosure @escaping @Sendable () -> [Value]
    ) -> PasteboardSource<Value> {
        PasteboardSource(self, selection: payload)
    }

    /// Makes a source that values can be cut from.
    /// - Parameter action: removes what is selected, and returns it.
    public func cuttable<Value: Transferable>(
        for payloadType: Value.Type = Value.self, action: @escaping @Sendable () -> [Value]
    ) -> PasteboardSource<Value> {
        PasteboardSource(self, selection: action)
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
